"""What follows an edit of a manuscript: the scribe reads what was added, and what lost its words is marked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from huaben.domain.notes import Vantage
from huaben.errors import BadInput, Conflict
from huaben.ports import Page
from huaben.services import branching, chores
from huaben.services.writing import doubting, restoring
from huaben.services.writing.quiet import QUIET_S
from huaben.testing.jobs import InlineJobs
from huaben.testing.manuscripts import MemoryManuscripts
from huaben.testing.script import Asked, ScriptedReply, call, fail, reply, say
from tests.integration.writing.resting import OpenDesk, read


@pytest.fixture
async def open_desk() -> AsyncIterator[OpenDesk]:
    opened = OpenDesk()
    yield opened
    await opened.close()


async def test_the_scribe_reads_what_a_turn_has_added(open_desk: OpenDesk) -> None:
    """After a turn the added chapter is in the ledger, its words bound to the chapter, and undo takes it
    back and redo brings it again."""
    written = [
        reply(call("write", path="manuscript/001-雨.md", content="雨夜里，他到了渡口。\n")),
        reply(say("写好了第一章。")),
        reply(say("不用改。")),
    ]
    desk = await open_desk(written)
    turn = await desk.say("写第一章。")
    assert (await desk.facts()).location == "渡口"
    assert (await desk.ledger()).stood.grounds == {"location": ("chapter:001-雨.md", "他到了渡口")}
    notes, _ = await desk.house.store.notes(Vantage(desk.project.id, turn), Page(), ("diary",))
    assert [(note.title, note.text) for note in notes] == [("雨", "雨夜里，他到了渡口。")]
    care = await desk.care()
    assert (care.unread, care.changed, care.may_differ, care.reading) == ((), (), False, False)

    await branching.undo(desk.house, desk.project.id)
    await desk.house.jobs.idle()
    assert (await desk.facts()).location == ""
    await branching.redo(desk.house, desk.project.id)
    await desk.house.jobs.idle()
    assert (await desk.facts()).location == "渡口"
    assert len(desk.scribe.scribed) == 1
    await desk.say("要改吗？")
    assert len(desk.scribe.scribed) == 1  # pure discussion adds nothing to read


async def test_the_next_turn_knows_what_the_last_one_wrote(open_desk: OpenDesk) -> None:
    """It waits for the scribe a little, so that the world state is that of the text."""
    written = [
        reply(call("write", path="001.md", content="他到了渡口。\n")),
        reply(say("写好了。")),
        reply(say("在渡口。")),
    ]
    desk = await open_desk(written)
    await desk.say("写第一章。", wait=False)
    await desk.say("他在哪里？")
    assert "地点：渡口" in desk.scribe.bodies[-1].decode()


async def test_edits_by_hand_are_read_once_they_rest(open_desk: OpenDesk) -> None:
    """Many saves in a row come to one reading, of what was added at the end alone."""
    desk = await open_desk()
    await desk.save("001.md", "It rained.")
    await desk.save("001.md", "It rained. He reached")
    await desk.clock.advance(QUIET_S / 2)
    await desk.save("001.md", "It rained. He reached the harbour.")
    assert not desk.scribe.scribed
    assert len(await desk.house.store.due()) == 1
    await desk.rest()
    assert len(desk.scribe.scribed) == 1
    assert (await desk.facts()).location == "harbour"

    await desk.save("001.md", "It rained. He reached the harbour.\n\n然后他进了城里。")
    await desk.rest()
    assert (await desk.facts()).location == "城里"
    assert "It rained" not in desk.passages()[-1]


async def test_a_changed_old_chapter_marks_what_rests_on_it(open_desk: OpenDesk) -> None:
    """Nothing is read and nothing removed: the fact and the note are marked until the words are back, or the
    user says that they hold."""
    desk = await open_desk()
    await desk.save("001.md", "他到了渡口。")
    await desk.save("002.md", "天亮了。")
    await desk.rest()
    calls = len(desk.scribe.scribed)
    await desk.save("001.md", "他没有出门。")
    await desk.rest()
    assert len(desk.scribe.scribed) == calls
    care = await desk.care()
    assert [(one.path, one.chapter) for one in care.facts] == [("location", "001.md")]
    assert [one.chapter for one in care.notes] == ["001.md"]
    assert (await desk.facts()).location == "渡口"

    await desk.save("001.md", "“他到了渡口。”")
    care = await desk.care()
    assert (care.may_differ, care.facts, care.notes) == (False, (), ())
    await desk.save("001.md", "他没有出门。")
    note = (await desk.care()).notes[0].id
    with pytest.raises(BadInput):
        await doubting.hold(desk.house, desk.project.id, ["time"])
    held = await doubting.hold(desk.house, desk.project.id, ["location"], [note])
    assert (held.facts, held.notes) == ((), ())
    assert (await desk.facts()).location == "渡口"


async def test_a_restore_of_files_leaves_the_ledger_and_says_so(open_desk: OpenDesk) -> None:
    """The ledger stays as it is, may differ from the text, and can be read anew."""
    desk = await open_desk()
    await desk.save("001.md", "他到了渡口。")
    await desk.rest()
    first = await desk.house.store.latest_snapshot(desk.project.id)
    assert first is not None
    await desk.save("001.md", "他进了城里。")
    await desk.rest()
    with_city = await doubting.read_now(desk.house, desk.project.id, ["001.md"])
    await desk.house.jobs.idle()
    assert with_city.kind == "care"
    assert (await desk.facts()).location == "城里"

    await restoring.restore_files(desk.house, desk.project.id, first.checkpoint.id)
    await desk.rest()
    care = await desk.care()
    assert (care.restored, care.may_differ, care.changed) == (True, True, ("001.md",))
    assert (await desk.facts()).location == "城里"
    await desk.save("001.md", "雨停了，他到了渡口。")  # also behind what is written afterwards
    care = await desk.care()
    assert (care.restored, care.may_differ, care.changed) == (True, True, ("001.md",))
    await doubting.read_now(desk.house, desk.project.id)
    await desk.house.jobs.idle()
    assert (await desk.facts()).location == "渡口"
    care = await desk.care()
    assert (care.restored, care.changed, care.facts) == (False, (), ())
    with pytest.raises(Conflict, match="every chapter"):
        await doubting.read_now(desk.house, desk.project.id)


async def test_what_could_not_be_read_is_read_behind_the_next_edit(open_desk: OpenDesk) -> None:
    """A scribe that is out of reach loses nothing: the chapter is named as unread, and caught up."""
    out_of_reach = [True]

    def fails_first(asked: Asked) -> ScriptedReply:
        return reply(fail("rejected", "no")) if out_of_reach else read(asked)

    desk = await open_desk(scribe=fails_first)
    await desk.save("001.md", "他到了渡口。")
    await desk.rest()
    assert (await desk.care()).unread == ("001.md",)
    out_of_reach.clear()
    await desk.save("002.md", "天亮了。")
    await desk.rest()
    assert (await desk.care()).unread == ()
    assert (await desk.facts()).location == "渡口"


async def test_a_process_that_dies_while_it_reads_is_caught_up(open_desk: OpenDesk) -> None:
    """After a restart the rest is read, and nothing is paid twice."""
    desk = await open_desk()
    jobs = desk.house.jobs
    assert isinstance(jobs, InlineJobs)
    jobs.die_after(3)  # while the reading of the first chapter is recorded
    await desk.save("001.md", "他到了渡口。")
    await desk.save("002.md", "他进了城里。")
    await desk.rest()
    assert len(desk.scribe.scribed) == 1
    again = InlineJobs(desk.house.store, desk.records)
    desk.house = replace(desk.house, jobs=again)  # the next start of the same program
    await chores.begin(desk.house)
    await desk.rest()
    assert (await desk.facts()).location == "城里"
    assert len(desk.scribe.scribed) == 2


async def test_of_many_chapters_the_latest_are_read(open_desk: OpenDesk) -> None:
    """What was brought in all at once is read from its end on; the rest when the user says so."""
    desk = await open_desk()
    home = desk.house.manuscripts
    assert isinstance(home, MemoryManuscripts)
    for n in range(1, 16):
        home.desk(desk.project.id).files[f"{n:03}.md"] = f"第{n}章。".encode()
    await desk.care()
    await desk.rest()
    assert len(desk.scribe.scribed) == 12
    assert (await desk.care()).unread == ("001.md", "002.md", "003.md")
    await doubting.read_now(desk.house, desk.project.id)
    await desk.house.jobs.idle()
    assert (await desk.care()).unread == ()
    assert len(desk.scribe.scribed) == 15
