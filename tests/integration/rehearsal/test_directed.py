"""The rehearsal as a control model: it directs its own story, and answers what is asked beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.adapters.models.rehearsal.drawing import RehearsalImages
from huaben.adapters.models.rehearsal.errands import errand_step, load_errands
from huaben.adapters.models.rehearsal.place import hits
from huaben.adapters.models.rehearsal.script import load_story
from huaben.adapters.models.rehearsal.wire import Heard
from huaben.domain.image import without_markers
from huaben.domain.project import Language
from huaben.prompt.stage import PastTurn
from huaben.prompt.summary import SummaryScene, compose_summary
from huaben.services import changing, chores
from huaben.services.amending import list_amendments
from huaben.services.performing import Company
from huaben.services.stories import load_project
from tests.integration.images.easel import Easels
from tests.integration.rehearsal.conftest import OpenHall
from tests.integration.rehearsal.hall import Hall

LASTING: dict[Language, str] = {
    "zh": "从现在起，句子都短一些。",
    "en": "From now on, shorter sentences please.",
}

every_language = pytest.mark.parametrize("language", ["zh", "en"])


async def directed(hall_in: OpenHall, language: Language) -> Hall:
    """A rehearsal under the shipped showrunner, whose jobs run and who has somebody to draw."""
    hall = await hall_in(language)
    hall.house = replace(hall.house, painters=Easels(RehearsalImages()))
    hall.company = Company(hall.house)
    wish = changing.Change(scenario="showrunner")
    stored = await load_project(hall.house, hall.project.id)
    await changing.change_project(hall.house, stored.id, stored.revision, wish)
    await chores.begin(hall.house)
    return hall


@every_language
async def test_its_story_is_told_in_two_parts_with_a_picture_between(
    hall_in: OpenHall, language: Language
) -> None:
    """To the end, with the very words of the ordinary performance; the pictures are those that ship."""
    plain = await (await hall_in(language)).play((0, 0))
    hall = await directed(hall_in, language)
    turns = await hall.play(())
    views = [await hall.view(turn) for turn in turns]
    for view in views:
        assert [t.name for t in view.tools] == ["actor", "generate_image", "actor", "over"]
        assert all(t.ok for t in view.tools)
    for turn, like in zip(turns, plain, strict=True):
        told = without_markers(turn.final_text)
        assert told.split() == like.final_text.split()
    await hall.house.jobs.idle()
    view = await hall.view(turns[0])
    assert [image.state for image in view.images] == ["ready"]


@every_language
async def test_words_off_the_script_are_answered_once(
    hall_in: OpenHall, language: Language
) -> None:
    """The honest sentence is the whole turn: no picture, no second part."""
    hall = await directed(hall_in, language)
    cue = await hall.cue()
    turn = await hall.say("……" if language == "zh" else "Hm.")
    assert turn.final_text == load_story(language).lines.off_script.replace("{cue}", cue)
    assert [t.name for t in (await hall.view(turn)).tools] == ["actor", "over"]
    assert await hall.cue() == cue


@every_language
async def test_a_wish_that_is_to_stay_becomes_a_rule(hall_in: OpenHall, language: Language) -> None:
    """It waits for the reader's word, and says that it was prepared."""
    hall = await directed(hall_in, language)
    await hall.say(LASTING[language])
    await hall.house.jobs.idle()
    (found,) = await list_amendments(hall.house, hall.project.id)
    assert found.state == "proposed"
    assert found.request == LASTING[language]
    assert LASTING[language].rstrip("。.") in found.proposal.style[0]
    assert found.proposal.summary == load_errands(language).summary


@every_language
def test_no_prepared_words_ask_for_what_is_to_stay(language: Language) -> None:
    """Or playing the story by its cues would order changes."""
    lasting = load_errands(language).direction.lasting
    turns = load_story(language).turns
    said = [turn.cue for turn in turns] + [way.option for turn in turns for way in turn.ways]
    assert not [words for words in said if hits(words, lasting)]


@every_language
def test_a_summary_copies_a_sentence_of_each_turn(language: Language) -> None:
    """Below the former one, and nothing but what was told."""
    prose = "雨停了。他收了伞。" if language == "zh" else "The rain stopped. He shut it."
    turns = (PastTurn("1", "?", prose), PastTurn("2", "?", prose))
    scene = SummaryScene(language, "", "", (), turns)
    asked = compose_summary(scene)
    step = errand_step(Heard(tuple(asked.messages), frozenset()))
    assert step is not None
    first = "雨停了。" if language == "zh" else "The rain stopped."
    assert step.say.splitlines() == [load_errands(language).head, f"- {first}", f"- {first}"]
    again = compose_summary(replace(scene, former=step.say))
    more = errand_step(Heard(tuple(again.messages), frozenset()))
    assert more is not None
    assert more.say.splitlines() == [*step.say.splitlines(), f"- {first}", f"- {first}"]
