"""The scribe: reads the sealed turns that the ledger lacks, oldest first, and writes a version for each at
its node (`state.md` §2.1).

What started on a node commits to that node: wherever the head has gone meanwhile, the result belongs to
the turn that was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from huaben.domain.events import LedgerChange, ProjectEvent, ScribeChange, TurnEvent
from huaben.domain.image import without_markers
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.ledger import Ledger, dotted
from huaben.domain.ledgerversion import Rules, Version, scribed, version_to_json
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.scribereply import ReplyFault, ScribeReply, read_reply
from huaben.domain.standing import Reason, Stood, followed, is_told, stood_to_json, unread
from huaben.domain.story import Node, Tree, Turn
from huaben.errors import HuabenError
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Effect, Model, NodeState, Stale
from huaben.prompt.scribe import ScribeScene, ask_again, compose_scribe
from huaben.prompt.stage import words_with_answers
from huaben.services.aftermath.errands import Errand, run_errand
from huaben.services.casting import load_cast
from huaben.services.expanding import user_name
from huaben.services.house import House
from huaben.services.standing import stood_at
from huaben.services.stories import load_project, load_turn

RECENT = 12
"""How many of the latest turns a job looks at for those that it has to catch up on. A story that was
imported has hundreds that nobody asked to have read; those are read when the user says so."""
AGAIN = 5
"""Attempts to write a version while others write at the same node."""

UNREADABLE = "scribe_"
"""How the codes of `Unreadable` begin; any other fault of a reading is none of the turn's own."""


class Unreadable(HuabenError):
    """The scribe's answer held no patch, nor did its second one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a turn: `job` scopes what is paid for once, `at` is the turn after which the
    scribe works, where it writes what it caught up on too."""

    job: str
    at: str
    turn: str


async def to_read(house: House, at: Turn) -> list[str]:
    """The turns that a scribe working after the turn `at` has to read, oldest first, itself last: of the
    latest ones those that were played with a scribe."""
    path = await _path(house, at)
    recent = {node.id for node in [one for one in path if is_told(one)][-RECENT:]}
    lacking = [one for one in unread(path, await stood_at(house, path)) if one in recent]
    turns = await house.store.turns(lacking)
    return [one for one in lacking if scenario_of(turns[one].config).scribe.enabled]


async def read_turn(house: House, reading: Reading) -> Mapping[str, object]:
    """Let the scribe read a turn and write what became of the ledger. Raises `Unreadable`,
    `ProviderFailed`; nothing is written then."""
    known = await house.store.effect(f"{reading.job}/ledger/{reading.turn}")
    if known is not None:  # an earlier run wrote it, and said that it was done
        return known.result
    turn = await load_turn(house, reading.turn)
    project = await load_project(house, turn.project_id)
    scenario = scenario_of(turn.config or project.config)  # an imported turn has none of its own
    model = house.models.for_role("scribe", scenario.models.scribe or scenario.models.story)
    await _tell(house, reading, ScribeChange("running", turn.id))
    path = await _path(house, await load_turn(house, reading.at))
    ledger = (await stood_at(house, path)).standing.ledger
    words = words_with_answers(project.language, turn.user_text, turn.asked)
    scene = await scene_of(house, project, ledger, words, turn.final_text)
    reply = await ask_scribe(house, model, project, scene, reading)
    return await _write(house, project, scenario, turn, scene, reply, reading)


async def failed(house: House, reading: Reading, code: str, message: str) -> None:
    """Record that a turn was not read, where everybody sees it."""
    path = await _path(house, await load_turn(house, reading.at))
    behind = len(unread(path, await stood_at(house, path)))
    await _tell(house, reading, ScribeChange("failed", reading.turn, behind, code, message))


async def _path(house: House, turn: Turn) -> list[Node]:
    return Tree(await house.store.skeleton(turn.project_id)).path(turn.id)


async def scene_of(
    house: House, project: Project, ledger: Ledger, words: str, final_text: str
) -> ScribeScene:
    """What the scribe is shown of a turn and of the ledger before it."""
    own_rules = (await load_cast(house, project)).own_rules
    reader = user_name(project) if project.persona.name.strip() else ""
    prose = without_markers(final_text)
    return ScribeScene(project.language, ledger, words, prose, own_rules, reader)


# ---- asking ------------------------------------------------------------------------------------


async def ask_scribe(
    house: House, model: Model, project: Project, scene: ScribeScene, reading: Reading
) -> ScribeReply:
    """The scribe's patch, after one attempt at repair."""
    prompt = compose_scribe(scene)
    errand = Errand(
        f"{reading.job}/scribe/{reading.turn}/0",
        reading.turn,
        project.id,
        project.user_id,
        "scribe",
        prompt,
    )
    text = await run_errand(house, model, errand)
    reply = read_reply(text)
    if isinstance(reply, ScribeReply):
        return reply
    again = replace(
        errand,
        key=f"{reading.job}/scribe/{reading.turn}/1",
        prompt=ask_again(prompt, scene.language, text, reply),
    )
    reply = read_reply(await run_errand(house, model, again))
    if isinstance(reply, ReplyFault):
        raise Unreadable(
            f"{UNREADABLE}{reply.code}", f"The scribe's answer held no patch: {reply.code}."
        )
    return reply


