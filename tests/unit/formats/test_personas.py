"""Personas, author's notes and quick replies of other programs: read, kept and written back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.dressing import AuthorsNote
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.persona import PLACES, Link, SavedPersona
from huaben.formats import authors_note, quick_replies
from huaben.formats.personas import (
    Kept,
    PersonasFile,
    Refused,
    of_json,
    only_personas,
    read_file,
    to_json,
    write_file,
)

BACKUP: JsonObject = {
    "personas": {"ann.png": "Ann", "lin.png": "林", "bare.png": ""},
    "persona_descriptions": {
        "ann.png": {
            "description": "A {{char}}'s friend.",
            "position": 4,
            "depth": "3",
            "role": 1,
            "lorebook": "Harbour",
            "title": "the traveller",
            "connections": [
                {"type": "character", "id": "shen.png"},
                {"type": "nonsense", "id": "x"},
                {"id": "y"},
                7,
            ],
            "mine": {"x": 1},
        },
        "lin.png": {"description": "借伞的人。", "position": 9},
        "gone.png": {"description": "no name"},
    },
    "default_persona": "lin.png",
}


def read(value: Json) -> PersonasFile:
    found = read_file(json.dumps(value).encode())
    assert isinstance(found, PersonasFile), found
    return found


def test_a_backup_is_read_whole() -> None:
    """Every field; what is unknown is kept beside."""
    file = read(BACKUP)
    ann, lin, bare = file.personas
    assert ann == Kept(
        SavedPersona(
            name="Ann",
            description="A {{char}}'s friend.",
            title="the traveller",
            place="at_depth",
            depth=3,
            role="user",
            lorebook="Harbour",
            links=(Link("character", "shen.png"),),
            avatar="ann.png",
        ),
        {"mine": {"x": 1}},
    )
    assert (lin.persona.place, lin.persona.default) == ("none", True)
    assert bare.persona.name == "bare"
    assert [note.code for note in file.report.warnings] == ["persona_without_name"]


@pytest.mark.parametrize(
    ("position", "place"),
    [
        (0, "in_prompt"),
        (1, "in_prompt"),
        (2, "note_top"),
        (3, "note_bottom"),
        ("4", "at_depth"),
        (9, "none"),
        (None, "in_prompt"),
        (8, "in_prompt"),
        ("x", "in_prompt"),
    ],
)
def test_positions_have_words(position: Json, place: str) -> None:
    """Old and unknown ones stand with who the user plays."""
    value: Json = {"personas": {"a": "A"}, "persona_descriptions": {"a": {"position": position}}}
    assert read(value).personas[0].persona.place == place


def test_settings_of_an_installation_give_their_personas_alone() -> None:
    """Nothing else of them is kept: they hold addresses and keys."""
    settings: JsonObject = {
        "power_user": {**BACKUP, "token": "hunter2"},
        "oai_settings": {"proxy_password": "hunter2"},
    }
    assert read(settings).personas == read(BACKUP).personas
    assert only_personas(settings) == BACKUP
    assert "hunter2" not in json.dumps(only_personas(settings))


def test_the_oldest_descriptions_are_bare_texts() -> None:
    """And a persona may have none."""
    file = read({"personas": {"a.png": "A", "b.png": "B"}, "persona_descriptions": {"a.png": "x"}})
    assert [one.persona.description for one in file.personas] == ["x", ""]


@pytest.mark.parametrize("value", [{}, [], {"personas": {"a": "A"}}, {"personas": []}, "x"])
def test_other_files_are_refused(value: Json) -> None:
    """With a reason."""
    assert isinstance(read_file(json.dumps(value).encode()), Refused)


def test_a_backup_goes_out_as_it_came() -> None:
    """Read again it gives the same personas; twins keep their places apart."""
    personas = read(BACKUP).personas
    assert read(json.loads(write_file(personas))).personas == personas
    twice = json.loads(write_file([personas[0], personas[0]]))
    assert len(twice["personas"]) == 2


words = st.text(max_size=8)
links = st.builds(Link, st.sampled_from(["character", "group", "project"]), words.filter(bool))
saved = st.builds(
    SavedPersona,
    name=words,
    description=words,
    title=words,
    place=st.sampled_from(PLACES),
    depth=st.integers(0, 99),
    role=st.sampled_from(["system", "user", "assistant"]),
    lorebook=words,
    links=st.lists(links, max_size=2).map(tuple),
    avatar=words,
    default=st.booleans(),
)


@given(saved, st.dictionaries(words, st.none() | words, max_size=2))
def test_the_stored_form_is_the_persona(persona: SavedPersona, extra: JsonObject) -> None:
    """Every field survives."""
    kept = Kept(persona, extra)
    assert of_json(json.loads(json.dumps(to_json(kept)))) == kept


# ---- author's note -----------------------------------------------------------------------------


def test_a_chats_note_is_read() -> None:
    """Text, interval, depth, position and role, forgiving their types."""
    metadata: JsonObject = {
        "note_prompt": "慢一些。",
        "note_interval": "2",
        "note_depth": 3,
        "note_position": 2,
        "note_role": 1,
        "integrity": "x",
    }
    note = authors_note.note_of(metadata)
    assert note == AuthorsNote("慢一些。", 2, 3, "before_main", "user")
    assert authors_note.metadata_of(AuthorsNote()) == {}
    assert authors_note.note_of({"note_prompt": "  "}) is None
    assert authors_note.note_of({}) is None
    usual = authors_note.note_of({"note_prompt": "x", "note_interval": "no", "note_depth": -4})
    assert usual == AuthorsNote("x", 1, 0)


@given(
    st.builds(
        AuthorsNote,
        text=st.text(min_size=1).filter(lambda text: bool(text.strip())),
        interval=st.integers(0, 100),
        depth=st.integers(0, 100),
        place=st.sampled_from(["in_chat", "after_main", "before_main"]),
        role=st.sampled_from(["system", "user", "assistant"]),
    )
)
def test_a_note_survives_its_metadata(note: AuthorsNote) -> None:
    """Out and in again."""
    assert authors_note.note_of(authors_note.metadata_of(note)) == note


@pytest.mark.parametrize(
    ("interval", "due"), [(1, [1, 2, 3, 4]), (2, [2, 4]), (3, [3]), (0, []), (9, [])]
)
def test_a_note_is_due_by_the_users_messages(interval: int, due: list[int]) -> None:
    """Every N of them; never with 0, never without text."""
    note = AuthorsNote("x", interval)
    assert [number for number in range(1, 5) if note.is_due(number)] == due
    assert not AuthorsNote(" ").is_due(1)


# ---- quick replies -----------------------------------------------------------------------------


def test_quick_replies_of_both_ages_are_listed_and_kept() -> None:
    """Those that would have run by themselves are named."""
    new: JsonObject = {
        "version": 2,
        "name": "常用",
        "qrList": [
            {"id": 1, "label": "Roll", "message": "/roll 1d6", "executeOnAi": True},
            {"id": 2, "label": "看", "message": "我四下看看。"},
        ],
    }
    found = quick_replies.read_file(json.dumps(new).encode(), "x.json")
    assert isinstance(found, quick_replies.RepliesFile)
    assert (found.name, found.raw) == ("常用", new)
    assert [(one.label, one.by_itself) for one in found.replies] == [("Roll", True), ("看", False)]
    assert [note.code for note in found.report.kept] == ["quick_replies_not_run"]
    assert [note.code for note in found.report.warnings] == ["quick_reply_by_itself"]
    old: JsonObject = {"quickReplySlots": [{"mes": "hi", "label": "H", "enabled": True}, 5]}
    found = quick_replies.read_file(json.dumps(old).encode(), "old.json")
    assert isinstance(found, quick_replies.RepliesFile)
    assert found.name == "old"
    assert [one.message for one in found.replies] == ["hi"]
    assert isinstance(quick_replies.read_file(b"{}"), quick_replies.Refused)
