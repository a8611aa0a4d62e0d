"""Books as EPUB and DOCX: what a reader program finds in them, and documents read back."""

from __future__ import annotations

import io
import posixpath
import zipfile
from xml.etree import ElementTree

import pytest

from huaben.formats.book import BookChapter, BookFile, Cover, read_chapter
from huaben.formats.docx import write_docx
from huaben.formats.docx_read import DocxFault, read_docx
from huaben.formats.epub import write_epub
from huaben.formats.png import default_picture

TEXT = "# 雨夜\n\n雨下了**一夜**，他*没有*睡。\n\n> 「走吧。」\n\n***\n\n- 伞\n- 灯\n\n```\n<code & more>\n```\n\n床前  \n明月\n"
BOOK = BookFile(
    "urn:uuid:0193f0c0-0000-7000-8000-000000000001",
    "渡口 & <雨夜>",
    "zh",
    (BookChapter("001", TEXT), BookChapter("渡口", "没有标题的\x00一章。")),
    "2026-11-30T00:00:00Z",
    "作者",
    Cover(default_picture(), "image/png"),
)
EMPTY = BookFile(BOOK.id, "Empty", "en", (), BOOK.changed_at)
XHTML = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"


def opened(data: bytes) -> zipfile.ZipFile:
    packed = zipfile.ZipFile(io.BytesIO(data))
    assert packed.testzip() is None
    return packed


def parsed(packed: zipfile.ZipFile, name: str) -> ElementTree.Element:
    return ElementTree.fromstring(packed.read(name))


@pytest.mark.parametrize("book", [BOOK, EMPTY], ids=["full", "empty"])
def test_an_epub_is_what_the_standard_asks_for(book: BookFile) -> None:
    """Its type stands first and bare; every file of the manifest is there and well formed, every file that is
    there is in the manifest, the spine names what the manifest has."""
    data = write_epub(book)
    assert data[30:58] == b"mimetypeapplication/epub+zip"
    packed = opened(data)
    assert packed.infolist()[0].compress_type == zipfile.ZIP_STORED
    (root,) = parsed(packed, "META-INF/container.xml").iter(
        "{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"
    )
    place = root.attrib["full-path"]
    package = parsed(packed, place)
    items = {item.attrib["id"]: item.attrib for item in package.iter(f"{OPF}item")}
    there = {posixpath.join("OEBPS", item["href"]) for item in items.values()}
    assert there == {n for n in packed.namelist() if n.startswith("OEBPS/")} - {place}
    for item in items.values():
        if item["media-type"].endswith("xml"):
            parsed(packed, posixpath.join("OEBPS", item["href"]))
    spine = [ref.attrib["idref"] for ref in package.iter(f"{OPF}itemref")]
    assert spine
    assert set(spine) <= set(items)
    assert [i for i in items.values() if i.get("properties") == "nav"]
    assert package.attrib["unique-identifier"] == "id"
    told = {one.tag.rpartition("}")[2]: one.text for one in package.iter()}
    assert (told["identifier"], told["title"], told["language"]) == (
        book.id,
        book.title,
        book.language,
    )


def test_an_epub_chapter_is_set_as_it_was_written() -> None:
    """Its own heading is its title, also in the contents; styles, quotes, breaks, items and code are there, and
    what XML cannot hold is replaced."""
    packed = opened(write_epub(BOOK))
    page = packed.read("OEBPS/chapter-0001.xhtml").decode()
    assert "<h1>雨夜</h1>" in page
    assert "<p>雨下了<strong>一夜</strong>，他<em>没有</em>睡。</p>" in page
    assert "<blockquote><p>「走吧。」</p></blockquote>" in page
    assert "<hr/>" in page
    assert '<p class="item">• 伞</p>' in page
    assert "<pre><code>&lt;code &amp; more&gt;</code></pre>" in page
    assert "床前<br/>明月" in page
    assert "没有标题的\ufffd一章。" in packed.read("OEBPS/chapter-0002.xhtml").decode()
    nav = parsed(packed, "OEBPS/nav.xhtml")
    assert [link.text for link in nav.iter(f"{XHTML}a")] == ["雨夜", "渡口"]
    assert packed.read("OEBPS/cover.png") == default_picture()


def test_the_same_book_gives_the_same_bytes() -> None:
    """No time and no chance is in a file."""
    assert write_epub(BOOK) == write_epub(BOOK)
    assert write_docx(BOOK) == write_docx(BOOK)


