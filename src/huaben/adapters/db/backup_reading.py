"""What an archive holds, and what of the present it does not; apart from restoring it, which comes later
if at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from sqlalchemy import Connection, Table, select

from huaben.adapters.db import schema
from huaben.adapters.db.backup_archive import Entry, Unpacking, damaged, opened
from huaben.adapters.db.backup_rows import rows
from huaben.errors import BadInput, NotFound
from huaben.ports.vault import Contents, Newer, Preview, ProjectAside

_KEPT: Final = ("project", "card", "lorebook", "turn")
"""Tables whose ids are compared with the present."""


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids of what an archive holds, by table."""

    of: Mapping[str, set[str]] = field(default_factory=lambda: {name: set[str]() for name in _KEPT})


@dataclass(frozen=True, slots=True)
class Known:
    """An archive that was read to its end and found sound."""

    contents: Contents
    ids: Ids


def read(archive: Path, going_on: Callable[[], None]) -> Known:
    """Read all of it. Raises `NotFound`, `BadInput` as `Vault.look_into`."""
    if not archive.is_file():
        raise NotFound("backup_not_found", f"There is no backup {archive}.", path=str(archive))
    with opened(archive, going_on) as unpacking:
        contents = contents_of(unpacking.facts, unpacking.entries)
        check_schema(contents)
        ids = Ids()
        for name in unpacking.entries:
            table = table_of(name)
            if table is None:
                for _ in unpacking.pieces(name):
                    pass
            else:
                _check_table(unpacking, name, contents, ids)
        missing = contents.tables.keys() - {table_of(name) for name in unpacking.entries}
        if missing:
            raise damaged(f"the table {min(missing)} is missing")
    return Known(contents, ids)


def table_of(name: str) -> str | None:
    """The table whose rows a member holds, if it is such a one."""
    folder, _, file = name.partition("/")
    return file.removesuffix(".jsonl") if folder == "tables" else None


def _check_table(unpacking: Unpacking, name: str, contents: Contents, ids: Ids) -> None:
    table = table_of(name) or ""
    kept = ids.of.get(table)
    number = 0
    with closing(unpacking.pieces(name)) as pieces:
        for row in rows(table, pieces):
            number += 1
            if kept is not None:
                kept.add(str(row.get("id")))
    if number != contents.tables.get(table):
        raise damaged(f"the table {table} has {number:,} rows, not as many as the list says")


# ---- what it says of itself --------------------------------------------------------------------


def contents_of(facts: Mapping[str, object], entries: Mapping[str, Entry]) -> Contents:
    """Raises `BadInput("backup_damaged")` when it says it in another way than ours."""
    tables = facts.get("tables")
    left_out = facts.get("left_out")
    if not isinstance(tables, dict) or not isinstance(left_out, list):
        raise damaged("it does not say what is in it")
    counts = cast("dict[str, object]", tables)  # the keys of a JSON object are strings
    objects = sum(name.startswith("objects/") for name in entries)
    beside = sum(not name.startswith(("objects/", "tables/", "README")) for name in entries)
    return Contents(
        at=_text(facts, "at"),
        version=_text(facts, "version"),
        schema=_text(facts, "schema"),
        projects=_number(facts, "projects"),
        turns=_number(facts, "turns"),
        cards=_number(facts, "cards"),
        lorebooks=_number(facts, "lorebooks"),
        objects=objects,
        files=beside,
        last_turn=_text(facts, "last_turn"),
        left_out=tuple(str(one) for one in cast("list[object]", left_out)),
        tables={name: _number(counts, name) for name in counts},
    )


def _text(facts: Mapping[str, object], name: str) -> str:
    value = facts.get(name)
    if not isinstance(value, str) or len(value) > 1_000:
        raise damaged(f"it does not say its {name}")
    return value


def _number(facts: Mapping[str, object], name: str) -> int:
    value = facts.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise damaged(f"it does not say the number of its {name}")
    return value


def check_schema(contents: Contents) -> None:
    """Raises `BadInput("backup_newer")` for a schema that this program does not know."""
    if contents.schema == schema.HEAD:
        return
    from huaben.adapters.db import migrating  # here because it imports slowly and rarely

    if not migrating.is_known(contents.schema):
        raise BadInput(
            "backup_newer",
            f"The backup has schema {contents.schema}, which this version does not know.",
            "Restore it with the version that wrote it, or a newer one. Nothing was changed.",
        )


# ---- what is here ------------------------------------------------------------------------------


def compare(connection: Connection, known: Known) -> Preview:
    """What a restore would bring, and what is here and not in the archive."""
    projects, turns = _turns_aside(connection, known.ids)
    newer = Newer(
        projects,
        turns,
        _aside(connection, schema.card, known.ids.of["card"]),
        _aside(connection, schema.lorebook, known.ids.of["lorebook"]),
    )
    return Preview(known.contents, newer)


def _turns_aside(
    connection: Connection, ids: Ids
) -> tuple[tuple[ProjectAside, ...], tuple[ProjectAside, ...]]:
    """Projects that the archive has not, and those of which it lacks turns."""
    project, turn = schema.project, schema.turn
    lacking: dict[str, int] = {}
    for project_id, turn_id in _streamed(connection, turn):
        if turn_id not in ids.of["turn"]:
            lacking[project_id] = lacking.get(project_id, 0) + 1
    whole: list[ProjectAside] = []
    part: list[ProjectAside] = []
    living = select(project.c.id, project.c.title).where(project.c.deleted_at.is_(None))
    for row in connection.execute(living.order_by(project.c.id.desc())):
        found = ProjectAside(str(row.id), str(row.title), lacking.get(str(row.id), 0))
        if found.id not in ids.of["project"]:
            whole.append(found)
        elif found.turns:
            part.append(found)
    return tuple(whole), tuple(part)


def _streamed(connection: Connection, turn: Table) -> Iterator[tuple[str, str]]:
    chosen = select(turn.c.project_id, turn.c.id).where(turn.c.kind == "turn")
    for row in connection.execute(chosen.execution_options(yield_per=1000)):
        yield str(row.project_id), str(row.id)


def _aside(connection: Connection, table: Table, held: set[str]) -> int:
    living = select(table.c.id).where(table.c.deleted_at.is_(None))
    return sum(str(row.id) not in held for row in connection.execute(living))
