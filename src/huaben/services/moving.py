"""A whole old installation moves in: looked at first, then stored and taken in as one job of the importer.

Apart from importing many files, because here the place of a file says what it is, whose chat it is, and
what is never opened.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, dump_json, parse_json
from huaben.errors import BadInput, HuabenError, NotFound
from huaben.formats.chats.lines import first_lines, object_in
from huaben.ports import DueJob, Page
from huaben.ports.installation import FoundFile, Installation
from huaben.services import importing
from huaben.services import items as items_kept
from huaben.services.house import House
from huaben.services.importing import Item, Upload
from huaben.services.moving_plan import MOVE_KINDS, MoveKind, Survey, survey_of

KIND: Final = "move"
MAX_MB: Final = 512
"""A larger file is refused by name; a long chat has some fifty."""
_MB: Final = 1024 * 1024
_JSON_KINDS: Final[frozenset[MoveKind]] = frozenset(
    {"settings", "presets", "templates", "quick_replies"}
)
"""What may hold keys: stored only after it was understood well enough to take them out."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What became of one file, with the place that it lay at."""

    place: str
    item: Item


async def look(installation: Installation) -> Survey:
    """What is in a folder, by kind, counted; no file is opened. Raises `BadInput` for a folder that
    cannot be listed."""
    return survey_of(installation.root, await installation.listing())


async def begin(
    house: House, installation: Installation, kinds: Collection[MoveKind] = MOVE_KINDS
) -> str:
    """Store what is there of these kinds and make its move due; gives the move's id once both are
    durable. The folder is not needed after that. Raises `BadInput("nothing_to_move")`."""
    survey = await look(installation)
    if not any(survey.of(kind) for kind in kinds):
        raise BadInput("nothing_to_move", f"{survey.root} holds nothing of what was asked for.")
    return await importing.begin(house, _Van(installation, survey).load(kinds), KIND)


async def load_move(house: House, move_id: str) -> DueJob:
    """The job of a move. Raises `NotFound`, also for another user's and for another import's."""
    job = await importing.load_import(house, move_id)
    if job.kind != KIND:
        raise NotFound.of("move", move_id)
    return job


async def list_moves(house: House, page: Page) -> tuple[list[DueJob], str | None]:
    """The user's moves, newest first."""
    jobs, following = await house.store.jobs(page, KIND)
    return [job for job in jobs if job.payload.get("user_id") == house.user_id], following


async def moved(house: House, job: DueJob, page: Page) -> tuple[list[Moved], str | None]:
    """What has met its fate so far, in the order of the move."""
    entries = await importing.manifest(house, job)
    items, following = await importing.items(house, job, page)
    return [Moved(entries[item.n].get("place", item.file), item) for item in items], following


# ---- the files on their way --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of the installation: its name, its members' pictures, and what its chats knew beside
    their rows, by the chat's id."""

    name: str
    members: tuple[str, ...]
    metadata: Mapping[str, JsonObject]


