"""The rehearsal with a planner: everybody answers, and no network is needed."""

from __future__ import annotations

from functools import partial
from typing import cast

import pytest

from huaben.domain.project import Language
from huaben.services import chores
from huaben.services.planning import editing, showing
from tests.integration.rehearsal.conftest import OpenHall


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_rehearsal_is_planned_offline(hall_in: OpenHall, language: Language) -> None:
    """The first turn makes a plan whose lines rest on something; later ones leave it as it is."""
    hall = await hall_in(language)
    await editing.switch(hall.house, hall.project.id, on=True)
    hall.house.jobs.start(partial(chores.carry_out, hall.house))
    turns = await hall.play((0, 0), most=3)
    await hall.house.jobs.idle()
    assert [turn.outcome for turn in turns] == ["sealed"] * 3
    plan = await showing.show_plan(hall.house, hall.project.id)
    jobs, _ = await showing.show_jobs(hall.house, hall.project.id)
    assert [job["outcome"] for job in jobs][-1] == "committed"
    assert {job["outcome"] for job in jobs[:-1]} <= {"retained", "committed", "unchanged"}
    assert [line for line in str(plan["state"]).splitlines() if line.startswith("## ")] == plan[
        "headings"
    ]
    notes = cast("list[dict[str, object]]", plan["notes"])  # as `showing` gives them
    assert any(note["checked"] for note in notes), "prepared advice quotes the story"
    await hall.house.jobs.close()
