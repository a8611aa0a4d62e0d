"""Recompute: after an earlier text was changed, the scribe reads again from there to the head, and what it comes
to is a proposal that the user sees as a difference and applies or drops (`turn.md` §6, `state.md` §1).

A background job, each reading in a step of its own and paid for once. The rows of the turns themselves are
not touched: other branches go through them with the text as it was. What is applied stands at the head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from huaben.domain.events import ProjectEvent
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.ledgerchange import changes_between, changes_from_json, changes_to_json
from huaben.domain.ledgerversion import Rules, Version, edited, scribed
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.standing import Stood, followed, is_told, stood_from_json, stood_to_json
from huaben.domain.story import Node, Tree
from huaben.errors import Conflict, NotFound
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Due, DueJob, Effect, Stale, Step
from huaben.prompt.scribe import ScribeScene
from huaben.prompt.stage import PastTurn, words_with_answers
from huaben.services.aftermath.building import newest_job
from huaben.services.aftermath.chain import lane_of
from huaben.services.aftermath.scribing import (
    Reading,
    aliases_of,
    ask_scribe,
    commit_version,
    scene_of,
)
from huaben.services.house import House
from huaben.services.past import Past, load_past, read_covered
from huaben.services.standing import LedgerAt, ledger_at, stood_at, stood_of
from huaben.services.stories import load_project, load_story, load_turn, stale

KIND = "recompute"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What reading again comes to. `state`: `reading` with `done` of `total` turns read, `ready`,
    `applied`, `dropped`, or `failed` (`message` says why). `changes` lead from what stands at the head
    to what would."""

    job: str
    turn: str
    head: str
    state: str
    done: int
    total: int
    changes: Sequence[Json] = ()
    message: str = ""


# ---- asking for it -----------------------------------------------------------------------------


async def recompute(house: House, turn_id: str) -> DueJob:
    """Make the reading from a turn to the head due. Raises `Conflict` (`not_on_branch`,
    `no_ledger`, `recomputing`)."""
    turn = await load_turn(house, turn_id)
    async with house.lock(turn.project_id):
        story = await load_story(house, turn.project_id)
        head = story.head.turn_id
        turns = _from(story.tree.path(head), turn_id)
        if not turns:
            raise Conflict("not_on_branch", "Only a sealed turn of this branch can be read again.")
        if not scenario_of(story.project.config).scribe.enabled:
            raise Conflict("no_ledger", "The scenario of this project keeps no ledger.")
        lane = lane_of(turn.project_id)
        if any(job.kind == KIND for job in await house.store.due(lane)):
            raise Conflict("recomputing", "The ledger is being read again already.", "Wait for it.")
        payload = {"turn": turn_id, "head": head, "turns": len(turns)}
        await house.store.commit(Commit(due=(Due(lane, KIND, payload),)))
        job = next(job for job in reversed(await house.store.due(lane)) if job.kind == KIND)
        house.jobs.nudge()
        return job


def _from(path: Sequence[Node], turn_id: str) -> list[str]:
    """The told turns from `turn_id` on; none if it is not told on this path."""
    told = [node.id for node in path if is_told(node)]
    return told[told.index(turn_id) :] if turn_id in told else []


# ---- the job -----------------------------------------------------------------------------------


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """Read turn after turn; each step gives what stands after it."""
    head, first = str(job.payload["head"]), str(job.payload["turn"])
    given = await step("base", lambda: _base(house, job))
    for turn in cast("list[str]", given["turns"]):  # as `_base` gives it
        before = given
        given = await step(
            f"again {turn}", lambda turn=turn, before=before: _again(house, job, turn, before)
        )
    await step("propose", lambda given=given: _propose(house, job, head, first, given))
    return "done"


async def _base(house: House, job: DueJob) -> Mapping[str, object]:
    """What stood before the first turn, and which turns are read again."""
    head, first = str(job.payload["head"]), str(job.payload["turn"])
    turn = await load_turn(house, first)
    tree = Tree(await house.store.skeleton(turn.project_id))
    path = tree.path(head)
    before = path[: [node.id for node in path].index(first)]
    stood = await stood_at(house, before) if before else Stood()
    return {"turns": _from(path, first), "stood": _kept(stood)}


async def _again(
    house: House, job: DueJob, turn_id: str, before: Mapping[str, object]
) -> Mapping[str, object]:
    """What stands after the turn was read again with the text in force at the head, and after what
    the user had written there themselves."""
    stood = _stood(before)
    turn = await load_turn(house, turn_id)
    project = await load_project(house, turn.project_id)
    scenario = scenario_of(turn.config or project.config)
    scene = await _scene(house, project, str(job.payload["head"]), turn_id, stood)
    reading = Reading(job.id, turn_id, turn_id)
    version = await _read(house, project, scenario, scene, reading, stood)
    following = replace(followed(stood, version, turn_id), through=turn_id)
    for patch in await _own(house, project.id, turn_id):
        mine = edited(following.standing, patch)
        following = followed(following, mine, turn_id)
    progress = Effect(f"{job.id}/read/{turn_id}", {})
    await house.store.commit(Commit(rows=(progress,)))
    return {"stood": _kept(following)}


async def _scene(
    house: House, project: Project, head: str, turn_id: str, stood: Stood
) -> ScribeScene:
    past = await load_past(house, project, head)
    told = next((one for one in past.turns if one.turn_id == turn_id), None)
    one = told or await _covered(house, past, turn_id)
    words = words_with_answers(project.language, one.user_text, one.asked)
    return await scene_of(house, project, stood.standing.ledger, words, one.final_text)


async def _covered(house: House, past: Past, turn_id: str) -> PastTurn:
    found = await read_covered(house, past, [turn_id])
    return found[0]


