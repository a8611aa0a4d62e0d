"""What an earlier run left in the middle, and what cannot be recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from huaben.cli.running import Signals
from huaben.cli.screens import PlainScreen
from huaben.cli.turns import Answers, Player
from huaben.config import Settings
from huaben.domain.events import Status
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.errors import HuabenError
from huaben.ports import Commit, Model
from huaben.services.house import Models
from huaben.studio import Studio
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.models import ScriptedModel
from tests.integration.cli.program import Program, writes


@asynccontextmanager
async def story(
    program: Program, models: Models | None = None
) -> AsyncGenerator[tuple[Studio, Project]]:
    """The program's data folder with a project in it, opened in this process."""
    async with Studio.open(settings=Settings(data=program.data), models=models) as studio:
        card = await studio.import_card(program.card)
        yield studio, await studio.create_project(card=card.id)


async def leave_begun(studio: Studio, project: Project) -> None:
    """A turn as a process leaves it that died before its first model call."""
    store = studio.house.store
    head = await store.head(project.id)
    assert head is not None
    new_id = studio.house.ids.new()
    turn = Turn(
        new_id, project.id, "local", head.turn_id, "turn", new_id, 1, project.created_at,
        run="running", user_text="那把旧伞", owner="dead", epoch=1, config=project.config,
    )  # fmt: skip
    rows = (turn, replace(head, turn_id=new_id))
    await store.commit(Commit(rows=rows, events=((new_id, Status("running")),)))


async def test_a_turn_that_had_not_called_runs_by_itself(program: Program) -> None:
    """Words that were stored before the process died are answered by the next run."""
    async with story(program) as (studio, project):
        await leave_begun(studio, project)
    without = program.run("play", program.card)
    assert (without.code, without.out) == (1, "")
    assert without.err.rstrip().endswith("[no_connection]")
    with ScriptedEndpoint.in_thread([writes("门后有伞。")]) as endpoint:
        program.base_url = endpoint.base_url
        run = program.run("play", program.card)
        assert "那把旧伞" in endpoint.bodies[0].decode()
    assert (run.code, run.out) == (0, "门后有伞。\n")


class FolderGone:
    """Models that answer the first question; with the second the library is taken away."""

    def __init__(self, library: Path) -> None:
        self.library = library
        self.asked = 0

    def for_role(self, role: str, name: str = "") -> Model:
        self.asked += 1
        if self.asked > 1:
            self.library.unlink()
        return ScriptedModel([])


async def test_a_turn_that_cannot_be_recorded_is_not_waited_for(program: Program) -> None:
    """When the store refuses a turn's end, the program says so instead of hanging."""
    task = asyncio.current_task()
    assert task is not None
    async with story(program, FolderGone(program.data / "huaben.db")) as (studio, project):
        player = Player(studio, project, PlainScreen(), Signals(task))
        # Whichever notices first: the read after the words were stored, or the turn at its end.
        with pytest.raises(HuabenError) as told:
            await player.say("喂", Answers())
    assert told.value.code in ("turn_not_recorded", "data_folder_gone")
