"""What the rehearsal enters in the ledger: words of the story, a place, and nothing without them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

import pytest

from huaben.adapters.models.rehearsal.engine import Rehearsal
from huaben.adapters.models.rehearsal.entering import (
    Booking,
    Books,
    Entry,
    Fact,
    Feeling,
    Listed,
    booking_in,
    entered,
    load_books,
)
from huaben.adapters.models.rehearsal.script import LANGUAGES, Story, load_story, whole
from huaben.adapters.models.rehearsal.wire import decode, encode
from huaben.domain.evidence import stands
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.ledger import Character, Ledger, ledger_to_json
from huaben.domain.messages import Finished, ModelRequest
from huaben.domain.project import Language
from huaben.domain.text import looks_chinese
from huaben.prompt.scribe import ScribeScene, compose_scribe
from huaben.prompt.texts import phrases
from huaben.testing.clock import ManualClock

every_language = pytest.mark.parametrize("language", LANGUAGES)


def scenes(story: Story) -> Iterator[tuple[str, str]]:
    """Every telling of every scene, by the cue that led there."""
    for turn in story.turns:
        for steps in (way.steps for way in turn.ways) if turn.ways else ((),):
            every = (*turn.steps, *steps)
            tail = "\n\n".join(step.say for step in every if step.lines)
            for path in sorted({step.when for step in every if step.when}) or [""]:
                yield turn.cue, f"{whole(every, (path,))}\n\n{tail}"


def as_asked(scene: ScribeScene) -> ModelRequest:
    return ModelRequest(compose_scribe(scene).messages, (), "none")


def booked(scene: ScribeScene) -> Booking:
    found = booking_in(decode(encode(as_asked(scene)).body))
    assert found is not None
    return found


def answer(ledger: Ledger, told: str) -> tuple[JsonObject, Mapping[str, str]]:
    """Patch and evidence for a turn."""
    value: JsonObject = json.loads(entered(Booking(ledger_to_json(ledger), "", told)))
    return cast("JsonObject", value["patch"]), cast("Mapping[str, str]", value["evidence"])


@every_language
def test_every_entry_rests_on_words_of_the_story(language: Language) -> None:
    """Prose, a status block or a cue; otherwise it could never be made."""
    told = [f"{cue}\n{prose}" for cue, prose in scenes(load_story(language))]
    for entry in load_books(language).entries:
        assert any(stands(one, entry.said) for one in told), entry
        assert looks_chinese(entry.said) == (language == "zh")


@every_language
def test_no_entry_rests_on_a_sentence_that_can_be_changed(language: Language) -> None:
    """Where the reader has had a sentence changed, its entries would be lost when read again."""
    changes = load_story(language).changes
    for entry in load_books(language).entries:
        for change in changes:
            assert not stands(change.old, entry.said) or stands(change.new, entry.said), entry


@every_language
def test_what_leaves_a_list_is_what_came_to_it(language: Language) -> None:
    """A thing that is dropped under another name would stay for ever."""
    lists = [one for one in load_books(language).entries if isinstance(one, Listed)]
    added = {(one.at, item) for one in lists for item in one.add}
    assert {(one.at, item) for one in lists for item in one.drop} <= added


@every_language
def test_the_titles_are_those_of_the_prompt(language: Language) -> None:
    """By them it finds the ledger and the turn in a request."""
    books, said = load_books(language), phrases(language, "scribe")
    assert [said[key] for key in ("ledger", "words", "prose")] == [
        books.ledger,
        books.words,
        books.prose,
    ]


@every_language
def test_it_reads_what_a_scribe_is_sent(language: Language) -> None:
    """The ledger, and words and prose, whatever stands in them; also a turn without words."""
    books = load_books(language)
    ledger = Ledger(time="亥时", flags={"trap": f"\n{books.prose}\n"})
    scene = ScribeScene(language, ledger, f"我说：\n{books.prose}\nwords", "雨停了。", "own rules")
    for one in (scene, replace(scene, words="")):
        booking = booked(one)
        assert booking.ledger == ledger_to_json(ledger)
        told = f"\n{booking.words}\n{books.prose}\n{booking.prose}"
        assert one.words in told
        assert one.final_text in booking.prose


@every_language
async def test_off_the_script_nothing_is_entered(language: Language) -> None:
    """An empty patch: nothing is made up. It comes at once, for nobody watches it arrive."""
    model = Rehearsal(ManualClock(), pace_s=60)
    scene = ScribeScene(language, Ledger(), "我跳舞。", "Nobody dances here.")
    events = [event async for event in model.stream(model.encode(as_asked(scene)))]
    done = events[-1]
    assert isinstance(done, Finished)
    assert json.loads(done.reply.text) == {"patch": {}, "evidence": {}}
    assert done.reply.usage.prompt


@every_language
def test_a_cue_that_is_only_offered_was_not_said(language: Language) -> None:
    """Beside the script the rehearsal quotes what may be said; the ledger has none of it."""
    story = load_story(language)
    for turn in story.turns:
        aside = story.lines.off_script.replace("{cue}", turn.cue)
        assert answer(Ledger(), aside) == ({}, {})


def test_a_list_is_changed_as_it_stands() -> None:
    """What the reader wrote there themselves stays, and nothing is listed twice."""
    before = Ledger(inventory=("地图", "旧伞"), plot_threads=("自己的事",))
    patch, evidence = answer(before, "再把钥匙搁在干的地方。他的目光又落回那把伞上。")
    assert patch == {"inventory": ["地图", "旧伞", "客房钥匙"]}
    assert evidence == {"inventory": "再把钥匙搁在干的地方"}
    assert answer(before, "他的目光又落回那把伞上。") == ({}, {})


def test_affinity_moves_from_where_it_is() -> None:
    """By a step, from what the ledger has."""
    before = Ledger(characters={"Shen Yan": Character(affinity=-20)})
    patch, evidence = answer(before, "Shen Yan nods, once.")
    assert patch == {"characters": {"Shen Yan": {"affinity": -15}}}
    assert list(evidence) == ["characters.Shen Yan.affinity"]


@every_language
def test_every_item_has_evidence_of_its_own(language: Language) -> None:
    """In every telling of every scene: each leaf of the patch is a key of the evidence."""
    for cue, prose in scenes(load_story(language)):
        patch, evidence = answer(Ledger(), f"{cue}\n{prose}")
        assert patch
        assert set(leaves(patch)) == set(evidence)
        assert all(stands(f"{cue}\n{prose}", said) for said in evidence.values())


def leaves(patch: JsonObject, at: str = "") -> Iterator[str]:
    for key, value in patch.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{at}{key}.")
        else:
            yield f"{at}{key}"


def kinds(books: Books) -> set[type[Entry]]:
    return {type(entry) for entry in books.entries}


@every_language
def test_it_is_told_in_its_language(language: Language) -> None:
    """Facts, names and lists, of every kind of entry."""
    books = load_books(language)
    assert kinds(books) == {Fact, Feeling, Listed}
    texts = [one.to for one in books.entries if isinstance(one, Fact)]
    texts += [t for one in books.entries if isinstance(one, Listed) for t in (*one.add, *one.drop)]
    assert all(looks_chinese(text) == (language == "zh") for text in texts)
    steps = [one.by for one in books.entries if isinstance(one, Feeling)]
    assert all(0 < abs(step) <= 10 for step in steps)
