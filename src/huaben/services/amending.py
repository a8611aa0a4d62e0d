"""Amendments: made due by the seal, proposed by a job in a lane of their own, accepted, refused, undone. Apart from
what else follows a turn, because a proposal may fail or wait without holding up ledger or memory
(`performers.md` §3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from huaben.agent.showrunner import amendment_of
from huaben.domain.amendment import (
    CARD_FIELDS,
    Amendment,
    Proposal,
    Refused,
    Verb,
    changed,
    proposal_data,
    read_proposal,
    text_of,
)
from huaben.domain.card import Card
from huaben.domain.events import ProjectEvent
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.errors import Conflict, HuabenError, NotFound
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Due, DueJob, Effect, Row, Stale, Step
from huaben.prompt.amendment import AmendmentScene, compose_amendment
from huaben.services.aftermath.errands import Errand, run_errand
from huaben.services.amended import amendments_of, count, rules_of, written
from huaben.services.casting import load_cast
from huaben.services.house import House
from huaben.services.stories import load_project, load_turn

KIND: Final = "amendment"
CHANGED: Final = "amendments_changed"
ATTEMPTS: Final = 5
"""How often a change is written anew when others wrote theirs first."""


def lane_of(project_id: str) -> str:
    return f"{project_id}/amend"


def order(turn: Turn, view: TurnView) -> tuple[Due, ...]:
    """The job of the amendment that a sealed turn accepted."""
    request = amendment_of(view)
    if not request or scenario_of(turn.config).amendments.apply == "off":
        return ()
    return (Due(lane_of(turn.project_id), KIND, {"turn": turn.id, "request": request}),)


# ---- the job -----------------------------------------------------------------------------------


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """Work the proposal out by one call, and write it down once: proposed, applied or failed. The turn
    that ordered it stays as it is, whatever comes of it."""
    turn_id = str(job.payload["turn"])
    try:
        heard = await step("ask", lambda: _ask(house, job, turn_id))
        outcome = await step("propose", lambda: _propose(house, job, turn_id, str(heard["text"])))
    except HuabenError as fault:
        code, message = fault.code, fault.message
        await step("failed", lambda: _fail(house, job, turn_id, code, message))
        return f"failed: {code}: {message}"
    return str(outcome["outcome"])


async def _ask(house: House, job: DueJob, turn_id: str) -> Mapping[str, object]:
    turn = await load_turn(house, turn_id)
    project = await load_project(house, turn.project_id)
    cast = await load_cast(house, project)
    card = cast.card
    fields = [(name, text_of(card, name)) for name in CARD_FIELDS] if card is not None else []
    style = rules_of(await amendments_of(house, project.id))
    request = str(job.payload["request"])
    scene = AmendmentScene(project.language, request, turn.user_text, fields, style)
    roles = scenario_of(turn.config).models
    model = house.models.for_role("control", roles.control or roles.story)
    errand = Errand(
        f"{job.id}/asked",
        turn.id,
        project.id,
        project.user_id,
        "amendment",
        compose_amendment(scene),
    )
    return {"text": await run_errand(house, model, errand)}


async def _propose(house: House, job: DueJob, turn_id: str, text: str) -> Mapping[str, object]:
    turn = await load_turn(house, turn_id)
    request = str(job.payload["request"])
    card = await _card(house, turn.project_id)
    found = read_proposal(text, card)
    made = Amendment(turn_id, request, "proposed", proposal=found or Proposal())
    if found is None:
        message = "The model's answer proposes nothing that can be read."
        made = replace(made, state="failed", code="unreadable", message=message)
    elif scenario_of(turn.config).amendments.apply == "auto":
        made = replace(made, state="applied")
    return await _recorded_once(house, job, turn.project_id, made)


async def _fail(
    house: House, job: DueJob, turn_id: str, code: str, message: str
) -> Mapping[str, object]:
    turn = await load_turn(house, turn_id)
    request = str(job.payload["request"])
    made = Amendment(turn_id, request, "failed", code=code, message=message)
    return await _recorded_once(house, job, turn.project_id, made)


async def _recorded_once(
    house: House, job: DueJob, project_id: str, made: Amendment
) -> Mapping[str, object]:
    """What the job came to, written with its effect key: a rerun reads it back."""
    key = f"{job.id}/proposed"
    known = await house.store.effect(key)
    if known is not None:
        return known.result
    outcome = "done" if made.state != "failed" else f"failed: {made.code}: {made.message}"
    effect = Effect(key, {"outcome": outcome})
    await _record(house, project_id, made, effect)
    return effect.result


async def _record(house: House, project_id: str, made: Amendment, *rows: Row) -> Amendment:
    """Write what an amendment has become as the next change of its story. Raises `Conflict` when others
    keep being first."""
    for _ in range(ATTEMPTS):
        made = replace(made, order=await count(house, project_id))
        told = ProjectEvent(CHANGED, made.turn, {"state": made.state})
        commit = Commit(
            rows=(written(project_id, made), *rows), project_events=((project_id, told),)
        )
        if not isinstance(await house.store.commit(commit), Stale):
            return made
    raise Conflict("amendments_moved", "The amendments changed meanwhile.", "Try again.")


# ---- for the front doors -----------------------------------------------------------------------


async def list_amendments(house: House, project_id: str) -> tuple[Amendment, ...]:
    """The amendments of a story in the order in which they came, what is being worked out last. Raises
    `NotFound`."""
    await load_project(house, project_id)
    known = await amendments_of(house, project_id)
    told = {one.turn for one in known}
    working = (
        Amendment(str(job.payload["turn"]), str(job.payload["request"]), "working")
        for job in await house.store.due(lane_of(project_id))
    )
    return (*known, *(one for one in working if one.turn not in told))


async def stirrings(house: House, project_id: str) -> int:
    """How many changes of amendments a story has seen or is to see; 0 where there is nothing to list."""
    due = await house.store.due(lane_of(project_id))
    return await count(house, project_id) + len(due)


def amendment_json(amendment: Amendment) -> JsonObject:
    """An amendment as programs read it."""
    return {
        "turn": amendment.turn,
        "request": amendment.request,
        "state": amendment.state,
        **proposal_data(amendment.proposal),
        "code": amendment.code,
        "message": amendment.message,
    }


async def decide(house: House, project_id: str, turn_id: str, verb: Verb) -> Amendment:
    """Accept, refuse or undo an amendment; later turns alone are told otherwise. Raises `NotFound`, and
    `Conflict` (`amendment_not_proposed`, `amendment_not_applied`, `card_changed_since`,
    `amended_since`)."""
    async with house.lock(project_id):
        known = await list_amendments(house, project_id)
        meant = next((one for one in known if one.turn == turn_id), None)
        if meant is None:
            raise NotFound.of("amendment", turn_id)
        state = changed(verb, meant, known, await _card(house, project_id))
        if isinstance(state, Refused):
            raise Conflict(state.code, state.message, state.hint)
        return await _record(house, project_id, replace(meant, state=state))


async def _card(house: House, project_id: str) -> Card | None:
    """The card with what is applied."""
    return (await load_cast(house, await load_project(house, project_id))).card
