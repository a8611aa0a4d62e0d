"""The rehearsal as the front doors know it: its card in the library, a project on it, the next cue.
Apart from the model that performs it, which knows nothing of libraries and projects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final, Protocol, runtime_checkable

from huaben.domain.project import Language, Mode, Project
from huaben.domain.story import Tree
from huaben.errors import NoConnection
from huaben.formats.scenario import scenario_of
from huaben.ports import Head
from huaben.prompt.stage import words_with_answers
from huaben.services.founding import Founding, create_project
from huaben.services.house import House
from huaben.services.library import import_card
from huaben.services.past import load_past
from huaben.services.stories import load_project

SCENARIO: Final = "rehearsal"
"""The shipped scenario that names the embedded model for every role."""

TITLES: Final[Mapping[Language, str]] = {
    "zh": "雨夜旧伞（排演）",
    "en": "The Old Umbrella (rehearsal)",
}


@runtime_checkable
class Prompter(Protocol):
    """A model that knows which words lead on from a history of words and final texts, oldest
    first; empty when none do."""

    def cue(self, language: Language, history: Sequence[tuple[str, str]]) -> str: ...


@runtime_checkable
class DeskPrompter(Protocol):
    """A model that knows which words lead on from the reports that a discussion has come to, oldest first;
    empty when none do."""

    def desk_cue(self, language: Language, reports: Sequence[str]) -> str: ...


def is_rehearsal(project: Project) -> bool:
    """Whether the embedded model performs the project."""
    return scenario_of(project.config).models.story == SCENARIO


async def ensure_rehearsal(house: House, language: Language) -> str:
    """The id of the shipped card in the library; it is brought in when it is not there."""
    path = files("huaben") / "rehearsal" / language / "card.json"
    return (await import_card(house, path.read_bytes(), f"rehearsal-{language}.json")).id


async def found_rehearsal(
    house: House, language: Language, *, mode: Mode = "roleplay", title: str = ""
) -> tuple[Project, Head]:
    """A new project on the shipped card, performed by the rehearsal whatever is connected: the story, or its
    manuscript in `writing` mode."""
    card_id = await ensure_rehearsal(house, language)
    named = title.strip() or TITLES[language]
    wish = Founding(named, mode, card_id, scenario=SCENARIO, language=language)
    return await create_project(house, wish)


async def next_cue(house: House, project_id: str) -> str:
    """What the reader may say next, to stand in the empty box; empty for a project whose model has
    no lines prepared, and at the end. Raises `NotFound`."""
    project = await load_project(house, project_id)
    try:
        model = house.models.for_role("story", scenario_of(project.config).models.story)
    except NoConnection:
        return ""
    head = await house.store.head(project_id)
    if head is None:
        return ""
    if project.mode == "writing":
        if not isinstance(model, DeskPrompter):
            return ""
        return model.desk_cue(project.language, await _reports(house, head))
    if not isinstance(model, Prompter):
        return ""
    past = await load_past(house, project, head.turn_id)
    history = [
        (words_with_answers(project.language, turn.user_text, turn.asked), turn.final_text)
        for turn in past.turns
    ]
    return model.cue(project.language, history)


async def _reports(house: House, head: Head) -> list[str]:
    """What the finished turns of a discussion came to, oldest first."""
    path = Tree(await house.store.skeleton(head.project_id)).path(head.turn_id)
    ids = [node.id for node in path if node.kind == "turn" and node.outcome == "done"]
    told = await house.store.told(ids)
    return [told[one].final_text for one in ids]
