"""The full-text indexes, as either database has them: FTS5 without content on SQLite, `tsvector` on
PostgreSQL; apart so that nothing else knows which.

Both hold our own tokens (`domain.terms`), which their tokenizers leave as they are, and answer only
which texts have them: ranking is ours. They are derived data, and are made anew after each migration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    TableClause,
    Text,
    bindparam,
    column,
    delete,
    func,
    insert,
    literal_column,
    table,
    text,
)

from huaben.domain.finding import Begun

NOTE_WORDS = table("note_words", column("rowid", BigInteger), column("terms", Text))
STORY_WORDS = table("story_words", column("rowid", BigInteger), column("terms", Text))
_INDEXES = (NOTE_WORDS, STORY_WORDS)

Clauses: TypeAlias = Sequence[Sequence[Begun]]
"""Of each clause at least one token."""
Entry: TypeAlias = tuple[int, Iterable[str]]
"""The number of a text, and its tokens."""

_MAKE: Mapping[str, Sequence[str]] = {
    "sqlite": (
        "CREATE VIRTUAL TABLE {name} USING fts5(terms, content = '', columnsize = 0,"
        " detail = 'none', tokenize = 'unicode61 remove_diacritics 0')",
    ),
    "postgresql": (
        "CREATE TABLE {name} (rowid BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL)",
        "CREATE INDEX ix_{name}_terms ON {name} USING gin (terms)",
    ),
}
_SPELLING = {"sqlite": (" AND ", " OR ", "*"), "postgresql": (" & ", " | ", ":*")}


def make(connection: Connection) -> None:
    """Make the indexes, empty."""
    for words in _INDEXES:
        for statement in _MAKE[connection.dialect.name]:
            connection.exec_driver_sql(statement.format(name=words.name))


def is_known(name: str) -> bool:
    """Whether a table of that name belongs to an index, and so is not the metadata's."""
    return any(name == words.name or name.startswith(f"{words.name}_") for words in _INDEXES)


def matching(connection: Connection, words: TableClause, clauses: Clauses) -> ColumnElement[bool]:
    """The condition that a text of the index has a token of each clause; at least one clause."""
    both, either, more = _SPELLING[connection.dialect.name]
    query = both.join(
        f"({either.join(one.token + more * one.open for one in clause)})" for clause in clauses
    )
    if connection.dialect.name == "sqlite":
        # The column that bears the table's name; one column alone cannot be asked (`detail`).
        return literal_column(words.name).bool_op("MATCH")(query)
    return words.c.terms.bool_op("@@")(func.to_tsquery(literal_column("'simple'"), query))


def add(connection: Connection, words: TableClause, entries: Iterable[Entry]) -> None:
    """Index texts that are not in the index."""
    values = _values(entries)
    if not values:
        return
    if connection.dialect.name == "sqlite":
        connection.execute(insert(words), values)
    else:
        terms = func.to_tsvector(literal_column("'simple'"), bindparam("terms"))
        connection.execute(insert(words).values(terms=terms), values)


def remove(connection: Connection, words: TableClause, entries: Iterable[Entry]) -> None:
    """Take texts out of the index, with exactly the tokens under which they are in it."""
    values = _values(entries)
    if not values:
        return
    if connection.dialect.name == "sqlite":
        forget = f"INSERT INTO {words.name}({words.name}, rowid, terms)"
        connection.execute(text(f"{forget} VALUES ('delete', :rowid, :terms)"), values)
    else:
        gone = [value["rowid"] for value in values]
        connection.execute(delete(words).where(words.c.rowid.in_(gone)))


def clear(connection: Connection, words: TableClause) -> None:
    """Take everything out of the index."""
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"INSERT INTO {words.name}({words.name}) VALUES ('delete-all')"))
    else:
        connection.execute(delete(words))


def _values(entries: Iterable[Entry]) -> list[dict[str, object]]:
    return [{"rowid": serial, "terms": " ".join(tokens)} for serial, tokens in entries]
