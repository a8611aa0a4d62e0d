"""A provider that misbehaves, over real HTTP: prose kept, the status shown, Retry makes the failed
call alone again."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from huaben import Studio
from huaben.config import load_settings
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import (
    Drop,
    ErrorLine,
    Raw,
    ScriptedReply,
    Stall,
    Status,
    Step,
    call,
    reply,
    say,
)

PROSE = "雨点顺着伞骨往下坠，一滴一滴敲在青石板上。"
LOOK = reply(call("card_read"))
WRITE = reply(call("draft_write", version=0, content=PROSE))
SEAL = reply(call("draft_seal", version=1))


@asynccontextmanager
async def stage(
    folder: Path, *script: Step
) -> AsyncGenerator[tuple[Studio, Project, ScriptedEndpoint]]:
    async with ScriptedEndpoint(list(script)) as endpoint:
        settings = load_settings(
            data=folder / "data",
            base_url=endpoint.base_url,
            model="m",
            retries=1,
            first_token_s=60,
            idle_s=1.5,
        )
        card = folder / "card.json"
        card.write_text(json.dumps({"name": "沈砚", "first_mes": "「打烊了。」"}), "utf-8")
        async with Studio.open(settings=settings) as studio:
            imported = await studio.import_card(card)
            yield studio, await studio.create_project(card=imported.id), endpoint


async def say_and_wait(studio: Studio, project: Project) -> Turn:
    async for _ in studio.play(project.id, "走"):
        pass
    head = await studio.house.store.head(project.id)
    assert head is not None
    turn = await studio.house.store.turn(head.turn_id)
    assert turn is not None
    return turn


@pytest.mark.parametrize(
    ("broken", "shows"),
    [
        pytest.param(ScriptedReply((*WRITE.units, Drop())), True, id="dies in mid-stream"),
        pytest.param(ScriptedReply((*WRITE.units, Drop(clean=True))), False, id="just ends"),
        pytest.param(
            reply(*WRITE.units, ErrorLine({"message": "overloaded", "code": 503})),
            True,
            id="an error line after 200",
        ),
        pytest.param(reply(*WRITE.units, Stall()), True, id="stalls"),
        pytest.param(reply(Raw(b"data: {not json\n\n" * 3), Drop()), False, id="garbage"),
        pytest.param(Status(500), False, id="500"),
        pytest.param(Status(401), False, id="401"),
    ],
)
async def test_prose_is_kept_and_retry_pays_only_the_failed_call(
    tmp_path: Path, broken: Step, shows: bool
) -> None:
    """The look-up before the failure is not asked for again, and the story goes on."""
    again = [broken] if isinstance(broken, Status) and broken.code == 500 else []
    async with stage(tmp_path, LOOK, broken, *again, WRITE, SEAL) as (studio, project, endpoint):
        turn = await say_and_wait(studio, project)
        if turn.outcome == "sealed":  # the stream had said everything before it just ended
            assert not shows
            return
        shown = await studio.show(turn.id)
        assert turn.outcome == "failed"
        assert shown.view.error is not None
        assert shown.view.error.message
        if shows:
            assert shown.partial is not None
            assert PROSE.startswith(shown.partial)
        before = len(endpoint.bodies)
        await studio.resume(turn.id)
        await studio.company.settled(turn.id)
        shown = await studio.show(turn.id)
        assert (shown.status, shown.text.text) == ("sealed", PROSE)
        assert len(endpoint.bodies) == before + 2
        assert endpoint.bodies[before] == endpoint.bodies[1]


async def test_429_then_200_is_one_call_with_a_visible_retry(tmp_path: Path) -> None:
    """A refusal before the first content is tried again, as long as the provider asked to wait."""
    script = (Status(429, retry_after=0.05), WRITE, SEAL)
    async with stage(tmp_path, *script) as (studio, project, endpoint):
        turn = await say_and_wait(studio, project)
        shown = await studio.show(turn.id)
        assert (shown.status, shown.text.text) == ("sealed", PROSE)
        assert any(notice.code == "retrying" for notice in shown.view.notices)
        assert endpoint.bodies[0] == endpoint.bodies[1]


async def test_nothing_is_tried_again_once_text_has_begun(tmp_path: Path) -> None:
    """A second attempt would show other words in the place of those that were read."""
    async with stage(tmp_path, reply(say("他抬起"), Drop()), SEAL) as (studio, project, endpoint):
        turn = await say_and_wait(studio, project)
        assert turn.outcome == "failed"
        assert len(endpoint.bodies) == 1
        assert (await studio.show(turn.id)).partial == "他抬起"