@dataclass(slots=True)
class _Van:
    """The files of a folder one by one, in the order in which they are taken in."""

    installation: Installation
    survey: Survey
    _cards: dict[str, str] = field(default_factory=dict[str, str])

    async def load(self, kinds: Collection[MoveKind]) -> AsyncIterator[Upload]:
        groups = await self._groups()
        for kind in MOVE_KINDS:
            for file in self.survey.of(kind) if kind in kinds else ():
                upload = await self._upload(kind, file)
                match kind:
                    case "chats":
                        yield await self._with_card(upload, (file.place.split("/")[1],))
                    case "groups":
                        yield await self._of_group(upload, groups.get(_stem(upload.name)))
                    case _:
                        yield upload

    async def _upload(self, kind: MoveKind, file: FoundFile) -> Upload:
        name = file.place.rpartition("/")[2]
        content: bytes | HuabenError
        try:
            content = await self.installation.read(file.place, MAX_MB * _MB)
            if kind in _JSON_KINDS:
                content = await asyncio.to_thread(_without_keys, kind, name, content)
        except HuabenError as refusal:
            content = refusal
        known = {"avatar": name} if kind == "avatars" else {}
        return Upload(name, content, {"place": file.place, **known})

    async def _with_card(self, upload: Upload, names: Sequence[str]) -> Upload:
        """The chat with the bytes' name of the first card that is there; names without suffix."""
        for name in names:
            card = await self._card(name)
            if card:
                return replace(upload, facts={**upload.facts, "card": card})
        return upload

    async def _card(self, name: str) -> str:
        if name not in self._cards:
            file = next(
                (
                    one
                    for one in self.survey.of("cards")
                    if _stem(one.place) == f"characters/{name}"
                ),
                None,
            )
            self._cards[name] = await self._hash(file) if file is not None else ""
        return self._cards[name]

    async def _hash(self, file: FoundFile) -> str:
        try:
            content = await self.installation.read(file.place, MAX_MB * _MB)
        except HuabenError:
            return ""  # the card itself is refused by name
        return hashlib.sha256(content).hexdigest()

    # ---- groups --------------------------------------------------------------------------------

    async def _groups(self) -> Mapping[str, _Group]:
        """Each group chat's group, by the chat's id."""
        found: dict[str, _Group] = {}
        for file in self.survey.groups:
            try:
                value = _object(await self.installation.read(file.place, MAX_MB * _MB))
            except HuabenError:
                continue  # its chats come in all the same, by the names in them
            group = _group(value)
            chats = [*_texts(value.get("chats")), *_texts([value.get("chat_id")])]
            found |= dict.fromkeys(chats, group)
        return found

    async def _of_group(self, upload: Upload, group: _Group | None) -> Upload:
        if group is None:
            return upload
        chat_id = _stem(upload.name)
        called = f"{group.name} - {upload.name}" if group.name else upload.name
        content = upload.content
        if isinstance(content, bytes):
            content = _headed(content, group.metadata.get(chat_id, {}))
        upload = replace(upload, name=called, content=content)
        return await self._with_card(upload, [_stem(one) for one in group.members])


def _group(value: JsonObject) -> _Group:
    past, current = value.get("past_metadata"), value.get("chat_metadata")
    metadata = {
        chat: kept
        for chat, kept in (past.items() if isinstance(past, dict) else ())
        if isinstance(kept, dict)
    }
    if isinstance(current, dict) and current:
        metadata |= dict.fromkeys(_texts([value.get("chat_id")]), current)
    name = value.get("name")
    called = name.replace("/", " ").strip() if isinstance(name, str) else ""
    return _Group(called, tuple(_texts(value.get("members"))), metadata)


def _headed(content: bytes, metadata: JsonObject) -> bytes:
    """A group chat from before 1.15 with the header that 1.15 itself gives it, so that what the group's
    file knew of the chat comes along (formats §3.2)."""
    first = next(iter(first_lines(content, 1)), b"")
    row = object_in(first)
    if not metadata or isinstance(row, JsonFault) or "mes" not in row:
        return content
    header: JsonObject = {
        "chat_metadata": metadata,
        "user_name": "unused",
        "character_name": "unused",
    }
    return dump_json(header).encode() + b"\n" + content.removeprefix(b"\xef\xbb\xbf")


# ---- what may hold keys ------------------------------------------------------------------------


def _without_keys(kind: MoveKind, name: str, content: bytes) -> bytes:
    """Raises `BadInput` for what is not understood, so that not a byte of it is stored."""
    _object(content, name)
    kept = items_kept.cleaned(content)
    if kind == "settings" and kept is content:
        raise BadInput("not_settings", f"{name} is not the settings of an installation.")
    return kept


def _object(content: bytes, name: str = "the file") -> JsonObject:
    value: Json | JsonFault = parse_json(content.decode("utf-8", "replace"))
    if not isinstance(value, dict):
        raise BadInput("not_json", f"{name} is not a JSON object; nothing of it was stored.")
    return value


def _texts(value: Json) -> list[str]:
    members = cast("list[Json]", value) if isinstance(value, list) else []  # as the line says
    return [one for one in members if isinstance(one, str)]


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name
