"""Books as Word documents (ECMA-376, WordprocessingML), as little of them as every reader understands. Pure: the
same book gives the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, assert_never
from xml.sax.saxutils import escape

from huaben.formats.book import BookFile, ReadChapter, clean, read_chapter
from huaben.formats.docx_pictures import Drawing, drawings_of, media, relations, type_defaults
from huaben.formats.prose import Block, Break, Code, Figure, Heading, Paragraph, Run

_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
_MAIN: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_HEADER: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PROPERTIES: Final = (
    ("strong", "<w:b/><w:bCs/>"),
    ("em", "<w:i/><w:iCs/>"),
    ("strike", "<w:strike/>"),
)

_TYPES: Final = f"""{_HEADER}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
{{pictures}}<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>
<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>
</Types>
"""
_RELATIONS: Final = f"""{_HEADER}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>
</Relationships>
"""
_DOCUMENT_RELATIONS: Final = f"""{_HEADER}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>
{{pictures}}</Relationships>
"""


def write_docx(book: BookFile) -> bytes:
    """The book as a document: its title, then each chapter on a new page under a heading of level 1."""
    chapters = [read_chapter(chapter) for chapter in book.chapters]
    drawings = drawings_of(book.pictures)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in (
            ("[Content_Types].xml", _TYPES.format(pictures=type_defaults(drawings)).encode()),
            ("_rels/.rels", _RELATIONS.encode()),
            ("docProps/core.xml", _core(book).encode()),
            ("word/_rels/document.xml.rels", _related(drawings)),
            ("word/styles.xml", _styles(book).encode()),
            ("word/document.xml", _document(book, chapters, drawings).encode()),
            *media(drawings),
        ):
            info = zipfile.ZipInfo(name, _FIRST_DAY)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            packed.writestr(info, content)
    return out.getvalue()


def _related(drawings: Mapping[str, Drawing]) -> bytes:
    return _DOCUMENT_RELATIONS.format(pictures=relations(drawings)).encode()


def _core(book: BookFile) -> str:
    return f"""{_HEADER}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<dc:title>{_text(book.title)}</dc:title>
<dc:creator>{_text(book.author)}</dc:creator>
<dc:language>{"zh-CN" if book.language == "zh" else "en-US"}</dc:language>
<dcterms:modified xsi:type="dcterms:W3CDTF">{_text(book.changed_at)}</dcterms:modified>
</cp:coreProperties>
"""


def _styles(book: BookFile) -> str:
    indent = ' w:firstLineChars="200" w:firstLine="480"' if book.language == "zh" else ""
    after = "0" if book.language == "zh" else "120"
    language = '<w:lang w:val="en-US" w:eastAsia="zh-CN"/>'
    fonts = '<w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:eastAsia="SimSun" w:cs="Georgia"/>'
    headings = "\n".join(_heading_style(level) for level in range(1, 7))
    return f"""{_HEADER}<w:styles xmlns:w="{_MAIN}">
<w:docDefaults><w:rPrDefault><w:rPr>{fonts}<w:sz w:val="24"/><w:szCs w:val="24"/>{language}</w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>
<w:style w:type="paragraph" w:styleId="BodyText"><w:name w:val="Body Text"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr><w:spacing w:after="{after}" w:line="360" w:lineRule="auto"/><w:ind{indent}/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr><w:spacing w:before="2400" w:after="480"/><w:jc w:val="center"/></w:pPr><w:rPr><w:b/><w:sz w:val="44"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr><w:spacing w:after="120" w:line="360" w:lineRule="auto"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Code"/><w:basedOn w:val="Normal"/><w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="240"/><w:jc w:val="center"/></w:pPr><w:rPr><w:sz w:val="20"/></w:rPr></w:style>
{headings}
</w:styles>
"""


def _heading_style(level: int) -> str:
    size = {1: 32, 2: 28}.get(level, 24)
    page = "<w:pageBreakBefore/>" if level == 1 else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/>'
        f'<w:basedOn w:val="Normal"/><w:next w:val="BodyText"/><w:qFormat/><w:pPr><w:keepNext/>{page}'
        f'<w:spacing w:before="240" w:after="240"/><w:outlineLvl w:val="{level - 1}"/></w:pPr>'
        f'<w:rPr><w:b/><w:sz w:val="{size}"/></w:rPr></w:style>'
    )


def _document(
    book: BookFile, chapters: Sequence[ReadChapter], drawings: Mapping[str, Drawing]
) -> str:
    body = "\n".join(_paragraphs(book, chapters, drawings))
    page = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr>'
    return (
        f'{_HEADER}<w:document xmlns:w="{_MAIN}"><w:body>\n{body}\n{page}\n</w:body></w:document>\n'
    )


def _paragraphs(
    book: BookFile, chapters: Sequence[ReadChapter], drawings: Mapping[str, Drawing]
) -> Iterator[str]:
    yield _styled("Title", [Run(book.title)])
    for chapter in chapters:
        yield _styled("Heading1", [Run(chapter.title)])
        for block in chapter.blocks:
            yield from _block(block, drawings)


def _block(block: Block, drawings: Mapping[str, Drawing]) -> Iterator[str]:
    match block:
        case Heading(level=level, runs=runs):
            yield _styled(f"Heading{min(max(level, 2), 6)}", runs)
        case Paragraph(runs=runs, quoted=quoted, marker=marker):
            bullet = f"{'•' if marker in '-+*' else marker} " if marker else ""
            if not quoted and not marker:
                yield _styled("BodyText", runs)
            else:
                left = 480 * (quoted + bool(marker))
                yield _styled("Quote", [Run(bullet), *runs] if bullet else runs, left)
        case Code(text=text):
            for line in text.split("\n"):
                yield _styled("Code", [Run(line)])
        case Break():
            yield (
                '<w:p><w:pPr><w:pStyle w:val="Normal"/><w:spacing w:before="240" w:after="240"/>'
                '<w:jc w:val="center"/></w:pPr><w:r><w:t>* * *</w:t></w:r></w:p>'
            )
        case Figure(image=image, caption=caption):
            if image in drawings:
                yield drawings[image].paragraph(caption)
            if caption:
                yield _styled("Caption", [Run(caption)])
        case _:
            assert_never(block)


def _styled(style: str, runs: Sequence[Run], left: int = 0) -> str:
    indent = f'<w:ind w:left="{left}"/>' if left else ""
    told = "".join(map(_run, runs))
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{indent}</w:pPr>{told}</w:p>'


def _run(run: Run) -> str:
    properties = "".join(told for style, told in _PROPERTIES if style in run.styles)
    if "code" in run.styles:
        properties = f'<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>{properties}'
    inside = "<w:br/>" if run.text == "\n" else f'<w:t xml:space="preserve">{_text(run.text)}</w:t>'
    return f"<w:r>{f'<w:rPr>{properties}</w:rPr>' if properties else ''}{inside}</w:r>"


def _text(text: str) -> str:
    return escape(clean(text))
