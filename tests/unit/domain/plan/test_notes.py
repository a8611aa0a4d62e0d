"""Plan notes: evidence, numbering, what is kept, and their JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from huaben.domain.plan.notes import (
    ACTIVE,
    MAX_NOTE_CHARS,
    Advice,
    Occasion,
    PlanNote,
    check,
    is_advisory,
    kept,
    made,
    marked,
)
from huaben.domain.plan.revision import (
    Plan,
    PlanRevision,
    plan_from_json,
    plan_to_json,
    revision_from_json,
    revision_to_json,
    with_notes,
)

PAGES = ("雨下了一夜。沈砚抬起头：“打烊了。”", "She said she would wait — and left.")


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("沈砚抬起头", True),
        ("  沈砚抬起头：「打烊了。」 ", True),  # other quotation marks and spaces fold
        ("would wait – and left", True),
        ("沈砚低下头", False),
        ("……", False),
        ("", False),
    ],
)
def test_a_quotation_is_checked_by_program(quote: str, found: bool) -> None:
    """Only what stands in the history, by the ladder of quotations, proves a note."""
    assert check([quote], PAGES) == [found]


def test_many_quotations_are_checked_at_once() -> None:
    """Each by itself, whatever page it stands on."""
    quotes = ["would wait", "没有这句", "沈砚抬起头", "", "would wait"]
    assert check(quotes, PAGES) == [True, False, True, False, True]


def test_notes_keep_what_they_answered() -> None:
    """Group by expert, number by order, the user's words, and no note longer than allowed."""
    occasion = Occasion(3, "我推开门。")
    first, second = made(
        "judge_npc",
        [(Advice("他在等人", "抬起头"), True), (Advice("长" * 2000), False)],
        occasion,
        7,
    )
    assert (first.number, first.group, first.tool, first.turn) == (7, "npc", "judge_npc", 3)
    assert (first.words, first.label, is_advisory(first)) == ("我推开门。", "n7", False)
    assert (second.number, len(second.text), is_advisory(second)) == (8, MAX_NOTE_CHARS, True)


def many(count: int) -> tuple[PlanNote, ...]:
    return tuple(PlanNote(n, "event", f"事 {n}", "analyze_plot", n) for n in range(1, count + 1))


def test_the_latest_sixty_are_kept_and_what_is_pinned() -> None:
    """Older notes stay in earlier revisions; a dropped one makes room for none that was pinned."""
    notes = list(many(100))
    notes[0] = replace(notes[0], pinned=True)
    notes[1] = replace(notes[1], group="agency")
    notes[98] = replace(notes[98], dropped=True)
    left = kept(notes)
    assert [note.number for note in left] == [1, 2, *range(40, 101)]
    assert sum(not note.dropped for note in left) == ACTIVE + 2


def test_marks_change_one_note() -> None:
    """Pin and drop are apart; an unknown number changes nothing."""
    notes = many(3)
    pinned = marked(notes, 2, pinned=True)
    assert pinned is not None
    assert [note.pinned for note in pinned] == [False, True, False]
    again = marked(pinned, 2, dropped=True)
    assert again is not None
    assert (again[1].pinned, again[1].dropped) == (True, True)
    assert marked(notes, 9, dropped=True) is None


def test_numbers_never_come_twice() -> None:
    """Also when the newest notes are gone from what is kept."""
    plan = with_notes(Plan(), "旧", many(3))
    assert plan.next_note == 4
    bare = replace(plan, notes=())
    assert with_notes(bare, "新", ()).next_note == 4


def test_a_revision_comes_back_from_json() -> None:
    """Every field, in both languages."""
    note = PlanNote(
        4, "callback", "伞还没还", "manage_callbacks", 2, "旧伞", True, "我拿走伞", True, True
    )
    plan = Plan("## 场景与时间\nrain", (note,), ("伞在柜台后",), 5)
    assert plan_from_json(plan_to_json(plan)) == plan
    revision = PlanRevision(
        "p", "b", "n", 2, 1, "user", "edit", "2026-11-01", plan, 3, 9, ("judge_npc",), "p/plan:1", 6
    )
    bare = replace(revision, plan=Plan(), why="director", turn=0, history=0, tools=(), job="")
    assert revision_from_json(revision_to_json(revision), bare) == revision


_DAMAGED: Sequence[object] = (None, [], {"state": 1}, {"state": "", "notes": ["x"]})


@pytest.mark.parametrize("damaged", _DAMAGED)
def test_damage_is_told(damaged: object) -> None:
    """What is no plan raises, and never reads as an empty one."""
    with pytest.raises(ValueError):
        plan_from_json(damaged)
