"""Stories and manuscripts leave the house with their pictures, or say which they leave behind."""

from __future__ import annotations

from huaben.domain.image import image_id
from huaben.services.chats_export import StoryForm, export_story
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
                {"code": "pictures_left_out", "path": "", "detail": "1 pictures"}
            ], form
        assert (
            "[旧伞 0]" in (await export_story(room.house, room.project.id, "txt")).content.decode()
        )
        assert isinstance(room.house.objects, MemoryObjects)
        room.house.objects.contents.clear()
        lost = await export_story(room.house, room.project.id, "md")
        assert "picture_missing" in str(lost.report["dropped"])
        assert "*旧伞 0*" in lost.content.decode()
