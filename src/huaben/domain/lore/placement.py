"""Where chosen entries stand in a prompt.

Separate from choosing: performers with slots of their own only need the entries in order.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from huaben.domain.lore.trace import Chosen
from huaben.domain.lore.values import Position, Role

_ROLE_ORDER: Final = (Role.SYSTEM, Role.USER, Role.ASSISTANT)


def _no_outlets() -> Mapping[str, tuple[Chosen, ...]]:
    return {}


@dataclass(frozen=True, slots=True)
class DepthBlock:
    """Entries that one role speaks at one depth, in prompt order; 0 is after the last message."""

    depth: int
    role: Role
    entries: tuple[Chosen, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """Every chosen entry at its place, each tuple in prompt order: ascending by `order`.

    Outlets alone descend. `lost` are entries beside an author's note that is not due this turn.
    """

    before_char: tuple[Chosen, ...] = ()
    after_char: tuple[Chosen, ...] = ()
    note_top: tuple[Chosen, ...] = ()
    note_bottom: tuple[Chosen, ...] = ()
    examples_top: tuple[Chosen, ...] = ()
    examples_bottom: tuple[Chosen, ...] = ()
    at_depth: tuple[DepthBlock, ...] = ()
    outlets: Mapping[str, tuple[Chosen, ...]] = field(default_factory=_no_outlets)
    lost: tuple[Chosen, ...] = ()


def in_prompt_order(chosen: Iterable[Chosen]) -> tuple[Chosen, ...]:
    """Ascending by `order`; of equals the one considered first comes last (formats §2.6.9)."""
    descending = sorted(chosen, key=lambda each: -each.entry.order)
    return tuple(descending[::-1])


def place(chosen: Sequence[Chosen], *, note_due: bool = True) -> Placement:
    """Each entry in the slot its position names; nothing is dropped but what `lost` names."""
    slots: dict[Position, list[Chosen]] = {position: [] for position in Position}
    for each in in_prompt_order(chosen):
        slots[each.entry.position].append(each)
    beside_note = (*slots[Position.NOTE_TOP], *slots[Position.NOTE_BOTTOM])
    return Placement(
        before_char=tuple(slots[Position.BEFORE_CHAR]),
        after_char=tuple(slots[Position.AFTER_CHAR]),
        note_top=tuple(slots[Position.NOTE_TOP]) if note_due else (),
        note_bottom=tuple(slots[Position.NOTE_BOTTOM]) if note_due else (),
        examples_top=tuple(slots[Position.EXAMPLES_TOP]),
        examples_bottom=tuple(slots[Position.EXAMPLES_BOTTOM]),
        at_depth=_blocks(slots[Position.AT_DEPTH]),
        outlets=_outlets(slots[Position.OUTLET]),
        lost=() if note_due else beside_note,
    )


def insertion_index(depth: int, message_count: int) -> int:
    """Before which message an entry at a depth goes, from 0, the oldest, to `message_count`, the end.

    A depth beyond the chat is just before its oldest message, never above the prompt's head.
    """
    return max(0, message_count - max(0, depth))


def _blocks(entries: Sequence[Chosen]) -> tuple[DepthBlock, ...]:
    """Deepest first, at one depth system, user, assistant."""
    blocks: dict[tuple[int, Role], list[Chosen]] = {}
    for each in entries:
        blocks.setdefault((each.entry.depth, each.entry.role), []).append(each)
    ordered = sorted(blocks, key=lambda block: (-block[0], _ROLE_ORDER.index(block[1])))
    return tuple(DepthBlock(depth, role, tuple(blocks[depth, role])) for depth, role in ordered)


def _outlets(entries: Sequence[Chosen]) -> dict[str, tuple[Chosen, ...]]:
    outlets: dict[str, tuple[Chosen, ...]] = {}
    for each in reversed(entries):
        outlets[each.entry.outlet] = (*outlets.get(each.entry.outlet, ()), each)
    return outlets
