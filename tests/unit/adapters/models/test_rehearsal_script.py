"""The shipped story, held to what the performance relies on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

import pytest

from huaben.adapters.models.rehearsal.place import hits, is_cue, way_of
from huaben.adapters.models.rehearsal.script import (
    LANGUAGES,
    OPENING,
    Step,
    Story,
    Turn,
    load_story,
    sentences,
    whole,
)
from huaben.adapters.models.rehearsal.telling import VERSIONED
from huaben.domain.text import looks_chinese
from huaben.prompt.texts import phrase

every_story = pytest.mark.parametrize("story", [load_story(language) for language in LANGUAGES])


def scenes(story: Story) -> Iterator[tuple[str, Turn, tuple[Step, ...]]]:
    """Every scene with the turn that leads to it and the steps that make it."""
    for turn in story.turns:
        if turn.scene:
            yield turn.scene, turn, turn.steps
        for way in turn.ways:
            yield way.scene, turn, (*turn.steps, *way.steps)


def paths(story: Story, path: tuple[str, ...] = (OPENING,)) -> Iterator[tuple[str, ...]]:
    """Every way through the story, from the opening to an end."""
    turn = story.turn_after(path[-1])
    if turn is None:
        yield path
        return
    for scene in [turn.scene] if turn.scene else [way.scene for way in turn.ways]:
        yield from paths(story, (*path, scene))


def test_both_languages_have_one_shape() -> None:
    """The same scenes in the same order, the same tools in every step; only the words differ."""
    zh, en = (load_story(language) for language in LANGUAGES)

    def shape(story: Story) -> list[object]:
        return [
            (
                scene,
                turn.after,
                [
                    ([line.tool for line in s.lines], bool(s.say), bool(s.think), s.when)
                    for s in steps
                ],
            )
            for scene, turn, steps in scenes(story)
        ]

    assert shape(zh) == shape(en)
    assert len(zh.changes) == len(en.changes)


@every_story
def test_every_path_is_long_enough_and_really_forks(story: Story) -> None:
    """Four paths of at least eight turns with two forks each, to two endings."""
    found = list(paths(story))
    assert len(found) == 4
    assert all(len(path) - 1 >= 8 for path in found)
    assert len({path[-1] for path in found}) == 2
    reached = {scene for path in found for scene in path[1:]}
    assert reached == {scene for scene, _, _ in scenes(story)}


@every_story
def test_every_cue_is_a_cue_and_nothing_else(story: Story) -> None:
    """The words that are offered lead on, and are not taken for a wish to change the last turn."""
    for turn in story.turns:
        assert is_cue(story, turn, turn.cue)
        assert hits(turn.cue, turn.keys)
        assert not hits(turn.cue, story.change)


@every_story
def test_every_option_means_its_own_way(story: Story) -> None:
    """As it stands, and by its keys alone."""
    for turn in story.turns:
        for way in turn.ways:
            assert way_of(turn, way.option) is way
            rivals = [other for other in turn.ways if other is not way]
            assert all(
                hits(way.option, way.keys) > hits(way.option, other.keys) for other in rivals
            )


@every_story
def test_every_scene_is_known_by_its_sentences(story: Story) -> None:
    """Two sentences at least belong to one scene alone, even after its one change."""
    for path in paths(story):
        for scene, _, steps in scenes(story):
            if scene not in path:
                continue
            text = whole([s for s in steps if not s.when or s.when in path], path)
            own = [s for s in sentences(text) if story.told.get(s) == scene]
            assert len(own) >= 2, scene


@every_story
def test_every_scene_has_one_sentence_to_change(story: Story) -> None:
    """It occurs exactly once there, and its new wording nowhere."""
    for path in paths(story):
        for scene, _, steps in scenes(story):
            if scene not in path:
                continue
            text = whole([s for s in steps if not s.when or s.when in path], path)
            fits = [change for change in story.changes if change.old in text]
            assert [text.count(change.old) for change in fits] == [1], scene
            assert not any(change.new in text for change in story.changes), scene


@every_story
def test_every_edit_finds_its_place(story: Story) -> None:
    """What is to be mended on the sheet stands there once when its turn comes."""
    for _, _, steps in scenes(story):
        for number, step in enumerate(steps):
            for line in step.lines:
                if line.tool == "draft_edit":
                    (pair,) = json.loads(json.dumps(line.arguments["edits"]))
                    assert whole(steps[:number], ()).count(pair["old"]) == 1


@every_story
def test_a_reply_writes_once(story: Story) -> None:
    """Of two writes in one reply the second would name a version that is over."""
    for _, _, steps in scenes(story):
        for step in steps:
            assert sum(line.tool in VERSIONED for line in step.lines) <= 1


@every_story
def test_it_is_told_in_its_language(story: Story) -> None:
    """Prose, cues, options and honest sentences."""
    chinese = story.language == "zh"
    texts = [whole(steps, ()) for _, _, steps in scenes(story)]
    texts += [turn.cue for turn in story.turns]
    texts += [way.option for turn in story.turns for way in turn.ways]
    lines = story.lines
    texts += [lines.off_script, lines.over, lines.changed, lines.unchanged, lines.lost, lines.other]
    assert all(looks_chinese(text) == chinese for text in texts)
    assert all(text.strip() for text in (*texts, lines.ask_again))


@every_story
def test_it_knows_its_card_and_its_prompt(story: Story) -> None:
    """The mark stands in its own card alone, and blocks are titled as the prompt titles them."""
    for language in LANGUAGES:
        path = files("huaben") / "rehearsal" / language / "card.json"
        card = json.loads(path.read_text(encoding="utf-8"))["data"]
        assert (story.marker in card["system_prompt"]) == (language == story.language)
        assert 6 <= len(card["character_book"]["entries"]) <= 10
    assert story.language_title == phrase(story.language, "language_title")
