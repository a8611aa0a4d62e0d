"""What changed between two states of a manuscript, and what a restore does to the files."""

import pytest

from huaben.domain.checkpoint import (
    Changed,
    Checkpoint,
    Delta,
    FileChange,
    Manifest,
    MoveConflict,
    applied,
    chain_faults,
    changed_of,
    combined,
    delta_data,
    delta_of,
    difference,
    move_plan,
    twins_among,
)

A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {"一.md": A}, Changed(added=("一.md",))),
        ({"一.md": A}, {}, Changed(removed=("一.md",))),
        ({"一.md": A}, {"一.md": B}, Changed(modified=("一.md",))),
        ({"一.md": A}, {"二.md": A}, Changed(renamed=(("一.md", "二.md"),))),
        # A rename with a change of the text is a removal and an addition.
        ({"a.md": A}, {"b.md": B}, Changed(added=("b.md",), removed=("a.md",))),
        # Two names that swap their contents are two modifications.
        ({"a.md": A, "b.md": B}, {"a.md": B, "b.md": A}, Changed(modified=("a.md", "b.md"))),
        # A copy of a file that stays is an addition.
        ({"a.md": A}, {"a.md": A, "b.md": A}, Changed(added=("b.md",))),
        # The old name got another text: it still exists and is no source.
        ({"a.md": A}, {"a.md": B, "b.md": A}, Changed(added=("b.md",), modified=("a.md",))),
        # Equal files are paired one to one in order.
        (
            {"1.md": A, "2.md": A, "3.md": A},
            {"8.md": A, "9.md": A},
            Changed(renamed=(("1.md", "8.md"), ("2.md", "9.md")), removed=("3.md",)),
        ),
        (
            {"1.md": A},
            {"8.md": A, "9.md": A},
            Changed(added=("9.md",), renamed=(("1.md", "8.md"),)),
        ),
        # Every chapter moves by one to make room for a new one.
        (
            {"001.md": A, "002.md": B},
            {"001.md": C, "002.md": A, "003.md": B},
            Changed(added=("003.md",), modified=("001.md", "002.md")),
        ),
        ({"a.md": A}, {"A.md": A}, Changed(renamed=(("a.md", "A.md"),))),
        ({"a.md": A}, {"a.md": A}, Changed()),
    ],
)
def test_a_change_is_told_as_added_modified_renamed_and_removed(
    old: Manifest, new: Manifest, expected: Changed
) -> None:
    """The rename rule: same bytes, the old name gone, a new one there, one to one and in order."""
    assert changed_of(difference(old, new)) == expected


def step(before: str | None, after: str | None, name: str = "一.md") -> Delta:
    return {name: FileChange(before, after)}


def test_undoing_a_turn_touches_only_its_files() -> None:
    """They become as before it; everything else is left as it is now."""
    now = {"一.md": B, "手.md": D}
    assert move_plan(now, [step(A, B)], []) == step(B, A)


def test_undoing_several_turns_goes_back_through_all_of_them() -> None:
    """From the latest to the earliest, to what stood before the first."""
    now = {"一.md": C, "新.md": D}
    undone = [{**step(B, C), **step(None, D, "新.md")}, step(A, B)]
    plan = move_plan(now, undone, [])
    assert plan == {"一.md": FileChange(C, A), "新.md": FileChange(D, None)}


def test_redoing_gives_back_what_a_turn_left() -> None:
    """Also across a branch: one turn is taken back and another done."""
    now = {"一.md": B}
    assert move_plan({"一.md": A}, [], [step(A, B), step(B, C)]) == step(A, C)
    assert move_plan(now, [step(A, B)], [step(A, C)]) == step(B, C)


def test_a_file_changed_by_hand_since_is_a_conflict() -> None:
    """It is named, and nothing is planned, unless that is wanted all the same."""
    now = {"一.md": D, "二.md": B}
    undone = [{**step(A, B), **step(A, B, "二.md")}]
    assert move_plan(now, undone, []) == MoveConflict(("一.md",))
    assert move_plan(now, undone, [], force=True) == {
        "一.md": FileChange(D, A),
        "二.md": FileChange(B, A),
    }


def test_a_hand_edit_between_two_turns_is_a_conflict_too() -> None:
    """What the second turn built on would be lost."""
    undone = [step(C, D), step(A, B)]
    assert move_plan({"一.md": D}, undone, []) == MoveConflict(("一.md",))
    assert move_plan({"一.md": D}, undone, [], force=True) == step(D, A)


def test_a_file_that_is_already_as_it_should_become_is_left_alone() -> None:
    """Whoever put it back by hand has no conflict."""
    assert move_plan({"一.md": A}, [step(A, B)], []) == {}
    assert move_plan({"一.md": A}, [step(C, D), step(A, B)], []) == {}


def test_a_file_made_by_hand_since_under_a_twin_name_is_a_conflict() -> None:
    """Two names that some file system holds to be one are never made."""
    now = {"Rain.md": D}
    assert move_plan(now, [step(A, None, "rain.md")], []) == MoveConflict(("Rain.md", "rain.md"))
    assert twins_among(["雨.md", "é.md", "e\u0301.md"]) == ["e\u0301.md", "é.md"]


def checkpoint(number: int, delta: Delta) -> Checkpoint:
    return Checkpoint(f"c{number}", "p", "local", "2026-01-01T00:00:00Z", "user", delta, number)


def test_a_row_of_checkpoints_is_checked_for_its_links() -> None:
    """Each has the next number and changes what the one before it left."""
    sound = [checkpoint(1, step(None, A)), checkpoint(2, step(A, B))]
    assert list(chain_faults(sound)) == []
    assert list(chain_faults([*sound, checkpoint(4, step(A, C))])) == [
        "checkpoint c4 has the number 4 where 3 belongs",
        "checkpoint c4 changes 一.md as it was not",
    ]


def test_applying_a_difference_gives_the_new_manifest() -> None:
    """And the reverse of it the old one."""
    old, new = {"a.md": A, "b.md": B}, {"b.md": C, "c.md": A}
    assert applied(old, difference(old, new)) == new
    assert applied(new, difference(new, old)) == old


def test_changes_that_followed_each_other_come_to_one() -> None:
    """From before the first to after the last; what was changed back is no change."""
    deltas = [{**step(A, B), **step(None, D, "b.md")}, step(B, C), step(D, None, "b.md")]
    assert combined(deltas) == step(A, C)
    assert combined([]) == {}


@pytest.mark.parametrize(
    "data",
    [None, [], {"a.md": A}, {"a.md": [A]}, {"a.md": [A, 1]}, {"a.md": [A, B, C]}, {1: [A, B]}],
)
def test_a_change_survives_being_written_and_nothing_else_is_taken_for_one(data: object) -> None:
    """As it stands in a log."""
    delta = {**step(A, B), **step(None, C, "新.md"), **step(D, None, "gone.md")}
    assert delta_of(delta_data(delta)) == delta
    assert delta_of(data) is None
