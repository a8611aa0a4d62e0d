"""Bringing old chats in: what a file holds, whose story it is, and the job that plants it.

The bytes are kept as they came, so that what leaves again is what came. A chat belongs to a project: a
given one, where it becomes a branch, or a new one of the card that it was played with. The same chat
twice in one project, or without one, adds nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, cast

from huaben.domain.jsonvalue import Json
from huaben.domain.text import scrub
from huaben.errors import BadInput, HuabenError, TooLarge
from huaben.formats.chats.ending import Spoken
from huaben.formats.chats.read import open_chats
from huaben.formats.chats.survey import Survey, survey
from huaben.formats.chats.values import Chat, ChatFile, Refused
from huaben.formats.report import Note, Report, more_notes
from huaben.ports import Due, DueJob, Page, Stale
from huaben.services import library
from huaben.services.chats_home import Cards, Wish, home_of
from huaben.services.chats_planting import KIND, TURNS_PER_STEP
from huaben.services.house import House
from huaben.services.stories import load_project, stale

CHATS: Final = "chats"
"""The lock under which a chat is looked for and then brought in."""
MAX_NOTES: Final = 50
"""Notes of one list that are kept with a job."""
LONG: Final = 4 * TURNS_PER_STEP
"""Turns beyond which the end of a chat is told before they are there."""
Facts: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Begun:
    """A chat on its way into a project, or one that was there before (`already`)."""

    project_id: str
    seq: int
    title: str
    report: Facts
    already: bool = False
    founded: bool = False

    @property
    def lane(self) -> str:
        return lane_of(self.project_id)


def lane_of(project_id: str) -> str:
    """The chats of a project come in one after the other; the lane goes with the project."""
    return f"{project_id}/chat"


def read_file(data: bytes, filename: str, greetings: tuple[str, ...] = ()) -> ChatFile:
    """Raises `BadInput` with the reason's own code when the file is no chat, and `TooLarge`."""
    found = open_chats(data, filename, greetings)
    if not isinstance(found, Refused):
        return found
    name = filename or "the file"
    if found.code == "too_large":
        raise TooLarge(found.code, f"{name} is too large: {found.detail}")
    raise BadInput(found.code, f"{name} is not taken as a chat: {found.detail}")


def holds_chats(data: bytes, filename: str) -> bool:
    """Whether a file is to be taken as chats. A text that only looks like one may be a card as well:
    it is a chat if it is nothing else."""
    found = open_chats(data, filename)
    if isinstance(found, Refused):
        return False
    if any(chat.dialect != "plain_text" for chat in found.chats):
        return True
    try:
        library.read_any(data, filename)
    except HuabenError:
        return True
    return False


def may_hold_chats(data: bytes, filename: str) -> bool:
    """Whether a file can be taken as chats by somebody who says that it holds some."""
    return not isinstance(open_chats(data, filename), Refused)


async def import_chats(
    house: House, data: bytes, filename: str, wish: Wish, cards: Cards | None = None
) -> list[Begun]:
    """Make the import of every chat in a file due; the bytes and the jobs are durable then.

    Raises `BadInput` (`not_a_chat` and the other reasons; `no_card_for_chat`), `NotFound` for a
    project or card that is not there.
    """
    if wish.project_id is not None:
        await load_project(house, wish.project_id)
    file = await asyncio.to_thread(read_file, data, filename)
    object_hash = await house.objects.put(data)
    known = cards or Cards(house)
    begun: list[Begun] = []
    async with house.lock(CHATS):
        for part in range(len(file.chats)):
            earlier = await _earlier(house, wish, object_hash, part)
            if earlier is not None:
                begun.append(earlier)
                continue
            source = _Source(data, object_hash, filename, part, file)
            begun.append(await _begin(house, source, wish, known))
    house.jobs.nudge()
    return begun


async def imported(house: House, project_id: str) -> AsyncIterator[DueJob]:
    """The jobs that brought chats into a project, in their order. Raises `NotFound`."""
    await load_project(house, project_id)
    seq = 1
    while (job := await house.store.job(lane_of(project_id), seq)) is not None:
        yield job
        seq += 1


