"""Manuscripts on their way out by `huaben export`; apart because most exports know no chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from huaben.cli.failing import Told
from huaben.cli.speaking import one_line, voice

if TYPE_CHECKING:
    from huaben.services.exporting import File
    from huaben.services.house import House
    from huaben.services.writing.exporting import BookForm

BOOK_ONLY = ("epub", "docx")
"""Forms that no story or card leaves in."""


async def manuscript_file(
    house: House, thing: str, form: str | None, at: str | None
) -> File | None:
    """The manuscript of that name as a file, Markdown where no form is named; None where the name means no
    writing project. Raises `Told` (`wrong_form`) for a form that is a book's alone."""
    from huaben.cli.finding import find_project
    from huaben.services.writing.exporting import BOOK_FORMS, export_manuscript

    chosen: BookForm | None = next((one for one in BOOK_FORMS if one == (form or "md")), None)
    try:
        project = await find_project(house, thing)
    except Told:
        project = None
    if project is not None and project.mode == "writing" and chosen is not None:
        return await export_manuscript(house, project.id, chosen, at)
    if form in BOOK_ONLY:
        say = voice().say
        message = say("export.no_book", name=one_line(thing), form=form)
        raise Told("wrong_form", message, say("export.no_book_hint"))
    return None
