"""Presets, personas, regex scripts and quick replies in the library: recognised by their content, listed,
changed, handed out again. Apart from cards and lorebooks, which play reads from the shelf."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, dump_json, parse_json
from huaben.domain.libraryitem import ItemKind, ItemVersion, StoredItem
from huaben.errors import BadInput, NotFound
from huaben.formats import personas, quick_replies, regex_scripts
from huaben.formats.bounded import noted_text
from huaben.formats.presets.file import PresetFile
from huaben.formats.presets.read import read_value as read_preset
from huaben.formats.presets.sniff import form_of
from huaben.formats.presets.write import cleaned as without_connection
from huaben.formats.presets.write import write_preset
from huaben.formats.report import Findings, Report
from huaben.ports import Commit, Key, Page, Stale
from huaben.services import persona_files
from huaben.services.exporting import File
from huaben.services.filenames import safe_name
from huaben.services.house import House
from huaben.services.stories import stale

MAX_BYTES: Final = 32 * 1024 * 1024
"""A larger file is none of these."""
MAX_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class FoundItem:
    """One thing that a file holds, before it is in the library."""

    kind: ItemKind
    name: str
    content: Mapping[str, object]
    report: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FoundItems:
    """All that a file holds. `data` is the file without what opens a connection; `pictures` are to be
    stored, for the items name them."""

    items: tuple[FoundItem, ...]
    data: bytes
    pictures: tuple[bytes, ...] = ()


def read_items(data: bytes, filename: str) -> FoundItems | None:
    """What a file holds of these kinds, told by its content; None if it is another file. Only reads:
    nothing is run or fetched."""
    archived = persona_files.read_archive(data)
    if archived is not None and archived.file.personas:
        return FoundItems(_all_personas(archived.file), archived.data, archived.pictures)
    findings = Findings()
    value = _parsed(data, findings)
    if value is None:
        return None
    read = _reader(value)
    if read is None:
        return None
    kept, found = read(value, filename, findings)
    if not found:
        return None
    return FoundItems(tuple(found), data if kept is value else dump_json(kept).encode())


def cleaned(data: bytes) -> bytes:
    """A file as it may be stored: a preset without addresses, keys and headers, of an installation's
    settings what is read from them, of its file of keys nothing; any other file as it is."""
    value = _parsed(data, Findings())
    if value is None:
        return data
    # The oldest settings hold keys as well, among all that they are read for.
    if _is_settings(value):
        return dump_json(_only_read(value)).encode()
    if isinstance(value, dict) and any(key.startswith("api_key_") for key in value):
        return b"{}"
    kept = without_connection(value)
    return data if kept is value else dump_json(kept).encode()


_Read = Callable[[Json, str, Findings], tuple[Json, Sequence[FoundItem]]]


def _parsed(data: bytes, findings: Findings) -> Json | None:
    if len(data) > MAX_BYTES or data[:64].lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")[:1] not in (
        b"{",
        b"[",
    ):
        return None
    value = parse_json(noted_text(data, "", findings))
    return None if isinstance(value, JsonFault) else value


def _reader(value: Json) -> _Read | None:
    if quick_replies.is_quick_replies(value):
        return _quick_replies
    if regex_scripts.is_scripts(value):
        return _scripts
    if personas.is_personas(value) or _is_settings(value):
        return _personas
    return _preset if form_of(value) is not None else None


def _preset(value: Json, filename: str, findings: Findings) -> tuple[Json, Sequence[FoundItem]]:
    found = read_preset(value, filename, findings)
    if not isinstance(found, PresetFile):
        return value, ()
    whole = value if found.raw == value else found.raw
    return whole, (_item("preset", found.name, found.raw, found.report),)


def _scripts(value: Json, filename: str, findings: Findings) -> tuple[Json, Sequence[FoundItem]]:
    found = regex_scripts.read_value(value, filename, findings)
    if not isinstance(found, regex_scripts.ScriptsFile):
        return value, ()
    return value, (_item("scripts", found.name, scripts_content(value), found.report),)


def scripts_content(raw: Json) -> JsonObject:
    """Scripts as the library keeps them: a list, and whether the file held one alone."""
    members: list[Json] = raw if isinstance(raw, list) else [raw]
    return {"scripts": members, "single": not isinstance(raw, list), "off": False}


def _personas(value: Json, filename: str, findings: Findings) -> tuple[Json, Sequence[FoundItem]]:
    """Each persona of the file, and of an installation's settings its regex scripts too."""
    kept = _only_read(value) if _is_settings(value) else value
    found = personas.read_value(kept, findings)
    items: list[FoundItem] = []
    if isinstance(found, personas.PersonasFile):
        items += _all_personas(found)
    raw = _settings_scripts(kept)
    if raw:
        _, scripts = _scripts(raw, filename or "settings", Findings())
        items += scripts
    return kept, items


def _all_personas(file: personas.PersonasFile) -> tuple[FoundItem, ...]:
    return tuple(
        _item("persona", one.persona.name, personas.to_json(one), file.report)
        for one in file.personas
    )


def _quick_replies(
    value: Json, filename: str, findings: Findings
) -> tuple[Json, Sequence[FoundItem]]:
    found = quick_replies.read_value(value, filename, findings)
    if not isinstance(found, quick_replies.RepliesFile):
        return value, ()
    return value, (_item("quick_replies", found.name, found.raw, found.report),)


