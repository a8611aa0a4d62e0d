"""What both databases promise to the full-text index: their tokenizers leave our tokens as they are."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, text

from huaben.adapters.db import engines, fulltext
from huaben.adapters.db.fulltext import NOTE_WORDS
from huaben.domain.finding import Begun
from huaben.domain.terms import text_tokens

WORDS = "灯雨夜ab7é'’ß가ーㄅคñΩжﬁ½①_-.:/@+é\u0301𠮷🏮 \n"
ODD = (
    "1e5 12.5 0x1F -3 a@b.c http://x.y/z?q=1 foo-bar",
    "don’t o'clock 3rd 2nd",
    "İstanbul ΣΊΣΥΦΟΣ",
)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def engine(
    request: pytest.FixtureRequest, places: Callable[[str], str | Path]
) -> Generator[Engine]:
    """A database that can be written to, without tables."""
    place = places(request.param)
    if isinstance(place, Path):
        place.mkdir()
        made = engines.sqlite_maker(place / "index.db")
    else:
        made = engines.postgresql_writer(place)
    yield made
    made.dispose()


def indexed(connection: Connection, words: str) -> None:
    fulltext.clear(connection, NOTE_WORDS)
    fulltext.add(connection, NOTE_WORDS, [(1, text_tokens(words))])


def terms(connection: Connection) -> set[str]:
    """Everything that the index holds."""
    if connection.dialect.name == "sqlite":
        return {str(row[0]) for row in connection.execute(text("SELECT term FROM cut"))}
    chosen = "SELECT unnest(tsvector_to_array(terms)) FROM note_words"
    return {str(row[0]) for row in connection.execute(text(chosen))}


@given(words=st.text(max_size=40) | st.text(alphabet=WORDS, max_size=40) | st.sampled_from(ODD))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_tokens_stay_what_they_are(engine: Engine, words: str) -> None:
    """Neither is one cut in two, nor changed, nor two made one, of whatever text; and each is found,
    also by its beginning."""
    tokens = set(text_tokens(words))
    with engine.connect() as connection, connection.begin() as transaction:
        fulltext.make(connection)
        if connection.dialect.name == "sqlite":
            connection.execute(
                text("CREATE VIRTUAL TABLE temp.cut USING fts5vocab(main, note_words, row)")
            )
        indexed(connection, words)
        assert terms(connection) == tokens
        for token in sorted(tokens)[:3]:
            for one in (Begun(token, open=False), Begun(token[:2], open=True)):
                condition = fulltext.matching(connection, NOTE_WORDS, [[one]])
                found = NOTE_WORDS.select().with_only_columns(NOTE_WORDS.c.rowid).where(condition)
                assert connection.execute(found).scalars().all() == [1]
        transaction.rollback()