@pytest.mark.parametrize("book", [BOOK, EMPTY], ids=["full", "empty"])
def test_a_docx_has_all_its_parts(book: BookFile) -> None:
    """Each well formed, each of a declared type, each relation leading somewhere."""
    packed = opened(write_docx(book))
    for name in packed.namelist():
        parsed(packed, name)
    types = parsed(packed, "[Content_Types].xml")
    for part in types.iter():
        if "PartName" in part.attrib:
            assert part.attrib["PartName"].removeprefix("/") in packed.namelist()
    for name, base in (("_rels/.rels", ""), ("word/_rels/document.xml.rels", "word")):
        for relation in parsed(packed, name):
            assert posixpath.join(base, relation.attrib["Target"]) in packed.namelist()


def test_a_document_is_read_back_as_it_was_written() -> None:
    """Headings, bold, italics, line breaks; what only looks like a mark stays what it is."""
    text = "雨下了**一夜**，他*没有*睡。\n\n床前  \n明月"
    book = BookFile(
        BOOK.id,
        "书",
        "zh",
        (BookChapter("", f"# 雨夜\n\n{text}"), BookChapter("渡口", r"5 \* 3")),
        BOOK.changed_at,
    )
    assert read_docx(write_docx(book)) == f"书\n\n# 雨夜\n\n{text}\n\n# 渡口\n\n5 \\* 3\n"


def a_document(body: str, styles: str = "") -> bytes:
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(
            "word/document.xml", f"<w:document {w}><w:body>{body}</w:body></w:document>"
        )
        if styles:
            packed.writestr("word/styles.xml", f"<w:styles {w}>{styles}</w:styles>")
    return out.getvalue()


@pytest.mark.parametrize(
    ("body", "styles", "expected"),
    [
        ("<w:p><w:r><w:t>一</w:t></w:r></w:p><w:p/><w:p><w:r><w:t>二</w:t></w:r></w:p>", "", "一\n\n二\n"),
        (
            '<w:p><w:pPr><w:pStyle w:val="a1"/></w:pPr><w:r><w:t>章</w:t></w:r></w:p>',
            '<w:style w:styleId="a1"><w:name w:val="heading 2"/></w:style>',
            "## 章\n",
        ),
        (
            '<w:p><w:pPr><w:pStyle w:val="x"/></w:pPr><w:r><w:t>Part</w:t></w:r></w:p>',
            '<w:style w:styleId="x"><w:name w:val="My own"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>',
            "# Part\n",
        ),
        (
            "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>A </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>b</w:t></w:r>"
            '<w:r><w:rPr><w:b w:val="0"/></w:rPr><w:t> c</w:t></w:r></w:p>',
            "",
            "**A b** c\n",
        ),
        ("<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>", "", "new\n"),
        ("<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>", "", "cell\n"),
        ('<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:br w:type="page"/></w:r></w:p>', "", "a\tb  \nc\n"),
    ],
)  # fmt: skip
def test_documents_of_other_programs_are_read(body: str, styles: str, expected: str) -> None:
    """Headings under any name, runs in pieces, tracked changes, tables, tabs and breaks."""
    assert read_docx(a_document(body, styles)) == expected


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_docx"),
        (b"PK\x03\x04", "not_docx"),
        (write_epub(EMPTY), "not_docx"),
        (a_document("<w:p>"), "corrupt"),
        (
            a_document("").replace(b"<w:document", b"<!DOCTYPE d [<!ENTITY a 'b'>]><w:document"),
            "not_docx",
        ),
    ],
)
def test_what_is_no_document_is_refused(data: bytes, code: str) -> None:
    """With a reason, and without harm."""
    found = read_docx(data)
    assert isinstance(found, DocxFault)
    assert found.code in (code, "corrupt")


def test_a_document_that_declares_entities_is_refused() -> None:
    """No document needs them, and they can be made to fill a memory."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("word/document.xml", '<!DOCTYPE d [<!ENTITY a "aaaa">]><d>&a;</d>')
    found = read_docx(out.getvalue())
    assert isinstance(found, DocxFault)
    assert found.code == "corrupt"


def test_a_heading_deeper_down_is_no_title() -> None:
    """Only one at the beginning, of the first two levels, takes the title's place."""
    assert read_chapter(BookChapter("名", "一段。\n\n# 后来")).title == "名"
    assert read_chapter(BookChapter("名", "### 小节\n\n一段。")).title == "名"
    assert read_chapter(BookChapter("名", "## 卷一\n\n一段。")).title == "卷一"
    assert read_chapter(BookChapter("名", "")).blocks == ()
