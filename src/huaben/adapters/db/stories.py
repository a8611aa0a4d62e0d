"""Reads of projects and their trees; one file per port.

The skeleton of a tree is read without its words, and words only of the turns that are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, select

from huaben.adapters.db import codec, rows, schema, segments
from huaben.adapters.db.library import page_of
from huaben.adapters.db.rows import AnyRow
from huaben.domain.project import RECORD, Project, ProjectKind
from huaben.domain.story import Node, Revision, Told, Turn
from huaben.ports import Head, Page

_AT_ONCE = 500

_SKELETON = (
    select(*rows.NODE_COLUMNS)
    .join_from(schema.turn, schema.visit, schema.turn.c.id == schema.visit.c.node_id, isouter=True)
    .where(schema.turn.c.project_id == bindparam("project_id"))
    .order_by(schema.turn.c.id)
)

_TOLD: Sequence[ColumnElement[Any]] = (  # pyright: ignore[reportExplicitAny] - of many types
    schema.turn.c.id,
    schema.turn.c.title,
    schema.turn.c.user_text,
    schema.turn.c.asked,
    schema.turn.c.final_text,
    schema.turn.c.version,
    schema.turn.c.revises_turn,
    schema.turn.c.revises_version,
    schema.turn.c.revises_text,
)
_NOTHING_ASKED = codec.asked_to(())


def project(connection: Connection, project_id: str) -> Project | None:
    table = schema.project
    found = connection.execute(select(table).where(table.c.id == project_id)).all()
    return next(iter(_projects(connection, found)), None)


def projects(
    connection: Connection, user_id: str, page: Page, kind: ProjectKind
) -> tuple[list[Project], str | None]:
    record = schema.project.c.id.startswith(RECORD, autoescape=True)
    only = record if kind == "precompiled" else ~record
    found, following = page_of(connection, schema.project, user_id, page, only)
    return _projects(connection, found), following


def latest_project(connection: Connection, user_id: str, card_id: str) -> Project | None:
    table = schema.project
    found = connection.execute(
        select(table)
        .where(table.c.user_id == user_id, table.c.card_id == card_id, table.c.deleted.is_(False))
        .order_by(table.c.id.desc())
        .limit(1)
    ).all()
    return next(iter(_projects(connection, found)), None)


def head(connection: Connection, project_id: str) -> Head | None:
    table = schema.head
    row = connection.execute(select(table).where(table.c.project_id == project_id)).one_or_none()
    return None if row is None else rows.head_of(row)


def skeleton(connection: Connection, project_id: str) -> list[Node]:
    return rows.nodes_of(connection.execute(_SKELETON, {"project_id": project_id}).all())


def turn(connection: Connection, turn_id: str) -> Turn | None:
    return turns(connection, [turn_id]).get(turn_id)


def turns(connection: Connection, turn_ids: Iterable[str]) -> dict[str, Turn]:
    wanted = list(dict.fromkeys(turn_ids))
    found = _by_id(connection, select(schema.turn), wanted)
    read = {turn.id: turn for turn in _turns(connection, found)}
    return {turn_id: read[turn_id] for turn_id in wanted if turn_id in read}


def told(connection: Connection, turn_ids: Iterable[str]) -> dict[str, Told]:
    wanted = list(dict.fromkeys(turn_ids))
    read = {each.id: each for each in _told_of(_by_id(connection, select(*_TOLD), wanted))}
    return {turn_id: read[turn_id] for turn_id in wanted if turn_id in read}


def _by_id(
    connection: Connection,
    chosen: Select[Any],  # pyright: ignore[reportExplicitAny] - rows of any columns
    wanted: Sequence[str],
) -> list[AnyRow]:
    found: list[AnyRow] = []
    for at in range(0, len(wanted), _AT_ONCE):
        some = wanted[at : at + _AT_ONCE]
        found.extend(connection.execute(chosen.where(schema.turn.c.id.in_(some))).all())
    return found


def _told_of(found: Sequence[AnyRow]) -> list[Told]:
    """Unchecked, as nodes are: a story has ten thousand, and the columns' types are the database's."""
    return [
        Told(
            id, title, user_text,
            () if asked == _NOTHING_ASKED else codec.asked_from(asked),
            final_text, version,
            None if target is None else Revision(target, revised_version, revised_text),
        )
        for (
            id, title, user_text, asked, final_text, version, target, revised_version, revised_text
        ) in found
    ]  # fmt: skip


def turn_by_request(connection: Connection, project_id: str, request_id: str) -> Turn | None:
    table = schema.turn
    found = connection.execute(
        select(table).where(table.c.project_id == project_id, table.c.request_id == request_id)
    ).all()
    return next(iter(_turns(connection, found)), None)


def unended(connection: Connection) -> list[Turn]:
    table, project = schema.turn, schema.project
    found = connection.execute(
        select(table)
        .join(project, project.c.id == table.c.project_id)
        .where(table.c.run != "ended", table.c.deleted.is_(False), project.c.deleted.is_(False))
        .order_by(table.c.id)
    ).all()
    return _turns(connection, found)


def turns_after(connection: Connection, turn_id: str) -> int:
    table = schema.turn
    chosen = select(func.count()).where(table.c.id > turn_id, table.c.kind == "turn")
    return int(connection.execute(chosen.select_from(table)).scalar_one())


def _projects(connection: Connection, found: Sequence[AnyRow]) -> list[Project]:
    configs = _configs(connection, found)
    return [rows.project_of(row, configs[codec.a_bytes(row.config)]) for row in found]


def _turns(connection: Connection, found: Sequence[AnyRow]) -> list[Turn]:
    configs = _configs(connection, found)
    return [rows.turn_of(row, configs[codec.a_bytes(row.config)]) for row in found]


def _configs(connection: Connection, found: Sequence[AnyRow]) -> dict[bytes, Mapping[str, object]]:
    """The resolved configurations of these rows; few, because turns share them."""
    wanted = {codec.a_bytes(row.config) for row in found}
    contents = segments.load(connection, wanted)
    if wanted - contents.keys():
        raise codec.Undecodable("the stored configuration of a project or turn is missing")
    return {name: codec.object_from(content) for name, content in contents.items()}
