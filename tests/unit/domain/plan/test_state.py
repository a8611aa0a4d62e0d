"""The text of a plan state: sections, references, secrets and whose eyes see."""

from __future__ import annotations

import pytest

from huaben.domain.plan.state import (
    headings,
    knowers,
    plain_line,
    references,
    sections,
    unreferenced,
    viewpoint,
    withheld,
    written,
)
from huaben.domain.project import Language
from tests.unit.domain.plan.states import a_state


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_state_is_its_sections(language: Language) -> None:
    """Reading and writing again gives the same text, in the fixed order of the headings."""
    state = a_state(language, s0="- 雨夜，渡口。", s5="- The ferry leaves at dawn.\n- 之后的路")
    parts = sections(state, language)
    assert tuple(part.heading for part in parts) == headings(language)
    assert parts[5].lines == ("- The ferry leaves at dawn.", "- 之后的路")
    assert written(parts) == state


def test_what_stands_before_any_heading_is_not_lost() -> None:
    """A state that a user wrote without headings is all in the first section."""
    assert sections("雨夜。\n\n有人敲门。", "zh")[0].lines == ("雨夜。", "有人敲门。")


@pytest.mark.parametrize(
    ("line", "named", "bare"),
    [
        ("- 沈砚答应天亮前还伞 [m12]", ("m12",), "- 沈砚答应天亮前还伞"),
        ("- Mira lied [m3, n7] about it [m3]", ("m3", "n7"), "- Mira lied about it"),
        ("- 没有出处 [待查]", (), "- 没有出处 [待查]"),
        ("- 全角也算［m1、n2］", ("m1", "n2"), "- 全角也算"),
    ],
)
def test_references_are_found_and_taken_off(line: str, named: tuple[str, ...], bare: str) -> None:
    """`m` names a message, `n` a note; anything else in brackets stays."""
    assert references(line) == named
    assert unreferenced(line) == bare


def test_lines_are_compared_without_ornament() -> None:
    """Another bullet, other spacing and other references do not make another line."""
    assert plain_line("* 沈砚  在等人 [m2]") == plain_line("- 沈砚 在等人 [m9]") == "沈砚 在等人"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("- [secret: 沈砚, 老周] 密道在井下", {"沈砚", "老周"}),
        ("- the map is forged [Secret: Mira and Tom Pike]", {"mira", "tom pike"}),
        ("- ［秘密：沈砚、阿迟］他是奸细", {"沈砚", "阿迟"}),
        ("- [secret] 谁也不知道", set[str]()),
        ("- a secret passage: nobody looks", None),
    ],
)
def test_a_secret_says_who_knows_it(line: str, names: set[str] | None) -> None:
    """In either language and with any bracket; one that names nobody is nobody's."""
    assert knowers(line) == names


@pytest.mark.parametrize(
    ("first", "eyes"),
    [
        ("- 视角：沈砚（第三人称）", "沈砚"),
        ("- Rain. POV: Mira, close third person", "mira"),
        ("- Told from the viewpoint of nobody", ""),
        ("- 沈砚在场，林晚在门口", ""),
    ],
)
def test_the_first_section_says_whose_eyes_see(first: str, eyes: str) -> None:
    """Being there is not enough to see through somebody's eyes."""
    language: Language = "zh" if "沈" in first else "en"
    found = viewpoint(a_state(language, s0=first, s1="- 视角：别人"), language)
    assert eyes in found
    assert "别人" not in found


def judged(lines: str, eyes: str) -> list[bool]:
    return [hidden for _, hidden in withheld(lines.split("\n"), eyes)]


def test_only_who_knows_a_secret_may_see_it() -> None:
    """What hangs below a secret line belongs to it; a part of a name is not the name."""
    lines = "- 公开\n- [secret: 沈砚] 密道\n  - 入口在井下\n- [secret: Tom] forged\n- 公开二"
    assert judged(lines, "沈砚") == [False, False, False, True, False]
    assert judged(lines, "tom pike") == [False, True, True, False, False]
    assert judged(lines, "tommy") == [False, True, True, True, False]
    assert judged(lines, "") == [False, True, True, True, False]
    assert judged("- [secret: 林] 她的来历", "林晚") == [True]
    assert judged("- [secret: 林] 她的来历", "林、沈砚") == [False]
