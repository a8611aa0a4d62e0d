"""From a turn to what its performance needs: story, card, lore and settings are read once, as
values, and composed into the prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from huaben.agent import actor, showrunner, stage
from huaben.agent.act import Act, Performance
from huaben.agent.calling import Billing, Caller
from huaben.agent.desk import Sources
from huaben.agent.showrunner import Direction
from huaben.agent.tools.table import Tool, listed, specs
from huaben.domain.budget import DoesNotFit, Estimator, fit
from huaben.domain.choicebox import brings_choices
from huaben.domain.continuing import continues
from huaben.domain.events import Failed, Notice
from huaben.domain.lore import Message
from huaben.domain.messages import Sampling
from huaben.domain.project import Language, Project
from huaben.domain.scenario import LoreSection, SamplingSettings, Scenario
from huaben.domain.scripts import Script
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.formats.scenario import scenario_of
from huaben.ports import Model
from huaben.prompt.actor import compose as compose_actor
from huaben.prompt.segments import Piece, Prompt, sized
from huaben.prompt.stage import StageScene, compose
from huaben.prompt.summary import summary_block
from huaben.prompt.texts import phrase, shipped
from huaben.services.casting import Cast, load_cast
from huaben.services.directing import directed, director
from huaben.services.expanding import Expander, user_name
from huaben.services.house import House
from huaben.services.knowing import Known, what_is_known
from huaben.services.lore import Moment, TurnLore, prepared_books, turn_lore
from huaben.services.memory import Memory, memory_at
from huaben.services.past import Past, load_past, read_covered
from huaben.services.planning.reading import Seen, seen_by
from huaben.services.presets_staged import Wearing, dressed
from huaben.services.presets_worn import Worn, worn_by
from huaben.services.saves_shown import seen_saves
from huaben.services.scripts import in_force
from huaben.services.stories import load_project

Performer: TypeAlias = Literal["stage", "actor", "showrunner"]

RESERVED_OUTPUT = 4096
"""Tokens kept for the reply when the scenario sets no maximum."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A turn ready to be performed. `notices` say where it is not performed as it was asked for."""

    act: Act
    caller: Caller
    perform: Performance
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Material:
    """All that was read for a turn's prompt."""

    cast: Cast
    past: Past
    known: Known
    estimator: Estimator
    worn: Worn
    scripts: tuple[Script, ...]
    plan: Seen


async def prepare(house: House, turn: Turn, view: TurnView) -> Ready | Failed:
    """Raises `NoConnection` and `NotFound`; a prompt that does not fit is a failure with sizes,
    before any call."""
    worn = await worn_by(house, await load_project(house, turn.project_id))
    project = worn.project
    scenario = scenario_of(project.config)
    model = house.models.for_role("story", scenario.models.story)
    past = await load_past(house, project, turn.parent)
    known = await what_is_known(house, project, scenario, turn, past)
    cast = await load_cast(house, project)
    estimator = await house.gauge.estimator(house.store, project.id, model.name)
    performer = _performer(scenario, director(house, scenario) or model)
    expander = Expander(project, cast.card)
    scripts = await in_force(house, project, cast.card)
    plan = await seen_by(house, project, scenario, turn)
    material = Material(cast, past, known, estimator, worn, scripts, plan)
    prompt, changes = await _compose(house, turn, expander, material, performer)
    sources = Sources(
        project.language,
        cast.card,
        cast.books,
        past.previous,
        expander.for_turn(turn),
        await seen_saves(house, turn),
        memory_of(house, project, scenario, turn),
        known.standing,
    )
    refused = refusal_of(prompt, model, scenario, estimator)
    if refused:
        return refused
    calls = await house.store.calls(turn.id)
    act = Act(
        prompt,
        _tools(cast, scenario, worn) if performer == "stage" else (),
        sources,
        scenario.limits,
        sampling_of(scenario.sampling),
        view,
        tuple(c.reply for c in calls if c.reply is not None and c.purpose == "story"),
        worn.usual(on_stage=performer == "stage"),
        worn.prefill(on_stage=performer == "stage"),
    )
    billing = Billing(turn.id, project.id, project.user_id, "story")
    caller = Caller(model, house.clock, house.ids, billing, prompt.outline(), house.prices)
    performance = _performance(performer, lambda: directed(house, project, turn, calls, plan.tail))
    notices = [*_notices(scenario, model, performer), *known.notices, *plan.notices, *changes]
    if past.anchor_lost:
        notices.append(Notice("summary_anchor_lost"))
    return Ready(act, caller, performance, tuple(notices))


