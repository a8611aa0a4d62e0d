"""Every way through the story, in both languages, by the real services."""

from __future__ import annotations

from itertools import pairwise

import pytest

from huaben.agent.tools.table import TOOLS
from huaben.domain.project import Language
from huaben.domain.text import looks_chinese
from huaben.services import playing
from tests.integration.rehearsal.conftest import OpenHall
from tests.integration.rehearsal.hall import Hall, Watched

BOTH: tuple[Language, ...] = ("zh", "en")
PATHS = ((0, 0), (0, 1), (1, 0), (1, 1))
ENDINGS = {"zh": ("已还", "下回过江再还"), "en": ("Came home", "Bring it back when you next cross")}
QUIET: dict[Language, str] = {"zh": "改得平静些", "en": "Make it calmer, please."}

every_language = pytest.mark.parametrize("language", BOTH)
every_path = pytest.mark.parametrize("ways", PATHS)


@every_language
@every_path
async def test_the_cues_lead_to_an_ending(
    hall_in: OpenHall, language: Language, ways: tuple[int, int]
) -> None:
    """Nine sealed turns with two questions on every path; no call is refused; two endings."""
    hall = await hall_in(language)
    turns = await hall.play(ways)
    assert [turn.outcome for turn in turns] == ["sealed"] * 9
    assert sum(bool(turn.asked) for turn in turns) == 2
    for turn in turns:
        assert all(tool.ok for tool in (await hall.view(turn)).tools)
        assert looks_chinese(turn.final_text) == (language == "zh")
    reached, missed = ENDINGS[language][ways[1]], ENDINGS[language][1 - ways[1]]
    assert reached in turns[-1].final_text
    assert missed not in turns[-1].final_text
    assert await hall.cue() == ""


@every_language
async def test_the_first_fork_is_remembered_to_the_end(
    hall_in: OpenHall, language: Language
) -> None:
    """Whether the letter was opened changes every later scene that speaks of it."""
    read = await (await hall_in(language)).play((0, 0))
    kept = await (await hall_in(language)).play((1, 0))
    told = [(one.final_text, other.final_text) for one, other in zip(read, kept, strict=True)]
    differing = [number for number, (one, other) in enumerate(told) if one != other]
    assert differing == [3, 4, 7, 8]


@every_language
async def test_every_tool_is_used(hall_in: OpenHall, language: Language) -> None:
    """One path and one change of the previous turn show everything that a model can do here."""
    hall = await hall_in(language)
    turns = [*await hall.play((0, 0)), await hall.say(QUIET[language])]
    used = {tool.name for turn in turns for tool in (await hall.view(turn)).tools}
    assert used == {tool.name for tool in TOOLS}


@every_language
async def test_the_other_marks_of_a_turn_are_shown(hall_in: OpenHall, language: Language) -> None:
    """Thinking, a spoken reply that is captured, one captured before a question, a status block."""
    turns = await (hall := await hall_in(language)).play((1, 1))
    views = [await hall.view(turn) for turn in turns]
    assert sum(bool(view.thinking) for view in views) >= 4
    assert [c.op for view in views for c in view.captured] == ["write", "write"]
    assert views[4].captured
    assert views[6].captured
    assert turns[5].final_text.endswith("</status>")
    assert views[1].version(3) != views[1].version(2)


@every_language
async def test_each_call_is_recorded_under_its_own_name(
    hall_in: OpenHall, language: Language
) -> None:
    """Whoever looks at the trace sees that no model was called, and estimated counts."""
    hall = await hall_in(language)
    turn = (await hall.play((), most=1))[0]
    calls = await hall.house.store.calls(turn.id)
    assert [call.model for call in calls] == ["rehearsal"] * 3
    assert all(call.usage.prompt and call.usage.completion for call in calls)
    assert calls[0].usage.reasoning
    assert calls[0].usage.cached is None


@every_language
async def test_each_request_extends_the_one_before(hall_in: OpenHall, language: Language) -> None:
    """Over the whole session the bytes of a request begin with those of the last, up to its last
    user message; within a turn they only grow."""
    model = Watched()
    await (await hall_in(language, model)).play((0, 1))
    for before, after in pairwise(model.wires):
        kept = before.parts[:-1]
        if after.parts[: len(kept)] != kept:
            stable = _before_this_turn(before.parts)
            assert after.parts[: len(stable)] == stable
            assert len(stable) > 1


def _before_this_turn(parts: tuple[bytes, ...]) -> tuple[bytes, ...]:
    last = max(n for n, part in enumerate(parts) if part.lstrip(b",").startswith(b'{"role":"user"'))
    return parts[:last]


@every_language
async def test_two_performances_are_the_same_to_the_byte(
    hall_in: OpenHall, language: Language
) -> None:
    """Nothing in it depends on the hour, on chance or on an earlier performance."""
    first, second = Watched(), Watched()
    await (await hall_in(language, first)).play((1, 0))
    await (await hall_in(language, second)).play((1, 0))
    assert [wire.body for wire in first.wires] == [wire.body for wire in second.wires]


@pytest.mark.parametrize(
    ("language", "answer", "told"),
    [
        ("zh", "先不拆，我答应过要亲手交给他", "一封，未拆"),
        ("zh", "好奇，读一读吧", "我自己续的"),
        ("en", "I don’t open it. It isn't mine.", "One letter, unopened"),
        ("en", "Let's READ what she says", "I mended it myself"),
    ],
)
async def test_a_free_answer_is_understood(
    hall_in: OpenHall, language: Language, answer: str, told: str
) -> None:
    """An answer in the reader's own words takes the way that it means."""
    hall = await hall_in(language)
    await hall.play((), most=3)
    turn = await hall.answer(await hall.say(await hall.cue()), answer)
    assert turn.outcome == "sealed"
    assert told in turn.final_text


@pytest.mark.parametrize(
    ("language", "answer", "honest"),
    [("zh", "我唱起歌来", "排演只备了这几条路"), ("en", "I sing.", "Only these ways")],
)
async def test_an_answer_that_means_nothing_is_asked_again_once(
    hall_in: OpenHall, language: Language, answer: str, honest: str
) -> None:
    """It says that no other way was prepared; after a second such answer it takes the nearest."""
    hall = await hall_in(language)
    await hall.play((), most=3)
    turn = await hall.answer(await hall.say(await hall.cue()), answer)
    assert turn.run == "waiting"
    again = (await hall.view(turn)).open_ask
    assert again is not None
    assert again.question.startswith(honest)
    turn = await hall.answer(turn, answer)
    assert turn.outcome == "sealed"
    assert await _on_script(hall)


@every_language
async def test_a_fork_can_be_taken_the_other_way(hall_in: OpenHall, language: Language) -> None:
    """Another telling of the same turn asks again; what follows is what that answer leads to."""
    hall = await hall_in(language)
    first = (await hall.play((0,), most=4))[-1]
    cue = await hall.cue()
    again = await playing.make_variant(hall.house, hall.company, first.id)
    asking = await hall.over(again.id)
    asked = (await hall.view(asking)).open_ask
    assert asked is not None
    other = await hall.answer(asking, asked.options[1])
    assert other.final_text != first.final_text
    assert await hall.cue() != cue


async def _on_script(hall: Hall) -> bool:
    turn = await hall.say(await hall.cue())
    return any((await hall.view(turn)).tools)
