"""Files brought in as chapters: Markdown, plain text and DOCX, one file a chapter or taken apart at its headings.
One import is one checkpoint; nothing that is there is replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from huaben.domain.checkpoint import FileChange, Snapshot
from huaben.domain.manuscript import SUFFIX, name_fault, named, title_of, twin_of
from huaben.domain.manuscript_parts import parts
from huaben.domain.text import is_blank
from huaben.errors import BadInput
from huaben.formats.bounded import decode_text
from huaben.formats.docx_read import DocxFault, read_docx
from huaben.formats.report import Findings
from huaben.services.house import House
from huaben.services.writing.chapters import encoded
from huaben.services.writing.recording import Made, notice, rewrite
from huaben.services.writing.room import desk_lock, load_manuscript, manuscripts_of

SHOWN: Final = 5
"""So many files are named where none could be brought in."""
_DOCUMENT = "docx"


@dataclass(frozen=True, slots=True)
class Arriving:
    """A file that is to become chapters."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Brought:
    """The chapters that an import made, in order, its checkpoint, and its report."""

    names: tuple[str, ...]
    snapshot: Snapshot
    report: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Decoded:
    """A file's text, and the encoding that it was in."""

    text: str
    encoding: str


@dataclass(frozen=True, slots=True)
class _Made:
    """A chapter to be: its bytes, its title, and a file name to keep where it can be kept."""

    title: str
    content: bytes
    name: str = ""


async def import_chapters(
    house: House, project_id: str, files: Sequence[Arriving], *, apart: bool = False
) -> Brought:
    """Bring files in behind the last chapter; with `apart` each is taken apart at its headings.

    A Markdown file whose name is free keeps it, and one in UTF-8 its bytes. Other encodings are read as
    what they most likely are, which the report says. Raises `BadInput` (`no_files`, `nothing_in_it`).
    """
    project = await load_manuscript(house, project_id)
    findings = Findings()
    made = await asyncio.to_thread(_chapters, files, apart, findings)
    if not made:
        raise _nothing(findings) if files else BadInput("no_files", "No file was given.")
    async with desk_lock(house, project_id):
        standing = await notice(house, project, with_work=True)
        home = manuscripts_of(house)
        steps: dict[str, FileChange] = {}
        taken = [chapter.name for chapter in standing.found.chapters]
        for one in made:
            name = _name(one, [*taken, *steps], findings)
            steps[name] = FileChange(None, await home.keep(project_id, one.content))
        message = ", ".join(file.name for file in files)[:500]
        recorded = await rewrite(house, standing, steps, Made("imported", message=message))
    report = cast(
        "Mapping[str, object]", findings.report().to_json()
    )  # JSON is less than any object
    return Brought(tuple(steps), recorded.snapshot, report)


def _nothing(findings: Findings) -> BadInput:
    """With why of each file (of the first ones): a document that was refused is not an empty one."""
    dropped = findings.report().dropped[:SHOWN]
    why = "; ".join(f"{one.path}: {one.detail}" for one in dropped)
    return BadInput("nothing_in_it", f"There is no text in what was given ({why}).")


def _chapters(files: Iterable[Arriving], apart: bool, findings: Findings) -> list[_Made]:
    made: list[_Made] = []
    for file in files:
        decoded = _decoded(file, findings)
        if decoded is None:
            continue
        if is_blank(decoded.text):
            findings.dropped("blank", file.name, "there is no text in it")
            continue
        if decoded.encoding not in ("utf-8", _DOCUMENT):
            findings.changed(
                "encoding", file.name, f"{decoded.encoding} written as UTF-8", was=decoded.encoding
            )
        stem = file.name.rpartition(".")[0] or file.name
        pieces = parts(decoded.text) if apart else []
        if len(pieces) > 1:
            made += [_Made(part.title or title_of(stem), encoded(part.text)) for part in pieces]
            continue
        whole = file.content if decoded.encoding == "utf-8" else encoded(decoded.text)
        keeps = file.name if file.name.casefold().endswith(SUFFIX) else ""
        made.append(_Made(title_of(stem), whole, keeps))
    return made


def _decoded(file: Arriving, findings: Findings) -> _Decoded | None:
    """The text of a file, whatever it is written in."""
    if not file.name.casefold().endswith(".docx"):
        decoded = decode_text(file.content)
        return _Decoded(decoded.text, decoded.encoding)
    text = read_docx(file.content)
    if isinstance(text, DocxFault):
        findings.dropped(text.code, file.name, text.detail, fault=text.detail)
        return None
    findings.changed("converted", file.name, "the document is written as Markdown")
    return _Decoded(text, _DOCUMENT)


def _name(one: _Made, taken: Sequence[str], findings: Findings) -> str:
    """The file's own name where it is fit and free, else the next number and its title."""
    free = one.name not in taken and twin_of(one.name, taken) is None
    if one.name and name_fault(one.name) is None and free:
        return one.name
    name = named(one.title, taken)
    if one.name:
        findings.changed("renamed", one.name, name, now=name)
    return name
