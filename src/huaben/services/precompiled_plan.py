"""Where a caller's request stands in its record, and the planner that it may ask for; apart from passing on because
only who names a plan has one (`performers.md` §5).

Requests that name the same plan are one story to its planner: each follows the last that was answered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from huaben.domain.completions import Completion
from huaben.domain.project import RECORD, Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Node, Turn
from huaben.errors import BadInput, NotFound
from huaben.formats.scenario import scenario_of
from huaben.prompt.compiling import Block, Compiled, Frame, compiled
from huaben.services.house import House
from huaben.services.planning.reading import seen_by
from huaben.services.planning.scheduling import schedule
from huaben.services.precompiled_record import (
    NOTHING_ELSE,
    SCENARIO,
    Opening,
    new_turn,
    open_record,
    record_id,
)
from huaben.services.stories import Story, load_story

PLANNED: Final = "stage+planner"
"""The shipped scenario whose planner a named plan is made by."""
_KEY: Final = re.compile(r"[0-9A-Za-z._-]{1,100}")


@dataclass(frozen=True, slots=True)
class Wish:
    """Which plan a request belongs to (`key`: one of the caller's own, or the id of a record; empty for
    none), and where it is to be shown to the model: nowhere, or as a last message (`tail`)."""

    key: str = ""
    inject: str = ""


NO_PLAN: Final = Wish()
NOTHING: Final = Compiled((), (), ())
PLAN: Final = "plan"


@dataclass(frozen=True, slots=True)
class Placed:
    """A turn that is not stored yet, what its commit holds beside it, and what is `shown`
    behind the caller's messages. `planned` is the project of its plan, empty for none."""

    turn: Turn
    more: Opening = NOTHING_ELSE
    shown: Compiled = NOTHING
    planned: str = ""


def check(wish: Wish) -> None:
    """Raises `BadInput` for a header that means nothing here."""
    if wish.key and not _KEY.fullmatch(wish.key):
        raise _bad_plan(
            "Huaben-Plan names no plan.",
            "Give a key of at most 100 letters, digits, dots, dashes and underscores.",
        )
    if wish.inject not in ("", "tail") or (wish.inject and not wish.key):
        raise BadInput(
            "bad_plan_place",
            "Huaben-Plan-Inject can only be `tail`, and only with Huaben-Plan.",
            param="Huaben-Plan-Inject",
        )


def _bad_plan(message: str, hint: str) -> BadInput:
    return BadInput("bad_plan", message, hint, param="Huaben-Plan")


def place_of(house: House, wish: Wish) -> str:
    """The id of the record that a request stands in."""
    return wish.key if wish.key.startswith(RECORD) else record_id(house.user_id, wish.key)


async def placed(house: House, asked: Completion, wish: Wish) -> Placed:
    """The turn of a request. The caller holds the lock of its record. Raises `NotFound` for the id of
    a record that there is not, `BadInput` for that of a story."""
    if not wish.key:
        project = await open_record(house, "", asked.words, SCENARIO)
        head = await house.store.head(project.id)
        assert head is not None, "a record is made with its head"
        return Placed(new_turn(house, project, asked.words, head.turn_id, 1))
    story = await _story(house, asked, wish)
    parent = _last_answered(story)
    turn = new_turn(house, story.project, asked.words, parent.id, parent.depth + 1)
    plan = await schedule(house, story, turn)
    moved = replace(story.head, turn_id=turn.id)
    more = Opening((*plan.rows, moved), plan.due, plan.events)
    shown = await _shown(house, story.project, turn, wish)
    return Placed(turn, more, shown, story.project.id)


async def _story(house: House, asked: Completion, wish: Wish) -> Story:
    if wish.key.startswith(RECORD):
        project = await house.store.project(wish.key)
        if project is None or project.user_id != house.user_id:
            raise NotFound.of("plan", wish.key)
        return await load_story(house, wish.key)
    if await house.store.project(wish.key) is not None:
        # Else a key that looks like a way to the story's plan would silently begin another one.
        raise _bad_plan(
            f"{wish.key} is a story, whose planner works on its own turns.",
            "Give a key of your own, or the id of a record.",
        )
    project = await open_record(house, wish.key, asked.words, _scenario(house))
    return await load_story(house, project.id)


def _scenario(house: House) -> Scenario:
    """A record's scenario with a planner, which is shown no lore and no memory: the caller owns both."""
    planner = house.scenarios.named(PLANNED).planner
    return replace(SCENARIO, planner=replace(planner, see_lore=False, see_memory=False))


def _last_answered(story: Story) -> Node:
    path = story.tree.path(story.head.turn_id)
    return next(node for node in reversed(path) if node.outcome == "sealed")


async def _shown(house: House, project: Project, turn: Turn, wish: Wish) -> Compiled:
    """The plan in force, as a writer of ours would be shown it; unsent unless it is to be injected."""
    seen = await seen_by(house, project, scenario_of(project.config), turn)
    explained = seen.system if seen.tail.text.strip() else ()
    blocks = [Block(piece, PLAN, priority=1) for piece in explained]
    blocks.append(Block(seen.tail, PLAN, origin="projection"))
    shown = compiled(blocks, Frame(turn=(PLAN,) if wish.inject else ()))
    return replace(shown, unsent=(*shown.unsent, *seen.left_out))
