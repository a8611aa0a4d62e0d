"""Pictures of turns: ordered by the seal, drawn beside everything else, once, and tried again."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from huaben.domain.events import End, Final, ImageChange
from huaben.domain.image import image_id, marker
from huaben.errors import Conflict, NotFound, ProviderFailed
from huaben.ports import Commit
from huaben.services import chores, images, playing, trash
from huaben.testing.jobs import InlineJobs
from huaben.testing.objects import MemoryObjects
from tests.builders.waiting import come_to_rest
from tests.integration.images.easel import Painter, Studio, png, studio

GARBAGE = ProviderFailed("not_a_picture", "easel sent bytes that are no picture")


async def states(room: Studio, turn_id: str) -> list[str]:
    log = await room.house.store.events(turn_id)
    return [one.event.state for one in log if isinstance(one.event, ImageChange)]


async def test_a_slow_picture_holds_up_nothing() -> None:
    """The reply is sealed and over, words may follow, and the picture comes when it comes."""
    painter = Painter([png()], gate=asyncio.Event())
    async with studio(painter) as room:
        room.begin()
        turn = await room.sealed()
        view = await room.view(turn)
        assert view.ended
        assert turn.final_text.count(marker(image_id(turn.id, 0), "旧伞 0")) == 1
        assert [one.state for one in view.images] == ["pending"]
        words = playing.Words("And then?")
        after = await playing.post_turn(room.house, room.company, room.project.id, words)
        await room.company.settled(after.id)
        sent = room.sent(-1)
        assert "他把旧伞递过来。\\n\\n她接住了。" in sent
        assert "image:" not in sent
        assert (await room.view(after)).draft.text == "他点头。"
        assert painter.gate is not None
        painter.gate.set()
        await room.house.jobs.idle()
        shown = await images.show_image(room.house, image_id(turn.id, 0))
        assert (shown.image.state, shown.image.media_type) == ("ready", "image/png")
        assert await images.picture_of(room.house, shown.image) == png()
        assert painter.prompts == ["画一把旧伞"]
        told = await room.house.store.project_events(room.project.id)
        assert [e.event.detail for e in told if e.event.kind == "images_changed"] == [
            {"image": image_id(turn.id, 0), "state": "ready"}
        ]
        assert [one async for one in room.house.store.audit()] == []


async def test_only_what_has_its_place_in_the_text_is_drawn() -> None:
    """A wish whose line the text lost, and a turn that is given up, cost nothing."""
    painter = Painter([png()])
    async with studio(painter) as room:
        room.begin()
        turn = await room.told_turn(prompts=("旧伞", "a lantern"))
        lost = ImageChange(image_id(turn.id, 7), "wished", "没有位置", "", 7)
        await room.house.store.commit(Commit(events=((turn.id, lost),)))
        assert await states(room, turn.id) == ["wished"] * 3
        await playing.seal(room.house, room.company, turn.id)
        await room.house.jobs.idle()
        assert sorted(painter.prompts) == ["a lantern", "旧伞"]
        given_up = await room.told_turn()
        await playing.discard(room.house, room.company, given_up.id)
        await room.house.jobs.idle()
        assert len(painter.prompts) == 2


async def test_a_picture_that_fails_leaves_the_prose_and_can_be_tried_again() -> None:
    """The failure is told with its reason; two who press Retry at once order one picture."""
    painter = Painter([GARBAGE, png()])
    async with studio(painter) as room:
        room.begin()
        turn = await room.sealed()
        await room.house.jobs.idle()
        view = await room.view(turn)
        assert view.final == Final(turn.final_text, turn.version)
        (image,) = view.images
        assert (image.state, image.code, image.message) == ("failed", GARBAGE.code, GARBAGE.message)
        with pytest.raises(NotFound, match="failed"):
            await images.picture_of(room.house, image)
        tries = [images.retry(room.house, image.image) for _ in range(2)]
        assert [one.image.state for one in await asyncio.gather(*tries)] == ["pending", "pending"]
        await room.house.jobs.idle()
        assert await states(room, turn.id) == ["wished", "pending", "failed", "pending", "ready"]
        assert len(painter.prompts) == 2
        calls = [one for one in await room.house.store.calls(turn.id) if one.purpose == "image"]
        assert [(one.state, one.error) for one in calls] == [
            ("failed", GARBAGE.message),
            ("done", ""),
        ]
        with pytest.raises(Conflict, match="is there"):
            await images.retry(room.house, image.image)
        assert isinstance(room.house.objects, MemoryObjects)
        room.house.objects.contents.clear()
        assert (await images.retry(room.house, image.image)).image.attempt == 3
        await room.house.jobs.idle()
        assert (await room.view(turn)).images[0].state == "ready"


async def test_without_a_connection_the_picture_says_what_is_missing() -> None:
    """Nothing else is asked in its stead, and a turn may never wish for one."""
    async with studio(None) as room:
        room.begin()
        scenario = room.house.scenarios.named("stage")
        assert images.painter_for(room.house, scenario) is None
        turn = await room.sealed()
        await room.house.jobs.idle()
        (image,) = (await room.view(turn)).images
        assert (image.state, image.code) == ("failed", "no_image_connection")
        for unknown in (image_id(turn.id, 5), "nonsense", f"{turn.id}-x", "none-0"):
            with pytest.raises(NotFound):
                await images.show_image(room.house, unknown)


async def test_a_story_in_the_trash_costs_nothing_more() -> None:
    """Its picture is not asked for; once the story is back, Retry draws it."""
    painter = Painter([png()])
    async with studio(painter) as room:
        turn = await room.sealed()
        await trash.discard_project(room.house, room.company, room.project.id)
        room.begin()
        await room.house.jobs.idle()
        assert painter.prompts == []
        (image,) = (await room.view(turn)).images
        assert (image.state, image.code) == ("failed", "story_in_trash")
        await trash.restore(room.house, "project", room.project.id)
        await images.retry(room.house, image.image)
        await room.house.jobs.idle()
        assert painter.prompts == ["画一把旧伞"]
        assert (await room.view(turn)).images[0].state == "ready"


@pytest.mark.parametrize("steps", range(3))
@pytest.mark.parametrize("fails", [False, True])
async def test_a_picture_is_drawn_once_however_often_the_process_dies(
    steps: int, *, fails: bool
) -> None:
    """Whichever step was the last that was recorded, and also when the one after it had done its work."""
    painter = Painter([GARBAGE if fails else png()])
    async with studio(painter) as room:
        assert isinstance(room.house.jobs, InlineJobs)
        room.house.jobs.die_after(steps)
        turn = await room.sealed()
        room.house.jobs.start(partial(chores.carry_out, room.house))
        await room.house.jobs.idle()
        await come_to_rest()  # what the step behind the last recorded one did is done now
        again = await room.reborn()
        await again.house.jobs.idle()
        assert await states(again, turn.id) == ["wished", "pending", "failed" if fails else "ready"]
        # A failure that no step recorded is tried again; what was drawn is never drawn twice.
        assert len(painter.prompts) == 1 or fails
        log = await again.house.store.events(turn.id)
        assert sum(isinstance(one.event, End) for one in log) == 2
        await again.close()
