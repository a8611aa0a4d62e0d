"""Presets, personas, scripts and quick replies, what a story is dressed with and what the user lets run, as
rows and back; one file per port."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from sqlalchemy import Connection, delete, insert, select

from huaben.adapters.db import codec
from huaben.adapters.db.codec import a_number, a_text, maybe_text
from huaben.adapters.db.item_schema import consent, dressing, library_item, library_version
from huaben.adapters.db.library import page_of
from huaben.adapters.db.rows import AnyRow, Values
from huaben.domain.card import CardRole
from huaben.domain.dressing import AuthorsNote, Dressing, NotePlace
from huaben.domain.libraryitem import Consent, ItemKind, ItemVersion, StoredItem
from huaben.ports import Page

# ---- the library -------------------------------------------------------------------------------


def item(connection: Connection, item_id: str) -> StoredItem | None:
    row = connection.execute(select(library_item).where(library_item.c.id == item_id)).one_or_none()
    return None if row is None else item_of(row)


def items(
    connection: Connection, user_id: str, kind: ItemKind, page: Page
) -> tuple[list[StoredItem], str | None]:
    only = library_item.c.kind == kind
    found, following = page_of(connection, library_item, user_id, page, only)
    return [_listed(row) for row in found], following


def find_item(
    connection: Connection, user_id: str, kind: ItemKind, object_hash: str
) -> StoredItem | None:
    c = library_item.c
    same = select(library_item).where(
        c.user_id == user_id,
        c.kind == kind,
        c.object_hash == object_hash,
        c.deleted.is_(False),
    )
    row = connection.execute(same.order_by(c.id.desc()).limit(1)).one_or_none()
    return None if row is None else item_of(row)


def item_versions(connection: Connection, item_id: str) -> list[ItemVersion]:
    c = library_version.c
    found = connection.execute(
        select(library_version).where(c.item_id == item_id).order_by(c.version)
    )
    return [
        ItemVersion(a_number(row.version), a_text(row.name), codec.object_from(a_text(row.content)))
        for row in found
    ]


def item_values(row: StoredItem) -> Values:
    return {
        "id": row.id,
        "user_id": row.user_id,
        "kind": row.kind,
        "name": row.name,
        "object_hash": row.object_hash,
        "filename": row.filename,
        "created_at": row.created_at,
        "deleted": row.deleted,
        "deleted_at": row.deleted_at or None,
        "report": codec.to_json(row.report),
        "content": codec.to_json(row.content),
    }


def item_of(row: AnyRow) -> StoredItem:
    return StoredItem(
        id=a_text(row.id),
        user_id=a_text(row.user_id),
        kind=cast("ItemKind", a_text(row.kind)),  # written from the same type
        name=a_text(row.name),
        object_hash=a_text(row.object_hash),
        filename=a_text(row.filename),
        content=codec.object_from(a_text(row.content)),
        report=codec.object_from(a_text(row.report)),
        created_at=a_text(row.created_at),
        deleted=bool(row.deleted),
        revision=a_number(row.revision),
        deleted_at=maybe_text(row.deleted_at) or "",
    )


def _listed(row: AnyRow) -> StoredItem:
    """The row as a list shows it: one that cannot be read is marked, and hides no other."""
    try:
        return item_of(row)
    except codec.Undecodable as fault:
        return StoredItem(
            id=str(row.id),
            user_id=str(row.user_id),
            kind=cast("ItemKind", str(row.kind)),  # as above
            name=str(row.name),
            object_hash=str(row.object_hash),
            filename=str(row.filename),
            content={},
            report={},
            created_at=str(row.created_at),
            revision=int(row.revision),
            broken=str(fault),
        )


def add_version(connection: Connection, row: StoredItem, version: int) -> None:
    """Keep the item as this writing leaves it."""
    values: Values = {
        "item_id": row.id,
        "version": version,
        "name": row.name,
        "content": codec.to_json(row.content),
    }
    connection.execute(insert(library_version).values(values))


def forget(connection: Connection, item_id: str) -> None:
    """Delete what an item leaves beside its row: its versions, and the consent to its scripts."""
    connection.execute(delete(library_version).where(library_version.c.item_id == item_id))
    connection.execute(delete(consent).where(consent.c.owner == item_id))


def is_worn(connection: Connection, item_id: str) -> bool:
    """Whether a project is dressed with the item."""
    worn = (dressing.c.preset_id == item_id) | (dressing.c.persona_id == item_id)
    return (
        connection.execute(select(dressing.c.project_id).where(worn).limit(1)).first() is not None
    )


# ---- dressing and consent ----------------------------------------------------------------------


def dressing_at(connection: Connection, project_id: str) -> Dressing | None:
    chosen = select(dressing).where(dressing.c.project_id == project_id)
    row = connection.execute(chosen).one_or_none()
    return None if row is None else _dressing_of(row)


def dressing_values(row: Dressing) -> Values:
    return {
        "project_id": row.project_id,
        "preset_id": row.preset_id,
        "persona_id": row.persona_id,
        "note": codec.to_json(_note_fields(row)),
    }


def _note_fields(row: Dressing) -> Values:
    note = row.note
    return {
        "text": note.text,
        "interval": note.interval,
        "depth": note.depth,
        "place": note.place,
        "role": note.role,
        "kept": row.kept,
    }


def _dressing_of(row: AnyRow) -> Dressing:
    told = codec.object_from(a_text(row.note))
    kept = told.get("kept")
    note = AuthorsNote(
        text=a_text(told.get("text")),
        interval=a_number(told.get("interval")),
        depth=a_number(told.get("depth")),
        place=cast("NotePlace", a_text(told.get("place"))),  # written from the same type
        role=cast("CardRole", a_text(told.get("role"))),  # written from the same type
    )
    return Dressing(
        project_id=a_text(row.project_id),
        preset_id=maybe_text(row.preset_id),
        persona_id=maybe_text(row.persona_id),
        note=note,
        kept=None if kept is None else codec.an_object(kept),
        revision=a_number(row.revision),
    )


def undress(connection: Connection, project_id: str) -> None:
    connection.execute(delete(dressing).where(dressing.c.project_id == project_id))


def consents(connection: Connection, user_id: str) -> list[Consent]:
    found = connection.execute(
        select(consent).where(consent.c.user_id == user_id).order_by(consent.c.owner)
    )
    return [
        Consent(
            a_text(row.user_id),
            a_text(row.owner),
            a_text(row.digest),
            a_text(row.given_at),
            a_number(row.revision),
        )
        for row in found
    ]


def consent_values(row: Consent) -> Values:
    return {
        "user_id": row.user_id,
        "owner": row.owner,
        "digest": row.digest,
        "given_at": row.given_at,
    }


# ---- soundness ---------------------------------------------------------------------------------


def picture_faults(
    connection: Connection, has_object: Callable[[str], bool] | None
) -> Iterator[str]:
    """The pictures of personas that lack their object; nothing where objects are not this store's to
    look for, nor of what cannot be read, which is told elsewhere."""
    if has_object is None:
        return
    c = library_item.c
    chosen = select(c.id, c.content).where(c.kind == "persona").order_by(c.id)
    for row in connection.execute(chosen):
        try:
            kept = codec.object_from(a_text(row.content)).get("picture")
        except codec.Undecodable:
            continue
        if isinstance(kept, str) and kept and not has_object(kept):
            yield f"the picture of persona {row.id} lacks its object {kept}"


def faults(connection: Connection) -> Iterator[str]:
    """Versions and dressings that cannot be read, and dressings with what is not there."""
    for row in connection.execute(select(library_version)):
        try:
            codec.object_from(a_text(row.content))
        except codec.Undecodable as fault:
            yield f"version {row.version} of library item {row.item_id} is damaged: {fault}"
    known = {str(row.id) for row in connection.execute(select(library_item.c.id))}
    for row in connection.execute(select(dressing)):
        try:
            _dressing_of(row)
        except codec.Undecodable as fault:
            yield f"the dressing of project {row.project_id} is damaged: {fault}"
        for named in (row.preset_id, row.persona_id):
            if named is not None and named not in known:
                yield f"project {row.project_id} is dressed with {named}, which is not there"
