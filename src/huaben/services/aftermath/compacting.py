"""Compaction: when enough has been told, a summary takes the place of old turns from the next turn on
(`state.md` §4).

The full texts stay where they are; what changes is what a model is sent. A summary that cannot be made
leaves everything as it is, and is tried again after the next turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from huaben.domain.budget import Estimator
from huaben.domain.events import Compacted, ProjectEvent
from huaben.domain.notes import Note, Vantage
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Tree, Turn
from huaben.domain.summary import (
    OUTPUT_TOKENS,
    Load,
    Summary,
    in_parts,
    leaving,
    lost,
    must_survive,
    summary_to_json,
)
from huaben.domain.text import is_blank
from huaben.errors import ProviderFailed
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Model, NodeState, Page
from huaben.prompt.stage import PastTurn
from huaben.prompt.summary import SummaryScene, compose_summary, name_missing, with_missing
from huaben.prompt.worldstate import world_state_block
from huaben.services.aftermath.errands import Errand, run_errand
from huaben.services.effects import Made, once
from huaben.services.house import House
from huaben.services.past import Past, load_past
from huaben.services.standing import stood_at
from huaben.services.stories import load_project

NOTES_AT_ONCE = 200
WIDEST = 120_000
"""Tokens that one call takes in where the model's window is not known."""


@dataclass(frozen=True, slots=True)
class _Work:
    """What one compaction is made from."""

    job: str
    turn: Turn
    project: Project
    model: Model
    estimator: Estimator
    facts: str
    notes: tuple[Note, ...]
    names: tuple[str, ...]


async def what_leaves(house: House, turn: Turn) -> list[str]:
    """The turns that a summary is to take up after this turn; none when it is not due."""
    project = await load_project(house, turn.project_id)
    scenario = scenario_of(turn.config)
    past = await load_past(house, project, turn.id)
    model, estimator = await _model(house, project, scenario)
    load = Load(
        sum(len(one.user_text) + len(one.final_text) for one in past.turns),
        await _next_request(house, turn, past, estimator),
        model.window,
    )
    return list(leaving(scenario.compaction, [one.turn_id for one in past.turns], load))


async def compact(house: House, job: str, turn: Turn, left: Sequence[str]) -> Mapping[str, object]:
    """Make the summary that takes up the turns `left`, and let it stand from this turn on. Raises
    `ProviderFailed`, also when the model wrote nothing; nothing has changed then."""
    project = await load_project(house, turn.project_id)
    past = await load_past(house, project, turn.id)
    taken = [one for one in past.turns if one.turn_id in left]
    if not taken:
        return {}
    work = await _work(house, job, turn, project)
    text, missing = await _written(house, work, past, taken)
    summary = Summary(text, taken[-1].turn_id, len(past.covered) + len(taken), missing)

    async def make() -> Made:
        return await _standing(house, turn, past, taken, summary)

    return await once(house, f"{job}/summary", make)


async def _standing(
    house: House, turn: Turn, past: Past, taken: Sequence[PastTurn], summary: Summary
) -> Made:
    row = NodeState(
        "summary",
        turn.project_id,
        turn.id,
        "scribe",
        house.now(),
        cast("Mapping[str, object]", summary_to_json(summary)),
    )
    former = past.summary.text if past.summary else ""
    told = Compacted(
        node=turn.id,
        covers=summary.covers,
        turns=len(taken),
        kept=len(past.turns) - len(taken),
        before=len(former) + sum(len(one.user_text) + len(one.final_text) for one in taken),
        after=len(summary.text),
        missing=summary.missing,
    )
    changed = ProjectEvent("summary_changed", turn.id, {"covers": summary.covers})
    commit = Commit(
        rows=(row,),
        events=((turn.id, told),),
        project_events=((turn.project_id, changed),),
    )
    return commit, {"node": turn.id, "covers": summary.covers}


# ---- material ----------------------------------------------------------------------------------


