"""The continuity check: experts read changed passages, and their findings wait for the user."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from huaben.errors import Conflict, NotFound
from huaben.services import branching, chores
from huaben.services.writing import reporting
from huaben.services.writing.rounds import Compared, rounds_of
from huaben.testing.jobs import InlineJobs
from huaben.testing.script import Asked, ScriptedReply, fail, reply, say
from tests.integration.writing.resting import Desk, OpenDesk


@pytest.fixture
async def open_desk() -> AsyncIterator[OpenDesk]:
    opened = OpenDesk()
    yield opened
    await opened.close()


CONFLICT = {
    "text": "伞在渡口丢了，后面却还在用。",
    "quote": "旧伞掉进了河里",
    "against": "他撑开“旧伞”",
}
UNPROVED = {"text": "This stands nowhere.", "quote": "words that nobody wrote", "against": ""}


def experts(asked: Asked) -> ScriptedReply:
    """One finds a conflict and guesses another, one cannot be reached, one says nothing readable, the others
    find nothing."""
    text = asked.last_text
    if "audit_knowledge" in text:
        return reply(say(json.dumps({"findings": [CONFLICT, UNPROVED]}, ensure_ascii=False)))
    if "judge_npc" in text:
        return reply(fail("rejected", "no"))
    return reply(say("Nothing." if "analyze_plot" in text else '{"findings": []}'))


async def written(open_desk: OpenDesk) -> Desk:
    """A manuscript that was checked once, and then changed in its first chapter."""
    desk = await open_desk(experts)
    await desk.save("001-渡口.md", "雨夜。\n\n他收好旧伞。\n\n天亮了。")
    await desk.save("002-城里.md", "他撑开「旧伞」，进了城。")
    await desk.rest()
    await checked(desk)
    await desk.save("001-渡口.md", "雨夜。\n\n旧伞掉进了河里。\n\n天亮了。")
    await desk.rest()
    return desk


async def checked(desk: Desk, *chapters: str) -> reporting.Shown:
    await reporting.check(desk.house, desk.project.id, chapters)
    await desk.rest()
    return await reporting.show(desk.house, desk.project.id)


async def test_experts_report_conflicts_with_quotations(open_desk: OpenDesk) -> None:
    """Of the changed passage they are shown what it was and is, the ledger, and the later chapters; a finding
    has its place in both chapters, one whose words stand nowhere is advisory, who failed is named."""
    desk = await written(open_desk)
    shown = await checked(desk)
    report = shown.report
    assert report is not None
    assert (shown.state, report.chapters) == ("done", ("001-渡口.md",))
    sound, advisory = report.findings[0], report.findings[1]
    assert (sound.expert, sound.chapter, sound.against_chapter) == (
        "audit_knowledge",
        "001-渡口.md",
        "002-城里.md",
    )
    spot, other = shown.spots[sound.number], shown.others[sound.number]
    assert "雨夜。\n\n旧伞掉进了河里。"[spot.start : spot.end] == "旧伞掉进了河里"
    assert (other.chapter, other.start) == ("002-城里.md", 0)
    assert (advisory.text, advisory.advisory, advisory.quote) == (UNPROVED["text"], True, "")
    assert set(report.failed) == {"judge_npc: rejected", "analyze_plot: unreadable"}
    told = [one for one in map(_told, desk.scribe.bodies) if "旧伞掉进了河里" in one]
    assert len(told) == 5
    assert all(
        "他收好旧伞" in one and "他撑开「旧伞」" in one and "雨夜" not in one for one in told
    )
    heads = {one.rpartition("现在轮到")[0] for one in told}
    assert len(heads) == 1  # all experts share every byte but their own line


async def test_findings_wait_for_the_users_word(open_desk: OpenDesk) -> None:
    """Accepted and dismissed, and back again; what nobody has answered stays in the next report; undone with
    the turn it belongs to; nothing in the manuscript changes."""
    desk = await written(open_desk)
    project = desk.project.id
    first = await checked(desk)
    number = first.report.findings[0].number if first.report else 0
    dismissed = await reporting.settle(desk.house, project, number, "dismissed")
    assert dismissed.report is not None
    assert dismissed.report.findings[0].state == "dismissed"
    await reporting.settle(desk.house, project, number, "open")
    with pytest.raises(NotFound):
        await reporting.settle(desk.house, project, 99, "accepted")
    with pytest.raises(Conflict, match="since the last check"):
        await reporting.check(desk.house, project)

    await desk.save("001-渡口.md", "雨夜。\n\n他收好旧伞。\n\n天亮了。")
    await desk.rest()
    again = await checked(desk)
    assert again.report is not None
    assert any(one.quote == "旧伞掉进了河里" for one in again.report.findings)
    assert again.report.findings[0].number not in again.spots  # the words are gone meanwhile

    with pytest.raises(NotFound):
        await reporting.check(desk.house, project, ["009.md"])


async def test_a_check_belongs_to_its_node(open_desk: OpenDesk) -> None:
    """Undoing the turn takes the report along, and redoing brings it back."""
    desk = await open_desk([reply(say("好。")), *[reply(say('{"findings": []}'))] * 5])
    await desk.save("001.md", "雨。")
    await desk.rest()
    await desk.say("看看有没有矛盾。")
    assert (await checked(desk, "001.md")).state == "done"
    await branching.undo(desk.house, desk.project.id)
    assert (await reporting.show(desk.house, desk.project.id)).report is None
    await branching.redo(desk.house, desk.project.id)
    assert (await reporting.show(desk.house, desk.project.id)).report is not None


async def test_a_check_that_dies_pays_nothing_twice(open_desk: OpenDesk) -> None:
    """What experts had answered is read back after the restart; there is one report."""
    desk = await open_desk(experts)
    await desk.save("001.md", "雨。")
    await desk.rest()
    jobs = desk.house.jobs
    assert isinstance(jobs, InlineJobs)
    jobs.die_after(2)  # while the answers of the first round are recorded
    before = len(desk.scribe.bodies)
    await reporting.check(desk.house, desk.project.id)
    await desk.rest()
    assert len(desk.scribe.bodies) == before + 5
    desk.house = replace(desk.house, jobs=InlineJobs(desk.house.store, desk.records))
    await chores.begin(desk.house)
    await desk.rest()
    report = (await reporting.show(desk.house, desk.project.id)).report
    assert report is not None
    # The expert that could not be reached is asked once more; nobody else is.
    assert len(desk.scribe.bodies) == before + 6


async def test_long_manuscripts_are_cut_into_rounds(open_desk: OpenDesk) -> None:
    """Every changed passage meets every later chapter, in pieces that fit; what is too much is named."""
    desk = await open_desk()
    for n in range(1, 7):
        await desk.save(f"{n:03}.md", f"{n} " + "long " * 300)
    await desk.rest()
    last = await desk.house.store.latest_snapshot(desk.project.id)
    assert last is not None
    compared = Compared(desk.project.id, "", last.checkpoint.id, ("001.md",))
    planned = await rounds_of(desk.house, compared, 4000)
    assert planned.chapters == ("001.md",)
    later = [part.name for one in planned.rounds for part in one.later]
    assert later == ["002.md", "003.md", "004.md", "005.md", "006.md"]
    assert all(len(one.later) <= 2 for one in planned.rounds)
    whole = await rounds_of(desk.house, Compared(desk.project.id, "", last.checkpoint.id), 1000)
    assert len(whole.rounds) == 12
    assert whole.left_out


def _told(body: bytes) -> str:
    messages: list[dict[str, str]] = json.loads(body)["messages"]
    return "\n".join(one.get("content") or "" for one in messages)
