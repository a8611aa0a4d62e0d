"""Bringing old chats in: what a file holds, whose story it is, and the job that plants it.

The bytes are kept as they came, so that what leaves again is what came. A chat belongs to a project: a
given one, where it becomes a branch, or a new one of the card that it was played with. The same chat
twice in one project, or without one, adds nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, cast

from huaben.domain.dressing import AuthorsNote, Dressing
from huaben.domain.jsonvalue import Json, JsonObject, dump_json
from huaben.domain.project import Persona
from huaben.errors import BadInput, HuabenError, TooLarge
from huaben.formats.authors_note import note_of
from huaben.formats.chats.read import open_chats
from huaben.formats.chats.survey import Survey, survey
from huaben.formats.chats.values import Chat, ChatFile, Refused
from huaben.formats.report import Note, Report
from huaben.ports import Commit, Due, DueJob, Page, Stale
from huaben.services import library
from huaben.services.chats_planting import KIND, TURNS_PER_STEP
from huaben.services.founding import Founding, draft_project
from huaben.services.house import House
from huaben.services.stories import load_project, load_story, stale

CHATS: Final = "chats"
"""The lock under which a chat is looked for and then brought in."""
MAX_NOTES: Final = 50
"""Notes of one list that are kept with a job."""
_NOBODY: Final = frozenset({"", "you", "user", "human", "你", "用户"})
"""Names that only say that somebody is the user: no name in the story."""
Facts: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Wish:
    """Where a chat is to go: to a project that is there, or to a new one of a card; without either to
    a new one of the card that has the name of its character. `bare`: where no card has it, one of that
    name is made, empty but for its name."""

    project_id: str | None = None
    card_id: str | None = None
    bare: bool = False


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


@dataclass(slots=True)
class Cards:
    """The newest card of each name, read once however many chats ask."""

    house: House
    _ids: dict[str, str] | None = field(default=None)

    async def named(self, name: str) -> str | None:
        if self._ids is None:
            self._ids = {}
            after: str | None = None
            while True:
                cards, after = await self.house.store.cards(self.house.user_id, Page(after, 200))
                for card in cards:
                    self._ids.setdefault(_plain(card.name), card.id)
                if after is None:
                    break
        return self._ids.get(_plain(name))

    def add(self, name: str, card_id: str) -> None:
        """A card that was made since."""
        if self._ids is not None:
            self._ids[_plain(name)] = card_id


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


@dataclass(frozen=True, slots=True)
class _Home:
    """The project that a chat goes to, where its head stands, and what founds it if it is new."""

    project_id: str
    head: str
    card_id: str | None
    founding: Commit


async def _begin(house: House, source: _Source, wish: Wish, cards: Cards) -> Begun:
    found = await asyncio.to_thread(survey, source.chat)
    home = await _home(house, source, found, wish, cards)
    if source.chat.dialect == "risu" and home.card_id is not None:
        card = await house.shelf.card(home.card_id, house.user_id)
        source = await asyncio.to_thread(source.with_greetings, card.greetings)
        found = await asyncio.to_thread(survey, source.chat)
    whole = source.file.report + found.report + _note_report(source.chat, wish)
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


async def _home(house: House, source: _Source, found: Survey, wish: Wish, cards: Cards) -> _Home:
    if wish.project_id is not None:
        story = await load_story(house, wish.project_id)
        return _Home(story.project.id, story.head.turn_id, story.project.card_id, Commit())
    card_id = wish.card_id or await _card_of(house, source, found, wish, cards)
    persona = Persona("" if _plain(found.user) in _NOBODY else found.user)
    founding = Founding(title=source.chat.title, card_id=card_id, persona=persona)
    drafted = await draft_project(house, founding)
    commit = _with_note(drafted.commit, drafted.project.id, _note_of(source.chat))
    return _Home(drafted.project.id, drafted.head.turn_id, card_id, commit)


def _note_of(chat: Chat) -> AuthorsNote | None:
    metadata = chat.header.get("chat_metadata")
    return note_of(metadata) if isinstance(metadata, dict) else None


def _with_note(founding: Commit, project_id: str, note: AuthorsNote | None) -> Commit:
    """The commit of a project that wears the author's note of its chat."""
    if note is None:
        return founding
    worn = next((row for row in founding.rows if isinstance(row, Dressing)), Dressing(project_id))
    others = tuple(row for row in founding.rows if not isinstance(row, Dressing))
    return replace(founding, rows=(*others, replace(worn, note=note)))


def _note_report(chat: Chat, wish: Wish) -> Report:
    """A story that is there keeps its own author's note, and says so."""
    if wish.project_id is None or _note_of(chat) is None:
        return Report()
    return Report(kept=(Note("not_honoured", "chat_metadata.note_prompt"),))


async def _card_of(house: House, source: _Source, found: Survey, wish: Wish, cards: Cards) -> str:
    """The newest card of the character's name, in a group of whoever replies first and has one."""
    names = [name for name in (found.character, *found.speakers) if name.strip()]
    for name in names:
        card_id = await cards.named(name)
        if card_id is not None:
            return card_id
    name = next(iter(names), "")
    if wish.bare:
        bare: JsonObject = {"spec": "chara_card_v2", "spec_version": "2.0"}
        called = name or source.chat.title or "Unnamed"
        bare["data"] = {"name": called, "first_mes": ""}
        made = await library.import_card(house, dump_json(bare).encode(), f"{called}.json")
        cards.add(called, made.id)
        return made.id
    told = f"the card of {name}" if name else "a card"
    raise BadInput(
        "no_card_for_chat",
        f"{source.filename or 'The chat'} needs {told}, which is not in the library.",
        "Import the card first, or name the card or the project that the chat belongs to.",
    )


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
    }


def _shortened(report: Report) -> Report:
    return Report(
        kept=_first(report.kept),
        changed=_first(report.changed),
        dropped=_first(report.dropped),
        warnings=_first(report.warnings),
    )


def _first(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    more = len(notes) - MAX_NOTES
    rest = (Note("more_notes", "", f"{more} further notes"),) if more > 0 else ()
    return (*notes[:MAX_NOTES], *rest)


def _plain(name: str) -> str:
    return name.strip().casefold()


def _plain_json(report: Mapping[str, Json]) -> Facts:
    return cast("Facts", report)  # JSON is less than any object
