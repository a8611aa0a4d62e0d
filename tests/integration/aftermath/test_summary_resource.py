"""The summary for users, and what a planner reads of a compacted story."""

from __future__ import annotations

import pytest

from huaben.domain.budget import Estimator
from huaben.domain.scenario import CompactionSection, Scenario
from huaben.domain.summary import Load, Summary, in_parts, leaving, lost, summary_from_json
from huaben.errors import Conflict
from huaben.services import branching
from huaben.services.governance import PlannerHistory, TooLarge, fitting, history_for_planner
from huaben.services.summarising import rewrite_summary, show_summary
from tests.integration.aftermath.conftest import OpenRoom, Room
from tests.integration.aftermath.test_compaction import SETTINGS, messages, tell, teller


async def test_the_summary_is_shown_where_it_stands(open_room: OpenRoom) -> None:
    """At the head it is in force, before its node there is none."""
    room = await open_room(teller, None, SETTINGS)
    turns = await tell(room, 5)
    shown = await show_summary(room.house, room.project.id)
    assert shown.summary is not None
    assert (shown.summary.covers, shown.live) == (turns[2], tuple(turns[3:]))
    before = await show_summary(room.house, room.project.id, turns[3])
    assert before.summary is None
    assert len(before.live) == 4


async def test_the_user_puts_words_of_their_own_in_its_place(open_room: OpenRoom) -> None:
    """They stand from the head on; a second writer who saw the former one is refused."""
    room = await open_room(teller, None, SETTINGS)
    turns = await tell(room, 5)
    seen = (await show_summary(room.house, room.project.id)).summary
    assert seen is not None
    made = await rewrite_summary(
        room.house, room.project.id, "我记得的是这样。", seen.node, seen.revision
    )
    assert made.summary is not None
    assert (made.summary.author, made.summary.node) == ("user", turns[4])
    with pytest.raises(Conflict):
        await rewrite_summary(room.house, room.project.id, "晚了。", seen.node, seen.revision)
    await room.say("第6句")
    assert messages(room)[1][1] == "【前情提要】\n我记得的是这样。"


async def read(room: Room, governance: str, latest: int) -> PlannerHistory:
    head = await room.house.store.head(room.project.id)
    assert head is not None
    scenario = Scenario(governance=governance)  # pyright: ignore[reportArgumentType] - a test's own words
    return await history_for_planner(
        room.house, room.project, scenario, head.turn_id, latest=latest, estimator=Estimator()
    )


async def test_governance_decides_what_a_planner_reads(open_room: OpenRoom) -> None:
    """Off and shadow give the latest turns whole, shadow with a count beside; enforce gives summary and
    live turns, and no turn that the summary stands for."""
    room = await open_room(teller, None, SETTINGS)
    turns = await tell(room, 6)
    off, shadow = await read(room, "off", 4), await read(room, "shadow", 4)
    assert [one.turn_id for one in off.turns] == turns[2:]
    assert (off.summary, off.shadow) == ("", None)
    assert (shadow.turns, shadow.summary, shadow.tokens) == (off.turns, "", off.tokens)
    enforced = await read(room, "enforce", 4)
    assert shadow.shadow == enforced.tokens
    assert [one.turn_id for one in enforced.turns] == turns[3:]
    assert enforced.summary.startswith("提要：3 拍")
    await branching.go_to(room.house, room.project.id, turns[1])
    assert (await read(room, "enforce", 4)).summary == ""


def test_what_does_not_fit_is_refused_by_its_size() -> None:
    """History, what else is mandatory, and the answer's room against the window."""
    history = PlannerHistory("", "提要", (), 700)
    assert fitting(history, 200, 1000, 100) is None
    assert fitting(history, 201, 1000, 100) == TooLarge(1001, 1000)
    assert fitting(history, 10_000, None, 100) is None


def test_when_turns_leave() -> None:
    """By number and length, or by the window; never the last `keep`, never where it is off."""
    live = [f"t{n}" for n in range(8)]
    section = CompactionSection(every=5, keep=3, min_chars=100, window_percent=75)
    small, full = Load(99, 10, 1000), Load(99, 751, 1000)
    assert leaving(section, live, Load(100, 10, 1000)) == ("t0", "t1", "t2", "t3", "t4")
    assert leaving(section, live, small) == ()
    assert leaving(section, live, full) == ("t0", "t1", "t2", "t3", "t4")
    assert leaving(section, live[:3], full) == ()
    assert leaving(CompactionSection(every=0), live, full) == ()
    assert leaving(section, live, Load(99, 10**6, None)) == ()


def test_names_are_found_whatever_their_width_and_case() -> None:
    """A name is lost only if it occurs in no spelling that reads the same."""
    text = "沈砚把 Ａｎｎ 的旧伞\n收好了。"
    assert lost(text, ["沈砚", "ann", "旧伞", "阿蘅"]) == ("阿蘅",)


def test_long_turns_are_taken_in_parts() -> None:
    """Runs fill the room; a turn that is larger alone is a run of its own."""
    assert in_parts([("a", 4), ("b", 4), ("c", 9), ("d", 1), ("e", 3)], 8) == [
        ["a", "b"],
        ["c"],
        ["d", "e"],
    ]


@pytest.mark.parametrize("data", [{}, {"text": "x", "covers": 1, "turns": 2, "missing": []}])
def test_a_damaged_summary_is_told(data: dict[str, object]) -> None:
    """What is none of ours raises, naming the record."""
    with pytest.raises(ValueError, match="summary"):
        summary_from_json(data, "n", 1, "scribe")
    assert summary_from_json(
        {"text": "x", "covers": "t", "turns": 2, "missing": ["伞"]}, "n", 1, "user"
    ) == Summary("x", "t", 2, ("伞",), "n", 1, "user")
