"""What lies in the trash, and how it goes for good; apart because nothing else deletes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from sqlalchemy import (
    Connection,
    Select,
    Table,
    and_,
    delete,
    literal,
    select,
    tuple_,
    union_all,
)

from huaben.adapters.db import (
    checkpoints,
    faces,
    item_schema,
    items,
    memory_schema,
    notes,
    plans,
    saves,
    saves_schema,
    schema,
    states,
    wording,
)
from huaben.adapters.db.codec import a_number, a_text, maybe_text
from huaben.adapters.db.jobs import begins
from huaben.adapters.db.rows import AnyRow
from huaben.domain.libraryitem import ITEM_KINDS
from huaben.ports import Page, Purged, Thing, TrashKind

_Chosen: TypeAlias = "Select[*tuple[Any, ...]]"  # pyright: ignore[reportExplicitAny] - a driver's values
_TABLES: Mapping[TrashKind, Table] = {
    "project": schema.project,
    "card": schema.card,
    "lorebook": schema.lorebook,
    "preset": item_schema.library_item,
    "persona": item_schema.library_item,
    "scripts": item_schema.library_item,
    "quick_replies": item_schema.library_item,
    "save": saves_schema.save,
}


def thing(connection: Connection, kind: TrashKind, thing_id: str) -> Thing | None:
    chosen = _things(kind).where(_TABLES[kind].c.id == thing_id)
    row = connection.execute(chosen).one_or_none()
    return None if row is None else _thing_of(row)


def trash(
    connection: Connection, user_id: str | None, page: Page, before: str
) -> tuple[list[Thing], str | None]:
    limit = min(max(page.limit, 1), 200)
    rows = union_all(*(_in_trash(kind, user_id, before) for kind in _TABLES)).subquery()
    chosen = select(rows).order_by(rows.c.deleted_at.desc(), rows.c.id.desc()).limit(limit + 1)
    if page.after is not None:
        moment, _, last = page.after.partition(" ")
        chosen = chosen.where(tuple_(rows.c.deleted_at, rows.c.id) < (moment, last))
    found = [_thing_of(row) for row in connection.execute(chosen)]
    last = found[limit - 1] if len(found) > limit else None
    return found[:limit], None if last is None else f"{last.deleted_at} {last.id}"


def _in_trash(kind: TrashKind, user_id: str | None, before: str) -> _Chosen:
    table = _TABLES[kind]
    chosen = _things(kind).where(table.c.deleted_at.is_not(None))
    if user_id is not None:
        chosen = chosen.where(table.c.user_id == user_id)
    return chosen.where(table.c.deleted_at < before) if before else chosen


def _things(kind: TrashKind) -> _Chosen:
    table = _TABLES[kind]
    c = table.c
    name = c.title if kind == "project" else c.name
    named = (literal(kind).label("kind"), name.label("name"))
    chosen = select(*named, c.id, c.user_id, c.deleted_at, c.revision)
    return chosen.where(c.kind == kind) if kind in ITEM_KINDS else chosen


def _thing_of(row: AnyRow) -> Thing:
    return Thing(
        cast("TrashKind", a_text(row.kind)),  # a literal of `_things`
        a_text(row.id),
        a_text(row.user_id),
        a_text(row.name),
        maybe_text(row.deleted_at) or "",
        a_number(row.revision),
    )


# ---- for good ----------------------------------------------------------------------------------


def purge(connection: Connection, row: Purged) -> None:
    """Delete it, unless it is in use."""
    table = _TABLES[row.kind]
    there = select(table.c.id).where(table.c.id == row.id, table.c.deleted_at.is_not(None))
    if connection.execute(there.with_for_update()).first() is None:
        return
    if row.kind == "project":
        _empty(connection, row.id)
    elif row.kind == "save":
        pass  # it holds nothing, and nothing names it
    elif _is_named(connection, row):
        return
    elif row.kind in ITEM_KINDS:
        items.forget(connection, row.id)
    elif row.kind == "card":
        items.forget(connection, row.id)
        faces.forget(connection, row.id)
        note = memory_schema.note.c
        notes.forget(connection, and_(note.card_id == row.id, note.project_id.is_(None)))
    connection.execute(delete(table).where(table.c.id == row.id))


def _is_named(connection: Connection, row: Purged) -> bool:
    """Whether a project, be it in the trash itself, plays with the thing."""
    if row.kind in ITEM_KINDS:
        return items.is_worn(connection, row.id)
    project = schema.project
    if row.kind == "card":
        named = project.c.card_id == row.id
    else:
        named = project.c.lorebook_ids.contains(f'"{row.id}"', autoescape=True)
    return connection.execute(select(project.c.id).where(named).limit(1)).first() is not None


def _empty(connection: Connection, project_id: str) -> None:
    """Delete all that belongs to a project. What its requests shared with others stays."""
    wording.forget(connection, project_id)
    notes.forget(connection, memory_schema.note.c.project_id == project_id)
    states.forget(connection, project_id)
    saves.forget(connection, project_id)
    checkpoints.forget(connection, project_id)
    plans.forget(connection, project_id)
    items.undress(connection, project_id)
    turns = select(schema.turn.c.id).where(schema.turn.c.project_id == project_id)
    for table, belongs in (
        (schema.visit, schema.visit.c.node_id.in_(turns)),
        (schema.turn_event, schema.turn_event.c.turn_id.in_(turns)),
        (schema.call, schema.call.c.project_id == project_id),
        (schema.head, schema.head.c.project_id == project_id),
        (schema.project_event, schema.project_event.c.project_id == project_id),
        (schema.turn, schema.turn.c.project_id == project_id),
        (schema.effect, begins(schema.effect.c.key, f"{project_id}/")),
        (schema.due, begins(schema.due.c.lane, f"{project_id}/")),
        (schema.lane, begins(schema.lane.c.name, f"{project_id}/")),
    ):
        connection.execute(delete(table).where(belongs))
