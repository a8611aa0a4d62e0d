"""The words of stories as the full-text index holds them, and the search for them; apart from the rows
of turns, which nobody reads to find something.

A long text is indexed in pieces, each a `passage` row; a turn is indexed again only where its words
have changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, delete, insert, select, tuple_

from huaben.adapters.db import codec, fulltext, schema
from huaben.adapters.db.codec import a_text, maybe_text
from huaben.adapters.db.fulltext import STORY_WORDS
from huaben.adapters.db.memory_schema import passage
from huaben.adapters.db.rows import AnyRow
from huaben.domain.finding import PARTS, Begun, StoryPart, parts, parts_of, sought
from huaben.domain.story import Turn
from huaben.domain.terms import passages, scope_token, text_tokens
from huaben.ports import Page, StoryMatch

Parts: TypeAlias = Mapping[StoryPart, str]
NOTHING: Parts = {}
"""What is stored of a turn that does not exist."""

_AT_ONCE = 200
_turn = schema.turn
_WORDS: Sequence[ColumnElement[Any]] = (  # pyright: ignore[reportExplicitAny] - of many types
    _turn.c.id,
    _turn.c.project_id,
    _turn.c.user_text,
    _turn.c.asked,
    _turn.c.final_text,
    _turn.c.revises_text,
)


def stored_parts(connection: Connection, turn_id: str) -> Parts:
    """What is stored of a turn's words; nothing of a turn that does not exist."""
    row = connection.execute(select(*_WORDS).where(_turn.c.id == turn_id)).one_or_none()
    return {} if row is None else _parts(row)


def renew(connection: Connection, turn: Turn, before: Parts) -> None:
    """Index what the stored turn now says differently from `before`."""
    after = parts_of(turn)
    for part in PARTS:
        if before.get(part, "") != after[part]:
            if before.get(part):
                _remove(connection, turn, part, before[part])
            _add(connection, turn.id, turn.project_id, part, after[part])


def forget(connection: Connection, project_id: str) -> None:
    """Take all turns of a project out of the index."""
    turns = select(_turn.c.id).where(_turn.c.project_id == project_id)
    for row in connection.execute(select(*_WORDS).where(_turn.c.project_id == project_id)).all():
        for part, text in _parts(row).items():
            serials = _serials(connection, str(row.id), part)
            fulltext.remove(connection, STORY_WORDS, _entries(project_id, serials, text))
    connection.execute(delete(passage).where(passage.c.turn_id.in_(turns)))


def index_all(connection: Connection) -> None:
    """Make the index anew from all turns."""
    fulltext.clear(connection, STORY_WORDS)
    connection.execute(delete(passage))
    after = ""
    while True:
        some = select(*_WORDS).where(_turn.c.id > after).order_by(_turn.c.id).limit(_AT_ONCE)
        found = connection.execute(some).all()
        for row in found:
            for part, text in _parts(row).items():
                _add(connection, str(row.id), str(row.project_id), part, text)
        if not found:
            return
        after = str(found[-1].id)


def search(
    connection: Connection, project_id: str, query: str, page: Page
) -> tuple[list[StoryMatch], str | None]:
    wanted = sought(query)
    if not wanted.tokens:
        return [], None
    limit = min(max(page.limit, 1), 200)
    clauses = [[Begun(scope_token(project_id), open=False)], *([one] for one in wanted.tokens)]
    place = (passage.c.turn_id, passage.c.part)
    chosen = (
        select(*place)
        .distinct()
        .join(STORY_WORDS, STORY_WORDS.c.rowid == passage.c.serial)
        .join(_turn, _turn.c.id == passage.c.turn_id)
        .where(fulltext.matching(connection, STORY_WORDS, clauses))
        .where(_turn.c.project_id == project_id, _turn.c.deleted.is_(False))
        .order_by(*(column.desc() for column in place))
        .limit(limit + 1)
    )
    if page.after is not None:
        turn_id, _, part = page.after.partition(" ")
        chosen = chosen.where(tuple_(*place) < (turn_id, int(part or 0)))
    found = connection.execute(chosen).all()
    matches = [StoryMatch(a_text(row.turn_id), PARTS[int(row.part)]) for row in found[:limit]]
    last = found[limit - 1] if len(found) > limit else None
    return matches, None if last is None else f"{last.turn_id} {last.part}"


def _parts(row: AnyRow) -> Parts:
    """The words of a row of `_WORDS`; what is damaged is not found, and is the audit's to tell."""
    revised = maybe_text(row.revises_text)
    try:
        asked = codec.asked_from(a_text(row.asked))
    except codec.Undecodable:
        asked = ()
    return parts(
        a_text(row.user_text), asked, a_text(row.final_text if revised is None else revised)
    )


def _add(connection: Connection, turn_id: str, project_id: str, part: StoryPart, text: str) -> None:
    place = {"turn_id": turn_id, "part": PARTS.index(part)}
    added = insert(passage).values(place).returning(passage.c.serial)
    serials = [int(connection.execute(added).scalar_one()) for _ in passages(text)]
    fulltext.add(connection, STORY_WORDS, _entries(project_id, serials, text))


def _remove(connection: Connection, turn: Turn, part: StoryPart, text: str) -> None:
    serials = _serials(connection, turn.id, part)
    fulltext.remove(connection, STORY_WORDS, _entries(turn.project_id, serials, text))
    connection.execute(delete(passage).where(passage.c.serial.in_(serials)))


def _serials(connection: Connection, turn_id: str, part: StoryPart) -> list[int]:
    of_part = (passage.c.turn_id == turn_id, passage.c.part == PARTS.index(part))
    found = select(passage.c.serial).where(*of_part).order_by(passage.c.serial)
    return [int(serial) for serial in connection.execute(found).scalars()]


def _entries(project_id: str, serials: Sequence[int], text: str) -> Iterator[fulltext.Entry]:
    scope = scope_token(project_id)
    # Strict only where nothing is damaged: then there is a passage for each piece.
    for serial, piece in zip(serials, passages(text), strict=False):
        yield serial, (scope, *text_tokens(piece))
