"""Notes as rows and back, and the search for them; one file per port.

A node sees the versions of its own path, which a recursive query walks; the index knows nothing of
branches, so what it finds is looked at from there afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, cast

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    exists,
    insert,
    or_,
    select,
)

from huaben.adapters.db import fulltext
from huaben.adapters.db.codec import a_number, a_text, maybe_text
from huaben.adapters.db.fulltext import NOTE_WORDS, Clauses
from huaben.adapters.db.memory_schema import note as table
from huaben.adapters.db.memory_schema import note_version
from huaben.adapters.db.paths import Paths, path_to
from huaben.adapters.db.rows import AnyRow, Values
from huaben.domain.finding import Begun
from huaben.domain.notes import Note, NoteAuthor, NoteKind, NoteSource, Vantage, in_scope
from huaben.domain.remembering import NoteHit, Question, best, note_tokens, question
from huaben.domain.terms import in_title
from huaben.ports import Page

_Chosen: TypeAlias = "Select[*tuple[Any, ...]]"  # pyright: ignore[reportExplicitAny] - a driver's values

_ENOUGH = 100
"""How many of each sort of match (title, all terms, any term) are ranked."""
_AT_ONCE = 10_000
_LATER = note_version.alias("later")
_BEHIND = (
    _LATER.c.note_id == note_version.c.note_id,
    _LATER.c.version > note_version.c.version,
)
"""Another version of the same note, written after it."""

SELECTED = select(
    table.c.id,
    table.c.user_id,
    table.c.kind,
    table.c.project_id,
    table.c.card_id,
    table.c.revision,
    note_version.c.serial,
    note_version.c.version,
    note_version.c.node,
    note_version.c.base,
    note_version.c.author,
    note_version.c.at,
    note_version.c.locked,
    note_version.c.removed,
    note_version.c.title,
    note_version.c.text,
    note_version.c.proposed,
).join_from(table, note_version, note_version.c.note_id == table.c.id)


# ---- writing -----------------------------------------------------------------------------------


def fixed_values(note: Note) -> Values:
    """What the first version settles."""
    return {
        "id": note.id,
        "user_id": note.user_id,
        "kind": note.kind,
        "source": note.source,
        "project_id": note.project_id,
        "card_id": note.card_id,
    }


def add_version(connection: Connection, note: Note, version: int) -> None:
    """Store a version under its number, and index it."""
    values: Values = {
        "note_id": note.id,
        "version": version,
        "node": note.node,
        "base": note.base,
        "author": note.author,
        "at": note.at,
        "locked": note.locked,
        "removed": note.removed,
        "title": note.title,
        "text": note.text,
        "proposed": note.proposed,
    }
    added = insert(note_version).values(values).returning(note_version.c.serial)
    serial = int(connection.execute(added).scalar_one())
    if note.proposed:  # nobody finds what is not in force
        return
    if version > 1:  # it keeps what the first one settled, whatever it says itself
        note = note_of(connection.execute(SELECTED.where(note_version.c.serial == serial)).one())
    fulltext.add(connection, NOTE_WORDS, [(serial, note_tokens(note))])


def forget(connection: Connection, which: ColumnElement[bool]) -> None:
    """Delete notes for good, with all their versions and the words they are found under."""
    found = SELECTED.where(which, note_version.c.proposed.is_(False))
    for some in _in_groups(connection.execute(found).all()):
        fulltext.remove(connection, NOTE_WORDS, _entries(some))
    gone = select(table.c.id).where(which)
    connection.execute(delete(note_version).where(note_version.c.note_id.in_(gone)))
    connection.execute(delete(table).where(which))


def index_all(connection: Connection) -> None:
    """Make the index anew from all versions."""
    fulltext.clear(connection, NOTE_WORDS)
    found = SELECTED.where(note_version.c.proposed.is_(False)).order_by(note_version.c.serial)
    for some in _in_groups(connection.execute(found).all()):
        fulltext.add(connection, NOTE_WORDS, _entries(some))


def _entries(found: Iterable[AnyRow]) -> list[fulltext.Entry]:
    return [(int(row.serial), note_tokens(note_of(row))) for row in found]


def _in_groups(found: Sequence[AnyRow]) -> Iterable[Sequence[AnyRow]]:
    return (found[at : at + _AT_ONCE] for at in range(0, len(found), _AT_ONCE))


# ---- reading -----------------------------------------------------------------------------------


def note(connection: Connection, note_id: str, vantage: Vantage | None) -> Note | None:
    chosen = SELECTED.where(table.c.id == note_id)
    if vantage is None:
        chosen = chosen.where(note_version.c.proposed.is_(False), ~_overtaken())
    else:
        chosen = chosen.where(or_(*_scopes(vantage)), _in_force(path_to(vantage.at)))
    row = connection.execute(chosen).one_or_none()
    return None if row is None else note_of(row)


def versions(connection: Connection, note_id: str) -> list[Note]:
    chosen = SELECTED.where(table.c.id == note_id).order_by(note_version.c.version)
    return [note_of(row) for row in connection.execute(chosen)]


def notes(
    connection: Connection,
    vantage: Vantage,
    page: Page,
    sources: Sequence[NoteSource],
    removed: bool,
) -> tuple[list[Note], str | None]:
    standing = and_(note_version.c.removed.is_(removed), _in_force(path_to(vantage.at)))
    return _page(connection, vantage, page, and_(table.c.source.in_(sources), standing))


def proposals(
    connection: Connection, vantage: Vantage, page: Page
) -> tuple[list[Note], str | None]:
    path = path_to(vantage.at)
    asked = and_(note_version.c.proposed.is_(True), _on(note_version.c.node, path))
    answered = exists().where(*_BEHIND, _on(_LATER.c.node, path))
    return _page(connection, vantage, page, and_(asked, ~answered))


def _page(
    connection: Connection, vantage: Vantage, page: Page, which: ColumnElement[bool]
) -> tuple[list[Note], str | None]:
    limit = min(max(page.limit, 1), 200)
    chosen = SELECTED.where(which).order_by(table.c.id.desc()).limit(limit + 1)
    if page.after is not None:
        chosen = chosen.where(table.c.id < page.after)
    # One after the other, so that each follows an index in its order.
    found = [
        note_of(row)
        for scope in _scopes(vantage)
        for row in connection.execute(chosen.where(scope))
    ]
    found.sort(key=lambda one: one.id, reverse=True)
    return found[:limit], found[limit - 1].id if len(found) > limit else None


def note_of(row: AnyRow) -> Note:
    return Note(
        id=a_text(row.id),
        user_id=a_text(row.user_id),
        kind=cast("NoteKind", a_text(row.kind)),  # written from the same type
        title=a_text(row.title),
        text=a_text(row.text),
        author=cast("NoteAuthor", a_text(row.author)),  # written from the same type
        at=a_text(row.at),
        project_id=maybe_text(row.project_id),
        card_id=maybe_text(row.card_id),
        node=maybe_text(row.node),
        base=a_number(row.base),
        locked=bool(row.locked),
        removed=bool(row.removed),
        proposed=bool(row.proposed),
        version=a_number(row.version),
        revision=a_number(row.revision),
    )


# ---- searching ---------------------------------------------------------------------------------


def search(
    connection: Connection,
    paths: Paths,
    vantage: Vantage,
    query: str,
    sources: Sequence[NoteSource],
    limit: int,
) -> list[NoteHit]:
    asked = question(vantage, query, sources)
    if not asked.terms or not sources:
        return []
    path = paths.of(connection, vantage.at)
    titled = [in_title(term) for term in asked.terms]
    serials = {
        serial
        for terms in (titled, asked.terms)
        for serial in _newest(connection, _clauses(asked, terms), path, _ENOUGH)
    }
    if len(serials) < limit and len(asked.terms) > 1:
        share = max(1, _ENOUGH // len(asked.terms))
        for term in asked.terms:
            serials.update(_newest(connection, _clauses(asked, [term]), path, share))
    return best(_read(connection, vantage, serials), query, limit)


def _clauses(asked: Question, terms: Iterable[str]) -> Clauses:
    """All of these terms, within the scopes and sources of the question."""
    clauses = [asked.scopes, asked.sources, *([term] for term in terms)]
    return [[Begun(token, open=False) for token in clause] for clause in clauses if clause]


def _newest(
    connection: Connection, clauses: Clauses, path: Container[str], enough: int
) -> Iterator[int]:
    """The numbers of the newest versions in force that match, at most `enough`. Those of other
    branches and those that were overtaken may be any number, so the matches are gone through in
    ever larger steps."""
    place = NOTE_WORDS.c.rowid
    columns = (note_version.c.note_id, note_version.c.version, note_version.c.node)
    chosen = (
        select(place, *columns)
        .join_from(NOTE_WORDS, note_version, note_version.c.serial == place)
        .where(fulltext.matching(connection, NOTE_WORDS, clauses))
        .order_by(place.desc())
    )
    step, before = _ENOUGH, None
    while True:
        further = chosen if before is None else chosen.where(place < before)
        found = connection.execute(further.limit(step)).all()
        seen = [row for row in found if row.node is None or row.node in path]
        for at in range(0, len(seen), _ENOUGH):
            some = seen[at : at + _ENOUGH]
            valid = _valid(connection, {str(row.note_id) for row in some}, path)
            hits = [int(row.rowid) for row in some if (row.note_id, row.version) in valid]
            yield from hits[:enough]
            enough -= len(hits)
            if enough <= 0:
                return
        if len(found) < step:
            return
        step, before = min(step * 4, _AT_ONCE), found[-1].rowid


def _valid(
    connection: Connection, note_ids: Collection[str], path: Container[str]
) -> set[tuple[str, int]]:
    """The versions of these notes that are in force, without those that remove one."""
    columns = (note_version.c.note_id, note_version.c.version, note_version.c.node)
    chosen = select(*columns, note_version.c.removed).where(
        note_version.c.note_id.in_(note_ids), note_version.c.proposed.is_(False)
    )
    newest = {
        str(row.note_id): row
        for row in connection.execute(chosen.order_by(note_version.c.version))
        if row.node is None or row.node in path
    }
    return {(note_id, int(row.version)) for note_id, row in newest.items() if not row.removed}


def _read(connection: Connection, vantage: Vantage, serials: Iterable[int]) -> list[Note]:
    """These versions, newest first."""
    # By their numbers alone: any other condition could lead a planner astray, to all notes.
    chosen = SELECTED.where(note_version.c.serial.in_(list(serials)))
    read = map(note_of, connection.execute(chosen.order_by(note_version.c.serial.desc())))
    return [one for one in read if in_scope(one, vantage)]


# ---- branches ----------------------------------------------------------------------------------


def _in_force(path: CTE) -> ColumnElement[bool]:
    """The newest version of its note on the path."""
    newest = note_version.c.version == table.c.revision
    here = and_(note_version.c.proposed.is_(False), _on(note_version.c.node, path))
    return and_(here, or_(newest, ~_overtaken(path)))


def _overtaken(path: CTE | None = None) -> ColumnElement[bool]:
    """A later version is in force, on the path or, without one, anywhere."""
    overtaken = exists().where(*_BEHIND, _LATER.c.proposed.is_(False))
    return overtaken if path is None else overtaken.where(_on(_LATER.c.node, path))


def _on(node: ColumnElement[str], path: CTE) -> ColumnElement[bool]:
    return or_(node.is_(None), node.in_(select(path.c.id)))


def _scopes(vantage: Vantage) -> list[ColumnElement[bool]]:
    """As `domain.notes.in_scope`: the project's own, and those of the card that are not."""
    own = table.c.project_id == vantage.project_id
    if vantage.card_id is None:
        return [own]
    elsewhere = or_(table.c.project_id.is_(None), ~own)
    shared = and_(table.c.card_id == vantage.card_id, table.c.source == "card", elsewhere)
    return [own, shared]
