"""A manuscript as one file: Markdown, plain text, EPUB or DOCX, as it is now or as it was at a checkpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never, cast

from huaben.domain.checkpoint import Manifest
from huaben.domain.manuscript import in_order, title_of
from huaben.domain.manuscript_parts import headed, joined
from huaben.domain.project import Project
from huaben.formats.book import BookChapter, BookFile, Cover, PictureType
from huaben.formats.docx import write_docx
from huaben.formats.docx_pictures import KNOWN
from huaben.formats.epub import write_epub
from huaben.formats.illustrations import Illustrations, as_markdown, as_words
from huaben.formats.png import default_picture
from huaben.formats.report import Findings
from huaben.services.exporting import File, card_image
from huaben.services.filenames import safe_name
from huaben.services.house import House
from huaben.services.illustrating import illustrations_of, note_left_out
from huaben.services.writing.history import load_checkpoint
from huaben.services.writing.room import load_manuscript, manuscripts_of

BookForm: TypeAlias = Literal["md", "txt", "epub", "docx"]
BOOK_FORMS: tuple[BookForm, ...] = ("md", "txt", "epub", "docx")
_MEDIA: Mapping[BookForm, str] = {
    "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "epub": "application/epub+zip",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


@dataclass(frozen=True, slots=True)
class _Text:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class _Bound:
    """All that goes into the file."""

    project: Project
    texts: Sequence[_Text]
    changed_at: str
    cover: Cover | None
    pictures: Illustrations


async def export_manuscript(
    house: House, project_id: str, form: BookForm, checkpoint_id: str | None = None
) -> File:
    """The whole manuscript. The Markdown holds the chapters to the letter, one after the other with a blank
    line between, and behind them the pictures that their marks stand for; plain text has each under its
    title. A chapter that is no text is left out, which the report says, and so is a missing picture. Raises `NotFound`, `Conflict("no_manuscript")`."""
    project = await load_manuscript(house, project_id)
    findings = Findings()
    texts, changed_at = await _texts(house, project, checkpoint_id, findings)
    cover = await _cover(house, project) if form == "epub" else None
    pictures = await _pictures(house, form, texts, findings)
    bound = _Bound(project, texts, changed_at, cover, pictures)
    content = await asyncio.to_thread(_written, bound, form)
    report = cast(
        "Mapping[str, object]", findings.report().to_json()
    )  # JSON is less than any object
    return File(content, safe_name(project.title, form), _MEDIA[form], report)


async def _pictures(
    house: House, form: BookForm, texts: Sequence[_Text], findings: Findings
) -> Illustrations:
    """The pictures that stand in the chapters; plain text has their captions alone."""
    told = [one.text for one in texts]
    if form == "txt":
        note_left_out(told, findings)
        return {}
    found = await illustrations_of(house, told, findings)
    if form == "docx":
        for image, one in found.items():
            if one.media_type not in KNOWN:
                findings.dropped(
                    "picture_kind",
                    image,
                    f"{one.media_type} is not shown by Word",
                    value=one.media_type,
                )
    return found


def _written(bound: _Bound, form: BookForm) -> bytes:
    project, texts = bound.project, bound.texts
    match form:
        case "md":
            return as_markdown(joined(one.text for one in texts), bound.pictures).encode()
        case "txt":
            told = (headed(title_of(one.name), one.text).lstrip("# \ufeff") for one in texts)
            return as_words(joined(told)).encode()
        case "epub" | "docx":
            chapters = tuple(BookChapter(title_of(one.name), one.text) for one in texts)
            book = BookFile(
                id=f"urn:uuid:{project.id}",
                title=project.title,
                language=project.language,
                chapters=chapters,
                changed_at=f"{bound.changed_at[:19]}Z",
                cover=bound.cover,
                pictures=bound.pictures,
            )
            return write_epub(book) if form == "epub" else write_docx(book)
        case _:
            assert_never(form)


async def _texts(
    house: House, project: Project, checkpoint_id: str | None, findings: Findings
) -> tuple[list[_Text], str]:
    """The chapters in order, and when the last of them changed."""
    home = manuscripts_of(house)
    contents: dict[str, bytes | None] = {}
    if checkpoint_id is None:
        found = await home.look(project.id)
        times = [chapter.changed_at for chapter in found.chapters]
        for chapter in found.chapters:
            contents[chapter.name] = await home.read(project.id, chapter.name)
    else:
        snapshot = await load_checkpoint(house, project.id, checkpoint_id)
        times = [snapshot.checkpoint.at]
        files: Manifest = snapshot.files
        for name in in_order(files):
            contents[name] = await home.object(project.id, files[name])
    texts: list[_Text] = []
    for name, content in contents.items():
        try:
            texts.append(_Text(name, (content or b"").decode()))
        except UnicodeDecodeError:
            findings.dropped("not_utf8", name, "the chapter is not text in UTF-8")
    return texts, max(times, default=project.created_at)


async def _cover(house: House, project: Project) -> Cover | None:
    """The card's own picture; a plain one is no cover."""
    if project.card_id is None:
        return None
    shown = await card_image(house, project.card_id)
    if shown.content == default_picture():
        return None
    return Cover(shown.content, cast("PictureType", shown.media_type))  # only these are shown
