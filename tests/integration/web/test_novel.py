"""A novelist's whole way over HTTP, on real files: a book is brought in, an agent works on three chapters, the
author puts one sentence back and replaces a word, and the book leaves in every form."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, reply, say
from huaben.web import schemas_writing
from tests.integration.web.table import Table, serve

BOOK = """# 雨夜

雨下了一夜。他把旧伞撑开。\r
伞骨断了一根。

# The ferry

Nobody was at the ferry. 一盏灯。

# 桥

桥上有人，桥下也有人。
"""
NAMES = ["001-雨夜.md", "002-The-ferry.md", "003-桥.md"]
WORK = reply(
    call("read", path=f"manuscript/{NAMES[2]}"),
    call("edit", path=NAMES[0], oldText="雨下了一夜。", newText="雨下了三天。"),
    call("edit", path=NAMES[1], oldText="Nobody was", newText="An old man stood"),
    call("rename", path=NAMES[2], to="003-石桥.md"),
    call("edit", path="003-石桥.md", oldText="桥下也有人", newText="桥下有船"),
)


async def brought_in(table: Table) -> str:
    """The path of a project whose chapters are those of the book."""
    made = await table.told("/api/projects", {"title": "渡口", "mode": "writing"})
    path = f"/api/projects/{made['id']}"
    answer = await table.client.post(
        f"{path}/chapters/import",
        files=[("files", ("书.md", BOOK.encode(), "text/markdown"))],
        params={"apart": True},
    )
    told = schemas_writing.ChaptersImported.model_validate_json(answer.content)
    assert told.names == NAMES
    return path


async def exported(table: Table, path: str, form: str) -> bytes:
    answer = await table.client.get(f"{path}/manuscript", params={"to": form})
    assert answer.status_code == 200, answer.text
    return answer.content


def pages(content: bytes, *, ending: str) -> list[str]:
    """The text of the files in an archive; each must be well-formed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            if name.endswith((".xml", ".xhtml", ".opf", ".ncx", ".rels")):
                ElementTree.fromstring(archive.read(name))
        names = [name for name in archive.namelist() if name.endswith(ending)]
        return ["".join(ElementTree.fromstring(archive.read(n)).itertext()) for n in names]


async def test_a_book_is_brought_in_worked_on_and_saved(tmp_path: Path) -> None:
    """Taken apart the chapters are the book to the byte; one turn is one checkpoint of all three; one change is put
    back, one word replaced but where it was left out, and the book leaves."""
    script = [WORK, say("三章都改好了。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        path = await brought_in(table)
        folder = tmp_path / path.removeprefix("/api/") / "manuscript"
        assert "".join((folder / n).read_bytes().decode() for n in NAMES) == BOOK
        first = (folder / NAMES[0]).read_bytes().decode()

        turn = await table.play(path.rpartition("/")[2], "三章各改一处。")
        assert (turn.status, turn.final_text) == ("done", "三章都改好了。")
        timeline = await table.client.get(f"{path}/checkpoints")
        (made, *_) = schemas_writing.CheckpointPage.model_validate_json(timeline.content).items
        assert (made.turn, made.changed.modified) == (turn.id, NAMES[:2])
        assert (made.changed.added, made.changed.removed) == (["003-石桥.md"], ["003-桥.md"])

        answer = await table.client.get(f"{path}/chapters/{NAMES[0]}")
        there = schemas_writing.ChapterTold.model_validate_json(answer.content)
        assert there.text == first.replace("一夜", "三天")
        guard = {"If-Match": f'"{there.hash}"'}
        back = await table.client.put(
            f"{path}/chapters/{NAMES[0]}", json={"text": first}, headers=guard
        )
        assert back.status_code == 200
        await replaced(table, path)
        bridge = (folder / "003-石桥.md").read_text("utf-8")
        assert bridge == "# 石桥\n\n石桥上有人，桥下有船。\n"

        texts = [one.read_bytes().decode() for one in sorted(folder.iterdir())]
        assert texts[0] == first  # with its line end of another system
        await check_exports(table, path, texts)


async def replaced(table: Table, path: str) -> None:
    """Look at the places first, leave the last one out, then have the others replaced."""
    wish: dict[str, object] = {"find": "桥", "replace": "石桥"}
    told = await table.told(f"{path}/chapters/replace", wish)
    shown = schemas_writing.Replacing.model_validate(told)
    assert [(one.name, one.count) for one in shown.files] == [("003-石桥.md", 3)]
    wish["files"] = {one.name: one.hash for one in shown.files}
    wish["left_out"] = {"003-石桥.md": [shown.files[0].places[2].start]}
    await table.told(f"{path}/chapters/replace", wish)


async def check_exports(table: Table, path: str, texts: list[str]) -> None:
    """The Markdown is the chapters joined again, to the byte; the books hold each of them, in order."""
    assert (await exported(table, path, "md")).decode() == "\n".join(texts)
    words = ("旧伞", "An old man stood", "桥下有船")
    epub = "\n".join(pages(await exported(table, path, "epub"), ending=".xhtml"))
    (docx,) = pages(await exported(table, path, "docx"), ending="word/document.xml")
    for whole in ((await exported(table, path, "txt")).decode(), epub, docx):
        places = [whole.index(one) for one in words]
        assert places == sorted(places)
