"""Searching notes: what they are indexed under, and what comes first."""

from __future__ import annotations

from dataclasses import replace

from huaben.domain.notes import SOURCES, Note, NoteKind, Vantage
from huaben.domain.remembering import MAX_HITS, best, note_tokens, question

HERE = Vantage("p", "t", "c")


def a_note(title: str, text: str, kind: NoteKind = "event") -> Note:
    return Note(title, "local", kind, title, text, "model", "", project_id="p")


NOTES = (
    a_note("第一夜", "沈砚在渡口等人，提着一盏灯。"),
    a_note("沈砚", "The clerk of the inn. He keeps a lantern by the door.", "person"),
    a_note("The promise", "沈砚 will carry the lantern back before winter.", "promise"),
    a_note("旧伞", "油纸伞，湘妃竹的柄。", "item"),
    a_note("Yan", "It was Yan’s own umbrella.", "event"),
)


def titles(query: str, limit: int = 10) -> list[str]:
    return [hit.note.title for hit in best(NOTES, query, limit)]


def test_a_name_comes_before_what_speaks_of_it() -> None:
    """A two-character name, a word, and both together."""
    assert titles("沈砚")[0] == "沈砚"
    assert set(titles("沈砚")) == {"沈砚", "第一夜", "The promise"}
    assert set(titles("lantern")) == {"沈砚", "The promise"}
    assert titles("旧伞") == ["旧伞"]


def test_what_has_all_comes_before_what_has_some() -> None:
    """However often the rest says a part of it."""
    many = a_note("winter", "winter winter winter winter")
    hits = best((many, *NOTES), "lantern before winter", 10)
    assert hits[0].note.title == "The promise"
    assert "winter" in [hit.note.title for hit in hits]


def test_both_apostrophes_are_one() -> None:
    """As the index takes them."""
    assert titles("Yan's") == titles("Yan’s") == ["Yan"]


def test_a_question_without_words_finds_nothing() -> None:
    """Nor does a limit of 0; a large one is clamped."""
    assert titles("？！") == titles("沈砚", 0) == titles("沈砚", -1) == []
    assert len(best([NOTES[0]] * 100, "沈砚", 1000)) == MAX_HITS


def test_a_note_is_indexed_under_all_that_is_asked_for() -> None:
    """Its words, its project, its source; a card's note under the card too, another's not."""
    asked = question(HERE, "沈砚 clerk", SOURCES)
    tokens = set(note_tokens(NOTES[1]))
    assert set(asked.terms) <= tokens
    assert asked.scopes[0] in tokens
    assert asked.sources == ()
    some = question(HERE, "沈砚", ("diary", "tables"))
    assert tokens & set(some.sources) == {some.sources[1]}
    shared = set(note_tokens(replace(NOTES[1], kind="recap", project_id="q", card_id="c")))
    assert shared & set(asked.scopes) == {asked.scopes[1]}
    own = set(note_tokens(replace(NOTES[1], project_id="q", card_id="c")))
    assert not own & set(asked.scopes)
