"""Text generation web UI's pairs to a chat; apart because a message there is half of a pair."""

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.chats.chain import Chain, told
from huaben.formats.chats.fields import first_text, list_of, object_of, text_of, without
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.values import Chat, Role
from huaben.formats.report import Findings

_BEGINNING = "<|BEGIN-VISIBLE-CHAT|>"
"""Stands in the user's half of the first pair, where the character speaks first."""
_PAIRS = ("internal", "data", "visible", "data_visible")


def is_ooba(raw: JsonObject) -> bool:
    """Whether one of its fields is a list of pairs of texts; `data` is a word of many others."""
    named = [name for name in _PAIRS if name != "data" or "data_visible" in raw]
    return any(_is_pairs(raw.get(name)) for name in named)


def read(raw: JsonObject, findings: Findings) -> tuple[Chat, ...]:
    """Both halves of each pair, an empty one left out (formats §3.3).

    `internal` is what was said; `visible` is the same made ready for a page, and is read only where
    there is nothing else.
    """
    field = next(name for name in _PAIRS if _is_pairs(raw.get(name)))
    if field in ("visible", "data_visible"):
        findings.changed("visible_text_read", field, "there is no internal text")
    shown = list_of(raw.get("visible") or raw.get("data_visible"))
    metadata = object_of(raw.get("metadata"))
    chain = Chain()
    roles: tuple[Role, Role] = ("user", "assistant")
    for n, pair in enumerate(list_of(raw.get(field))):
        seen = list_of(shown[n]) if n < len(shown) else []
        for half, role in enumerate(roles):
            text = _half(list_of(pair), half)
            about = object_of(metadata.get(f"{role}_{n}"))
            kept: JsonObject = {"text": text, "visible": _half(seen, half), **about}
            if text and text != _BEGINNING:
                variant = told(text, role, moment=moment_of(about.get("timestamp")))
                chain.add(role, "", [variant], kept)
    header = without(raw, *_PAIRS, "metadata")
    return (
        Chat(
            "ooba",
            chain.held,
            header=header,
            user=first_text(raw, "name1", "user_name"),
            character=first_text(raw, "name2", "character_name"),
        ),
    )


def _is_pairs(value: Json) -> bool:
    pairs = list_of(value)
    return bool(pairs) and all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(t, str | None) for t in pair)
        for pair in pairs
    )


def _half(pair: list[Json], half: int) -> str:
    return text_of(pair[half]) if half < len(pair) else ""
