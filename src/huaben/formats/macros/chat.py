"""Macros that tell of the chat; apart as one family, all volatile, their texts never templates."""

from __future__ import annotations

from huaben.formats.macros.run import Call, Definition


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _last_message(call: Call) -> str:
    return call.scene.chat.last_message


def _last_user_message(call: Call) -> str:
    return call.scene.chat.last_user_message


def _last_char_message(call: Call) -> str:
    return call.scene.chat.last_char_message


def _last_message_id(call: Call) -> str:
    return _number(call.scene.chat.last_message_id)


def _first_included(call: Call) -> str:
    return _number(call.scene.chat.first_included_id)


def _first_displayed(call: Call) -> str:
    return _number(call.scene.chat.first_displayed_id)


def _last_swipe(call: Call) -> str:
    return _number(call.scene.chat.last_swipe)


def _current_swipe(call: Call) -> str:
    return _number(call.scene.chat.current_swipe)


def _all_range(call: Call) -> str:
    last = call.scene.chat.last_message_id
    return "" if last is None else f"0-{last}"


def _summary(call: Call) -> str:
    return call.scene.chat.summary


def _input(call: Call) -> str:
    return call.scene.chat.input


CHAT = {
    "lastMessage": Definition(_last_message, volatile=True),
    "lastMessageId": Definition(_last_message_id, volatile=True),
    "lastUserMessage": Definition(_last_user_message, volatile=True),
    "lastCharMessage": Definition(_last_char_message, volatile=True),
    "firstIncludedMessageId": Definition(_first_included, volatile=True),
    "firstDisplayedMessageId": Definition(_first_displayed, volatile=True),
    "lastSwipeId": Definition(_last_swipe, volatile=True),
    "currentSwipeId": Definition(_current_swipe, volatile=True),
    "allChatRange": Definition(_all_range, volatile=True),
    "summary": Definition(_summary, volatile=True),
    "input": Definition(_input, volatile=True),
}
