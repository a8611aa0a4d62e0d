"""Notes and their versions: who may change what, and which version is in force where."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.draft import apply_spans
from huaben.domain.notes import (
    MAX_RESIDENT_CHARS,
    MAX_TEXT_CHARS,
    MAX_TITLE_CHARS,
    Note,
    NoteBlank,
    NoteChange,
    NoteLocked,
    NoteMoved,
    NoteRefusal,
    NoteShrinks,
    NoteTooLong,
    Vantage,
    accepted,
    changed,
    difference,
    in_force,
    in_scope,
    merged,
    open_question,
    proposal,
    unfit,
    upheld,
)

LONG = "沈砚答应把旧伞还给渡口的老船工，日子定在立冬。He gave his word twice."
NOTE = Note(
    "n1",
    "local",
    "promise",
    "旧伞",
    LONG,
    "model",
    "2026-11-01",
    project_id="p",
    node="t1",
    version=1,
)


def change(note: Note = NOTE, /, **parts: object) -> Note | NoteRefusal:
    given: dict[str, object] = {"base": note.version, "author": "model", **parts}
    wanted = NoteChange(**given)  # pyright: ignore[reportArgumentType] - a builder of fields
    return changed(note, wanted, node="t2", at="2026-11-02")


def test_a_change_makes_a_version_of_its_author() -> None:
    """What was not said stays, and the version knows what it was made from, where and by whom."""
    text = LONG + "老船工还没有答应。"
    expected = replace(NOTE, text=text, node="t2", at="2026-11-02", base=1)
    assert change(text=text) == expected
    assert change(text=text, author="user") == replace(expected, author="user")
    assert change(title="渡口") == replace(expected, text=LONG, title="渡口")


def test_a_change_that_changes_nothing_is_no_version() -> None:
    """The note itself comes back."""
    assert change(text=LONG, title="旧伞") is NOTE


def test_a_locked_note_is_not_changed_by_a_model() -> None:
    """L29: refused whatever the change, and a model neither locks nor unlocks; the user may."""
    locked = replace(NOTE, locked=True)
    for parts in ({"text": LONG + "。"}, {"title": "x"}, {"removed": True}, {"locked": False}):
        assert change(locked, **parts, agreed=True) == NoteLocked()
    assert change(locked=True) == NoteLocked()
    edited = change(locked, text="短。", author="user")
    assert isinstance(edited, Note)
    assert (edited.text, edited.locked) == ("短。", True)


def test_shrinking_to_less_than_half_asks_first() -> None:
    """L29: paragraphs that became one sentence; agreed, or by the user, they may."""
    half, less = LONG[: len(LONG) // 2], LONG[: len(LONG) // 2 - 1]
    assert len(LONG) % 2 == 0
    assert isinstance(change(text=half), Note)
    assert change(text=less) == NoteShrinks(len(LONG), len(less))
    assert change(removed=True) == NoteShrinks(len(LONG), 0)
    assert isinstance(change(text=less, agreed=True), Note)
    assert isinstance(change(text="x", author="user"), Note)
    assert isinstance(change(removed=True, author="user"), Note)


def test_a_change_of_another_version_is_refused() -> None:
    """It names both versions, so that the newer one is read first."""
    assert change(base=3, text=LONG + "。") == NoteMoved(3, 1)


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"text": " \n\u200b"}, NoteBlank()),
        (
            {"text": "雨" * (MAX_TEXT_CHARS + 1)},
            NoteTooLong("text", MAX_TEXT_CHARS + 1, MAX_TEXT_CHARS),
        ),
        (
            {"title": "x" * (MAX_TITLE_CHARS + 1)},
            NoteTooLong("title", MAX_TITLE_CHARS + 1, MAX_TITLE_CHARS),
        ),
    ],
)
def test_what_cannot_be_kept_is_refused(parts: dict[str, object], why: NoteRefusal) -> None:
    """Also from the user, and in a new note."""
    assert change(**parts, author="user") == why
    assert unfit(replace(NOTE, **parts)) == why


def test_what_is_always_in_the_context_is_short() -> None:
    """A card's resident summary has a limit of its own."""
    resident = replace(NOTE, kind="resident", text="雨" * MAX_RESIDENT_CHARS)
    assert unfit(resident) is None
    longer = replace(resident, text=resident.text + "雨")
    assert unfit(longer) == NoteTooLong("text", MAX_RESIDENT_CHARS + 1, MAX_RESIDENT_CHARS)
    assert unfit(replace(longer, kind="recap")) is None


def test_what_is_in_force_is_the_newest_version_on_the_way() -> None:
    """Undo takes a change back, and a change on another branch is not seen; `None` is everywhere."""
    first = replace(NOTE, node="a", version=1)
    here, there = replace(NOTE, node="b", version=2), replace(NOTE, node="c", version=3)
    versions = [there, first, here]
    assert in_force(versions, {"a", "b"}) == here
    assert in_force(versions, {"a", "c"}) == there
    assert in_force(versions, {"a"}) == first
    assert in_force(versions, {"z"}) is None
    everywhere = replace(NOTE, node=None, version=4)
    assert in_force([*versions, everywhere], {"z"}) == everywhere


