"""The rehearsal's ledger: what stands in it at the end of a story, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from huaben.domain.ledger import Ledger
from huaben.domain.project import Language
from huaben.services import branching, chores, playing
from huaben.services.bookkeeping import show_ledger
from huaben.services.standing import LedgerAt
from tests.integration.rehearsal.conftest import OpenHall
from tests.integration.rehearsal.hall import Hall

PATHS = ((0, 0), (0, 1), (1, 0), (1, 1))


async def opened(hall_in: OpenHall, language: Language) -> Hall:
    """A hall whose jobs run."""
    hall = await hall_in(language)
    await chores.begin(hall.house)
    return hall


async def ledger(hall: Hall, at: str | None = None) -> LedgerAt:
    await hall.house.jobs.idle()
    return await show_ledger(hall.house, hall.project.id, at)


async def facts(hall: Hall, at: str | None = None) -> Ledger:
    return (await ledger(hall, at)).stood.standing.ledger


@dataclass(frozen=True)
class End:
    """What a reader looks for in the ledger at the end of a story."""

    time: str
    location: str
    people: Mapping[str, tuple[int, str, str]]
    inventory: tuple[str, ...]
    plot_threads: tuple[str, ...]
    flags: Mapping[str, str]

    @staticmethod
    def of(found: Ledger, flags: Mapping[str, str]) -> End:
        """What stands in a ledger, and of its flags those that are named."""
        people = {
            name: (one.affinity, one.location, one.status) for name, one in found.characters.items()
        }
        named = {name: text for name, text in found.flags.items() if name in flags}
        return End(
            found.time, found.location, people, found.inventory, found.plot_threads, named
        )  # fmt: skip


ENDS: Mapping[tuple[Language, tuple[int, int]], End] = {
    ("zh", (0, 0)): End(
        "第二天一早",
        "江对岸，水边",
        {
            "沈砚": (5, "晚渡客栈", ""),
            "陶伯": (10, "江对岸，水边", "淋着雨，笑了"),
            "阿蘅": (5, "江对岸，水边", ""),
        },
        ("客房钥匙", "伞柄里的信", "门口那盏灯"),
        ("信要交给当年借伞的人",),
        {"旧账": "已还", "信": "外婆写给借伞的人，已经拆开看过"},
    ),
    ("zh", (1, 1)): End(
        "清晨，天晴",
        "晚渡客栈，门口",
        {
            "沈砚": (8, "晚渡客栈", "在门口写账"),
            "陶伯": (10, "晚渡客栈，门口", ""),
            "阿蘅": (0, "晚渡客栈", "醒着，念信"),
        },
        ("旧伞", "客房钥匙"),
        ("旧伞又借了出来，下回过江再还",),
        {"旧账": "重阳借，今日还。晴。", "信": "原样交给了陶伯，阿蘅念给他听"},
    ),
    ("en", (0, 0)): End(
        "the next morning",
        "the other bank, at the water",
        {
            "Shen Yan": (5, "the Late Ferry", ""),
            "Old Tao": (10, "the other bank, at the water", "wet, and laughing"),
            "Heng": (5, "the other bank, at the water", ""),
        },
        ("room key", "letter from the handle", "lamp from over the door"),
        ("the letter is for whoever lent the umbrella",),
        {
            "old ledger": "Came home.",
            "letter": "from grandmother to the one who lent the umbrella; opened and read",
        },
    ),
    ("en", (1, 1)): End(
        "a clear morning",
        "the Late Ferry, at the door",
        {
            "Shen Yan": (8, "the Late Ferry", "at the door, writing in the ledger"),
            "Old Tao": (10, "the Late Ferry, at the door", ""),
            "Heng": (0, "the Late Ferry", "awake, reading the letter out"),
        },
        ("old umbrella", "room key"),
        ("the umbrella is lent again, until the next crossing",),
        {
            "old ledger": "Lent in the rain. Returned today. Fine weather.",
            "letter": "given to Old Tao with its seal untouched; Heng read it to him",
        },
    ),
}


@pytest.mark.parametrize(("language", "ways"), ENDS)
async def test_the_ledger_tells_how_the_story_ended(
    hall_in: OpenHall, language: Language, ways: tuple[int, int]
) -> None:
    """Time, place, people, what is carried, what is settled and what is not."""
    hall = await opened(hall_in, language)
    await hall.play(ways)
    end = ENDS[language, ways]
    assert End.of(await facts(hall), end.flags) == end


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("ways", PATHS)
async def test_nothing_is_claimed_on_any_path(
    hall_in: OpenHall, language: Language, ways: tuple[int, int]
) -> None:
    """Every turn is read, changes something, and all of it has its evidence."""
    hall = await opened(hall_in, language)
    turns = await hall.play(ways)
    found = await ledger(hall)
    assert found.behind == ()
    assert found.stood.standing.claimed == frozenset()
    assert len(found.stood.standing.roster.people) == 3
    for turn in turns:
        told = (await hall.view(turn)).ledger
        assert told is not None
        assert told.changes
        assert (told.claimed, told.warnings) == ((), ())


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_words_beside_the_script_change_nothing(
    hall_in: OpenHall, language: Language
) -> None:
    """The turn is read all the same, and says so."""
    hall = await opened(hall_in, language)
    await hall.play((), most=2)
    before = await facts(hall)
    turn = await hall.say("我跳起舞来。" if language == "zh" else "I dance.")
    found = await ledger(hall)
    assert (found.stood.node, found.behind) == (turn.id, ())
    assert found.stood.standing.ledger == before


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_another_way_has_a_ledger_of_its_own(hall_in: OpenHall, language: Language) -> None:
    """A fork taken the other way leaves nothing in the ledger of the first; going back restores it."""
    hall = await opened(hall_in, language)
    first = (await hall.play((0,), most=4))[-1]
    read = await facts(hall)
    again = await hall.over((await playing.make_variant(hall.house, hall.company, first.id)).id)
    asked = (await hall.view(again)).open_ask
    assert asked is not None
    await hall.answer(again, asked.options[1])
    kept = await facts(hall)
    letter = "信" if language == "zh" else "letter"
    assert kept.flags[letter] != read.flags[letter]
    assert len(kept.characters) == len(read.characters) + 1
    await branching.go_to(hall.house, hall.project.id, first.id)
    assert await facts(hall) == read