def _item(kind: ItemKind, name: str, content: JsonObject, report: Report) -> FoundItem:
    plain = cast("Mapping[str, object]", report.to_json())  # JSON is less than any object
    return FoundItem(kind, name[:MAX_NAME], cast("Mapping[str, object]", content), plain)


def _is_settings(value: Json) -> bool:
    """The settings of a whole installation: they hold addresses and keys among the rest."""
    return isinstance(value, dict) and isinstance(value.get("power_user"), dict)


def _only_read(value: Json) -> Json:
    scripts = _settings_scripts(value)
    kept: JsonObject = {"power_user": personas.only_personas(value)}
    return {**kept, "extension_settings": {"regex": scripts}} if scripts else kept


def _settings_scripts(value: Json) -> list[Json]:
    extensions = value.get("extension_settings") if isinstance(value, dict) else None
    found = extensions.get("regex") if isinstance(extensions, dict) else None
    return found if isinstance(found, list) and regex_scripts.is_scripts(found) else []


# ---- the library -------------------------------------------------------------------------------


def row_of(house: House, found: FoundItem, object_hash: str, filename: str) -> StoredItem:
    """The row that puts it into the library."""
    return StoredItem(
        id=house.ids.new(),
        user_id=house.user_id,
        kind=found.kind,
        name=found.name,
        object_hash=object_hash,
        filename=filename,
        content=found.content,
        report=found.report,
        created_at=house.now(),
    )


async def load_item(house: House, kind: ItemKind, item_id: str) -> StoredItem:
    """Raises `NotFound` also for another user's, for one of another kind and for one in the trash."""
    item = await house.store.item(item_id)
    if item is None or item.user_id != house.user_id or item.kind != kind or item.deleted:
        raise NotFound.of(kind, item_id)
    return item


async def list_items(
    house: House, kind: ItemKind, page: Page
) -> tuple[list[StoredItem], str | None]:
    """The user's items of a kind, newest first; a damaged one is marked `broken`."""
    return await house.store.items(house.user_id, kind, page)


async def add_item(house: House, found: FoundItem) -> StoredItem:
    """Put something into the library that was made here."""
    row = row_of(house, found, "", "")
    return await _store(house, row)


async def change_item(
    house: House, item: StoredItem, revision: int, *, name: str, content: Mapping[str, object]
) -> StoredItem:
    """The item with another name and content, a version beside the former ones. Raises
    `Conflict("stale")`, `BadInput("unnamed")`."""
    if not name.strip():
        raise BadInput("unnamed", "A name is needed.")
    changed = replace(item, name=name.strip()[:MAX_NAME], content=content, revision=revision)
    return await _store(house, changed)


async def change_preset(
    house: House,
    item: StoredItem,
    revision: int,
    name: str | None,
    content: Mapping[str, object] | None,
) -> StoredItem:
    """A preset with another name or content, without what opens a connection. Raises
    `BadInput("not_a_preset")`, otherwise as `change_item`."""
    kept = item.content
    if content is not None:
        found = read_preset(cast("Json", content), item.name)  # a body is JSON
        if not isinstance(found, PresetFile):
            raise BadInput("not_a_preset", f"The content is no preset: {found.detail}.")
        kept = cast("Mapping[str, object]", found.raw)  # JSON is less than any object
    return await change_item(house, item, revision, name=name or item.name, content=kept)


async def versions(house: House, kind: ItemKind, item_id: str) -> list[ItemVersion]:
    """What each writing of an item made of it, oldest first."""
    await load_item(house, kind, item_id)
    return await house.store.item_versions(item_id)


async def _store(house: House, row: StoredItem) -> StoredItem:
    key: Key = (row.kind, row.id)
    done = await house.store.commit(Commit(expected={key: row.revision}, rows=(row,)))
    if isinstance(done, Stale):
        raise stale(done)
    return replace(row, revision=done.revisions[key])


# ---- handing out -------------------------------------------------------------------------------


async def export_item(house: House, kind: ItemKind, item_id: str) -> File:
    """An item as a file that its former home reads: every field as it came, a preset without what
    opens a connection. Raises `NotFound`."""
    item = await load_item(house, kind, item_id)
    content = cast("JsonObject", item.content)  # what the store gives back is JSON
    report = Report()
    match kind:
        case "preset":
            data, report = write_preset(content)
        case "persona":
            return await persona_files.write_personas(house, [personas.of_json(content)], item.name)
        case "scripts":
            data = dump_json(exported_scripts(content), indent=4).encode()
        case "quick_replies":
            data = dump_json(cast("Json", content), indent=4).encode()  # as above
    told = cast("Mapping[str, object]", report.to_json())  # JSON is less than any object
    return File(data, safe_name(item.name, "json"), "application/json", told)


async def export_personas(house: House) -> File:
    """All personas as one backup, the oldest first."""
    kept: list[personas.Kept] = []
    after: str | None = None
    while True:
        found, after = await house.store.items(house.user_id, "persona", Page(after, 200))
        # What the store gives back is JSON.
        kept += [personas.of_json(cast("JsonObject", one.content)) for one in found]
        if after is None:
            break
    return await persona_files.write_personas(house, kept[::-1], "personas")


def exported_scripts(content: JsonObject) -> Json:
    """Scripts in the shape of the file they came in."""
    raw = content.get("scripts")
    members = raw if isinstance(raw, list) else []
    return members[0] if content.get("single") is True and len(members) == 1 else members
