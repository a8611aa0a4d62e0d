"""From a writing turn to what its performance needs: the discussion so far, the card as requirements, the
chapters as they lie there. Apart from the stage's because nothing of a draft or a scene is in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from huaben.agent import writing
from huaben.agent.act import Act
from huaben.agent.calling import Billing, Caller
from huaben.agent.desk import Sources
from huaben.agent.tools.table import Tool, listed
from huaben.domain.digest import live_turns
from huaben.domain.events import Failed, Notice
from huaben.domain.ledgerversion import Standing
from huaben.domain.project import RECORD, Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Tree, Turn
from huaben.domain.turnview import TurnView
from huaben.formats.scenario import scenario_of
from huaben.ports.manuscripts import Found
from huaben.prompt.digest import digest_block
from huaben.prompt.segments import Piece, Prompt
from huaben.prompt.stage import PastTurn
from huaben.prompt.texts import shipped
from huaben.prompt.worldstate import roster_block, world_state_block
from huaben.prompt.writing import WritingScene, compose
from huaben.services.aftermath.waiting import ledger_in_time
from huaben.services.casting import Cast, load_cast
from huaben.services.context import Ready, memory_of, prepare, refusal_of, sampling_of
from huaben.services.expanding import Expander
from huaben.services.house import House
from huaben.services.lore import prepared_books, resident
from huaben.services.stories import load_project
from huaben.services.writing.desk import TurnFiles
from huaben.services.writing.digesting import digest_at, discussion, finished_turns
from huaben.services.writing.quiet import read_in_time
from huaben.services.writing.recording import notice
from huaben.services.writing.room import desk_lock


async def ready_for(house: House, turn: Turn, view: TurnView) -> Ready | Failed:
    """What a turn of any project needs. Raises as `context.prepare`, for a manuscript also `Conflict`."""
    project = await load_project(house, turn.project_id)
    if project.id.startswith(RECORD):
        return Failed(
            "no_story",
            "This is the record of what other front ends had passed on; no turn can be played in it.",
            "Send their request again from there.",
        )
    if project.mode == "writing":
        return await _prepare(house, project, turn, view)
    return await prepare(house, turn, view)


@dataclass(frozen=True, slots=True)
class _Material:
    """All that was read for a turn's prompt."""

    cast: Cast
    past: tuple[PastTurn, ...]
    state: tuple[Piece, ...]
    found: Found
    standing: Standing
    summary: Piece


async def _prepare(house: House, project: Project, turn: Turn, view: TurnView) -> Ready | Failed:
    scenario = scenario_of(project.config)
    model = house.models.for_role("story", scenario.models.story)
    if not model.calls_tools:
        return Failed(
            "no_tools",
            f"{model.name} cannot call tools, and a manuscript is written with tools alone.",
            "Choose a model that can, or switch its connection to the JSON protocol.",
        )
    if scenario.scribe.enabled:
        await read_in_time(house, project.id, scenario.scribe.wait_s)
    material = await _material(house, project, turn)
    expander = Expander(project, material.cast.card)
    estimator = await house.gauge.estimator(house.store, project.id, model.name)
    prompt = await _compose(house, turn, expander, scenario, material)
    prompt = replace(prompt, token_ratio=estimator.ratio)
    refused = refusal_of(prompt, model, scenario, estimator)
    if refused:
        return refused
    sources = Sources(
        project.language,
        material.cast.card,
        material.cast.books,
        "no_previous",
        expander.for_turn(turn),
        memory=memory_of(house, project, scenario, turn),
        standing=material.standing,
    )
    calls = await house.store.calls(turn.id)
    act = Act(
        prompt,
        _tools(material.cast, scenario),
        sources,
        scenario.limits,
        sampling_of(scenario.sampling),
        view,
        tuple(c.reply for c in calls if c.reply is not None and c.purpose == "story"),
    )
    billing = Billing(turn.id, project.id, project.user_id, "story")
    caller = Caller(model, house.clock, house.ids, billing, prompt.outline(), house.prices)
    performed = writing.at(TurnFiles(house, project, turn.id))
    asked = scenario.models.story
    fallback = (Notice("connection_fallback", f"{asked} → {model.name}"),)
    return Ready(act, caller, performed, fallback if asked and asked != model.name else ())


async def _material(house: House, project: Project, turn: Turn) -> _Material:
    async with desk_lock(house, project.id):
        # What the author edited by hand is theirs, whatever this turn does afterwards.
        found = (await notice(house, project)).found
    tree = Tree(await house.store.skeleton(project.id))
    head = turn.parent if turn.parent is not None else tree.roots()[0].id
    ledger = await ledger_in_time(house, project.id, tree, head, 0)
    standing = ledger.stood.standing
    state = (
        world_state_block(project.language, standing.ledger),
        roster_block(project.language, standing.roster),
    )
    path = tree.path(head)
    digest = await digest_at(house, [node.id for node in path])
    past = await discussion(house, live_turns(digest, finished_turns(path)))
    summary = digest_block(project.language, digest)
    return _Material(await load_cast(house, project), past, state, found, standing, summary)


async def _compose(
    house: House, turn: Turn, expander: Expander, scenario: Scenario, material: _Material
) -> Prompt:
    project, cast = expander.project, material.cast
    language = project.language
    expanded = expander.whole(cast.own_rules, shipped(language, "writing"))
    texts = expander.user_texts(cast.texts)
    books = await prepared_books(house, cast.shelved, cast.books, scenario.lore)
    constants = resident(books, expander) if scenario.lore.constants == "resident" else ()
    return compose(
        WritingScene(
            language=language,
            title=project.title,
            words=turn.user_text,
            card=expanded.card,
            card_name=cast.card.called if cast.card else "",
            user=texts,
            constants=constants,
            past=material.past,
            chapters=material.found.chapters,
            tools=writing.writing_specs(_tools(cast, scenario), language),
            summary=material.summary,
            state=material.state,
            volatile=expander.volatile,
        )
    )


def _tools(cast: Cast, scenario: Scenario) -> tuple[Tool, ...]:
    """What the stage has too; what is listed depends on the same things."""
    memory = bool(scenario.memory.sources)
    found = listed(
        lore=bool(cast.books),
        card=cast.card is not None,
        memory=memory,
        ledger=scenario.scribe.enabled,
    )
    return writing.desk_tools(found)
