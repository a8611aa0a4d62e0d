"""Books as EPUB 3 (W3C, EPUB 3.3), with the contents of EPUB 2 beside them for old readers. Pure: the same
book gives the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Final, assert_never
from xml.sax.saxutils import escape, quoteattr

from huaben.formats.book import BookFile, Cover, ReadChapter, clean, read_chapter
from huaben.formats.illustrations import file_name
from huaben.formats.prose import Block, Break, Code, Figure, Heading, Paragraph, Run

_FIRST_DAY: Final = (
    1980,
    1,
    1,
    0,
    0,
    0,
)  # a zip knows no earlier one, and no time that would differ
_ENDINGS: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}
_TAGS: Final = (("code", "code"), ("strike", "del"), ("strong", "strong"), ("em", "em"))
_CONTENTS: Final = {"zh": "目录", "en": "Contents"}
_COVER: Final = {"zh": "封面", "en": "Cover"}

_CONTAINER: Final = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
"""
_STYLE: Final = """body { line-height: 1.7; margin: 0 5%; }
h1 { font-size: 1.4em; line-height: 1.4; margin: 2em 0 1.5em; text-align: center; }
h2, h3, h4, h5, h6 { font-size: 1.1em; margin: 1.5em 0 0.8em; }
p { margin: 0 0 0.6em; text-indent: 0; }
:lang(zh) p { margin: 0; text-indent: 2em; }
:lang(zh) em { font-style: normal; text-emphasis: filled dot; -webkit-text-emphasis: filled dot; }
p.item { text-indent: 0; margin-left: 1.5em; }
blockquote { margin: 0.8em 1.5em; }
hr { border: 0; height: 1em; text-align: center; }
hr::after { content: "* * *"; }
pre { white-space: pre-wrap; }
figure { margin: 1em 0; text-align: center; }
figure img { max-height: 100%; max-width: 100%; }
figcaption { font-size: 0.85em; }
p.cover { margin: 0; text-align: center; text-indent: 0; }
p.cover img { max-height: 100%; max-width: 100%; }
"""


def write_epub(book: BookFile) -> bytes:
    """The book as an EPUB; a cover in WebP is allowed by EPUB 3.3 alone."""
    chapters = [read_chapter(chapter) for chapter in book.chapters]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        # The type stands first and bare, so that a program knows the file by its beginning.
        _put(packed, "mimetype", b"application/epub+zip", zipfile.ZIP_STORED)
        for name, content in _files(book, chapters):
            _put(packed, name, content)
    return out.getvalue()


def _put(
    packed: zipfile.ZipFile, name: str, content: bytes, method: int = zipfile.ZIP_DEFLATED
) -> None:
    info = zipfile.ZipInfo(name, _FIRST_DAY)
    info.compress_type = method
    info.external_attr = 0o644 << 16
    packed.writestr(info, content)


def _files(book: BookFile, chapters: Sequence[ReadChapter]) -> Iterator[tuple[str, bytes]]:
    yield "META-INF/container.xml", _CONTAINER.encode()
    yield "OEBPS/content.opf", _package(book, chapters).encode()
    yield "OEBPS/nav.xhtml", _nav(book, chapters).encode()
    yield "OEBPS/toc.ncx", _ncx(book, chapters).encode()
    yield "OEBPS/style.css", _STYLE.encode()
    if book.cover is not None:
        yield f"OEBPS/{_cover_name(book.cover)}", book.cover.content
        yield "OEBPS/cover.xhtml", _cover_page(book, book.cover).encode()
    for image, picture in book.pictures.items():
        yield f"OEBPS/{file_name(image, picture)}", picture.content
    for number, chapter in enumerate(chapters, 1):
        yield f"OEBPS/{_name(number)}", _chapter_page(book, chapter).encode()


def _name(number: int) -> str:
    return f"chapter-{number:04d}.xhtml"


def _cover_name(cover: Cover) -> str:
    return f"cover.{_ENDINGS[cover.media_type]}"


# ---- the package -------------------------------------------------------------------------------


