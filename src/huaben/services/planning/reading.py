"""The plan as a turn reads it: once, when it begins, and again from the record by every later run of the same
turn; apart from scheduling because a turn reads a plan whether or not it plans (`planner.md` §1)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from huaben.domain.events import Notice
from huaben.domain.plan.projection import for_writer
from huaben.domain.plan.settings import PlannerSection
from huaben.domain.project import Language, Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Tree, Turn
from huaben.errors import HuabenError
from huaben.ports import Effect
from huaben.prompt.blocks import NO_PLAN
from huaben.prompt.planning import labels, left_out, plan_block, plan_explained
from huaben.prompt.segments import LeftOut, Piece
from huaben.services.house import House
from huaben.services.planning.standing import Standing, plan_at, standing_of

_log = logging.getLogger(__name__)
BROKEN: Final = (HuabenError, KeyError, ValueError, OSError)
"""What a plan that cannot be read and a prompt file that is not there may raise."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The plan in a writer's prompt: `tail` stands before the user's words, `system` at the end of the
    system text. `notices` say what was not as it should be."""

    tail: Piece = NO_PLAN
    system: tuple[Piece, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[Notice, ...] = ()


async def read_for(house: House, tree: Tree, turn: Turn, parent: str) -> Effect:
    """The record of which plan is in force where a turn begins: that one is read for it. Never raises
    for a plan that cannot be read: the record then says so."""
    serial, fault = 0, ""
    try:
        serial = (await plan_at(house, turn.project_id, tree, parent)).serial
    except HuabenError as error:
        _log.error("the plan of turn %s cannot be read: %s", turn.id, error.message)
        fault = f"{error.code}: {error.message}"
    return Effect(_key(turn), {"serial": serial, "fault": fault})


async def seen_by(house: House, project: Project, scenario: Scenario, turn: Turn) -> Seen:
    """What the writer of a turn is shown. Never raises: a turn goes on without a planner that is
    broken, and says so."""
    if not scenario.planner.enabled or project.mode != "roleplay":
        return Seen()
    try:
        return await _seen(house, project.language, scenario.planner, turn)
    except BROKEN as fault:
        _log.exception("turn %s is played without its planner", turn.id)
        return Seen(notices=(Notice("planner_broken", f"{type(fault).__name__}: {fault}"),))


async def _seen(house: House, language: Language, section: PlannerSection, turn: Turn) -> Seen:
    notices: list[Notice] = []
    standing: Standing | None = None
    try:
        standing = await _read(house, turn)
    except HuabenError as fault:
        _log.error("the plan of turn %s cannot be read: %s", turn.id, fault.message)
        notices.append(Notice("plan_unreadable", f"{fault.code}: {fault.message}"))
    shown = None
    if standing is not None:
        secrets = section.secrets == "show"
        shown = for_writer(
            standing.plan, language, labels(language), section.writer_chars, secrets=secrets
        )
    block = plan_block(language, shown)
    explained = (plan_explained(language),)
    out = left_out(shown) if shown is not None else ()
    if section.placement == "system":
        return Seen(NO_PLAN, (*explained, block), out, tuple(notices))
    return Seen(block, explained, out, tuple(notices))


async def _read(house: House, turn: Turn) -> Standing:
    """The plan that the turn read when it began. Raises `HuabenError`."""
    record = await recorded(house, turn)
    if record is None:  # it began before there was a planner
        if turn.parent is None:
            return Standing()
        tree = Tree(await house.store.skeleton(turn.project_id))
        return await plan_at(house, turn.project_id, tree, turn.parent)
    if record["fault"]:
        code, _, message = str(record["fault"]).partition(": ")
        raise HuabenError(code, message)
    serial = cast("int", record["serial"])  # as `read_for` gives it
    found = await house.store.plan_revision(turn.project_id, serial) if serial else None
    return standing_of(found)


async def recorded(house: House, turn: Turn) -> Mapping[str, object] | None:
    """Which revision a turn has read; None for one that read none."""
    effect = await house.store.effect(_key(turn))
    return None if effect is None else effect.result


def _key(turn: Turn) -> str:
    return f"{turn.project_id}/plan-read/{turn.id}"
