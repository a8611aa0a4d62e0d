"""Stories and manuscripts leave the house with their pictures, or say which they leave behind."""

from __future__ import annotations

import io
import zipfile

from huaben.domain.image import image_id
from huaben.services.chats_export import StoryForm, export_story
from huaben.services.retelling import Retelling, retell
from huaben.services.writing.exporting import BookForm, export_manuscript
from huaben.testing.objects import MemoryObjects
from tests.integration.images.easel import Painter, png, studio


async def test_a_story_takes_its_pictures_along_or_names_them() -> None:
    """Markdown holds them; text and chats of other programs have no place for them."""
    async with studio(Painter([png()])) as room:
        room.begin()
        turn = await room.sealed(prompts=("旧伞",))
        await room.house.jobs.idle()
        whole = await export_story(room.house, room.project.id, "md")
        told = whole.content.decode()
        name = f"picture-{image_id(turn.id, 0)}"
        assert f"![旧伞 0][{name}]" in told
        assert f"[{name}]: <data:image/png;base64,iVBOR" in told
        assert whole.report["dropped"] == []
        forms: tuple[StoryForm, ...] = ("txt", "jsonl", "json")
        for form in forms:
            left = await export_story(room.house, room.project.id, form)
            assert left.report["dropped"] == [
                {
                    "code": "pictures_left_out",
                    "path": "",
                    "detail": "1 picture",
                    "facts": {"n": 1},
                }
            ], form
        assert (
            "[旧伞 0]" in (await export_story(room.house, room.project.id, "txt")).content.decode()
        )
        assert isinstance(room.house.objects, MemoryObjects)
        room.house.objects.contents.clear()
        lost = await export_story(room.house, room.project.id, "md")
        assert "picture_missing" in str(lost.report["dropped"])
        assert "*旧伞 0*" in lost.content.decode()


async def test_a_book_made_of_a_story_keeps_its_pictures() -> None:
    """In their places in the chapters, and in every form that can hold them."""
    async with studio(Painter([png()])) as room:
        room.begin()
        await room.sealed(prompts=("旧伞",))
        await room.house.jobs.idle()
        book, _ = await retell(room.house, room.project.id, Retelling())
        forms: dict[BookForm, str] = {"epub": "OEBPS/picture-", "docx": "word/media/picture"}
        for form, name in forms.items():
            file = await export_manuscript(room.house, book.id, form)
            with zipfile.ZipFile(io.BytesIO(file.content)) as packed:
                held = [packed.read(one) for one in packed.namelist() if one.startswith(name)]
            assert held == [png()], form
            assert file.report["dropped"] == []
        plain = await export_manuscript(room.house, book.id, "txt")
        assert "[旧伞 0]" in plain.content.decode()
        assert "pictures_left_out" in str(plain.report["dropped"])
