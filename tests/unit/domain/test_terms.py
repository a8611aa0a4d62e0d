"""Texts and questions as tokens: what a question asks for is among what a text is found under."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.terms import (
    PASSAGE_CHARS,
    WORD_CHARS,
    in_title,
    passages,
    query_tokens,
    scope_token,
    spelled,
    text_tokens,
)


def answers(query: str, text: str) -> bool:
    asked = query_tokens(query)
    return bool(asked) and set(asked) <= set(text_tokens(text))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("沈砚", "雨夜，沈砚推开了门。"),
        ("伞", "她把旧伞递过去。"),
        ("旧伞", "她把旧伞递过去。"),
        ("lantern", "A Lantern hung there."),
        ("沈砚的lantern", "沈砚的 lantern 还亮着。"),
        ("沈砚 lantern", "The lantern is 沈砚's."),
        ("Yan", "It was Yan’s umbrella."),
        ("Yan's", "It was Yan’s umbrella."),
        ("café", "At the CAFE\u0301, later."),
        ("Zoë", "zoë said"),
        ("앨리스", "앨리스가 말했다"),
        ("ที่", "อยู่ที่นี่"),
        ("ＡＢＣ", "abc"),
        ("地名7", "去地名7的路"),
        ("地名", "去地名7的路"),
        ("7", "去地名7的路"),
        ("𠮷野", "𠮷野家"),
        ("straße", "STRASSE"),
    ],
)
def test_a_text_is_found_by_what_stands_in_it(query: str, text: str) -> None:
    """Names of two characters, words, both together, in any script and width."""
    assert answers(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("地名7", "去地名77的路"),
        ("main", "Maine"),
        ("house", "lighthouse"),
        ("沈砚", "沈家的砚台"),
        ("스가", "앨리스가"),
        ("？！…", "？！…"),
        ("", "anything"),
    ],
)
def test_what_only_looks_alike_is_not_found(query: str, text: str) -> None:
    """Another number, a word inside another, two characters that do not touch, no words at all."""
    assert not answers(query, text)


def test_characters_are_asked_for_in_pairs() -> None:
    """A single character is everywhere, so it is asked for only when it stands alone."""
    assert query_tokens("旧油纸伞") == ("旧油", "油纸", "纸伞")
    assert query_tokens("伞") == ("伞",)


def test_marked_tokens_are_no_words() -> None:
    """What stands in a title, and what a text belongs to, is looked for apart from words."""
    tokens = text_tokens("旧伞 umbrella")
    assert not {in_title(token) for token in tokens} & set(tokens)
    assert scope_token("0190-7A") == scope_token("0190-7a") != spelled("01907a")


def test_words_are_cut_alike_on_both_sides() -> None:
    """A word of any length is one short token, and is found by itself."""
    assert [len(token) for token in text_tokens("x" * 300_000)] == [WORD_CHARS]
    assert answers("x" * 500, "x" * 500)


def test_what_begins_alike_is_spelled_alike() -> None:
    """So a word is found by its beginning, with odd letters in it too."""
    assert spelled("don't").startswith(spelled("don"))
    assert spelled("ƙasa").startswith(spelled("ƙa"))


def test_long_texts_are_cut_into_passages() -> None:
    """Nothing is lost between two of them, and none is long."""
    text = "雨夜的灯" * PASSAGE_CHARS
    cut = list(passages(text))
    assert len(cut) == 4
    assert all(
        text[at : at + 100] in "".join(cut[at // PASSAGE_CHARS])
        for at in range(PASSAGE_CHARS - 90, len(text) - 100, PASSAGE_CHARS)
    )
    assert list(passages("")) == []


@pytest.fixture(scope="module")
def index() -> Generator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE words USING"
            " fts5(terms, tokenize = 'unicode61 remove_diacritics 0')"
        )
        connection.execute("CREATE VIRTUAL TABLE cut USING fts5vocab(words, row)")
        yield connection


@given(text=st.text(max_size=60))
def test_a_tokenizer_cuts_where_we_did(index: sqlite3.Connection, text: str) -> None:
    """A database's own tokenizer neither splits nor changes a token, of whatever text."""
    tokens = text_tokens(text)
    index.execute("DELETE FROM words")
    index.execute("INSERT INTO words VALUES (?)", (" ".join(tokens),))
    assert {row[0] for row in index.execute("SELECT term FROM cut")} == set(tokens)


@given(text=st.text(max_size=40), data=st.data())
def test_a_text_answers_for_its_own_words(text: str, data: st.DataObject) -> None:
    """Whatever a question asks for, it finds in a text that repeats the question."""
    around = data.draw(st.sampled_from(["", " ", "，", "\n"]))
    assert set(query_tokens(text)) <= set(text_tokens(f"{around}{text}{around}"))
