"""Importing many files as one job: stored first, then read in one by one, each with its own result.

Apart from `library`, which imports one file while its caller waits. What was uploaded is durable
before the job is due; each item's row and its result are one commit, so an import that was cut short
goes on at the first item without a result.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, cast

import structlog

from huaben.errors import BadInput, HuabenError, NotFound, StorageFailed
from huaben.formats.report import Findings, more_notes
from huaben.ports import Commit, Due, DueJob, Effect, Key, Page, Stale, Step
from huaben.services import chats, library, persona_pictures
from huaben.services import items as items_kept
from huaben.services.house import House
from huaben.services.stories import stale

_log = structlog.get_logger("huaben.importing")

KIND = "import"
MAX_FILES = 50_000
CHUNK = 16
"""Items that share a step and a commit: the disk is waited for once, not for each."""
STORED_AT_ONCE = 8
"""Files that are written side by side while they arrive: the disk syncs them together."""
MAX_NOTES = 50
"""Notes of one list that an item's result keeps; the card itself keeps all."""

Fate: TypeAlias = Literal["imported", "already", "refused"]
Entry: TypeAlias = Mapping[str, str]
"""A file of the manifest: its `file` name and its `object`, or the `code` and `message` of why its
bytes were not even stored."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it arrives: its bytes, or the refusal that they met on the way. `facts` go into the
    manifest: the `place` that it lay at, for a chat the `card` of its folder by its bytes, for the
    picture of a persona the `avatar` that this is known by."""

    name: str
    content: bytes | HuabenError
    facts: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Item:
    """What became of one file. `code` and `message` say why it was refused; `report` has the four
    lists of an import report, at most `MAX_NOTES` notes each."""

    n: int
    file: str
    fate: Fate
    kind: str = ""
    id: str = ""
    name: str = ""
    code: str = ""
    message: str = ""
    report: Mapping[str, object] | None = None


async def begin(house: House, uploads: AsyncIterable[Upload], kind: str = KIND) -> str:
    """Store the files and make their import due; gives the import's id once both are durable. `kind`
    is that of the job.

    Raises `BadInput` for no files and for more than `MAX_FILES`."""
    entries: list[Entry] = []
    arrived: list[Upload] = []
    async for upload in uploads:
        if len(entries) + len(arrived) == MAX_FILES:
            raise BadInput("too_many_files", f"One import takes at most {MAX_FILES:,} files.")
        arrived.append(upload)
        if len(arrived) == STORED_AT_ONCE:
            entries += await _stored(house, arrived)
            arrived.clear()
    entries += await _stored(house, arrived)
    if not entries:
        raise BadInput("no_files", "The request holds no file to import.")
    manifest = await house.objects.put(json.dumps(entries).encode())
    import_id = house.ids.new()
    payload = {"user_id": house.user_id, "manifest": manifest, "total": len(entries)}
    done = await house.store.commit(Commit(due=(Due(lane_of(import_id), kind, payload),)))
    if isinstance(done, Stale):
        raise stale(done)
    house.jobs.nudge()
    return import_id


async def _stored(house: House, uploads: Sequence[Upload]) -> list[Entry]:
    return await asyncio.gather(*(_store(house, upload) for upload in uploads))


async def _store(house: House, upload: Upload) -> Entry:
    match upload.content:
        case HuabenError() as refusal:
            why = {"code": refusal.code, "message": refusal.message}
            return {"file": upload.name, **why, **upload.facts}
        case content:
            # What opens a connection is not even stored until the file is read.
            kept = await asyncio.to_thread(items_kept.cleaned, content)
            stored = {"object": await house.objects.put(kept)}
            return {"file": upload.name, **stored, **upload.facts}


def lane_of(import_id: str) -> str:
    """Each import has a lane of its own, in which it is the first and only job."""
    return f"import/{import_id}"


def id_of(job: DueJob) -> str:
    return job.lane.removeprefix("import/")


# ---- the job -----------------------------------------------------------------------------------


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """The kind `import`: a step for each chunk of items. Chats and pictures of personas come last, for
    their cards and personas may be among the files."""
    own = replace(house, user_id=str(job.payload["user_id"]))
    entries = await manifest(own, job)
    left: list[int] = []
    for start in range(0, len(entries), CHUNK):
        chunk = entries[start : start + CHUNK]
        given = await step(
            f"items {start}", lambda start=start, chunk=chunk: _take(own, job, start, chunk)
        )
        left += [start] if given.get("left") else []
    for start in left:
        chunk = entries[start : start + CHUNK]
        await step(
            f"chats {start}", lambda start=start, chunk=chunk: _take_left(own, job, start, chunk)
        )
    return "done"


async def manifest(house: House, job: DueJob) -> Sequence[Entry]:
    name = str(job.payload["manifest"])
    content = await house.objects.get(name)
    if content is None:
        raise StorageFailed("object_missing", f"The list of files, object {name}, is gone.")
    return cast("Sequence[Entry]", json.loads(content))  # written by `begin`


