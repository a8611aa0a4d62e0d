"""What after-edit care keeps: how far a manuscript was read, and notes of its passages; apart from the reading,
which takes a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from huaben.domain.caring import Cared, cared_from_json, cared_to_json
from huaben.domain.events import ProjectEvent
from huaben.domain.manuscript import title_of
from huaben.domain.notes import Note
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Node
from huaben.errors import StorageFailed
from huaben.ports import Commit, DueJob, Effect, NodeState, Row
from huaben.services.aftermath.tabulating import keep_tables
from huaben.services.effects import Made, once
from huaben.services.house import House
from huaben.services.memory import CHANGED
from huaben.services.stories import load_turn
from huaben.services.writing.lacking import Part, part_text

EVENT: Final = "care_changed"
"""The kind of a project's event that care makes when it is over or something was settled."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A note that was made of a passage: of which chapter, and of which text of it."""

    note: str
    chapter: str
    sha256: str


async def cared_at(house: House, path: Sequence[str]) -> Cared:
    """How far the manuscript was read at the end of a path of nodes from the root."""
    state = await house.store.state_at("care", list(reversed(path)))
    if state is None:
        return Cared()
    try:
        return cared_from_json(state.data, state.node, state.revision)
    except ValueError as fault:
        raise StorageFailed("damaged", f"The care at {state.node}: {fault}") from fault


async def keep_cared(house: House, job: DueJob, project: Project, cared: Cared) -> None:
    """Let it stand at its node from now on, and tell everybody."""

    async def make() -> Made:
        states = await house.store.states("care", [cared.node])
        before = max((one.revision for one in states), default=0)
        data = cast("Mapping[str, object]", cared_to_json(cared))
        row = NodeState(
            "care", project.id, cared.node, "scribe", house.now(), data, revision=before + 1
        )
        return Commit(
            expected={("state", f"care/{cared.node}"): before},
            rows=(row,),
            project_events=((project.id, ProjectEvent(EVENT, cared.node)),),
        ), {}

    await once(house, f"{job.id}/cared", make)


# ---- memory --------------------------------------------------------------------------------------


async def keep_passages(
    house: House, job: DueJob, project: Project, node: str, parts: Sequence[Part]
) -> None:
    """One note for each passage, whole, at the node, if the scenario keeps a diary."""
    if not parts:
        return

    async def make() -> Made:
        rows: list[Row] = []
        for part in parts:
            text = (await part_text(house, project.id, part)).strip()
            note = Note(
                id=house.ids.new(),
                user_id=project.user_id,
                kind="event",
                title=title_of(part.name),
                text=text,
                author="model",
                at=house.now(),
                project_id=project.id,
                node=node,
            )
            kept = {"chapter": part.name, "sha256": part.sha256}
            rows += [note, Effect(f"{_prefix(project.id)}{note.id}", kept)]
        event = ProjectEvent(CHANGED, node, {"source": "diary"})
        return Commit(rows=tuple(rows), project_events=((project.id, event),)), {}

    await once(house, f"{job.id}/notes", make)


async def keep_rows(
    house: House, project: Project, scenario: Scenario, path: Sequence[Node]
) -> None:
    """Bring the tables of memory up to the ledger at the node, where the scenario keeps them."""
    if "tables" in scenario.memory.sources:
        await keep_tables(house, project, await load_turn(house, path[-1].id), path)


async def kept_passages(house: House, project_id: str) -> list[Kept]:
    """The notes that were made of passages, on whatever branch."""
    prefix = _prefix(project_id)
    found = await house.store.effects(prefix)
    return [
        Kept(one.key.removeprefix(prefix), str(one.result["chapter"]), str(one.result["sha256"]))
        for one in found
    ]


def _prefix(project_id: str) -> str:
    return f"{project_id}/passage/"
