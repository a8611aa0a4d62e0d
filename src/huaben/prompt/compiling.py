"""The one place where blocks of context are put in order: what stands for a whole session and what for this turn; apart
from the prompts because any of them, and a caller's own, may be given such blocks (`performers.md` §6).

Whatever is compiled is sent or listed as unsent with its reason: nothing goes nowhere in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from huaben.prompt.segments import JOINT, LeftOut, Piece

Origin: TypeAlias = Literal["foundation", "memory", "projection"]
"""What a block is: a text that the story stands on, something remembered, or what another part of the
program made for this reader (a plan, a ledger)."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece that asks for a place. `anchor` names the place, whatever the frame calls it; at one
    anchor a higher `priority` stands first and is the last to lack room, and of two equal ones the one
    that was given first."""

    piece: Piece
    anchor: str
    priority: int = 0
    origin: Origin = "foundation"


@dataclass(frozen=True, slots=True)
class Frame:
    """The places that a prompt has, in their order: `foundation` ones are sent the same all session,
    `turn` ones this once. `limits` bound the characters at an anchor; what follows a block that does
    not fit may still fit."""

    foundation: tuple[str, ...] = ()
    turn: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Compiled:
    """The blocks in order, and those that are not sent; `turn_anchors` name the place of each of `turn`."""

    foundation: tuple[Piece, ...]
    turn: tuple[Piece, ...]
    unsent: tuple[LeftOut, ...]
    turn_anchors: tuple[str, ...] = ()

    @property
    def turn_text(self) -> str:
        """What is sent this once, as one text."""
        return JOINT.join(piece.text for piece in self.turn)

    def turn_at(self, anchor: str) -> tuple[Piece, ...]:
        """What is sent this once at that place."""
        placed = zip(self.turn_anchors, self.turn, strict=True)
        return tuple(piece for place, piece in placed if place == anchor)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A block with its place in the total order, and why it is not sent, if it is not."""

    block: Block
    rank: tuple[int, int, int]
    why: str = ""


def compiled(blocks: Sequence[Block], frame: Frame) -> Compiled:
    """The blocks in the order of the frame's anchors, then of priority, then as given. The same blocks
    and frame give the same result; every block is in exactly one of the three lists."""
    anchors = tuple(dict.fromkeys((*frame.foundation, *frame.turn)))
    ordered = sorted(
        (_placed(block, at, anchors) for at, block in enumerate(blocks)),
        key=lambda one: one.rank,
    )
    foundation: list[Piece] = []
    turn: list[Block] = []
    unsent: list[LeftOut] = []
    for one in _fitted(ordered, frame.limits):
        piece = one.block.piece
        if one.why:
            unsent.append(LeftOut(piece.source, one.why))
        elif one.block.anchor in frame.foundation:
            foundation.append(piece)
        else:
            turn.append(one.block)
    return Compiled(
        tuple(foundation),
        tuple(block.piece for block in turn),
        tuple(unsent),
        tuple(block.anchor for block in turn),
    )


def _placed(block: Block, at: int, anchors: Sequence[str]) -> _Placed:
    known = block.anchor in anchors
    rank = (anchors.index(block.anchor) if known else len(anchors), -block.priority, at)
    if not known:
        return _Placed(block, rank, f"nothing here has a place for {block.anchor}")
    return _Placed(block, rank, "" if block.piece.text.strip() else "it is empty")


def _fitted(ordered: Sequence[_Placed], limits: Mapping[str, int]) -> Iterator[_Placed]:
    """The same, where what stands there already and what has no room are not sent."""
    used: dict[str, int] = {}
    sent: set[tuple[str, str]] = set()
    for one in ordered:
        anchor, text = one.block.anchor, one.block.piece.text
        limit, before = limits.get(anchor), used.get(anchor, 0)
        if one.why:
            yield one
        elif (anchor, text) in sent:
            yield replace(one, why="the same text stands there already")
        elif limit is not None and before + len(text) > limit:
            yield replace(one, why=f"over the {limit} characters of {anchor}")
        else:
            used[anchor] = before + len(text)
            sent.add((anchor, text))
            yield one
