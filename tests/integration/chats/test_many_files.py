"""Chats among many files: after their cards, each with its own fate."""

from __future__ import annotations

from huaben.errors import HuabenError
from huaben.ports import Page
from huaben.services import importing
from huaben.services.importing import Item
from tests.builders.chats import HEADER, STORY, json_file, lines, webui
from tests.builders.chats import node as message
from tests.integration.chats.shelf import seen
from tests.integration.jobs.yard import BOOK, Yard, card_bytes, uploads

CHAT = lines(HEADER, *STORY)


async def taken(yard: Yard, files: dict[str, bytes | HuabenError]) -> list[Item]:
    import_id = await importing.begin(yard.house, uploads(files))
    await yard.patiently(yard.jobs.idle())
    job = await importing.load_import(yard.house, import_id)
    assert job.outcome == "done"
    return (await importing.items(yard.house, job, Page(limit=200)))[0]


async def test_chats_find_their_cards_wherever_these_are_among_the_files(yard: Yard) -> None:
    """A chat that arrives before its card; one whose card is nowhere is refused alone."""
    tree = webui("a", a=message(None, "user", "问"))
    items = await taken(
        yard,
        {
            "a.jsonl": CHAT,
            **{f"{n}.json": card_bytes(f"卡 {n}") for n in range(importing.CHUNK)},
            "渡船人.json": card_bytes("渡船人"),
            "book.json": BOOK,
            "b.jsonl": CHAT,
            "tree.json": json_file(tree),
            "broken": b"\x00\x01",
        },
    )
    by_file = {item.file: (item.fate, item.kind, item.code) for item in items}
    assert by_file["a.jsonl"] == ("imported", "chat", "")
    assert by_file["b.jsonl"] == ("already", "chat", "")
    assert by_file["book.json"][:2] == ("imported", "lorebook")
    assert by_file["tree.json"] == ("refused", "", "no_card_for_chat")
    assert by_file["broken"][0] == "refused"
    first = next(item for item in items if item.file == "a.jsonl")
    assert first.name == "a"
    assert len((await seen(yard, first.id)).path) == 3


async def test_the_same_files_again_add_no_story(yard: Yard) -> None:
    """Neither a card nor a chat comes in twice."""
    files: dict[str, bytes | HuabenError] = {"a.jsonl": CHAT, "b.json": card_bytes("渡船人")}
    await taken(yard, files)
    again = await taken(yard, files)
    assert [item.fate for item in again] == ["already", "already"]
    assert len((await yard.store.projects("local", Page()))[0]) == 1


async def test_an_import_that_died_among_its_chats_goes_on(yard: Yard) -> None:
    """Each chat is in one story, whenever the process died."""
    for steps in range(1, 8):
        text = lines(HEADER, *STORY, {"name": "渡船人", "mes": f"第 {steps} 回"})
        files: dict[str, bytes | HuabenError] = {"a.jsonl": text, "b.json": card_bytes("渡船人")}
        yard.jobs.die_after(steps)
        import_id = await importing.begin(yard.house, uploads(files))
        await yard.jobs.idle()
        await yard.restart()
        await yard.patiently(yard.jobs.idle())
        job = await importing.load_import(yard.house, import_id)
        assert job.outcome == "done"
    assert len((await yard.store.projects("local", Page()))[0]) == 7
