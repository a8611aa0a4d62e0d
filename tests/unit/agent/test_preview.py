"""Showing a write while its arguments arrive: only what is certain, only after the version."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.agent.preview import ContentScanner


def scan(pieces: list[str]) -> tuple[int | None, str]:
    scanner = ContentScanner()
    content = "".join(scanner.feed(piece) for piece in pieces)
    return scanner.version, content


@given(st.text(), st.integers(0, 10_000), st.booleans(), st.lists(st.integers(1, 7), min_size=1))
def test_any_cut_of_the_arguments_gives_the_same_content(
    content: str, version: int, escaped: bool, sizes: list[int]
) -> None:
    """However the string is cut, what was shown in the end is what the call says."""
    clean = content.encode("utf-8", "replace").decode()
    raw = json.dumps({"version": version, "content": clean}, ensure_ascii=escaped)
    pieces: list[str] = []
    at = turn = 0
    while at < len(raw):
        size = sizes[turn % len(sizes)]
        pieces.append(raw[at : at + size])
        at, turn = at + size, turn + 1
    assert scan(pieces) == (version, clean)


@given(st.text(max_size=200), st.integers(1, 9))
def test_no_nonsense_raises(raw: str, size: int) -> None:
    """Whatever arrives, the scanner stops or goes on; the call is judged when it is complete."""
    scan([raw[i : i + size] for i in range(0, len(raw), size)])


def test_content_before_the_version_is_kept_for_later() -> None:
    """The order of the fields does not matter; the caller holds the text back until the version."""
    scanner = ContentScanner()
    assert scanner.feed('{"content":"甲乙') == "甲乙"
    assert scanner.version is None
    assert scanner.feed('丙","version":2}') == "丙"
    assert scanner.version == 2


def test_a_number_is_not_taken_before_it_ends() -> None:
    """`1` may become `12` with the next piece."""
    scanner = ContentScanner()
    scanner.feed('{"version":1')
    assert scanner.version is None
    scanner.feed('2,"content":"')
    assert scanner.version == 12


@pytest.mark.parametrize("version", ["true", '"1"', "1.5", "null", "[1]"])
def test_a_version_that_is_no_number_matches_nothing(version: str) -> None:
    """Such a call will be refused, so nothing of it may show."""
    found, _ = scan(['{"version":' + version + ',"content":"a"}'])
    assert found == -1


def test_nested_values_do_not_confuse_it() -> None:
    """Only the top level counts."""
    raw = '{"extra":{"content":"no","version":9},"version":3,"content":"yes"}'
    assert scan([raw]) == (3, "yes")
