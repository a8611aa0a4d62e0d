"""Where a model's path leads: to a chapter, or nowhere."""

import pytest

from huaben.agent.tools.paths import ChapterPath, ManuscriptFolder, Outside, place_of


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("manuscript/001-雨夜.md", "001-雨夜.md"),
        ("./manuscript/a.md", "a.md"),
        ("manuscript//a.md", "a.md"),
        (" manuscript/a.md ", "a.md"),
        ("a.md", "a.md"),
        ("manuscript/e\u0301.md", "é.md"),
    ],
)
def test_a_path_into_the_manuscript_names_a_chapter(path: str, name: str) -> None:
    """Also a bare file name, and an accent in another form."""
    assert place_of(path) == ChapterPath(name)


@pytest.mark.parametrize("path", ["", ".", "./", "manuscript", "manuscript/", "./manuscript/."])
def test_the_folder_itself_is_no_chapter(path: str) -> None:
    """However it is written."""
    assert place_of(path) == ManuscriptFolder()


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../a.md",
        "manuscript/../../huaben.db",
        "manuscript/../history/objects/a.md",
        "/etc/passwd",
        "/manuscript/a.md",
        "~/a.md",
        "C:\\a.md",
        "C:/a.md",
        "manuscript\\a.md",
        "history/objects/0f",
        "history",
        "huaben.db",
        "manuscript/huaben.db",
        "manuscript/sub/a.md",
        "manuscript/.hidden.md",
        "manuscript/notes.txt",
        "manuscript/a\0.md",
        "manuscript/manuscript/a.md",
    ],
)
def test_everything_else_is_outside(path: str) -> None:
    """Above, absolute, the history, a database, a folder in the folder, a hidden file, another kind."""
    assert place_of(path) == Outside(path)