# ---- beginning ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Source:
    """One chat of a file."""

    data: bytes
    object_hash: str
    filename: str
    part: int
    file: ChatFile

    @property
    def chat(self) -> Chat:
        return self.file.chats[self.part]

    def with_greetings(self, greetings: tuple[str, ...]) -> _Source:
        return replace(self, file=read_file(self.data, self.filename, greetings))


async def _begin(house: House, source: _Source, wish: Wish, cards: Cards) -> Begun:
    found = await asyncio.to_thread(survey, source.chat)
    home = await home_of(house, source.chat, found, wish, cards)
    if source.chat.dialect == "risu" and home.card_id is not None:
        card = await house.shelf.card(home.card_id, house.user_id)
        source = await asyncio.to_thread(source.with_greetings, card.greetings)
        found = await asyncio.to_thread(survey, source.chat)
    whole = source.file.report + found.report + home.report
    report = _shortened(whole).to_json()
    facts: Facts = {
        "user_id": house.user_id,
        "project": home.project_id,
        "object": source.object_hash,
        "file": source.filename,
        "part": source.part,
        "card": home.card_id,
        "head": home.head,
        "founded": wish.project_id is None,
        "total": -(-found.turns // TURNS_PER_STEP),
        **_facts(source.chat, found),
        "report": report,
    }
    due = Due(lane_of(home.project_id), KIND, facts)
    done = await house.store.commit(replace(home.founding, due=(due,)))
    if isinstance(done, Stale):
        raise stale(done)
    seq = len([job async for job in imported(house, home.project_id)])
    founded = wish.project_id is None
    return Begun(home.project_id, seq, source.chat.title, _plain_json(report), founded=founded)


async def _earlier(house: House, wish: Wish, object_hash: str, part: int) -> Begun | None:
    """Where the chat was brought in before: in that project, or in any, of that card if one is wished
    for, that is not in the trash."""

    def is_same(job: DueJob) -> bool:
        payload = job.payload
        same = (payload.get("object"), payload.get("part")) == (object_hash, part)
        ours = payload.get("user_id") == house.user_id
        there = wish.card_id in (None, payload.get("card"))
        return same and ours and there and not job.outcome.startswith("failed")

    if wish.project_id is not None:
        found = [job async for job in imported(house, wish.project_id) if is_same(job)]
        return _already(found[0]) if found else None
    after: str | None = None
    while True:
        jobs, after = await house.store.jobs(Page(after, 200), KIND)
        for job in filter(is_same, jobs):
            project = await house.store.project(str(job.payload["project"]))
            if project is not None and not project.deleted:
                return _already(job)
        if after is None:
            return None


def _already(job: DueJob) -> Begun:
    payload = job.payload
    report = cast("Facts", payload["report"])  # as `_begin` wrote it
    title = str(payload["title"])
    return Begun(str(payload["project"]), job.seq, title, report, already=True)


def _facts(chat: Chat, found: Survey) -> Facts:
    """What is told of a chat without opening it again."""
    return {
        "dialect": chat.dialect,
        "title": chat.title,
        "user": found.user,
        "character": found.character,
        "speakers": dict(found.speakers),
        "messages": found.messages,
        "variants": found.variants,
        "hidden": found.hidden,
        "quarantined": found.quarantined,
        "turns": found.turns,
        # A short chat is there before anybody has looked.
        "end": [_spoken(one) for one in found.end] if found.turns > LONG else [],
    }


def _spoken(one: Spoken) -> Facts:
    return {"name": scrub(one.name), "role": one.role, "text": scrub(one.text)}


def _shortened(report: Report) -> Report:
    return Report(
        kept=_first(report.kept),
        changed=_first(report.changed),
        dropped=_first(report.dropped),
        warnings=_first(report.warnings),
    )


def _first(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    more = len(notes) - MAX_NOTES
    rest = (more_notes(more),) if more > 0 else ()
    return (*notes[:MAX_NOTES], *rest)


def _plain_json(report: Mapping[str, Json]) -> Facts:
    return cast("Facts", report)  # JSON is less than any object
