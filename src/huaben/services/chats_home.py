"""Where an old chat goes: to a project that is there, or to a new one of its card, with what came beside its
messages. Apart from `chats`, which makes its import due."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from huaben.domain.dressing import AuthorsNote, Dressing
from huaben.domain.jsonvalue import JsonObject, dump_json
from huaben.domain.project import Persona
from huaben.errors import BadInput
from huaben.formats.authors_note import note_of
from huaben.formats.chats.lore import own_lorebook
from huaben.formats.chats.survey import Survey
from huaben.formats.chats.values import Chat
from huaben.formats.report import Note, Report
from huaben.ports import Commit, Page
from huaben.services import library
from huaben.services.exporting import export_own_book
from huaben.services.founding import Founding, draft_project
from huaben.services.house import House
from huaben.services.stories import load_story

_NOBODY: Final = frozenset({"", "you", "user", "human", "你", "用户"})
"""Names that only say that somebody is the user: no name in the story."""
MOST_MEMBERS: Final = 50
"""Speakers of a group who are looked for in the library."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Where a chat is to go: to a project that is there, or to a new one of a card; without either to
    a new one of the card that has the name of its character. `bare`: where no card has it, one of that
    name is made, empty but for its name."""

    project_id: str | None = None
    card_id: str | None = None
    bare: bool = False


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


@dataclass(frozen=True, slots=True)
class Home:
    """The project that a chat goes to, where its head stands, what founds it if it is new, and what
    became of what came beside the messages."""

    project_id: str
    head: str
    card_id: str | None
    founding: Commit
    report: Report


async def home_of(house: House, chat: Chat, found: Survey, wish: Wish, cards: Cards) -> Home:
    """Where a chat goes. Raises `NotFound`, `BadInput` (`no_card_for_chat`, `not_roleplay`)."""
    if wish.project_id is not None:
        story = await load_story(house, wish.project_id)
        if story.project.mode != "roleplay":
            raise BadInput("not_roleplay", "Chats belong to roleplay stories.")
        project, head = story.project, story.head.turn_id
        return Home(project.id, head, project.card_id, Commit(), _unworn(chat))
    card_id = wish.card_id or await _card_of(house, chat, found, wish, cards)
    persona = Persona("" if _plain(found.user) in _NOBODY else found.user)
    book, told = await _book_of(house, chat)
    books, of_members = await _members(house, found, card_id, cards)
    founding = Founding(
        title=chat.title, card_id=card_id, persona=persona, lorebook_ids=(*book, *books)
    )
    drafted = await draft_project(house, founding)
    commit = _with_note(drafted.commit, drafted.project.id, _note_of(chat))
    return Home(drafted.project.id, drafted.head.turn_id, card_id, commit, told + of_members)


async def _book_of(house: House, chat: Chat) -> tuple[tuple[str, ...], Report]:
    """The lorebook that came with the chat, now in the library for its new story."""
    book = own_lorebook(chat)
    if book is None:
        return (), Report()
    data = dump_json(book).encode()
    try:
        made = await library.import_lorebook(house, data, f"{chat.title or 'chat'}.json")
    except BadInput as refusal:
        return (), Report(
            warnings=(Note("lorebook_not_read", "", refusal.message, {"fault": refusal.message}),)
        )
    return (made.id,), Report(
        kept=(Note("lorebook_attached", "", made.name, {"value": made.name}),)
    )


async def _members(
    house: House, found: Survey, card_id: str, cards: Cards
) -> tuple[tuple[str, ...], Report]:
    """The books of a group's other members, for the story that one of them heads; the report names
    every member. Nobody else's card is performed."""
    books: list[str] = []
    notes: list[Note] = []
    for name in [one for one in found.speakers if found.is_group][:MOST_MEMBERS]:
        member_id = await cards.named(name)
        if member_id == card_id:
            continue
        card = None if member_id is None else await house.shelf.card(member_id, house.user_id)
        if member_id is None or card is None:
            notes.append(Note("member_without_card", "", name, {"value": name}))
        elif card.book is None:
            notes.append(Note("member_not_performed", "", name, {"value": name}))
        else:
            file = await export_own_book(house, member_id, "sillytavern")
            made = await library.import_lorebook(house, file.content, file.name)
            books.append(made.id)
            notes.append(Note("member_book_attached", "", name, {"value": name}))
    return tuple(books), Report(kept=tuple(notes))


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


def _unworn(chat: Chat) -> Report:
    """A story that is there keeps its own author's note and lorebooks."""
    notes: list[Note] = []
    if _note_of(chat) is not None:
        notes.append(Note("not_honoured", "chat_metadata.note_prompt"))
    if own_lorebook(chat) is not None:
        notes.append(Note("not_honoured", "lorebook"))
    return Report(kept=tuple(notes))


async def _card_of(house: House, chat: Chat, found: Survey, wish: Wish, cards: Cards) -> str:
    """The newest card of the character's name, in a group of whoever replies first and has one."""
    names = [name for name in (found.character, *found.speakers) if name.strip()]
    for name in names:
        card_id = await cards.named(name)
        if card_id is not None:
            return card_id
    name = next(iter(names), "")
    if wish.bare:
        bare: JsonObject = {"spec": "chara_card_v2", "spec_version": "2.0"}
        called = name or chat.title or "Unnamed"
        bare["data"] = {"name": called, "first_mes": ""}
        made = await library.import_card(house, dump_json(bare).encode(), f"{called}.json")
        cards.add(called, made.id)
        return made.id
    told = f"the card of {name}" if name else "a card"
    raise BadInput(
        "no_card_for_chat",
        f"{chat.title or 'The chat'} needs {told}, which is not in the library.",
        "Import the card first, or name the card or the project that the chat belongs to.",
    )


def _plain(name: str) -> str:
    return name.strip().casefold()
