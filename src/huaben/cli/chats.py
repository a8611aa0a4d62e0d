"""Chats on the command line: a file's chats into stories, with progress, and stories back to files; apart from
the import and export of cards, which need no story."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from huaben.cli.speaking import err, one_line, shortened, tell, voice
from huaben.errors import HuabenError
from huaben.services import chats
from huaben.services.chats import Begun, Wish
from huaben.services.chats_export import StoryForm, export_story
from huaben.services.chats_shown import show_begun, show_chats
from huaben.services.stories import load_story

if TYPE_CHECKING:
    from huaben.services.exporting import File
    from huaben.services.house import House

StoryTo: TypeAlias = Literal["jsonl", "txt", "md", "tree"]
STORY_TO: tuple[StoryTo, ...] = ("jsonl", "txt", "md", "tree")
LOOK_S = 0.2
_say = voice().say


@dataclass(frozen=True, slots=True)
class Target:
    """Where the user wants chats to go, in their own words."""

    project: str | None = None
    card: str | None = None
    bare: bool = False

    @property
    def is_said(self) -> bool:
        return self.project is not None or self.card is not None or self.bare

    async def wish(self, house: House) -> Wish:
        """Raises `Told` for a project or a card that is not there."""
        from huaben.cli.finding import find_project
        from huaben.cli.shelves import find_card

        project = await find_project(house, self.project) if self.project else None
        card = await find_card(house, self.card) if self.card else None
        return Wish(project.id if project else None, card.id if card else None, self.bare)


async def bring(house: House, data: bytes, name: str, target: Target) -> list[Mapping[str, object]]:
    """All chats of a file, once their turns are there. Raises what the first of them failed with."""
    begun = await chats.import_chats(house, data, name, await target.wish(house))
    for one in begun:
        await _tell_end(house, one)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=err(), transient=True) as bar:
        try:
            for one in begun:
                await _wait(house, one, bar)
        except asyncio.CancelledError:
            tell(_say("import.goes_on"))
            raise
    return [await show_begun(house, one) for one in begun]


async def _tell_end(house: House, begun: Begun) -> None:
    """The last message of a chat that takes a while to come in."""
    from huaben.cli.traces import listed

    end = (await show_begun(house, begun))["end"]
    last = listed(end)[-1:] if not begun.already else []
    for one in last:
        tell(
            _say(
                "chat.ends", name=one_line(str(one["name"])), text=shortened(str(one["text"]), 200)
            )
        )


async def planted(house: House, project_id: str, *, already: bool) -> list[Mapping[str, object]]:
    """The chat of a project that an import of many files has made or found, once its turns are there."""
    await house.jobs.idle(chats.lane_of(project_id))
    about: dict[str, object] = {"project": project_id, "founded": not already, "already": already}
    told = await show_chats(house, project_id)
    return [{**about, **one} for one in told[-1:]]


async def _wait(house: House, begun: Begun, bar: Progress) -> None:
    task = bar.add_task(_say("chat.planting", title=one_line(begun.title)), total=None)
    while True:
        shown = await show_begun(house, begun)
        total = shown["total"]
        done = shown["done"]
        if isinstance(done, int) and isinstance(total, int):
            bar.update(task, completed=done, total=total)
        outcome = str(shown["outcome"])
        if outcome.startswith("failed"):
            _, code, message = outcome.split(": ", 2)
            raise HuabenError(code, message)
        if outcome:
            bar.remove_task(task)
            return
        await asyncio.sleep(LOOK_S)


def headline(told: Mapping[str, object]) -> str:
    """One line about a chat that was brought in."""
    key = "chat.already" if told["already"] else "chat.founded" if told["founded"] else "chat.added"
    title, project = one_line(str(told["title"])) or "—", str(told["project"])
    counts = _say("chat.counts", messages=str(told["messages"]), turns=str(told["turns"]))
    hidden, torn = told["hidden"], told["quarantined"]
    parts = [counts]
    if isinstance(hidden, int) and hidden:
        parts.append(_say("chat.hidden", n=hidden))
    if isinstance(torn, int) and torn:
        parts.append(voice().count("chat.quarantined", torn))
    rest = _say("total.joint").join(parts)
    return _say(key, title=title, project=project, counts=rest)


async def story_file(house: House, named: str, to: StoryTo, turn: str | None) -> File:
    """A story as a file. Raises `Told` for a story or a turn that is not there."""
    from huaben.cli.finding import find_project, find_turn

    project = await find_project(house, named)
    at = find_turn(await load_story(house, project.id), turn).id if turn else None
    form: StoryForm = "json" if to == "tree" else to
    return await export_story(house, project.id, form, at)


def story_to(form: str | None) -> StoryTo | None:
    """The form as one of a story, None where it is none."""
    return next((one for one in STORY_TO if one == form), None)