def _package(book: BookFile, chapters: Sequence[ReadChapter]) -> str:
    items = [
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
        '<item id="style" href="style.css" media-type="text/css"/>',
    ]
    spine: list[str] = []
    if book.cover is not None:
        kind = book.cover.media_type
        items += [
            f'<item id="cover-image" href="{_cover_name(book.cover)}" media-type="{kind}" properties="cover-image"/>',
            '<item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>',
        ]
        spine.append('<itemref idref="cover"/>')
    items += [
        f'<item id="p-{image}" href="{file_name(image, one)}" media-type="{one.media_type}"/>'
        for image, one in book.pictures.items()
    ]
    for number in range(1, len(chapters) + 1):
        items.append(
            f'<item id="c{number}" href="{_name(number)}" media-type="application/xhtml+xml"/>'
        )
        spine.append(f'<itemref idref="c{number}"/>')
    if not spine:  # a book must have a page
        spine.append('<itemref idref="nav"/>')
    author = f"\n    <dc:creator>{_text(book.author)}</dc:creator>" if book.author.strip() else ""
    cover = '\n    <meta name="cover" content="cover-image"/>' if book.cover else ""
    listed, order = "\n    ".join(items), "\n    ".join(spine)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="{book.language}">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">{_text(book.id)}</dc:identifier>
    <dc:title>{_text(book.title)}</dc:title>
    <dc:language>{book.language}</dc:language>{author}
    <meta property="dcterms:modified">{_text(book.changed_at)}</meta>{cover}
  </metadata>
  <manifest>
    {listed}
  </manifest>
  <spine toc="ncx">
    {order}
  </spine>
</package>
"""


def _nav(book: BookFile, chapters: Sequence[ReadChapter]) -> str:
    entries = "\n".join(
        f'      <li><a href="{_name(number)}">{_text(chapter.title)}</a></li>'
        for number, chapter in enumerate(chapters, 1)
    )
    entries = entries or f'      <li><a href="nav.xhtml">{_text(book.title)}</a></li>'
    title = _CONTENTS[book.language]
    body = f"""  <nav epub:type="toc" id="toc">
    <h1>{title}</h1>
    <ol>
{entries}
    </ol>
  </nav>
"""
    return _page(book, title, body)


def _ncx(book: BookFile, chapters: Sequence[ReadChapter]) -> str:
    points = "\n".join(
        f'    <navPoint id="p{number}" playOrder="{number}"><navLabel><text>{_text(chapter.title)}</text>'
        f'</navLabel><content src="{_name(number)}"/></navPoint>'
        for number, chapter in enumerate(chapters, 1)
    )
    points = points or (
        f'    <navPoint id="p1" playOrder="1"><navLabel><text>{_text(book.title)}</text></navLabel>'
        '<content src="nav.xhtml"/></navPoint>'
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1" xml:lang="{book.language}">
  <head>
    <meta name="dtb:uid" content={quoteattr(clean(book.id))}/>
  </head>
  <docTitle><text>{_text(book.title)}</text></docTitle>
  <navMap>
{points}
  </navMap>
</ncx>
"""


# ---- pages -------------------------------------------------------------------------------------


def _page(book: BookFile, title: str, body: str) -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="{book.language}" xml:lang="{book.language}">
<head>
  <title>{_text(title)}</title>
  <link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
{body}</body>
</html>
"""


def _cover_page(book: BookFile, cover: Cover) -> str:
    picture = f'<img src="{_cover_name(cover)}" alt={quoteattr(clean(book.title))}/>'
    return _page(book, _COVER[book.language], f'  <p class="cover">{picture}</p>\n')


def _chapter_page(book: BookFile, chapter: ReadChapter) -> str:
    lines = [f"  <h1>{_text(chapter.title)}</h1>"]
    lines += (f"  {_block(book, block)}" for block in chapter.blocks)
    return _page(book, chapter.title, "\n".join(lines) + "\n")


def _block(book: BookFile, block: Block) -> str:
    match block:
        case Heading(level=level, runs=runs):
            rank = min(max(level, 2), 6)  # the chapter's own title is the only first one
            return f"<h{rank}>{_runs(runs)}</h{rank}>"
        case Paragraph():
            return _paragraph(block)
        case Code(text=text):
            return f"<pre><code>{_text(text)}</code></pre>"
        case Break():
            return "<hr/>"
        case Figure():
            return _figure(book, block)
        case _:
            assert_never(block)


def _figure(book: BookFile, block: Figure) -> str:
    picture = book.pictures.get(block.image)
    told = f"<figcaption>{_text(block.caption)}</figcaption>" if block.caption else ""
    if picture is None:
        return f"<figure>{told}</figure>"
    source = quoteattr(file_name(block.image, picture))
    return f"<figure><img src={source} alt={quoteattr(clean(block.caption))}/>{told}</figure>"


def _paragraph(block: Paragraph) -> str:
    if block.marker:
        bullet = "•" if block.marker in "-+*" else _text(block.marker)
        inner = f'<p class="item">{bullet} {_runs(block.runs)}</p>'
    else:
        inner = f"<p>{_runs(block.runs)}</p>"
    return f"{'<blockquote>' * block.quoted}{inner}{'</blockquote>' * block.quoted}"


def _runs(runs: Sequence[Run]) -> str:
    return "".join(map(_run, runs))


def _run(run: Run) -> str:
    if run.text == "\n":
        return "<br/>"
    told = _text(run.text)
    for style, tag in _TAGS:
        if style in run.styles:
            told = f"<{tag}>{told}</{tag}>"
    return told


def _text(text: str) -> str:
    return escape(clean(text))
