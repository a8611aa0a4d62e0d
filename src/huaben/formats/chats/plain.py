"""A chat as plain text, `Name: text` with blank lines between, in and out; apart because nothing marks such a
file but its look."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from huaben.formats.chats.chain import Chain, told
from huaben.formats.chats.fields import text_of
from huaben.formats.chats.values import Chat, Entry, Message, Refused, Role
from huaben.formats.report import Findings

_SPEAKER: Final = re.compile(r"(?P<name>[^\s:：#>*\-][^\n:：]{0,59})(?:：|:(?=\s|$))")
_BLOCKS: Final = re.compile(r"\r?\n[ \t]*\r?\n")
_YOU: Final = ("you", "user", "human", "me", "你", "我", "用户", "玩家")
MOST_SPEAKERS: Final = 20


def read_plain(text: str, title: str, findings: Findings) -> Chat | Refused:
    """The chat in a text, or why it looks like none.

    A block that begins with a name begins a message, any other goes on with the last one. At least
    two messages, of at most `MOST_SPEAKERS` speakers, one of whom speaks twice or to another. Nobody
    is marked as the user: it is who has one of the usual names, else whoever speaks second.
    """
    blocks = [block for block in _BLOCKS.split(text.strip()) if block.strip()]
    said = list(_said(blocks))
    speakers = Counter(name for name, _ in said)
    if len(said) < 2 or not 1 <= len(speakers) <= MOST_SPEAKERS or len(said) < len(blocks) // 4:
        return Refused("not_a_chat", "a text without speakers")
    user = _user(list(speakers))
    findings.changed(
        "roles_guessed", "", f"the user is taken to be {user or 'nobody'}", value=user or "—"
    )
    chain = Chain()
    for name, words in said:
        role: Role = "user" if name == user else "assistant"
        chain.add(role, name, [told(words, role)], {"text": f"{name}: {words}"})
    return Chat("plain_text", chain.held, title, user=user)


def _said(blocks: Iterable[str]) -> Iterator[tuple[str, str]]:
    name, parts = "", list[str]()
    for block in blocks:
        found = _SPEAKER.match(block)
        if found is None:
            parts.append(block)
            continue
        if name:
            yield name, "\n\n".join(parts)
        name, parts = found["name"].strip(), [block[found.end() :].strip()]
    if name:
        yield name, "\n\n".join(parts)


def _user(speakers: list[str]) -> str:
    named = next((name for name in speakers if name.casefold() in _YOU), "")
    return named or (speakers[1] if len(speakers) > 1 else "")


# ---- writing -----------------------------------------------------------------------------------


def write_plain(entries: Iterable[Entry]) -> Iterator[str]:
    """The story as text, block by block; what is hidden or quarantined is no part of it.

    A translation that was shown in place of the text is written, as SillyTavern does.
    """
    for message in _shown(entries):
        yield f"{message.name}: {_text(message)}\n\n" if message.name else f"{_text(message)}\n\n"


def write_markdown(title: str, entries: Iterable[Entry]) -> Iterator[str]:
    """The same as Markdown under a heading: each speaker in bold above their words."""
    yield f"# {_escaped(title)}\n\n"
    for message in _shown(entries):
        name = f"**{_escaped(message.name)}**\n\n" if message.name else ""
        yield f"{name}{_text(message)}\n\n"


def _shown(entries: Iterable[Entry]) -> Iterator[Message]:
    return (e for e in entries if isinstance(e, Message) and not e.hidden and _text(e).strip())


def _text(message: Message) -> str:
    extra = message.variant.info.get("extra")
    translated = text_of(extra.get("display_text")) if isinstance(extra, dict) else ""
    return translated or message.text


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#])", r"\\\1", " ".join(text.split()))
