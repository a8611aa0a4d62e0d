"""How the discussion about a manuscript ends: done, kept by the user, stopped. Apart from the endings of the
stage because there is no draft and nothing is sealed; the words are a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from huaben.domain.events import End, Final, Status
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.services import settle
from huaben.services.house import House
from huaben.services.sealing import sealed
from huaben.services.settle import Settled
from huaben.services.stories import load_project


def discussed(turn: Turn, view: TurnView, report: str, now: str) -> Settled:
    """The model has answered; `report` is what the history keeps of it."""
    ended = replace(
        turn,
        run="ended",
        outcome="done",
        code="",
        message="",
        asked=settle.exchanges(view),
        final_text=report,
        version=1,
        prose=True,
        ended_at=now,
    )
    return Settled(ended, (Final(report, 1), Status("done"), End("done")))


async def stopped_by_user(house: House, turn: Turn, view: TurnView) -> Settled:
    """The user stopped it; what had arrived is kept, of a discussion in the log alone."""
    project = await load_project(house, turn.project_id)
    if project.mode == "roleplay":
        return settle.stop(turn, view, house.now())
    stopped = replace(
        turn,
        run="ended",
        outcome="stopped",
        code="stopped",
        asked=settle.exchanges(view),
        prose=True,
        ended_at=house.now(),
    )
    return Settled(stopped, (Status("stopped", "stopped"), End("stopped")))


async def sealed_by_user(
    house: House, project: Project, turn: Turn, view: TurnView, *, with_tail: bool
) -> Settled | None:
    """The user's own Seal or Keep; None when there is nothing to keep. A discussion is kept as far as it
    came, if it said anything or changed any chapter."""
    if project.mode == "roleplay":
        return await sealed(house, turn, view, with_tail=with_tail)
    effects: list[Mapping[str, object]] = [tool.effect or {} for tool in view.tools]
    said = view.last_spoken.strip()
    if not said and not any("files" in effect for effect in effects):
        return None
    return discussed(turn, view, said, house.now())