async def _take(
    house: House, job: DueJob, start: int, chunk: Sequence[Entry]
) -> Mapping[str, object]:
    """Bring in those items of a chunk that have no result yet, in one commit with their results."""
    keys = [_key(job, n) for n in range(start, start + len(chunk))]
    async with house.lock(library.LIBRARY):
        before = _key(job, start - 1) if start else ""
        known = {e.key for e in await house.store.effects(f"{job.id}/", before, len(chunk))}
        rows: dict[str, Sequence[library.LibraryRow]] = {}
        effects: list[Effect] = []
        left = 0
        for n, (key, entry) in enumerate(zip(keys, chunk, strict=True), start):
            if key not in known:
                item = await _take_item(house, n, entry, rows)
                effects += [Effect(key, result_of(item))] if item is not None else []
                left += item is None
        new = [row for of_file in rows.values() for row in of_file]
        expected: dict[Key, int] = {(library.kind_of(row), row.id): 0 for row in new}
        done = await house.store.commit(Commit(expected=expected, rows=(*new, *effects)))
    if isinstance(done, Stale):
        raise StorageFailed("taken_twice", "Another process is importing the same files.")
    return {"taken": len(effects), "left": left}


async def _take_left(
    house: House, job: DueJob, start: int, chunk: Sequence[Entry]
) -> Mapping[str, object]:
    """Bring in those items of a chunk that were left because they need others. The turns of chats come
    in jobs of their own; one that a run before this had begun is told as already here."""
    before = _key(job, start - 1) if start else ""
    known = {e.key for e in await house.store.effects(f"{job.id}/", before, len(chunk))}
    cards = chats.Cards(house)
    for n, entry in enumerate(chunk, start):
        if _key(job, n) not in known:
            item = await _take_late(house, n, entry, cards)
            await house.store.commit(Commit(rows=(Effect(_key(job, n), result_of(item)),)))
    return {"taken": len(chunk) - len(known)}


async def _take_late(house: House, n: int, entry: Entry, cards: chats.Cards) -> Item:
    file = entry["file"]
    try:
        if "avatar" in entry:
            return await _take_picture(house, n, entry)
        return await take_chat(house, n, entry, await _wish(house, entry), cards)
    except HuabenError as refusal:
        if _is_ours(refusal):
            raise
        return Item(n, file, "refused", code=refusal.code, message=refusal.message)
    except Exception as fault:  # noqa: BLE001 - the worker's boundary: one bad file stops nothing
        _log.exception("chat_broke_reader", file=file, object=entry["object"])
        return Item(n, file, "refused", code="broken", message=f"{type(fault).__name__}: {fault}")


async def _take_picture(house: House, n: int, entry: Entry) -> Item:
    file, kind = entry["file"], persona_pictures.KIND
    content = await _content(house, entry["object"])
    given = await persona_pictures.give_by_avatar(house, entry["avatar"], content)
    if given.persona is None:
        findings = Findings()
        findings.dropped("picture_of_nobody", file, "no persona is known by this picture")
        report = cast("Mapping[str, object]", findings.report().to_json())  # JSON is less
        return Item(n, file, "imported", kind, name=file, report=report)
    fate: Fate = "already" if given.already else "imported"
    return Item(n, file, fate, kind, given.persona.id, given.persona.name)


async def take_chat(
    house: House, n: int, entry: Entry, wish: chats.Wish, cards: chats.Cards | None = None
) -> Item:
    """Make the import of a file's chats due. Raises what `chats.import_chats` raises."""
    file = entry["file"]
    content = await _content(house, entry["object"])
    begun = await chats.import_chats(house, content, file, wish, cards)
    first = begun[0]
    fate = "already" if all(one.already for one in begun) else "imported"
    return Item(n, file, fate, chats.KIND, first.project_id, first.title, report=first.report)


async def _wish(house: House, entry: Entry) -> chats.Wish:
    """The card that the chat's folder is named after; one of its character's name where that is gone."""
    if "place" not in entry:
        return chats.Wish()
    card_hash = entry.get("card", "")
    card = await library.find(house, card_hash, ("card",)) if card_hash else None
    return chats.Wish(card_id=card.id) if card is not None else chats.Wish(bare=True)


async def _take_item(
    house: House, n: int, entry: Entry, rows: dict[str, Sequence[library.LibraryRow]]
) -> Item | None:
    """Read one file; what it holds is added to `rows` under the name of its bytes. None for chats and
    pictures of personas, which wait."""
    file, object_hash = entry["file"], entry.get("object", "")
    if not object_hash:
        return Item(n, file, "refused", code=entry["code"], message=entry["message"])
    if "avatar" in entry:
        return None
    if object_hash in rows:
        return _already(n, file, rows[object_hash][0])
    twin = await library.find(house, object_hash)
    if twin is not None:
        return Item(n, file, "already", twin.kind, twin.id, twin.name, report=twin.report)
    try:
        content = await _content(house, object_hash)
        if await asyncio.to_thread(chats.holds_chats, content, file):
            return None
        found = await asyncio.to_thread(library.read_any, content, file)
    except HuabenError as refusal:
        if _is_ours(refusal):
            raise
        return Item(n, file, "refused", code=refusal.code, message=refusal.message)
    except Exception as fault:  # noqa: BLE001 - the worker's boundary: one bad file stops nothing
        _log.exception("file_broke_reader", file=file, object=object_hash)
        return Item(n, file, "refused", code="broken", message=f"{type(fault).__name__}: {fault}")
    for picture in found.pictures:
        await house.objects.put(picture)
    if found.data is not None:
        # Of these kinds the file is known by what is kept of it.
        object_hash = await house.objects.put(found.data)
        twin = await library.find(house, object_hash, (found.kind,))
        if object_hash in rows or twin is not None:
            return _already(n, file, rows[object_hash][0] if twin is None else twin)
    held = (found, *found.also)
    made = rows[object_hash] = [library.row_of(house, one, object_hash, file) for one in held]
    row = made[0]
    return Item(n, file, "imported", found.kind, row.id, row.name, report=row.report)


