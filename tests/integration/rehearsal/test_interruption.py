"""The rehearsal broken off: nothing is remembered, so whoever takes it up goes on from the record."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from huaben.adapters.models.rehearsal.engine import Rehearsal
from huaben.adapters.system import SystemClock
from huaben.domain.project import Language
from huaben.domain.story import Turn
from huaben.services import playing
from tests.builders.waiting import AWHILE_S
from tests.integration.rehearsal.conftest import OpenHall
from tests.integration.rehearsal.hall import Hall

BOTH: tuple[Language, ...] = ("zh", "en")
every_language = pytest.mark.parametrize("language", BOTH)
breaks = pytest.mark.parametrize("pieces", [1, 9, 24, 38, 50, 61])
"""After how many pieces of a turn it breaks off: while it thinks, looks up, writes, adds, edits."""


class Curtain:
    """A clock that lets so many pieces through and then stands still until the run is cancelled."""

    def __init__(self, pieces: int) -> None:
        self._left = pieces
        self._clock = SystemClock()
        self.fallen = asyncio.Event()

    def now(self) -> datetime:
        return self._clock.now()

    def monotonic(self) -> float:
        return self._clock.monotonic()

    async def sleep(self, seconds: float) -> None:
        self._left -= 1
        if self._left <= 0:
            self.fallen.set()
            await asyncio.Event().wait()
        await self._clock.sleep(seconds)


async def broken_off(hall: Hall, words: str, pieces: int) -> Turn:
    """Say the words to a rehearsal that falls silent after so many pieces; the turn still runs."""
    curtain = Curtain(pieces)
    hall.models.model = Rehearsal(curtain, pace_s=0)
    said = playing.Words(words)
    posted = await playing.post_turn(hall.house, hall.company, hall.project.id, said)
    await asyncio.wait_for(curtain.fallen.wait(), AWHILE_S)
    return posted


async def whole_turn(hall_in: OpenHall, language: Language, number: int) -> str:
    """The text of that turn as it is without an interruption."""
    return (await (await hall_in(language)).play((0, 0), most=number))[-1].final_text


@every_language
@breaks
async def test_a_dead_process_costs_nothing(
    hall_in: OpenHall, language: Language, pieces: int
) -> None:
    """After a restart the turn is resumed and ends in the very words that it would have had."""
    hall = await hall_in(language)
    await hall.play((), most=1)
    turn = await broken_off(hall, await hall.cue(), pieces)
    second = await hall.restarted()
    turn = await second.over(turn.id)
    if turn.outcome == "interrupted":
        await playing.resume(second.house, second.company, turn.id)
        turn = await second.over(turn.id)
    assert turn.outcome == "sealed"
    assert turn.final_text == await whole_turn(hall_in, language, 2)
    await second.company.close()


@every_language
@breaks
async def test_a_stopped_turn_is_completed(
    hall_in: OpenHall, language: Language, pieces: int
) -> None:
    """What had arrived is kept; Continue adds what is missing and no word twice."""
    hall = await hall_in(language)
    await hall.play((), most=1)
    turn = await broken_off(hall, await hall.cue(), pieces)
    stopped = await playing.stop(hall.house, hall.company, turn.id)
    assert stopped.outcome == "stopped"
    second = await hall.restarted()
    await playing.resume(second.house, second.company, turn.id)
    turn = await second.over(turn.id)
    assert turn.outcome == "sealed"
    assert turn.final_text == await whole_turn(hall_in, language, 2)
    await second.company.close()


@every_language
async def test_a_spoken_reply_that_was_stopped_is_completed(
    hall_in: OpenHall, language: Language
) -> None:
    """Also where nothing was written on purpose and the words were only spoken."""
    hall = await hall_in(language)
    await hall.play((0,), most=4)
    turn = await broken_off(hall, await hall.cue(), 8)
    await playing.stop(hall.house, hall.company, turn.id)
    second = await hall.restarted()
    await playing.resume(second.house, second.company, turn.id)
    turn = await second.over(turn.id)
    assert turn.final_text == await whole_turn(hall_in, language, 5)
    await second.company.close()


@every_language
@pytest.mark.parametrize("number", [4, 7])
async def test_a_question_that_was_stopped_is_asked_again(
    hall_in: OpenHall, language: Language, number: int
) -> None:
    """At both forks: the pen comes back, and the answer still decides."""
    hall = await hall_in(language)
    await hall.play((0,), most=number - 1)
    turn = await hall.say(await hall.cue())
    await playing.stop(hall.house, hall.company, turn.id)
    await playing.resume(hall.house, hall.company, turn.id)
    turn = await hall.over(turn.id)
    asked = (await hall.view(turn)).open_ask
    assert asked is not None
    turn = await hall.answer(turn, asked.options[0])
    assert turn.outcome == "sealed"
    assert turn.final_text == await whole_turn(hall_in, language, number)


@every_language
async def test_a_question_survives_a_restart(hall_in: OpenHall, language: Language) -> None:
    """The card waits; another process takes the answer."""
    hall = await hall_in(language)
    await hall.play((0,), most=6)
    turn = await hall.say(await hall.cue())
    second = await hall.restarted()
    asked = (await second.view(turn)).open_ask
    assert asked is not None
    turn = await second.answer(turn, asked.options[0])
    assert turn.final_text == await whole_turn(hall_in, language, 7)
    await second.company.close()


async def test_a_draft_that_was_put_back_at_the_question_is_respected(hall_in: OpenHall) -> None:
    """A write against the version before it is refused once, then made on the sheet as it stands."""
    hall = await hall_in("zh")
    await hall.play((), most=3)
    turn = await hall.say(await hall.cue())
    await playing.restore_draft(hall.house, turn.id, 0)
    turn = await hall.answer(turn, "不拆")
    assert turn.outcome == "sealed"
    assert turn.final_text.startswith("你把信放回油纸里。")
