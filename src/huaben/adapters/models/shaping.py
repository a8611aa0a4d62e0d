"""Messages arranged as a provider accepts them; apart because it decides what is said, not how it is
spelled.

All of it works message by message or on neighbours, so that what comes later changes nothing about
what was sent before; only a change of `Alternation` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from huaben.domain.connection import Alternation
from huaben.domain.messages import (
    Assistant,
    Message,
    System,
    Thinking,
    ToolCall,
    ToolResult,
    User,
)

NOT_RUN: Final = "error: this call was not carried out"
"""Stands in for a result that was never recorded: a call without one is refused by providers."""

BLANK_RESULT: Final = "(empty)"
OPENING: Final = "…"
"""What a `strict` conversation begins with when the story speaks first."""

_JOINT: Final = "\n\n"


def shaped(messages: Sequence[Message], alternation: Alternation) -> list[Message]:
    """The messages with each call answered, nothing blank, roles arranged by `alternation` and no
    white space at the end of a last assistant message."""
    arranged = [message for message in _with_results(messages) if not _is_blank(message)]
    if alternation in ("semi", "strict"):
        arranged = _one_system(arranged)
    if alternation != "as_is":
        arranged = _merged(arranged)
    if alternation == "strict":
        arranged = _user_first(arranged)
    return _trimmed_end(arranged)


# ---- calls and results ---------------------------------------------------------------------------


def _with_results(messages: Sequence[Message]) -> list[Message]:
    """Each assistant message followed by exactly one result per call, in the order of the calls.

    Results are looked for up to the next assistant message, for ids may be used again later. A
    result that answers no call becomes a user message: it is never dropped in silence."""
    out: list[Message] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        if not isinstance(message, Assistant) or not message.calls:
            out.append(_as_words(message) if isinstance(message, ToolResult) else message)
            continue
        end = at
        while end < len(messages) and not isinstance(messages[end], Assistant):
            end += 1
        rest = list(messages[at:end])
        out.append(message)
        out.extend(_answer(call, rest) for call in message.calls)
        out.extend(_as_words(item) if isinstance(item, ToolResult) else item for item in rest)
        at = end
    return out


def _answer(call: ToolCall, rest: list[Message]) -> ToolResult:
    """The first result for `call`, taken out of `rest`."""
    for position, message in enumerate(rest):
        if isinstance(message, ToolResult) and message.call_id == call.id:
            del rest[position]
            return message if message.text.strip() else replace(message, text=BLANK_RESULT)
    return ToolResult(call.id, call.name, NOT_RUN)


def _as_words(result: ToolResult) -> User:
    return User(f"[{result.name}] {result.text}")


def _is_blank(message: Message) -> bool:
    if isinstance(message, Assistant) and message.calls:
        return False
    return not message.text.strip()


# ---- roles -----------------------------------------------------------------------------------------


def _one_system(messages: list[Message]) -> list[Message]:
    """System messages after the leading ones become user messages."""
    leading = 0
    while leading < len(messages) and isinstance(messages[leading], System):
        leading += 1
    later = (
        User(message.text) if isinstance(message, System) else message
        for message in messages[leading:]
    )
    return [*messages[:leading], *later]


def _merged(messages: list[Message]) -> list[Message]:
    out: list[Message] = []
    for message in messages:
        joined = _joined(out[-1], message) if out else None
        if joined is None:
            out.append(message)
        else:
            out[-1] = joined
    return out


def _joined(first: Message, second: Message) -> Message | None:
    """Both as one message; None where they are of different roles or a result stands between."""
    if isinstance(first, System) and isinstance(second, System):
        return System(first.text + _JOINT + second.text)
    if isinstance(first, User) and isinstance(second, User):
        return User(first.text + _JOINT + second.text)
    if isinstance(first, Assistant) and isinstance(second, Assistant):
        texts = [text for text in (first.text, second.text) if text.strip()]
        thinking = _joined_thinking(first.thinking, second.thinking)
        return Assistant(_JOINT.join(texts), first.calls + second.calls, thinking)
    return None


def _joined_thinking(first: Thinking | None, second: Thinking | None) -> Thinking | None:
    if first is None or second is None:
        return second or first
    return Thinking(
        first.text + _JOINT + second.text, second.carrier, {**first.extra, **second.extra}
    )


def _user_first(messages: list[Message]) -> list[Message]:
    leading = 1 if messages and isinstance(messages[0], System) else 0
    if leading < len(messages) and isinstance(messages[leading], User):
        return messages
    return [*messages[:leading], User(OPENING), *messages[leading:]]


def _trimmed_end(messages: list[Message]) -> list[Message]:
    if messages and isinstance(messages[-1], Assistant):
        return [*messages[:-1], replace(messages[-1], text=messages[-1].text.rstrip())]
    return messages