async def _content(house: House, object_hash: str) -> bytes:
    content = await house.objects.get(object_hash)
    if content is None:
        raise BadInput("object_missing", "The uploaded bytes are gone.")
    return content


def _is_ours(fault: HuabenError) -> bool:
    """Whether the disk failed, not the file: that may pass and is tried again."""
    return isinstance(fault, StorageFailed) and fault.code != "object_damaged"


def _already(n: int, file: str, twin: library.Imported | library.LibraryRow) -> Item:
    kind = twin.kind if isinstance(twin, library.Imported) else library.kind_of(twin)
    return Item(n, file, "already", kind, twin.id, twin.name, report=twin.report)


# ---- results -----------------------------------------------------------------------------------


def _key(job: DueJob, n: int) -> str:
    return f"{job.id}/{n:06d}"


def again_key(job: DueJob, n: int) -> str:
    """Where what became of a file stands that was refused and taken later: results are never changed."""
    return f"{job.id}+again/{n:06d}"


def result_of(item: Item) -> Mapping[str, object]:
    fields = {
        "n": item.n,
        "file": item.file,
        "fate": item.fate,
        "kind": item.kind,
        "id": item.id,
        "name": item.name,
        "code": item.code,
        "message": item.message,
    }
    kept: dict[str, object] = {name: value for name, value in fields.items() if value != ""}
    return kept if item.report is None else kept | {"report": _shortened(item.report)}


def _shortened(report: Mapping[str, object]) -> Mapping[str, object]:
    return {
        name: [*notes[:MAX_NOTES], *_more(len(notes) - MAX_NOTES)]
        for name, notes in cast("Mapping[str, list[object]]", report).items()  # a report's lists
    }


def _more(left: int) -> list[object]:
    return [more_notes(left).to_json()] if left > 0 else []


def _item_of(effect: Effect) -> Item:
    return Item(**cast("dict[str, int]", effect.result))  # pyright: ignore[reportArgumentType] - written by `result_of`


# ---- showing -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tally:
    """How many files met which fate so far."""

    imported: int = 0
    already: int = 0
    refused: int = 0

    @property
    def done(self) -> int:
        return self.imported + self.already + self.refused


async def load_import(house: House, import_id: str) -> DueJob:
    """The job of an import. Raises `NotFound`, also for another user's."""
    job = await house.store.job(lane_of(import_id), 1)
    if job is None or job.payload.get("user_id") != house.user_id:
        raise NotFound.of("import", import_id)
    return job


async def list_imports(house: House, page: Page) -> tuple[list[DueJob], str | None]:
    """The user's imports, newest first."""
    jobs, following = await house.store.jobs(page, KIND)
    return [job for job in jobs if job.payload.get("user_id") == house.user_id], following


async def tally(house: House, job: DueJob) -> Tally:
    found = await _with_later(house, job, await house.store.effects(f"{job.id}/"))
    fates = [item.fate for item in found]
    return Tally(fates.count("imported"), fates.count("already"), fates.count("refused"))


async def items(house: House, job: DueJob, page: Page) -> tuple[list[Item], str | None]:
    """The results so far in the order of the files. A page begins after the number that the one
    before gave as its next."""
    limit = min(max(page.limit, 1), 200)
    after = _key(job, int(page.after)) if page.after is not None and page.after.isdecimal() else ""
    found = await house.store.effects(f"{job.id}/", after, limit + 1)
    shown = await _with_later(house, job, found[:limit])
    return shown, str(shown[-1].n) if len(found) > limit else None


async def item_at(house: House, job: DueJob, n: int) -> Item | None:
    """What became of the file of that number; None while that is not known."""
    found = await house.store.effects(_key(job, n))
    return next(iter(await _with_later(house, job, found)), None)


async def _with_later(house: House, job: DueJob, found: Sequence[Effect]) -> list[Item]:
    """Results, of refused files that were taken later what became of them then."""
    items = [_item_of(effect) for effect in found]
    if all(item.fate != "refused" for item in items):
        return items
    later = await house.store.effects(f"{job.id}+again/")
    taken = {item.n: item for item in map(_item_of, later)}
    return [taken.get(item.n, item) for item in items]
