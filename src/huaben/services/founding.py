"""Making a project: its settings are resolved, its card version pinned, every greeting becomes a
root of its tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from huaben.domain.card import Card
from huaben.domain.events import ProjectEvent
from huaben.domain.project import Language, Mode, Persona, Project
from huaben.domain.story import Turn
from huaben.domain.text import looks_chinese
from huaben.errors import BadInput
from huaben.formats.scenario import flat
from huaben.ports import Commit, Head, Stale
from huaben.prompt.texts import phrase, phrases
from huaben.services.beginning import scenario_for
from huaben.services.casting import load_cast
from huaben.services.expanding import Expander
from huaben.services.house import House
from huaben.services.linking import link_of
from huaben.services.personas_founding import Wish, first_dressing
from huaben.services.stories import stale
from huaben.services.writing.opening import Chapters, found_manuscript, greeting_chapter

NOBODY = Persona()
NO_CARD = Card(name="")


@dataclass(frozen=True, slots=True)
class Founding:
    """What a new project is asked to be; an empty title takes the card's name, no language the one
    that the card is written in. `greeting_chapter`: the card's greeting is the first chapter of a
    manuscript."""

    title: str = ""
    mode: Mode = "roleplay"
    card_id: str | None = None
    lorebook_ids: tuple[str, ...] = ()
    persona: Persona = NOBODY
    scenario: str = "stage"
    language: Language | None = None
    greeting_chapter: bool = False
    preset_id: str | None = None
    persona_id: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A project that is not founded yet: its commit founds it."""

    project: Project
    head: Head
    commit: Commit


async def create_project(house: House, wish: Founding) -> tuple[Project, Head]:
    """Raises `BadInput` for a missing card, `NotFound` for ids that lead nowhere."""
    drafted = await draft_project(house, wish)
    if wish.mode == "writing":
        chapters = await _first_chapters(house, drafted.project, wish)
        await found_manuscript(house, drafted.project, drafted.commit, chapters)
        return drafted.project, drafted.head
    done = await house.store.commit(drafted.commit)
    if isinstance(done, Stale):
        raise stale(done)
    return drafted.project, drafted.head


async def draft_project(house: House, wish: Founding) -> Draft:
    """The same without its commit, for who has more to write in it. Raises as `create_project`."""
    if wish.card_id is None and wish.mode == "roleplay":
        raise BadInput("card_required", "A roleplay project needs a card.", "Import a card first.")
    scenario = scenario_for(house, wish.scenario)
    card = await house.shelf.card(wish.card_id, house.user_id) if wish.card_id else NO_CARD
    named = wish.title if wish.mode == "writing" else ""
    language = wish.language or language_of(card, named)
    project = Project(
        id=house.ids.new(),
        user_id=house.user_id,
        title=wish.title.strip() or card.called or phrases(language, "writing_phrases")["untitled"],
        mode=wish.mode,
        language=language,
        created_at=house.now(),
        card_id=wish.card_id,
        lorebook_ids=await _books(house, card, wish.lorebook_ids),
        persona=wish.persona,
        config=flat(scenario),
    )
    wanted = Wish(wish.preset_id, wish.persona_id, own=wish.persona != NOBODY)
    project, worn = await first_dressing(house, project, card, wanted)
    await load_cast(house, project)  # every book must exist before the project does
    roots = _roots(house, project, card)
    head = Head(project.id, roots[0].id)
    commit = Commit(
        expected={("project", project.id): 0},
        rows=(project, *roots, head, *([worn] if worn else [])),
        project_events=((project.id, ProjectEvent("project_changed")),),
    )
    return Draft(project, head, commit)


async def _books(house: House, card: Card, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The chosen lorebooks, each once, and the one that the card is linked to."""
    linked = await link_of(house, card, chosen)
    attached = (linked.book_id,) if linked and linked.fate == "linked_book_attached" else ()
    return tuple(dict.fromkeys((*chosen, *attached)))


def language_of(card: Card, title: str = "") -> Language:
    """The language that a card, or with it a title, is written in."""
    texts = (title, card.first_mes, card.description, card.personality, card.scenario)
    return "zh" if looks_chinese("\n".join(texts)) else "en"


async def _first_chapters(house: House, project: Project, wish: Founding) -> Chapters:
    """The chapters that a manuscript begins with."""
    if not wish.greeting_chapter or not project.card_id:
        return {}
    card = await house.shelf.card(project.card_id, project.user_id)
    title = phrase(project.language, "opening")
    return greeting_chapter(title, Expander(project, card).greeting(0))


def _roots(house: House, project: Project, card: Card) -> list[Turn]:
    """Every greeting; of a manuscript a single one without words, as its discussion has none."""
    beat = house.ids.new()
    told = project.mode == "roleplay"
    count = len(card.greetings) if told else 1
    config: Mapping[str, object] = {}
    return [
        Turn(
            id=house.ids.new(),
            project_id=project.id,
            user_id=project.user_id,
            parent=None,
            kind="greeting",
            beat=beat,
            depth=0,
            created_at=project.created_at,
            run="ended",
            outcome="sealed",
            title=_title(project.language, number, count) if told else "",
            final_text=Expander(project, card).greeting(number) if told else "",
            version=1,
            prose=True,
            config=config,
            ended_at=project.created_at,
        )
        for number in range(count)
    ]


def _title(language: Language, number: int, count: int) -> str:
    if count == 1:
        return phrase(language, "opening")
    return phrase(language, "opening_numbered", number=number + 1)