# ---- writing -----------------------------------------------------------------------------------


async def _write(
    house: House,
    project: Project,
    scenario: Scenario,
    turn: Turn,
    scene: ScribeScene,
    reply: ScribeReply,
    reading: Reading,
) -> Mapping[str, object]:
    """Write the version at the turn's node, or, for a turn from before what stands, where that
    stands. If somebody wrote there meanwhile the patch is laid over what they wrote."""
    key = f"{reading.job}/ledger/{turn.id}"
    for _ in range(AGAIN):
        known = await house.store.effect(key)
        if known is not None:
            return known.result
        path = await _path(house, await load_turn(house, reading.at))
        stood = await stood_at(house, path)
        if turn.id not in unread(path, stood):
            return {"node": stood.node, "revision": stood.revision}  # somebody was first
        rules = Rules(await aliases_of(house, project), scenario.ledger.require_evidence)
        version = scribed(stood.standing, reply, (scene.words, scene.final_text), rules)
        following = _following(path, stood, turn, version)
        row, commit = commit_version(house, turn.project_id, following, version, "scribe")
        told = [(one, change) for one, change in _news(reading, path, following, row, version)]
        result: dict[str, object] = {"node": row.node, "revision": row.revision}
        done = await house.store.commit(
            replace(commit, rows=(*commit.rows, Effect(key, result)), events=tuple(told))
        )
        if not isinstance(done, Stale):
            return result
    raise HuabenError("busy", "The ledger was changed again and again while the scribe wrote.")


def _following(path: Sequence[Node], stood: Stood, turn: Turn, version: Version) -> Stood:
    """What stands after the version. A turn that was passed over is passed over no longer; the turns
    between the last one that was read and this one are."""
    depths = {node.id: node.depth for node in path}
    before = depths.get(stood.node, -1)
    behind = unread(path, stood)
    if depths[turn.id] <= depths.get(stood.through, -1):
        missed = tuple(one for one in stood.missed if one != turn.id)
        through = stood.through
    else:
        missed = (*stood.missed, *_between(behind, stood, turn.id))
        through = turn.id
    there = turn.id if depths[turn.id] > before else stood.node
    revision = 0 if there != stood.node else stood.revision
    following = followed(stood, version, turn.id)
    return replace(following, node=there, revision=revision, through=through, missed=missed)


def _between(behind: Sequence[str], stood: Stood, turn: str) -> list[str]:
    fresh = [one for one in behind if one not in stood.missed]
    return fresh[: fresh.index(turn)] if turn in fresh else []


def commit_version(
    house: House, project_id: str, stood: Stood, version: Version, reason: Reason
) -> tuple[NodeState, Commit]:
    """The row of a version at `stood.node` and the commit that writes it over revision
    `stood.revision` (0: the first one there)."""
    data = stood_to_json(replace(stood, reason=reason), version)
    row = NodeState(
        "ledger",
        project_id,
        stood.node,
        version.author,
        house.now(),
        cast("Mapping[str, object]", data),
        stood.revision + 1,
    )
    detail = {"node": row.node, "revision": row.revision, "author": row.author}
    commit = Commit(
        expected={("state", f"ledger/{row.node}"): stood.revision},
        rows=(row,),
        project_events=((project_id, ProjectEvent("ledger_changed", row.node, detail)),),
    )
    return row, commit


def ledger_event(row: NodeState, version: Version) -> LedgerChange:
    """What a turn's log says of a version."""
    told = cast("Mapping[str, Sequence[JsonObject]]", version_to_json(version))
    claimed = tuple(sorted(dotted(path) for path in version.standing.claimed))
    return LedgerChange(
        row.node,
        row.revision,
        row.author,
        tuple(told["changes"]),
        claimed,
        tuple(told["warnings"]),
    )


def _news(
    reading: Reading, path: Sequence[Node], stood: Stood, row: NodeState, version: Version
) -> list[tuple[str, TurnEvent]]:
    behind = len(unread(path, stood))
    told: list[TurnEvent] = [
        ledger_event(row, version),
        ScribeChange("done", reading.turn, behind),
    ]
    logs = dict.fromkeys((reading.turn, reading.at))
    return [(log, event) for log in logs for event in told]


async def _tell(house: House, reading: Reading, event: ScribeChange) -> None:
    logs = dict.fromkeys((reading.turn, reading.at))
    await house.store.commit(Commit(events=tuple((log, event) for log in logs)))


async def aliases_of(house: House, project: Project) -> Mapping[str, str]:
    """A card's full name and the name that it is called by are one person."""
    card = await house.shelf.card(project.card_id, project.user_id) if project.card_id else None
    if card is None or card.called == card.name:
        return {}
    return {card.name: card.called}
