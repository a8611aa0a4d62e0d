"""The library from Python: in, out again, tried, explained."""

from __future__ import annotations

import json
from pathlib import Path

from huaben import Studio
from huaben.ports import Page
from huaben.testing.models import ScriptedModel
from huaben.testing.script import reply, say
from tests.builders.chats import HEADER, STORY, lines
from tests.builders.lorebooks import st_entry, st_file
from tests.integration.stage.conftest import CARD, OneModel


async def test_what_comes_in_can_be_tried_and_goes_out(tmp_path: Path) -> None:
    """The same services as the web and the command line, typed."""
    card, book = tmp_path / "沈砚.json", tmp_path / "渡口.json"
    card.write_text(json.dumps(CARD, ensure_ascii=False), "utf-8")
    value = st_file(st_entry(1, key=["龙王"]), st_entry(2, key=["ferry"]))
    book.write_text(json.dumps(value, ensure_ascii=False, indent=4), "utf-8")
    model = ScriptedModel([reply(say("他点头。"))])
    async with Studio.open(tmp_path / "data", models=OneModel(model)) as studio:
        imported = await studio.import_card(card)
        lorebook = await studio.import_lorebook(book)
        exported = await studio.export_card(imported.id)
        assert json.loads(exported.content) == CARD
        assert (await studio.export_card(imported.id, "png")).name == "沈砚.png"
        assert (await studio.export_lorebook(lorebook.id)).content == book.read_bytes()
        tried = await studio.try_lore("听说龙王来了", lorebook.id)
        assert [row["ref"] for row in tried.chosen] == ["0/1"]
        assert [row["reason"] for row in tried.left_out] == ["no_match"]
        project = await studio.create_project(card=imported.id, lorebooks=(lorebook.id,))
        async for _ in studio.play(project.id, "The ferry, please."):
            pass
        head = await studio.house.store.head(project.id)
        assert head is not None
        told = await studio.lore(head.turn_id)
        assert ("0/2", "key") in [(row["ref"], row["reason"]) for row in told.chosen]


async def test_a_chat_comes_in_and_leaves(tmp_path: Path) -> None:
    """Planted when the call returns, on the real store; the file that leaves is the one that came."""
    chat = tmp_path / "雨.jsonl"
    chat.write_bytes(lines(HEADER, *STORY))
    async with Studio.open(tmp_path / "data") as studio:
        (begun,) = await studio.import_chats(chat, bare=True)
        (again,) = await studio.import_chats(chat)
        assert (again.project_id, again.already) == (begun.project_id, True)
        out = (await studio.export_story(begun.project_id)).content
        before, after = chat.read_bytes().splitlines(), out.splitlines()
        assert [json.loads(line) for line in after] == [json.loads(line) for line in before]
        found = await studio.house.store.search_story(begun.project_id, "离了岸", Page())
        assert len(found[0]) == 1
        faults = [fault async for fault in studio.house.store.audit()]
        assert faults == []
