"""Word documents read into Markdown: headings, paragraphs, bold, italics and line breaks, which is what prose
needs. Apart from writing, because what others wrote can be anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal
from xml.etree import ElementTree

from huaben.formats.archive import Archive, ArchiveFault, open_archive

MAX_PART_BYTES: Final = 64 * 1024 * 1024
_NAMESPACES: Final = (
    "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}",
    "{http://purl.oclc.org/ooxml/wordprocessingml/main}",
)
_HEADING: Final = re.compile(r"(?:heading|标题)\s*([1-6])", re.IGNORECASE)
_SPECIAL: Final = re.compile(r"([\\*_`~\[\]])")


@dataclass(frozen=True, slots=True)
class DocxFault:
    """Why a file is not read as a document."""

    code: Literal["not_docx", "too_large", "corrupt"]
    detail: str


def read_docx(data: bytes) -> str | DocxFault:
    """The document as Markdown, a blank line between paragraphs. Tables give their cells' paragraphs in
    order; pictures, notes and comments are left out; of tracked changes the new text is read."""
    archive = open_archive(data)
    if isinstance(archive, ArchiveFault):
        return DocxFault("too_large" if archive.code == "too_large" else "not_docx", archive.detail)
    document = _part(archive, "word/document.xml")
    if isinstance(document, DocxFault):
        return document
    styles = _part(archive, "word/styles.xml")
    levels: Mapping[str, int] = {} if isinstance(styles, DocxFault) else _levels(styles)
    return "\n\n".join(_paragraphs(document, levels)) + "\n"


def _part(archive: Archive, name: str) -> ElementTree.Element | DocxFault:
    member = archive.members.get(name)
    if member is None:
        return DocxFault("not_docx", f"it has no {name}")
    content = archive.read(member, MAX_PART_BYTES)
    if isinstance(content, ArchiveFault):
        return DocxFault("too_large" if content.code == "too_large" else "corrupt", content.detail)
    if b"<!DOCTYPE" in content[:4096] or b"<!ENTITY" in content:
        return DocxFault("corrupt", f"{name} declares entities, which no document needs")
    try:
        return ElementTree.fromstring(content)
    except ElementTree.ParseError as fault:
        return DocxFault("corrupt", f"{name}: {fault}")


def _levels(styles: ElementTree.Element) -> Mapping[str, int]:
    """Which styles are headings, of which level: by their names, or by the outline they stand in."""
    found: dict[str, int] = {}
    for style in styles:
        if _tag(style) != "style":
            continue
        level = None
        for part in style.iter():
            if _tag(part) == "name" and (named := _HEADING.fullmatch(_value(part, "val").strip())):
                level = int(named[1])
            elif _tag(part) == "outlineLvl" and level is None and _value(part, "val").isdecimal():
                level = int(_value(part, "val")) + 1
        if level is not None and level <= 6:
            found[_value(style, "styleId")] = level
    return found


def _paragraphs(document: ElementTree.Element, levels: Mapping[str, int]) -> Iterator[str]:
    for one in document.iter():
        if _tag(one) != "p":
            continue
        text = "".join(_pieces(one)).strip("\n")
        if not text.strip():
            continue
        level = _level(one, levels)
        yield f"{'#' * level} {' '.join(text.split())}" if level else text


def _level(paragraph: ElementTree.Element, levels: Mapping[str, int]) -> int:
    for part in paragraph.iter():
        if _tag(part) == "pStyle":
            return levels.get(_value(part, "val"), 0)
        if _tag(part) == "r":
            return 0
    return 0


def _pieces(paragraph: ElementTree.Element) -> Iterator[str]:
    """The runs of a paragraph as Markdown; those of one style beside each other share their marks."""
    marks, words = "", ""
    for run in paragraph.iter():
        if _tag(run) != "r":
            continue
        text, new_marks = _words(run), _marks(run)
        if new_marks != marks and text:
            yield _marked(words, marks)
            marks, words = new_marks, ""
        words += text
    yield _marked(words, marks)


def _marked(words: str, marks: str) -> str:
    """Marks stand at the words themselves: a space inside of them would keep them from working."""
    core = words.strip()
    if not marks or not core or "\n" in core:
        return words
    begin = words.index(core)
    return f"{words[:begin]}{marks}{core}{marks}{words[begin + len(core) :]}"


def _words(run: ElementTree.Element) -> str:
    told: list[str] = []
    for part in run:
        match _tag(part):
            case "t":
                told.append(_SPECIAL.sub(r"\\\1", part.text or ""))
            case "tab":
                told.append("\t")
            case "br" if _value(part, "type") != "page":
                told.append("  \n")
            case "cr":
                told.append("  \n")
            case _:
                pass  # pictures, fields, notes and deleted text are no words of the story
    return "".join(told)


def _marks(run: ElementTree.Element) -> str:
    """The marks of a run's style."""
    bold = italic = False
    for properties in run:
        if _tag(properties) != "rPr":
            continue
        for one in properties:
            on = _value(one, "val").lower() not in ("0", "false", "off", "none")
            bold = on if _tag(one) == "b" else bold
            italic = on if _tag(one) == "i" else italic
    return "*" * (2 * bold + italic)


def _tag(element: ElementTree.Element) -> str:
    """The name of an element of the word processor's own, in either spelling of its namespace."""
    for namespace in _NAMESPACES:
        if element.tag.startswith(namespace):
            return element.tag.removeprefix(namespace)
    return ""


def _value(element: ElementTree.Element, name: str) -> str:
    found = (element.get(f"{namespace}{name}") for namespace in _NAMESPACES)
    return next((value for value in found if value is not None), "")