def _performance(performer: Performer, direction: Callable[[], Direction]) -> Performance:
    match performer:
        case "stage":
            return stage.perform
        case "actor":
            return actor.perform
        case "showrunner":
            return showrunner.at(direction())


def _performer(scenario: Scenario, model: Model) -> Performer:
    """A model that cannot call tools has no use for a draft sheet, and cannot direct."""
    return "actor" if not model.calls_tools else scenario.performer.kind


def _notices(scenario: Scenario, model: Model, performer: Performer) -> tuple[Notice, ...]:
    """What the reader should see of a turn that is played otherwise than its scenario says."""
    asked = scenario.models.story
    notices: list[Notice] = []
    if asked and asked != model.name:
        notices.append(Notice("connection_fallback", f"{asked} → {model.name}"))
    if performer != scenario.performer.kind:
        notices.append(Notice("performer_fallback", f"{scenario.performer.kind} → {performer}"))
    return tuple(notices)


async def _compose(
    house: House,
    turn: Turn,
    expander: Expander,
    material: Material,
    performer: Performer,
) -> tuple[Prompt, tuple[Notice, ...]]:
    past, on_stage = material.past, performer == "stage"
    section = scenario_of(expander.project.config).lore
    if not on_stage:
        # Who cannot look anything up gets the texts, and no index of what could be looked up.
        section = replace(section, delivery="text", index_chars=0)
    expander.greeting(past.greeting_index)
    scene = _scene(turn, expander, material, on_stage=on_stage)
    lore = await _lore(house, turn, expander, material, section)
    scene = replace(
        scene,
        constants=lore.constants,
        active=lore.active,
        index=lore.index,
        index_chars=section.index_chars,
        decorated=section.placement == "decorate",
        left_out=(*lore.left_out, *scene.left_out),
        volatile=expander.volatile,
    )
    said = len(past.covered) + len(past.turns) + 1
    wearing = Wearing(turn, material.worn, material.scripts, said, on_stage)
    scene, changes = await dressed(house, scene, expander, wearing)
    prompt = compose(scene) if on_stage else compose_actor(scene)
    return replace(prompt, token_ratio=material.estimator.ratio), changes


async def _lore(
    house: House, turn: Turn, expander: Expander, material: Material, section: LoreSection
) -> TurnLore:
    cast = material.cast
    books = await prepared_books(house, cast.shelved, cast.books, section)
    needed, estimator = books.messages_needed, material.estimator
    moment = await _moment(house, material.past, expander, needed, estimator)
    return await turn_lore(house, turn, books, cast.shelved, section, moment, expander)


def _scene(turn: Turn, expander: Expander, material: Material, *, on_stage: bool) -> StageScene:
    """All of the scene but its lore."""
    project, cast, past, known = expander.project, material.cast, material.past, material.known
    language, scenario = project.language, scenario_of(project.config)
    with_rules = material.worn.preset is None
    expanded = expander.whole(cast.own_rules, shipped(language, "base"), with_rules=with_rules)
    return StageScene(
        language=language,
        words=phrase(language, "continue_sealed") if continues(turn) else turn.user_text,
        card=expanded.card,
        user=expander.user_texts(cast.texts),
        persona_name=user_name(project),
        persona_named=bool(project.persona.name.strip()),
        persona_text=expanded.persona,
        constants=(),
        greeting_title=past.greeting.title,
        greeting=past.greeting.final_text,
        past=past.turns,
        active=(),
        index=(),
        index_chars=0,
        tools=specs(_tools(cast, scenario, material.worn), language) if on_stage else (),
        left_out=(*known.left_out, *material.plan.left_out),
        choices=_choices(material.worn) if on_stage else "",
        summary=_summary(language, past),
        resident=known.resident,
        state=known.state,
        memory=known.memory,
        plan=material.plan.tail,
        planned=material.plan.system,
    )


