"""Names of chapters: which are taken, which are refused and why, and how they are told apart."""

import pytest

from huaben.domain.manuscript import (
    MAX_NAME_BYTES,
    NameFault,
    in_order,
    is_chapter,
    name_fault,
    name_key,
    named,
    numbered,
    title_of,
    twin_of,
)


@pytest.mark.parametrize(
    "name",
    [
        "001-雨夜.md",
        "rain at night.md",
        "第一章　渡口（上）.md",
        "a.b.md",
        "é.md",
        "😀.md",
        "con-artist.md",
    ],
)
def test_names_in_any_script_are_taken(name: str) -> None:
    """Chinese, spaces, dots inside, brackets, pictures."""
    assert name_fault(name) is None
    assert is_chapter(name)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "not_markdown"),
        ("chapter", "not_markdown"),
        ("chapter.txt", "not_markdown"),
        ("chapter.MD", "not_markdown"),
        (".md", "hidden"),
        (".hidden.md", "hidden"),
        (" .md", "no_title"),
        ("雨夜 .md", "no_title"),
        (" 雨夜.md", "no_title"),
        ("..", "outside"),
        ("../外.md", "outside"),
        ("/etc/passwd.md", "outside"),
        ("sub/章.md", "outside"),
        ("..\\外.md", "outside"),
        ("C:\\章.md", "outside"),
        ("a:b.md", "forbidden_character"),
        ("谁?.md", "forbidden_character"),
        ("a\nb.md", "forbidden_character"),
        ("a\0b.md", "forbidden_character"),
        ("a\ufffdb.md", "forbidden_character"),
        ("雨\u202edm.md", "forbidden_character"),
        ("a\u2028b.md", "forbidden_character"),
        ("a\ud800.md", "forbidden_character"),
        ("con.md", "reserved"),
        ("NUL.md", "reserved"),
        ("com1.md", "reserved"),
        ("aux.第一章.md", "reserved"),
        ("e\u0301.md", "not_normalized"),
        ("雨" * 80 + ".md", "too_long"),
    ],
)
def test_a_name_that_some_system_cannot_hold_is_refused_with_its_reason(
    name: str, fault: NameFault
) -> None:
    """Nothing leaves the folder, nothing is hidden, and a copy on any other system is the same."""
    assert name_fault(name) == fault


@pytest.mark.parametrize("name", [".huaben.md", "notes.txt", "章", ".md", "\udcff.md"])
def test_what_is_no_chapter_in_the_folder_is_passed_over(name: str) -> None:
    """Hidden files, other kinds, and names that are no text."""
    assert not is_chapter(name)


@pytest.mark.parametrize("name", ["谁?.md", "NOTES.MD", "e\u0301.md", "con.md"])
def test_what_a_user_named_by_hand_is_a_chapter_all_the_same(name: str) -> None:
    """A file that is there is never overlooked for its name."""
    assert is_chapter(name)


def test_names_that_differ_in_case_or_normal_form_are_twins() -> None:
    """On some file systems they are one file."""
    names = ["Rain.md", "é.md", "雨.md"]
    assert twin_of("rain.md", names) == "Rain.md"
    assert twin_of("e\u0301.md", names) == "é.md"
    assert twin_of("Rain.md", names) is None
    assert twin_of("雪.md", names) is None
    assert name_key("STRASSE.md") == name_key("straße.md")


def test_chapters_are_in_the_order_of_their_names() -> None:
    """A name that sorts between two others inserts a chapter there."""
    assert in_order(["002-b.md", "001-a.md", "001a-between.md", "010-z.md"]) == [
        "001-a.md",
        "001a-between.md",
        "002-b.md",
        "010-z.md",
    ]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("001-雨夜.md", "雨夜"),
        ("12 The ferry.md", "The ferry"),
        ("尾声.md", "尾声"),
        ("003.md", "003"),
        ("NOTES.MD", "NOTES"),
    ],
)
def test_the_title_is_the_name_without_number_and_suffix(name: str, title: str) -> None:
    """So that renaming the file changes the title."""
    assert title_of(name) == title


@pytest.mark.parametrize(
    ("title", "names", "expected"),
    [
        ("雨夜", [], "001-雨夜.md"),
        ("The old inn", ["001-a.md", "007-b.md"], "008-The-old-inn.md"),
        ("谁/在?敲门", ["2024-记.md"], "001-谁-在-敲门.md"),
        ("", ["001-a.md"], "002.md"),
        ("...", [], "001.md"),
        ("e\u0301", [], "001-é.md"),
    ],
)
def test_a_new_chapter_gets_the_next_number_and_a_name_fit_for_every_system(
    title: str, names: list[str], expected: str
) -> None:
    """Whatever the title holds."""
    assert named(title, names) == expected
    assert name_fault(named(title, names)) is None


def test_a_very_long_title_is_shortened_to_what_a_name_may_hold() -> None:
    """At a grapheme cluster, and under the limit in bytes."""
    for title in ("雨夜" * 200, "👨‍👩‍👧" * 100, "word " * 100):
        name = numbered(1, title)
        assert name_fault(name) is None
        assert len(name.encode()) <= MAX_NAME_BYTES
