"""Where chosen entries stand in a prompt."""

from dataclasses import replace

import pytest

from huaben.domain.lore import (
    Chosen,
    Entry,
    Position,
    Role,
    in_prompt_order,
    insertion_index,
    place,
)
from tests.builders.lore_turns import keyed, turn


def chosen(*entries: Entry) -> tuple[Chosen, ...]:
    """These entries, all chosen."""
    return turn([replace(entry, keys=("x",)) for entry in entries], "x").selection.chosen


def uids(entries: tuple[Chosen, ...]) -> list[int]:
    """The entries of a slot."""
    return [each.entry.uid for each in entries]


def test_entries_ascend_by_order_in_the_prompt() -> None:
    """The largest order comes last; of equals the one considered first comes last."""
    assert uids(
        in_prompt_order(chosen(keyed(0, order=5), keyed(1, order=1), keyed(2, order=5)))
    ) == [1, 2, 0]


def test_every_position_has_its_slot() -> None:
    """Each of the eight, and none of them takes another's."""
    placed = place(chosen(*(keyed(int(p), position=p, outlet="o") for p in Position)))
    assert uids(placed.before_char) == [0]
    assert uids(placed.after_char) == [1]
    assert uids(placed.note_top) == [2]
    assert uids(placed.note_bottom) == [3]
    assert [uids(block.entries) for block in placed.at_depth] == [[4]]
    assert uids(placed.examples_top) == [5]
    assert uids(placed.examples_bottom) == [6]
    assert {name: uids(entries) for name, entries in placed.outlets.items()} == {"o": [7]}
    assert placed.lost == ()


def test_outlets_descend_and_are_kept_by_name() -> None:
    """Names are case-sensitive."""
    outlet = Position.OUTLET
    placed = place(
        chosen(
            keyed(0, position=outlet, outlet="Sea", order=1),
            keyed(1, position=outlet, outlet="Sea", order=2),
            keyed(2, position=outlet, outlet="sea"),
        )
    )
    assert {name: uids(entries) for name, entries in placed.outlets.items()} == {
        "Sea": [1, 0],
        "sea": [2],
    }


def test_entries_at_a_depth_are_grouped_by_role() -> None:
    """Deepest first, at one depth system, user, assistant, inside a block by order."""
    at = Position.AT_DEPTH
    placed = place(
        chosen(
            keyed(0, position=at, depth=1, role=Role.ASSISTANT),
            keyed(1, position=at, depth=4, order=9),
            keyed(2, position=at, depth=1, role=Role.SYSTEM),
            keyed(3, position=at, depth=4, order=1),
        )
    )
    assert [(b.depth, b.role, uids(b.entries)) for b in placed.at_depth] == [
        (4, Role.SYSTEM, [3, 1]),
        (1, Role.SYSTEM, [2]),
        (1, Role.ASSISTANT, [0]),
    ]


def test_entries_beside_a_note_that_is_not_due_are_lost_and_named() -> None:
    """They depend on the author's note of this turn."""
    entries = chosen(
        keyed(0, position=Position.NOTE_TOP), keyed(1, position=Position.NOTE_BOTTOM), keyed(2)
    )
    placed = place(entries, note_due=False)
    assert (uids(placed.note_top), uids(placed.note_bottom)) == ([], [])
    assert uids(placed.lost) == [0, 1]
    assert uids(placed.before_char) == [2]


@pytest.mark.parametrize(
    ("depth", "messages", "index"),
    [(4, 1, 0), (0, 5, 5), (1, 5, 4), (5, 5, 0), (99, 5, 0), (-1, 5, 5), (4, 0, 0)],
)
def test_l26_a_depth_beyond_the_chat_is_before_its_oldest_message(
    depth: int, messages: int, index: int
) -> None:
    """Never above the head of the prompt, and never after its end."""
    assert insertion_index(depth, messages) == index