async def _work(house: House, job: str, turn: Turn, project: Project) -> _Work:
    scenario = scenario_of(turn.config)
    model, estimator = await _model(house, project, scenario)
    path = Tree(await house.store.skeleton(project.id)).path(turn.id)
    ledger = (await stood_at(house, path)).standing.ledger
    notes = await _locked(house, Vantage(project.id, turn.id, project.card_id))
    facts = world_state_block(project.language, ledger).text
    names = must_survive(ledger, [note.title for note in notes])
    return _Work(job, turn, project, model, estimator, facts, notes, names)


async def _model(house: House, project: Project, scenario: Scenario) -> tuple[Model, Estimator]:
    """The storyteller's model: it is its window that fills, and it reads what is written here."""
    model = house.models.for_role("story", scenario.models.story)
    return model, await house.gauge.estimator(house.store, project.id, model.name)


async def _locked(house: House, vantage: Vantage) -> tuple[Note, ...]:
    """The notes that the user has locked, as they are seen from the turn."""
    found: list[Note] = []
    after: str | None = None
    while True:
        notes, after = await house.store.notes(vantage, Page(after, NOTES_AT_ONCE))
        found += [note for note in notes if note.locked]
        if after is None:
            return tuple(found)


async def _next_request(house: House, turn: Turn, past: Past, estimator: Estimator) -> int:
    """About how many tokens the next turn will be sent: what this one was, and what it added."""
    calls = [call for call in await house.store.calls(turn.id) if call.purpose == "story"]
    added = estimator.tokens(turn.final_text) + estimator.tokens(turn.user_text)
    if calls and calls[0].usage.prompt:
        return calls[0].usage.prompt + added
    texts = [past.summary.text] if past.summary else []
    texts += [f"{one.user_text}{one.final_text}" for one in past.turns]
    return sum(map(estimator.tokens, texts))


# ---- writing -----------------------------------------------------------------------------------


async def _written(
    house: House, work: _Work, past: Past, taken: Sequence[PastTurn]
) -> tuple[str, tuple[str, ...]]:
    """The summary and the names that had to be put in. What is too long for one call is taken up
    part by part, each over the summary of the parts before it."""
    by_id = {one.turn_id: one for one in taken}
    tokens = work.estimator.tokens
    sizes = [(one.turn_id, tokens(f"{one.user_text}{one.final_text}")) for one in taken]
    text = past.summary.text if past.summary else ""
    room = (work.model.window or WIDEST) // 2 - OUTPUT_TOKENS
    for n, part in enumerate(in_parts(sizes, max(room, 1))):
        scene = SummaryScene(
            work.project.language, text, work.facts, work.notes, tuple(by_id[one] for one in part)
        )
        text = await _asked(house, work, scene, n)
    missing = lost(text, work.names)
    return with_missing(work.project.language, text, missing), missing


async def _asked(house: House, work: _Work, scene: SummaryScene, n: int) -> str:
    """One summary, after one repair where names were lost. An empty answer is no summary."""
    prompt = compose_summary(scene)
    errand = Errand(
        f"{work.job}/summary/{n}",
        work.turn.id,
        work.project.id,
        work.project.user_id,
        "summary",
        prompt,
    )
    text = (await run_errand(house, work.model, errand)).strip()
    names = lost(text, work.names)
    if not is_blank(text) and not names:
        return text
    repaired = replace(
        errand,
        key=f"{errand.key}/again",
        prompt=name_missing(prompt, scene.language, text, names or work.names),
    )
    again = (await run_errand(house, work.model, repaired)).strip()
    better = _better(text, again, work.names)
    if is_blank(better):
        raise ProviderFailed("empty_reply", "The model wrote no summary, twice.")
    return better


def _better(first: str, second: str, names: Sequence[str]) -> str:
    """The one of two summaries that lost fewer names; what is said is never given up for silence."""
    if not first or not second:
        return first or second
    return second if len(lost(second, names)) <= len(lost(first, names)) else first
