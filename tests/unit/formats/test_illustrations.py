"""Pictures in the files that leave the house: EPUB, DOCX, Markdown, plain text."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

from huaben.domain.image import marker
from huaben.formats.book import BookChapter, BookFile
from huaben.formats.docx import write_docx
from huaben.formats.docx_read import DocxFault, read_docx
from huaben.formats.epub import write_epub
from huaben.formats.illustrations import Illustration, as_markdown, as_words
from huaben.formats.png import default_picture

PNG = Illustration(default_picture(), "image/png", 400, 2000)
WEBP = Illustration(b"RIFF....WEBP", "image/webp", 40, 20)
TEXT = (
    f"他把旧伞递过来。\n{marker('t-0', '“旧伞” & 雨')}\n\n她接住了。\n\n"
    f"{marker('t-1', 'A lamp')}\n\n{marker('t-9', '没有画成')}"
)
BOOK = BookFile(
    "urn:uuid:0193f0c0-0000-7000-8000-000000000001",
    "渡口",
    "zh",
    (BookChapter("雨夜", TEXT),),
    "2026-11-30T00:00:00Z",
    pictures={"t-0": PNG, "t-1": WEBP},
)


def test_an_epub_has_each_picture_at_its_place() -> None:
    """As a figure with its caption; a picture that there is not leaves the caption."""
    packed = zipfile.ZipFile(io.BytesIO(write_epub(BOOK)))
    assert packed.read("OEBPS/picture-t-0.png") == PNG.content
    package = packed.read("OEBPS/content.opf").decode()
    assert 'href="picture-t-1.webp" media-type="image/webp"' in package
    page = ElementTree.fromstring(packed.read("OEBPS/chapter-0001.xhtml"))
    figures = list(page.iter("{http://www.w3.org/1999/xhtml}figure"))
    shown = [[child.attrib.get("src", child.text) for child in figure] for figure in figures]
    assert shown == [
        ["picture-t-0.png", "“旧伞” & 雨"],
        ["picture-t-1.webp", "A lamp"],
        ["没有画成"],
    ]


def test_a_document_has_the_pictures_that_word_can_show() -> None:
    """Each related, typed and no larger than the page; the text is read back as before."""
    data = write_docx(BOOK)
    packed = zipfile.ZipFile(io.BytesIO(data))
    assert packed.read("word/media/picture1.png") == PNG.content
    for name in packed.namelist():
        if name.endswith((".xml", ".rels")):
            ElementTree.fromstring(packed.read(name))
    assert b'Extension="png"' in packed.read("[Content_Types].xml")
    assert b"media/picture1.png" in packed.read("word/_rels/document.xml.rels")
    document = packed.read("word/document.xml").decode()
    assert document.count("<w:drawing>") == 1
    assert 'cx="1400000" cy="7000000"' in document
    read = read_docx(data)
    assert not isinstance(read, DocxFault)
    for words in ("她接住了。", "A lamp", "没有画成"):
        assert words in str(read)


def test_markdown_holds_its_pictures_at_its_end() -> None:
    """So that the text stays to be read; without any it is what it was."""
    told = as_markdown(TEXT, {"t-0": PNG})
    assert "他把旧伞递过来。\n![“旧伞” & 雨][picture-t-0]\n\n她接住了。" in told
    assert "*A lamp*\n\n*没有画成*" in told
    assert "\n\n[picture-t-0]: <data:image/png;base64,iVBOR" in told
    assert as_markdown("雨停了。\n", {"t-0": PNG}) == "雨停了。\n"


def test_plain_text_has_the_captions() -> None:
    """In brackets, each on its line."""
    assert as_words(TEXT).endswith("她接住了。\n\n[A lamp]\n\n[没有画成]")
