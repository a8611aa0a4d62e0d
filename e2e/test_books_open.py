"""Books that leave the house, opened by programs that are none of ours: the EPUB by the validator of the W3C,
the DOCX by a library that reads Word's own. Run by `make e2e`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from huaben.formats.book import BookChapter, BookFile, Cover
from huaben.formats.docx import write_docx
from huaben.formats.epub import write_epub
from huaben.formats.png import default_picture

HERE = Path(__file__).parent
LIBRARY = HERE.parent / "build" / "e2e" / "lib"
VALIDATOR = LIBRARY / "epubcheck" / "epubcheck.jar"
TEXT = (
    "# 雨夜\n\n雨下了**一夜**，他*没有*睡。\n\n> 「走吧。」\n\n***\n\n- 伞\n- 灯\n\n"
    "```\n<code & more>\n```\n\n床前  \n明月\n"
)
CHAPTERS = (
    BookChapter("001", TEXT),
    BookChapter("渡口", "没有标题的\x00一章。\n"),
    BookChapter("Bridge", "## A bridge\n\nNo lamp on it. [A link](https://example.org)\n"),
)
BOOK = BookFile(
    "urn:uuid:0193f0c0-0000-7000-8000-000000000001",
    "渡口 & <雨夜>",
    "zh",
    CHAPTERS,
    "2026-11-30T00:00:00Z",
    "作者",
    Cover(default_picture(), "image/png"),
)
EMPTY = BookFile(BOOK.id, "Empty", "en", (), BOOK.changed_at)


@pytest.mark.parametrize("book", [BOOK, EMPTY], ids=["full", "empty"])
def test_an_epub_is_valid(book: BookFile, tmp_path: Path) -> None:
    """Without an error or a warning, also a book without chapters."""
    java = shutil.which("java")
    if java is None or not VALIDATOR.is_file():
        pytest.skip("no Java, or the validator is not there; `make e2e` fetches it")
    file = tmp_path / "book.epub"
    file.write_bytes(write_epub(book))
    command = [java, "-jar", str(VALIDATOR), "--quiet", "--json", "-", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    told = cast("Mapping[str, object]", json.loads(done.stdout))  # as the validator writes it
    assert (done.returncode, told["messages"]) == (0, [])


def test_a_docx_is_read_by_another_program(tmp_path: Path) -> None:
    """Its title and language, each chapter under a heading, quotations and code in styles of their own."""
    if not (LIBRARY / "docx").is_dir():
        pytest.skip("the reader is not there; `make e2e` fetches it")
    file = tmp_path / "book.docx"
    file.write_bytes(write_docx(BOOK))
    done = subprocess.run(
        [sys.executable, str(HERE / "read_docx.py"), str(file)],
        env={**os.environ, "PYTHONPATH": str(LIBRARY)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    told = cast("Mapping[str, object]", json.loads(done.stdout))  # as read_docx.py writes it
    assert (told["title"], told["language"]) == (BOOK.title, "zh-CN")
    found = cast("list[list[str]]", told["paragraphs"])
    headings = [text for style, text in found if style == "Heading 1"]
    assert headings[:2] == ["雨夜", "渡口"]
    assert ["Quote", "「走吧。」"] in found
    assert ["Code", "<code & more>"] in found
    assert ["Body Text", "雨下了一夜，他没有睡。"] in found
