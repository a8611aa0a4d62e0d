"""The Python face of Huaben: the same services that the web and the command line use.

async with Studio.open("my-data") as studio:
    card = await studio.import_card("rain.png")
    project = await studio.create_project(card=card.id)
    async for event in studio.play(project.id, "I push the door open."):
        print(event)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from huaben.bootstrap import Theatre, build
from huaben.config import Settings, load_settings
from huaben.domain.events import End, Status, TurnEvent
from huaben.domain.project import Language, Persona, Project
from huaben.domain.story import Turn
from huaben.ports import LoggedEvent
from huaben.services import (
    branching,
    chats,
    chats_export,
    chats_home,
    explaining,
    exporting,
    founding,
    library,
    playing,
    viewing,
)
from huaben.services.house import House, Models
from huaben.services.performing import Company
from huaben.services.viewing import TurnShown

POLL_S = 5.0


@dataclass(frozen=True, slots=True)
class Studio:
    """An open data folder. Use `Studio.open`; methods raise the errors of `huaben.errors`."""

    theatre: Theatre

    @staticmethod
    @asynccontextmanager
    async def open(
        data: str | Path | None = None,
        *,
        settings: Settings | None = None,
        models: Models | None = None,
        read_only: bool = False,
    ) -> AsyncGenerator[Studio]:
        """Open a data folder (the platform's own without one). `models` replaces the configured
        connections. A second program on one folder raises `DataFolderInUse`."""
        chosen = settings or load_settings(data=data)
        async with build(chosen, models=models, read_only=read_only) as theatre:
            yield Studio(theatre)

    @property
    def house(self) -> House:
        return self.theatre.house

    @property
    def company(self) -> Company:
        return self.theatre.company

    async def import_card(self, path: str | Path) -> library.Imported:
        file = Path(path)
        data = await asyncio.to_thread(file.read_bytes)
        return await library.import_card(self.house, data, file.name)

    async def import_lorebook(self, path: str | Path) -> library.Imported:
        file = Path(path)
        data = await asyncio.to_thread(file.read_bytes)
        return await library.import_lorebook(self.house, data, file.name)

    async def export_card(
        self, card_id: str, form: exporting.CardForm | None = None
    ) -> exporting.File:
        """A card as a file, by default in the form it came in."""
        return await exporting.export_card(self.house, card_id, form)

    async def export_lorebook(self, book_id: str) -> exporting.File:
        """A lorebook as a file, in the dialect it came in where that is one we write."""
        return await exporting.export_lorebook(self.house, book_id)

    async def import_chats(
        self,
        path: str | Path,
        *,
        project: str | None = None,
        card: str | None = None,
        bare: bool = False,
    ) -> list[chats.Begun]:
        """The chats of a file, planted: in a project, or each in a new one of a card, by default of the
        card of its character's name. `bare` makes a card of that name where there is none."""
        file = Path(path)
        data = await asyncio.to_thread(file.read_bytes)
        wish = chats_home.Wish(project, card, bare)
        begun = await chats.import_chats(self.house, data, file.name, wish)
        for one in begun:
            await self.house.jobs.idle(one.lane)
        return begun

    async def export_story(
        self, project_id: str, form: chats_export.StoryForm = "jsonl", at: str | None = None
    ) -> exporting.File:
        """A story as a file: the branch to the head or to a turn, or with `json` the whole tree."""
        return await chats_export.export_story(self.house, project_id, form, at)

    async def try_lore(self, text: str, *lorebooks: str) -> explaining.Explained:
        """Which entries of these lorebooks a text would bring, and why not the others."""
        return await explaining.try_text(self.house, explaining.Trial(text, lorebooks))

    async def lore(self, turn_id: str) -> explaining.Explained:
        """Why each lore entry was in a turn or out of it."""
        return await explaining.explain_turn(self.house, turn_id)

    async def create_project(
        self,
        *,
        card: str,
        title: str = "",
        lorebooks: tuple[str, ...] = (),
        persona: Persona | None = None,
        scenario: str = "stage",
        language: Language | None = None,
    ) -> Project:
        """A new roleplay project on an imported card."""
        wish = founding.Founding(
            title=title,
            card_id=card,
            lorebook_ids=lorebooks,
            persona=persona or Persona(),
            scenario=scenario,
            language=language,
        )
        project, _ = await founding.create_project(self.house, wish)
        return project

    async def create_manuscript(
        self,
        *,
        title: str,
        card: str | None = None,
        language: Language | None = None,
        greeting_chapter: bool = False,
    ) -> Project:
        """A new writing project; `card` is taken as requirements on its chapters. What is said to it with
        `play` is discussion."""
        wish = founding.Founding(
            title=title,
            mode="writing",
            card_id=card,
            language=language,
            greeting_chapter=greeting_chapter,
        )
        project, _ = await founding.create_project(self.house, wish)
        return project

    async def play(
        self, project_id: str, text: str, *, request_id: str | None = None
    ) -> AsyncIterator[TurnEvent]:
        """Say something and follow the turn to its end or its question; yields its events."""
        words = playing.Words(text, request_id=request_id)
        turn = await playing.post_turn(self.house, self.company, project_id, words)
        async for logged in self.follow(turn.id):
            yield logged.event

    async def follow(self, turn_id: str, after: int = 0) -> AsyncIterator[LoggedEvent]:
        """The events of a turn from `after` on, live, until its run ends with all that follows
        it, or a question opens."""
        store = self.house.store
        while True:
            batch = await store.events(turn_id, after)
            for logged in batch:
                yield logged
                after = logged.seq
            # Between two pieces of a stream nothing can have ended.
            if not batch or any(isinstance(one.event, Status | End) for one in batch):
                turn = await store.turn(turn_id)
                if turn is None:
                    return
                over = turn.run == "waiting" or (
                    turn.run == "ended" and await store.is_over(turn_id)
                )
                if over and not await store.events(turn_id, after, 1):
                    return
            await store.changed(turn_id, after, POLL_S)

    async def answer(self, turn_id: str, text: str) -> Turn:
        return await playing.answer(self.house, self.company, turn_id, text)

    async def stop(self, turn_id: str) -> Turn:
        return await playing.stop(self.house, self.company, turn_id)

    async def resume(self, turn_id: str) -> Turn:
        return await playing.resume(self.house, self.company, turn_id)

    async def seal(self, turn_id: str, *, with_tail: bool = True) -> Turn:
        return await playing.seal(self.house, self.company, turn_id, with_tail=with_tail)

    async def discard(self, turn_id: str) -> Turn:
        return await playing.discard(self.house, self.company, turn_id)

    async def reroll(self, turn_id: str, text: str | None = None) -> Turn:
        return await playing.make_variant(self.house, self.company, turn_id, text)

    async def undo(self, project_id: str) -> branching.Moved:
        return await branching.undo(self.house, project_id)

    async def redo(self, project_id: str) -> branching.Moved:
        return await branching.redo(self.house, project_id)

    async def show(self, turn_id: str) -> TurnShown:
        """A turn as clients see it."""
        return await viewing.show_turn(self.house, turn_id)
