"""After-edit care: the scribe reads what was added to a manuscript, oldest first, and memory keeps it
(`writing.md` §5). A job in the project's `post` lane.

What started on a node commits to that node. Each passage is read once however often the job runs; what
cannot be read is named, and read again behind the next edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from huaben.domain.caring import Cared, Omission, ground_in
from huaben.domain.ledgerversion import Rules, scribed
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.scribereply import ScribeReply
from huaben.domain.standing import followed
from huaben.domain.story import Node, Tree
from huaben.errors import HuabenError
from huaben.formats.scenario import scenario_of
from huaben.ports import DueJob, Effect, Stale, Step
from huaben.services.aftermath.scribing import (
    AGAIN,
    Reading,
    aliases_of,
    ask_scribe,
    commit_version,
    ledger_event,
    scene_of,
)
from huaben.services.house import House
from huaben.services.standing import stood_at
from huaben.services.stories import load_project
from huaben.services.writing import keeping
from huaben.services.writing.digesting import Occasion, digest
from huaben.services.writing.lacking import Part, files_at, part_text, to_read
from huaben.services.writing.quiet import rested

AT_ONCE: Final = 12
"""Passages that one job reads by itself, the latest ones: of a manuscript that was brought in nobody asked to
have hundreds of pages read. The rest is read when the user says so."""


@dataclass(frozen=True, slots=True)
class _Care:
    """One run of a job."""

    house: House
    job: DueJob
    project: Project
    scenario: Scenario

    @property
    def node(self) -> str:
        return str(self.job.payload["node"])

    @property
    def checkpoint(self) -> str:
        return str(self.job.payload["checkpoint"])

    async def path(self) -> list[Node]:
        return Tree(await self.house.store.skeleton(self.project.id)).path(self.node)


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """Wait for rest, read what is lacking, keep it. The outcome names what failed, if anything."""
    rest = await step("rest", lambda: rested(house, job))
    if rest:
        return str(rest["over"])
    project = await load_project(house, job.lane.partition("/")[0])
    care = _Care(house, job, project, scenario_of(project.config))
    given = await step("lacking", lambda: _listed(care))
    parts = [Part(*one) for one in cast("list[tuple[str, str, int, int]]", given["parts"])]
    unread = cast("dict[str, Omission]", given["unread"])  # as `_listed` gives it
    faults: list[str] = []
    for n, part in enumerate(parts if care.scenario.scribe.enabled else []):
        try:
            await step(f"read {n}", lambda n=n, part=part: _read(care, n, part))
        except HuabenError as fault:
            faults.append(f"scribe {part.name}: {fault.code}")
            unread[part.name] = "failed"
    try:
        await step("memory", lambda: _remember(care, parts))
    except HuabenError as fault:
        faults.append(f"memory: {fault.code}")
    try:
        await step("digest", lambda: _digest(care))
    except HuabenError as fault:
        faults.append(f"digest: {fault.code}")
    await step("cared", lambda: _cared(care, unread))
    return "; ".join(["done", *faults])


async def _listed(care: _Care) -> Mapping[str, object]:
    """The passages to read, and the chapters that are passed over as too many."""
    asked = care.job.payload.get("asked")
    path = [node.id for node in await care.path()]
    known = await keeping.cared_at(care.house, path)
    files = await files_at(care.house, care.checkpoint)
    chosen = cast("list[str]", asked) if isinstance(asked, list) else []
    parts, unread = await to_read(care.house, care.project.id, known, files, chosen)
    if asked is None:
        unread |= dict.fromkeys((one.name for one in parts[:-AT_ONCE]), "passed")
        parts = parts[-AT_ONCE:]
    return {"parts": [[p.name, p.sha256, p.start, p.end] for p in parts], "unread": unread}


# ---- reading -------------------------------------------------------------------------------------


async def _read(care: _Care, n: int, part: Part) -> Mapping[str, object]:
    """Let the scribe read a passage and write what became of the ledger. Raises `Unreadable`,
    `ProviderFailed`; nothing is written then."""
    house = care.house
    key = f"{care.job.id}/ledger/{n}"
    known = await house.store.effect(key)
    if known is not None:
        return known.result
    text = await part_text(house, care.project.id, part)
    roles = care.scenario.models
    model = house.models.for_role("scribe", roles.scribe or roles.story)
    ledger = (await stood_at(house, await care.path())).standing.ledger
    scene = await scene_of(house, care.project, ledger, "", text)
    reading = Reading(f"{care.job.id}/{n}", care.node, care.node)
    reply = await ask_scribe(house, model, care.project, scene, reading)
    return await _write(care, key, part, text, reply)


async def _write(
    care: _Care, key: str, part: Part, text: str, reply: ScribeReply
) -> Mapping[str, object]:
    """Write the version at the job's node, its quotations bound to the chapter; over what somebody wrote
    there meanwhile, if so."""
    house = care.house
    rules = Rules(await aliases_of(house, care.project), care.scenario.ledger.require_evidence)
    for _ in range(AGAIN):
        stood = await stood_at(house, await care.path())
        version = scribed(stood.standing, reply, (text,), rules)
        there = stood.revision if stood.node == care.node else 0
        after = followed(stood, version, ground_in(part.name))
        after = replace(after, node=care.node, revision=there)
        row, commit = commit_version(house, care.project.id, after, version, "scribe")
        result: dict[str, object] = {"node": row.node, "revision": row.revision}
        commit = replace(
            commit,
            rows=(*commit.rows, Effect(key, result)),
            events=((care.node, ledger_event(row, version)),),
        )
        if not isinstance(await house.store.commit(commit), Stale):
            return result
        known = await house.store.effect(key)
        if known is not None:
            return known.result
    raise HuabenError("busy", "The ledger was changed again and again while the scribe wrote.")


# ---- keeping -------------------------------------------------------------------------------------


async def _remember(care: _Care, parts: Sequence[Part]) -> Mapping[str, object]:
    if not care.scenario.memory.sources:
        return {}
    await keeping.keep_passages(care.house, care.job, care.project, care.node, parts)
    await keeping.keep_rows(care.house, care.project, care.scenario, await care.path())
    return {}


async def _digest(care: _Care) -> Mapping[str, object]:
    if not care.scenario.compaction.every:
        return {}
    at = Occasion(care.job.id, await care.path(), care.checkpoint)
    return await digest(care.house, care.project, care.scenario, at)


async def _cared(care: _Care, unread: Mapping[str, Omission]) -> Mapping[str, object]:
    cared = Cared(care.checkpoint, unread, care.node)
    await keeping.keep_cared(care.house, care.job, care.project, cared)
    return {}
