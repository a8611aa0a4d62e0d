"""What the rehearsal does with words it has no lines for: it says so, and the story stays."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from huaben.adapters.models.rehearsal.script import load_story
from huaben.domain.project import Language
from huaben.services import branching, founding, library, playing, rehearsing
from huaben.services.founding import Founding
from tests.integration.rehearsal.conftest import OpenHall
from tests.integration.rehearsal.hall import Hall

BOTH: tuple[Language, ...] = ("zh", "en")
ODD: dict[Language, str] = {"zh": "我掏出一部手机。", "en": "I take out a telephone."}
QUIET: dict[Language, str] = {"zh": "改得平静些", "en": "Please make it calmer"}

every_language = pytest.mark.parametrize("language", BOTH)


@every_language
async def test_it_says_so_and_offers_the_next_words(hall_in: OpenHall, language: Language) -> None:
    """One sentence that this is a rehearsal, with the next cue; the story has not moved."""
    hall = await hall_in(language)
    await hall.play((), most=2)
    cue = await hall.cue()
    for _ in range(2):
        turn = await hall.say(ODD[language])
        assert turn.outcome == "sealed"
        assert turn.final_text == load_story(language).lines.off_script.replace("{cue}", cue)
        assert (await hall.view(turn)).captured
        assert await hall.cue() == cue
    turn = await hall.say(cue)
    assert len((await hall.view(turn)).tools) > 1


@every_language
async def test_a_plain_go_on_is_enough(hall_in: OpenHall, language: Language) -> None:
    """Whoever has nothing to say still gets on."""
    hall = await hall_in(language)
    turn = await hall.say("继续" if language == "zh" else "Go on.")
    assert (await hall.view(turn)).tools


@every_language
async def test_after_the_end_it_says_that_this_was_the_end(
    hall_in: OpenHall, language: Language
) -> None:
    """There is no cue, whatever is said is answered honestly, and going back still works."""
    hall = await hall_in(language)
    turns = await hall.play((0, 0))
    said = await hall.say("继续" if language == "zh" else "Go on.")
    assert said.final_text == load_story(language).lines.over
    assert await hall.cue() == ""
    await branching.go_to(hall.house, hall.project.id, turns[5].id)
    other = await hall.play((1,))
    assert len(other) == 3
    assert other[-1].final_text != turns[-1].final_text


@every_language
async def test_another_card_gets_no_lines(hall_in: OpenHall, language: Language) -> None:
    """The rehearsal knows one story, and says so to any other card."""
    hall = await hall_in(language)
    card = {"name": "甲", "first_mes": "谁？" if language == "zh" else "Who is it?"}
    imported = await library.import_card(hall.house, json.dumps(card).encode(), "a.json")
    wish = Founding(card_id=imported.id, scenario="rehearsal", language=language)
    project, _ = await founding.create_project(hall.house, wish)
    other = Hall(hall.house, hall.company, project, hall.models)
    turn = await other.say(ODD[language])
    assert turn.final_text == load_story(language).lines.other


# ---- a change of the previous turn ---------------------------------------------------------------


@every_language
async def test_the_last_turn_is_put_more_quietly(hall_in: OpenHall, language: Language) -> None:
    """One marked sentence changes in place, at every point of the story; the story goes on as if
    nothing had happened."""
    hall = await hall_in(language)
    forks = [1, 0]
    while cue := await hall.cue():
        before = (await hall.play(forks[:1], most=1))[0]
        forks = forks[1:] if before.asked else forks
        turn = await hall.say(QUIET[language])
        assert turn.outcome == "revised"
        assert turn.revises is not None
        changed = [c for c in load_story(language).changes if c.old in before.final_text]
        assert turn.revises.text == before.final_text.replace(changed[0].old, changed[0].new)
        assert await hall.cue() != cue


@every_language
async def test_it_changes_a_turn_once(hall_in: OpenHall, language: Language) -> None:
    """Asked a second time it says that it has only one other wording."""
    hall = await hall_in(language)
    await hall.play((), most=1)
    await hall.say(QUIET[language])
    cue = await hall.cue()
    turn = await hall.say(QUIET[language])
    assert turn.final_text == load_story(language).lines.changed
    assert await hall.cue() == cue


@every_language
async def test_there_is_nothing_to_change_before_the_first_turn(
    hall_in: OpenHall, language: Language
) -> None:
    """The opening is nobody's turn."""
    hall = await hall_in(language)
    cue = await hall.cue()
    turn = await hall.say(QUIET[language])
    assert turn.final_text == load_story(language).lines.unchanged
    assert await hall.cue() == cue


# ---- the card ------------------------------------------------------------------------------------


@every_language
async def test_the_card_is_brought_in_once(hall_in: OpenHall, language: Language) -> None:
    """A second rehearsal stands on the same card and begins from the beginning."""
    hall = await hall_in(language)
    await hall.play((), most=1)
    again = await rehearsing.ensure_rehearsal(hall.house, language)
    assert again == hall.project.card_id
    second, _ = await rehearsing.found_rehearsal(hall.house, language)
    assert second.card_id == again
    assert second.title == rehearsing.TITLES[language]
    fresh = Hall(hall.house, hall.company, second, hall.models)
    assert await fresh.cue() == load_story(language).turns[0].cue


@every_language
async def test_the_card_loses_nothing_on_import(hall_in: OpenHall, language: Language) -> None:
    """The shipped file is one that the program itself has no remark about."""
    hall = await hall_in(language)
    data = (files("huaben") / "rehearsal" / language / "card.json").read_bytes()
    imported = await library.import_card(hall.house, data, "again.json")
    assert imported.already
    assert not imported.report["changed"]
    assert not imported.report["dropped"]
    assert not imported.report["warnings"]


async def test_words_that_are_edited_and_sent_again(hall_in: OpenHall) -> None:
    """Off the script first, then on it: the second telling is the one that counts."""
    hall = await hall_in("zh")
    cue = await hall.cue()
    astray = await hall.say(ODD["zh"])
    new = await playing.make_variant(hall.house, hall.company, astray.id, cue)
    turn = await hall.over(new.id)
    assert (await hall.view(turn)).tools
    assert await hall.cue() not in ("", cue)
    await branching.undo(hall.house, hall.project.id)
    assert await hall.cue() == cue