def _summary(language: Language, past: Past) -> Piece:
    """The summary as a block, with what it stands for."""
    if past.summary is None:
        return summary_block(language, "")
    reason = f"stands for {len(past.covered)} turns, made at {past.summary.node}"
    return summary_block(language, past.summary.text, reason)


async def _moment(
    house: House, past: Past, expander: Expander, depth: int, estimator: Estimator
) -> Moment:
    """The latest story messages within the depth that any entry asks for, and the counts. Where the
    depth reaches beyond what is still sent, the covered turns are read for it."""
    speaker = expander.card.called if expander.card else ""
    greeted = bool(past.greeting.final_text.strip())
    # Each turn is two messages; more turns than the depth can never be reached.
    near = past.turns[-depth:] if depth else ()
    lacking = min(max((depth + 1) // 2 - len(near), 0), len(past.covered))
    far = await read_covered(house, past, past.covered[len(past.covered) - lacking :])
    messages = [Message(speaker, past.greeting.final_text)] if greeted else []
    for turn in (*far, *near):
        messages += [Message(expander.user, turn.user_text), Message(speaker, turn.final_text)]
    return Moment(
        messages=tuple(messages[-depth:] if depth else ()),
        length=greeted + 2 * past.told + 1,
        replies=greeted + past.told,
        greeting=past.greeting_index,
        before=past.latest,
        estimator=estimator,
    )


def _choices(worn: Worn) -> str:
    """What of the preset has choices written into the prose, "" for nothing (`turn.md` §7)."""
    return "" if worn.preset is None else brings_choices(worn.preset)


def _tools(cast: Cast, scenario: Scenario, worn: Worn) -> tuple[Tool, ...]:
    return listed(
        lore=bool(cast.books),
        card=cast.card is not None,
        memory=bool(scenario.memory.sources),
        ledger=scenario.scribe.enabled,
        ask=not _choices(worn),
    )


def memory_of(house: House, project: Project, scenario: Scenario, turn: Turn) -> Memory | None:
    """The memory as the turn's tools see it: with what the turn itself has noted."""
    sources = scenario.memory.sources
    return memory_at(house, project, turn.id, sources) if sources else None


def sampling_of(settings: SamplingSettings) -> Sampling:
    """What the settings ask for; what would change nothing is not sent."""
    return Sampling(
        temperature=settings.temperature if settings.temperature >= 0 else None,
        top_p=settings.top_p if settings.top_p >= 0 else None,
        frequency_penalty=settings.frequency_penalty or None,
        presence_penalty=settings.presence_penalty or None,
        seed=settings.seed if settings.seed >= 0 else None,
        max_tokens=settings.max_tokens if settings.max_tokens > 0 else None,
        reasoning_effort=settings.reasoning_effort or None,
        top_k=settings.top_k or None,
        min_p=settings.min_p or None,
        repetition_penalty=settings.repetition_penalty
        if settings.repetition_penalty != 1
        else None,
    )


def refusal_of(
    prompt: Prompt, model: Model, scenario: Scenario, estimator: Estimator
) -> Failed | None:
    """What does not fit is refused with the size of each part; nothing is cut in silence."""
    if model.window is None:
        return None  # it always fits, and counting a long story takes time
    output = scenario.sampling.max_tokens if scenario.sampling.max_tokens > 0 else RESERVED_OUTPUT
    tools = "".join(f"{tool.description}{tool.parameters}" for tool in prompt.tools)
    parts = [*sized(prompt), ("tools", tools)]
    found = fit(parts, window=model.window, output_tokens=output, estimator=estimator)
    if not isinstance(found, DoesNotFit):
        return None
    sizes = ", ".join(f"{name} {tokens}" for name, tokens in found.parts.items())
    return Failed(
        "too_large",
        f"{found.required} tokens required, window {found.window}: {sizes}",
        "Choose a model with a larger window, shorten the largest part, or let a summary take up the "
        "old turns: huaben ledger STORY --build.",
    )
