"""The snapshot that a planning job works on: a turn as it opened, without its reply; apart from the writer's
prompt because it sees less of the story and more of the plan (`planner.md` §2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from huaben.domain.budget import Estimator
from huaben.domain.plan.material import (
    Character,
    LoreText,
    Material,
    Said,
    last_messages,
    persona_shown,
)
from huaben.domain.plan.revision import Plan
from huaben.domain.plan.rules import source_turn
from huaben.domain.plan.settings import PlannerSection
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Tree, Turn
from huaben.prompt.stage import PastTurn, words_with_answers
from huaben.prompt.texts import shipped
from huaben.services.casting import Cast, load_cast
from huaben.services.expanding import Expanded, Expander, user_name
from huaben.services.governance import PlannerHistory, TooLarge, fitting, history_for_planner
from huaben.services.house import House
from huaben.services.lore import recorded as recorded_lore
from huaben.services.lore import rows_of
from huaben.services.past import load_past
from huaben.services.presets_worn import worn_by
from huaben.services.recalling import remembered_in
from huaben.services.stories import load_project

TURNS: Final = 5
"""Turns whose messages are looked at: nine messages lie within them."""
LORE_WAIT_S: Final = 2.0
LORE_LOOK_S: Final = 0.1
RESERVED: Final = 2048
"""Tokens of a planner's window that are kept for its instructions and its answer."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The material, and what governance would have made of the history (None: not compared)."""

    material: Material
    shadow: int | None = None


async def take(
    house: House, turn: Turn, scenario: Scenario, plan: Plan, window: int | None
) -> Taken | TooLarge:
    """What the planner sees of a turn; under `enforce` not without all that must be in it. Raises
    `NotFound`, `StorageFailed`."""
    worn = await worn_by(house, await load_project(house, turn.project_id))
    project = worn.project
    assert turn.parent is not None, "a turn has a greeting before it"
    estimator = Estimator()
    history = await history_for_planner(
        house, project, scenario, turn.parent, latest=TURNS, estimator=estimator
    )
    told = Tree(await house.store.skeleton(project.id)).turn_number(turn.parent)
    cast = await load_cast(house, project)
    expanded = await _expanded(house, project, cast, turn)
    greeted = bool(history.greeting.strip())
    count = greeted + 2 * told
    words = words_with_answers(project.language, turn.user_text, ())
    material = Material(
        language=project.language,
        character=_character(expanded),
        persona=persona_shown(expanded.persona),
        reader=user_name(project) if project.persona.name.strip() else "",
        greeting=Said(1, "assistant", history.greeting) if greeted else None,
        messages=_messages(project, scenario, history, told),
        words=Said(count + 1, "user", words),
        turn=source_turn(told + 1, count + 1),
        plan=plan,
        summary=history.summary,
        lore=await _lore(house, turn, scenario.planner) if scenario.planner.see_lore else (),
        memory=await _memory(house, turn) if scenario.planner.see_memory else "",
        known_names=_known_names(project, cast),
    )
    if scenario.governance == "enforce":
        must = (plan.state, material.persona, words)
        too_large = fitting(history, sum(map(estimator.tokens, must)), window, RESERVED)
        if too_large is not None:
            return too_large
    return Taken(material, history.shadow)


async def pages_of(house: House, turn: Turn) -> list[str]:
    """All texts of the branch up to a turn's words, where quotations are looked for: the latest first,
    which most quotations are from."""
    project = await load_project(house, turn.project_id)
    past = await load_past(house, project, turn.parent, whole=True)
    texts = [past.greeting.final_text]
    for one in past.turns:
        texts += [words_with_answers(project.language, one.user_text, one.asked), one.prose]
    return [*texts, turn.user_text][::-1]


# ---- the story ---------------------------------------------------------------------------------


def _messages(
    project: Project, scenario: Scenario, history: PlannerHistory, told: int
) -> tuple[Said, ...]:
    """The last messages; under `enforce` all that the summary does not stand for."""
    greeted = bool(history.greeting.strip())
    messages = _numbered(project, history.turns, greeted + 2 * told)
    if greeted and len(history.turns) == told:
        messages.insert(0, Said(1, "assistant", history.greeting))
    return tuple(messages) if scenario.governance == "enforce" else last_messages(messages)


def _numbered(project: Project, turns: Sequence[PastTurn], count: int) -> list[Said]:
    """The messages of the last turns of a story of `count` messages."""
    said: list[Said] = []
    for turn in turns:
        number = count - 2 * len(turns) + len(said) + 1
        words = words_with_answers(project.language, turn.user_text, turn.asked)
        said += [Said(number, "user", words), Said(number + 1, "assistant", turn.prose)]
    return said


async def _expanded(house: House, project: Project, cast: Cast, turn: Turn) -> Expanded:
    """The card's texts with their macros as the writer has them."""
    past = await load_past(house, project, turn.parent)
    expander = Expander(project, cast.card)
    expander.greeting(past.greeting_index)
    return expander.whole(cast.own_rules, shipped(project.language, "base"))


def _character(expanded: Expanded) -> Character:
    card = expanded.card
    if card is None:
        return Character()
    parts = (card.personality, card.scenario, card.rules)
    whole = "\n\n".join(part.strip() for part in parts if part.strip())
    return Character(card.name, card.description.strip(), card.own_rules.strip() or whole)


def _known_names(project: Project, cast: Cast) -> tuple[str, ...]:
    """Names that nobody needs to look at: the card's own and the reader's."""
    names = [project.persona.name]
    if cast.card is not None:
        names += [cast.card.called, cast.card.name]
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))


async def _memory(house: House, turn: Turn) -> str:
    """What the writer of the turn is told of memory, without the title of its block."""
    return (await remembered_in(house, turn)).text.partition("\n")[2]


# ---- lore --------------------------------------------------------------------------------------


async def _lore(house: House, turn: Turn, section: PlannerSection) -> tuple[LoreText, ...]:
    """The lore of the turn, which is chosen beside this job: it is waited for a little, and never
    chosen here, or a turn would pay for it twice."""
    record: Mapping[str, object] | None = await recorded_lore(house, turn.id)
    waited_s = 0.0
    while record is None and waited_s < LORE_WAIT_S:
        await house.clock.sleep(LORE_LOOK_S)
        waited_s += LORE_LOOK_S
        record = await recorded_lore(house, turn.id)
    left = section.lore_chars
    found: list[LoreText] = []
    for row in rows_of(record, "chosen") if record is not None else ():
        title, text = str(row["title"]), str(row.get("text", "")).strip()
        given = len(text) <= left
        left -= len(text) if given else 0
        found.append(LoreText(title, text, given))
    return tuple(found)
