"""A roleplay story made into a manuscript: a new writing project whose chapters are the prose of a branch. Apart
from founding, because it reads a whole story first; the story itself stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.domain.manuscript import numbered
from huaben.domain.manuscript_parts import joined
from huaben.domain.project import Language, Project
from huaben.domain.text import is_blank
from huaben.errors import BadInput, Conflict
from huaben.formats.scenario import scenario_of
from huaben.ports import Head
from huaben.prompt.stage import PastTurn
from huaben.prompt.texts import phrase, phrases
from huaben.services.founding import Founding, draft_project
from huaben.services.house import House
from huaben.services.past import load_past
from huaben.services.stories import check_standing, load_story
from huaben.services.writing.opening import Chapters, found_manuscript

RetoldForm: TypeAlias = Literal["turns", "merged"]


@dataclass(frozen=True, slots=True)
class Retelling:
    """How a story is to become a manuscript: a chapter for each turn, or all in one. `at` is the turn that
    the branch ends with, the head without it; `words` takes the reader's own words along, as quotes."""

    title: str = ""
    form: RetoldForm = "turns"
    at: str | None = None
    words: bool = False


async def retell(house: House, project_id: str, wish: Retelling) -> tuple[Project, Head]:
    """Raises `NotFound`, `Conflict("not_a_story")` for a manuscript, `BadInput("nothing_told")` for a story
    without any prose."""
    story = await load_story(house, project_id)
    project = story.project
    if project.mode != "roleplay":
        raise Conflict("not_a_story", "The project is a manuscript already.")
    end = wish.at or story.head.turn_id
    check_standing(story, end)
    past = await load_past(house, project, end, whole=True)
    texts = [past.greeting.final_text, *(_text(turn, words=wish.words) for turn in past.turns)]
    chapters = _chapters(project.language, texts, wish.form)
    if not chapters:
        raise BadInput("nothing_told", "The story has no prose yet.")
    founding = Founding(
        title=wish.title.strip() or project.title,
        mode="writing",
        card_id=project.card_id,
        lorebook_ids=project.lorebook_ids,
        persona=project.persona,
        scenario=scenario_of(project.config).name,
        language=project.language,
    )
    drafted = await draft_project(house, founding)
    await found_manuscript(house, drafted.project, drafted.commit, chapters)
    return drafted.project, drafted.head


def _chapters(language: Language, texts: Sequence[str], form: RetoldForm) -> Chapters:
    """The greeting first, then a chapter for each turn that has prose; or all of it in one."""
    if form == "merged":
        whole = joined(text for text in texts if not is_blank(text))
        return {numbered(1, phrase(language, "opening")): whole.encode()} if whole else {}
    said = phrases(language, "writing_phrases")
    found: dict[str, bytes] = {}
    for number, text in enumerate(texts):
        if not is_blank(text):
            title = (
                said["turn_title"].format(number=number) if number else phrase(language, "opening")
            )
            found[numbered(number, title)] = f"{text.rstrip()}\n".encode()
    return found


def _text(turn: PastTurn, *, words: bool) -> str:
    if not words:
        return turn.final_text
    quoted = "\n".join(f"> {line}" for line in turn.user_text.splitlines())
    return f"{quoted}\n\n{turn.final_text}"
