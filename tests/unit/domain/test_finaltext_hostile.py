"""Hostile speech: a megabyte of broken markup costs no more than any other megabyte."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from huaben.domain.finaltext import final_text

DRAFT = "P1\n\nP2"
MEGABYTE = 1_000_000


def _repeat(unit: str, size: int) -> str:
    return unit * (size // len(unit))


HOSTILE: dict[str, Callable[[int], str]] = {
    "unclosed tags": lambda n: _repeat("<a>", n),
    "many names": lambda n: "".join(f"<a{i:x}>" for i in range(n // 8)),
    "brackets": lambda n: _repeat("<", n),
    "crossed": lambda n: _repeat("<a><b></a></b>", n),
    "deep": lambda n: _repeat("<a>", n * 3 // 7) + _repeat("</a>", n * 4 // 7),
    "fences": lambda n: _repeat("```\n", n),
    "fences that only open": lambda n: _repeat("```x\n", n),
    "shrinking fences": lambda n: (
        "".join("`" * k + "x\n" for k in range(int(n**0.5), 3, -1)) + _repeat("```x\n", n // 2)
    ),
    "open quotes": lambda n: _repeat('<a b="', n),
    "two kinds of quotes": lambda n: _repeat("<a b='<c d=\"", n),
    "tags that share a value": lambda n: _repeat('<a " ="', n),
    "thoughts that share a value": lambda n: _repeat('<think " ="', n) + '">',
    "equals": lambda n: "<a " + _repeat("=   ", n),
    "a long name": lambda n: "<" + "雨" * n,
    "open comments": lambda n: _repeat("<!--", n),
    "cuts in names": lambda n: _repeat("<x<!---->y", n),
    "loose ends before a cut": lambda n: "<" * n + "<!---->x",
    "open thoughts": lambda n: _repeat("<think>", n),
    "crossed thoughts": lambda n: _repeat("<think></notes>", n),
    "closed thoughts": lambda n: _repeat("</think>", n),
    "contents": lambda n: _repeat("<content>a</content>", n),
    "one content": lambda n: f"<content>{'a' * n}</content>",
    "newlines": lambda n: _repeat("\r\n", n),
}


@pytest.mark.parametrize("build", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_megabyte_is_read_through(build: Callable[[int], str]) -> None:
    """A megabyte made to be slow comes to its end; the draft stands in front of what is kept."""
    assert final_text("a" + DRAFT, [build(MEGABYTE)]).startswith("a" + DRAFT)


def _steps(work: Callable[[], object]) -> int:
    """Count the calls, of Python and of C, that the work makes."""
    steps = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal steps
        steps += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return steps


@pytest.mark.parametrize("build", HOSTILE.values(), ids=HOSTILE.keys())
def test_steps_grow_with_the_text(build: Callable[[int], str]) -> None:
    """Four times the text takes four times the steps, not sixteen, behind a draft and without."""
    short, long = build(3_000), build(12_000)
    for draft in (DRAFT, ""):
        steps = _steps(lambda draft=draft: final_text(draft, [short]))
        more = _steps(lambda draft=draft: final_text(draft, [long]))
        assert more <= 4.5 * steps + 200


def test_a_long_overlap_is_found_in_one_pass() -> None:
    """A draft and a content of one letter, which defeat searching from every place."""
    body = "a" * MEGABYTE
    assert final_text("b" + body, [f"<content>{body}b</content>"]) == (
        f"b{body}\n\n<content>b</content>"
    )


def test_replies_without_number_are_one_speech() -> None:
    """A hundred thousand short replies, each a half thought, are read like one long one."""
    assert final_text(DRAFT, ["<think>a", "b</think>"] * 50_000 + ["<a/>"]) == DRAFT + "\n\n<a/>"