def test_notes_of_a_card_are_seen_from_all_its_projects() -> None:
    """Other notes stay within their project."""
    here = Vantage("p", "t1", "c")
    recap = replace(NOTE, kind="recap", project_id="q", card_id="c")
    assert in_scope(NOTE, here)
    assert in_scope(recap, here)
    assert not in_scope(recap, Vantage("p", "t1", "d"))
    assert not in_scope(recap, Vantage("p", "t1"))
    assert not in_scope(replace(NOTE, project_id="q", card_id="c"), here)
    assert recap.source == "card"


def test_the_difference_is_one_edit_of_the_former_version() -> None:
    """In UTF-16 units, the shortest stretch."""
    spans = difference("🏮旧伞还在。", "🏮新油纸伞还在。")
    assert spans is not None
    assert (spans.start, spans.end, spans.text) == (2, 3, "新油纸")
    assert difference("同", "同") is None


@given(before=st.text(max_size=30), after=st.text(max_size=30))
def test_the_difference_leads_from_one_to_the_other(before: str, after: str) -> None:
    """Applied to the first it gives the second, whatever both are."""
    span = difference(before, after)
    assert apply_spans(before, [] if span is None else [span]) == after


# ---- proposals ---------------------------------------------------------------------------------


def test_a_proposal_waits_for_the_user() -> None:
    """What a model may not do by itself is kept as a version that is not in force."""
    wanted = NoteChange(1, "model", text="伞还了。")
    asked = proposal(replace(NOTE, author="user"), wanted, node="t2", at="2026-11-02")
    assert asked == replace(
        NOTE, text="伞还了。", node="t2", at="2026-11-02", base=1, proposed=True
    )
    numbered = replace(asked, version=2)
    assert in_force([NOTE, numbered], {"t1", "t2"}) == NOTE
    assert open_question([NOTE, numbered], {"t1", "t2"}) == numbered
    assert open_question([NOTE, numbered], {"t1"}) is None


def test_what_the_user_agrees_to_comes_into_force() -> None:
    """However short it is; a lock that came meanwhile is respected."""
    asked = replace(NOTE, text="伞还了。", proposed=True, version=2, base=1)
    made = accepted(NOTE, asked, node="t3", at="2026-11-03")
    assert made == replace(NOTE, text="伞还了。", node="t3", at="2026-11-03", base=1)
    assert accepted(replace(NOTE, locked=True), asked, node="t3", at="") == NoteLocked()


def test_what_the_user_refuses_stays_as_it_was() -> None:
    """The refusal is a version of the user's own, after which the question is no longer open."""
    asked = replace(NOTE, text="伞还了。", proposed=True, version=2, base=1)
    kept = replace(upheld(NOTE, node="t3", at="2026-11-03"), version=3)
    assert (kept.text, kept.author, kept.base) == (NOTE.text, "user", 1)
    everywhere = {"t1", "t2", "t3"}
    assert open_question([NOTE, asked, kept], everywhere) is None
    assert in_force([NOTE, asked, kept], everywhere) == kept


# ---- taking a change over -----------------------------------------------------------------------

LINES = "状态：淋湿了\n所在：渡口"


@pytest.mark.parametrize(
    ("theirs", "after", "expected"),
    [
        (LINES, "状态：睡着了", "状态：睡着了"),
        (f"{LINES}\n他怕水。", "状态：睡着了\n所在：渡口", "状态：睡着了\n所在：渡口\n他怕水。"),
        ("他怕水。\n所在：渡口", "状态：睡着了\n所在：渡口", "他怕水。\n所在：渡口\n状态：睡着了"),
        (f"{LINES}\n他怕水。", "所在：渡口", "所在：渡口\n他怕水。"),
        ("I wrote it anew.", "状态：睡着了\n所在：渡口", "I wrote it anew.\n状态：睡着了"),
        (f"{LINES}\n新：一", f"{LINES}\n新：一", f"{LINES}\n新：一"),
    ],
    ids=["untouched", "a line added", "a line gone", "a fact gone", "rewritten", "known already"],
)
def test_a_change_is_taken_over_line_by_line(theirs: str, after: str, expected: str) -> None:
    """What became different is put into a text that somebody changed; their lines stay."""
    assert merged(theirs, LINES, after) == expected


@given(
    st.lists(st.sampled_from("甲乙丙丁"), unique=True),
    st.lists(st.sampled_from("ABC"), unique=True),
)
def test_lines_of_the_users_are_never_lost(after: list[str], own: list[str]) -> None:
    """Whatever the change is, and whatever was there before."""
    theirs = "\n".join(["甲", *own, "乙"])
    made = merged(theirs, "甲\n乙", "\n".join(after)).split("\n")
    assert [line for line in made if line in own] == own
    assert set(made) - {""} == {*own, *after}
