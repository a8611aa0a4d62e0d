"""The chats that were brought into a project, as clients see them; apart because the page and the command
line show the same."""

from __future__ import annotations

from collections.abc import Mapping

from huaben.ports import DueJob
from huaben.services import chores
from huaben.services.chats import Begun, imported
from huaben.services.house import House

FACTS = (
    *("title", "file", "dialect", "user", "character", "speakers"),
    *("messages", "variants", "hidden", "quarantined", "turns", "report"),
)
"""What a job says of its chat."""


async def show_chats(house: House, project_id: str) -> list[Mapping[str, object]]:
    """Each chat with how far its import has come, in the order in which they came. Raises
    `NotFound`."""
    return [await show_chat(house, job) async for job in imported(house, project_id)]


async def show_chat(house: House, job: DueJob) -> Mapping[str, object]:
    shown = await chores.show_job(house, job)
    return {
        "n": job.seq,
        "state": shown.state,
        "outcome": shown.outcome,
        "made_at": shown.made_at,
        "done": shown.done,
        "total": shown.total or 0,
        **{name: job.payload[name] for name in FACTS},
        "end": job.payload.get("end", []),
    }


async def show_begun(house: House, begun: Begun) -> Mapping[str, object]:
    """A chat that was just brought in, or was there before."""
    job = await house.store.job(begun.lane, begun.seq)
    assert job is not None, "it was committed before it was told"
    about: dict[str, object] = {
        "project": begun.project_id,
        "founded": begun.founded,
        "already": begun.already,
    }
    return {**about, **await show_chat(house, job)}