async def _read(
    house: House,
    project: Project,
    scenario: Scenario,
    scene: ScribeScene,
    reading: Reading,
    stood: Stood,
) -> Version:
    model = house.models.for_role("scribe", scenario.models.scribe or scenario.models.story)
    reply = await ask_scribe(house, model, project, scene, reading)
    rules = Rules(await aliases_of(house, project), scenario.ledger.require_evidence)
    return scribed(stood.standing, reply, (scene.words, scene.final_text), rules)


async def _own(house: House, project_id: str, node: str) -> list[JsonObject]:
    """What the user wrote at a node, as patches, oldest first."""
    states = await house.store.states("ledger", [node])
    return [
        _as_patch(stood_of(state).version.get("changes"))
        for state in states
        if state.author == "user" and state.project_id == project_id
    ]


def _as_patch(changes: Json) -> JsonObject:
    """The patch that makes these changes again."""
    patch: JsonObject = {}
    for change in changes_from_json(changes):
        if change.path[0] == "roster":
            continue
        here = patch
        for part in change.path[:-1]:
            inner = here.setdefault(part, {})
            if not isinstance(inner, dict):
                break
            here = inner
        else:
            here[change.path[-1]] = change.after
    return patch


async def _propose(
    house: House, job: DueJob, head: str, first: str, given: Mapping[str, object]
) -> Mapping[str, object]:
    """Keep the proposal with the ledger that it is to take the place of."""
    turn = await load_turn(house, first)
    story = await load_story(house, turn.project_id)
    now = await ledger_at(house, story.tree, head)
    heard = tuple(story.tree.in_force(head).values())
    stood = replace(_stood(given), heard=heard, missed=())
    data = {
        "turn": first,
        "head": head,
        "stood": _kept(stood),
        "over": [now.stood.node, now.stood.revision],
    }
    told = ProjectEvent("ledger_changed", head, {"proposal": job.id})
    effect = Effect(_key(turn.project_id, job.id), data)
    await house.store.commit(
        Commit(rows=(effect,), project_events=((turn.project_id, told),))
    )  # a second run finds it there and is refused as a whole
    return {}


def _key(project_id: str, job_id: str) -> str:
    return f"{project_id}/recompute/{job_id.rpartition(':')[2]}"


def _kept(stood: Stood) -> JsonObject:
    return stood_to_json(stood, Version("scribe", stood.standing))


def _stood(given: Mapping[str, object]) -> Stood:
    return stood_from_json(cast("Mapping[str, object]", given["stood"]), "", 0)


# ---- the proposal ------------------------------------------------------------------------------


async def proposal(house: House, project_id: str) -> Proposal | None:
    """The newest reading again of the project, whatever became of it."""
    job = await newest_job(house, project_id, KIND)
    if job is None:
        return None
    done = await house.store.count_effects(f"{job.id}/read/")
    total = job.payload.get("turns")
    shown = Proposal(
        job.id,
        str(job.payload["turn"]),
        str(job.payload["head"]),
        "reading",
        done,
        total if isinstance(total, int) else 0,
    )
    if job.outcome.startswith("failed"):
        return replace(shown, state="failed", message=job.outcome)
    made = await house.store.effect(_key(project_id, job.id))
    if made is None:
        return shown
    settled = await house.store.effect(f"{made.key}/settled")
    if settled is not None:
        return replace(shown, state=str(settled.result["state"]))
    now, then = await _sides(house, project_id, made)
    pairs = [(one.ledger, one.roster) for one in (now.stood.standing, then.standing)]
    return replace(shown, state="ready", changes=changes_to_json(changes_between(*pairs)))


async def settle_proposal(house: House, project_id: str, *, apply: bool) -> LedgerAt:
    """Apply the proposal at the head, or drop it. Raises `NotFound` where none waits and
    `Conflict("stale")` when the head or the ledger moved since it was made."""
    async with house.lock(project_id):
        job = await newest_job(house, project_id, KIND)
        made = None if job is None else await house.store.effect(_key(project_id, job.id))
        if made is None or await house.store.effect(f"{made.key}/settled") is not None:
            raise NotFound("no_proposal", "No reading of the ledger waits to be applied.")
        now, then = await _sides(house, project_id, made)
        settled = Effect(f"{made.key}/settled", {"state": "applied" if apply else "dropped"})
        commit = Commit()
        if apply:
            commit = _applied(house, project_id, made, now, then)
        done = await house.store.commit(replace(commit, rows=(*commit.rows, settled)))
        if isinstance(done, Stale):
            raise stale(done)
        story = await load_story(house, project_id)
        return await ledger_at(house, story.tree, story.head.turn_id)


def _applied(house: House, project_id: str, made: Effect, now: LedgerAt, then: Stood) -> Commit:
    over = cast("list[object]", made.result["over"])  # as `_propose` keeps it
    if now.node != made.result["head"] or [now.stood.node, now.stood.revision] != over:
        raise Conflict(
            "stale",
            "The story or its ledger has moved since this was read.",
            "Recompute once more.",
        )
    before = (now.stood.standing.ledger, now.stood.standing.roster)
    standing = replace(then.standing, locked=now.stood.standing.locked)
    after = (standing.ledger, standing.roster)
    version = Version("scribe", standing, changes_between(before, after))
    there = now.stood.revision if now.stood.node == now.node else 0
    following = replace(then, standing=standing, node=now.node, revision=there)
    _, commit = commit_version(house, project_id, following, version, "recompute")
    return commit


async def _sides(house: House, project_id: str, made: Effect) -> tuple[LedgerAt, Stood]:
    story = await load_story(house, project_id)
    now = await ledger_at(house, story.tree, story.head.turn_id)
    return now, _stood(made.result)
