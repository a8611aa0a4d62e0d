"""The ordered pieces that a prompt is made of, with zone, source and reason; apart from the text of
any one prompt so that the inspector and the tests can hold every prompt to the same rules.

Three zones (`context.md` §1): the prefix is byte-identical for a session, the log only grows, the
tail holds whatever belongs to this turn alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from huaben.domain.messages import Assistant, Message, System, ToolSpec, User

Zone: TypeAlias = Literal["prefix", "log", "tail"]
JOINT = "\n\n"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text with one source. `reason` says why it is there, where that is not plain."""

    source: str
    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """One message: its pieces joined by a blank line."""

    zone: Zone
    role: Literal["system", "user", "assistant"]
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return JOINT.join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that was considered and not sent, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a turn's first call is sent. `volatile` names macros in the prefix that would change
    between builds and were resolved once for the session; `token_ratio` is what one estimated token
    counts for with the model that it is for."""

    segments: tuple[Segment, ...]
    tools: tuple[ToolSpec, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    volatile: tuple[str, ...] = ()
    token_ratio: float = 1.0

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(_message(segment) for segment in self.segments)

    @property
    def stable(self) -> int:
        """How many messages the session's next turn sends again: all before the tail."""
        return sum(1 for segment in self.segments if segment.zone != "tail")

    def outline(self) -> list[Mapping[str, object]]:
        """For each message its zone and the source, reason, length in characters and mark of its
        pieces; then what was left out, which macros were volatile, and the tools. Equal marks mean
        equal texts, so that two outlines tell where two prompts part (`breaks`)."""
        rows: list[Mapping[str, object]] = [
            {"zone": segment.zone, "role": segment.role, "pieces": _rows(segment.pieces)}
            for segment in self.segments
        ]
        if self.left_out:
            out = [{"source": item.source, "reason": item.reason} for item in self.left_out]
            rows.append({"left_out": out})
        if self.volatile:
            rows.append({"volatile": list(self.volatile)})
        if self.tools:
            listing = json.dumps([[t.name, t.description, t.parameters] for t in self.tools])
            rows.append({"tools": [tool.name for tool in self.tools], "mark": _mark(listing)})
        if self.token_ratio != 1.0:
            rows.append({"token_ratio": self.token_ratio})
        return rows


def token_ratio(outline: Sequence[Mapping[str, object]]) -> float:
    """The ratio that an outline was made with."""
    found = (row["token_ratio"] for row in outline if "token_ratio" in row)
    return next((float(ratio) for ratio in found if isinstance(ratio, int | float)), 1.0)


def segment(zone: Zone, role: Literal["system", "user", "assistant"], *pieces: Piece) -> Segment:
    """A segment of the pieces that have any text."""
    return Segment(zone, role, tuple(piece for piece in pieces if piece.text.strip()))


def sized(prompt: Prompt) -> Iterator[tuple[str, str]]:
    """Every piece of the prompt as (source, text), for counting."""
    for part in prompt.segments:
        for piece in part.pieces:
            yield piece.source, piece.text


def _rows(pieces: Sequence[Piece]) -> list[Mapping[str, object]]:
    return [
        {"source": piece.source, "chars": len(piece.text), "mark": _mark(piece.text)}
        | ({"reason": piece.reason} if piece.reason else {})
        for piece in pieces
    ]


def _mark(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()


def _message(segment: Segment) -> Message:
    match segment.role:
        case "system":
            return System(segment.text)
        case "user":
            return User(segment.text)
        case "assistant":
            return Assistant(segment.text)
        case _:
            assert_never(segment.role)
