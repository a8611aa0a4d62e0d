"""Finding words in a story over HTTP: every branch, the text in force, exact places, pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.domain.text import utf16_slice
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, say
from huaben.web.schemas_search import FoundPage
from tests.integration.web.lobby import lobby
from tests.integration.web.table import Table, problem, serve


async def find(table: Table, project_id: str, words: str, **more: str | int) -> FoundPage:
    path = f"/api/projects/{project_id}/search"
    answer = await table.client.get(path, params={"q": words, **more})
    assert answer.status_code == 200, answer.text
    return FoundPage.model_validate_json(answer.content)


async def test_words_are_found_on_every_branch(tmp_path: Path) -> None:
    """With the turn where they are read, and whether the present story shows them."""
    script = [say("门后有一把旧伞。"), say("The old lantern burns."), say("旧伞不见了。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        first = await table.play(project.id, "我推开门，找旧伞。")
        second = await table.play(project.id, "然后呢？")
        other = str((await table.told(f"/api/turns/{second.id}/variants"))["id"])
        await table.over(other)
        found = await find(table, project.id, "旧伞")
        assert [(one.turn, one.part, one.on_branch) for one in found.items] == [
            (other, "text", True),
            (first.id, "text", True),
            (first.id, "words", True),
        ]
        assert [one.number for one in found.items] == [2, 1, 1]
        assert (found.head, found.next) == (other, None)
        aside = await find(table, project.id, "lantern")
        assert [(one.turn, one.on_branch) for one in aside.items] == [(second.id, False)]
        assert (await find(table, project.id, "打烊")).items[0].kind == "greeting"
        assert (await find(table, project.id, "白鹭")).items == []


async def test_a_revised_text_is_found_where_it_is_read(tmp_path: Path) -> None:
    """The new one at its turn, the old one no longer on this branch."""
    script = [say("灯还亮着。"), call("draft_write", version=0, content="雨。"), say("好。")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn = await table.play(project.id, "我看看灯。")
        path = f"/api/turns/{turn.id}/final"
        version = (await table.client.get(path)).headers["etag"]
        changed = await table.client.put(
            path, json={"text": "灯灭了。"}, headers={"if-match": version}
        )
        assert changed.status_code == 200, changed.text
        (new,) = (await find(table, project.id, "灯灭")).items
        (old,) = (await find(table, project.id, "灯还亮")).items
        assert (new.turn, new.on_branch, old.turn, old.on_branch) == (turn.id, True, turn.id, False)
        assert new.node != turn.id == old.node
        await table.told(f"/api/projects/{project.id}/undo")
        (old,) = (await find(table, project.id, "灯还亮")).items
        assert old.on_branch


async def test_an_excerpt_gives_the_exact_places(tmp_path: Path) -> None:
    """In UTF-16 units, as a page counts."""
    text = "🏮" * 40 + "她把旧伞递过去。" + "雨。" * 60 + "旧伞 again."
    async with ScriptedEndpoint([say(text)]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        await table.play(project.id, "我等着。")
        (one,) = (await find(table, project.id, "旧伞")).items
        assert one.count == 2
        (span,) = one.spans
        assert utf16_slice(one.text, span.start, span.end) == "旧伞"
        whole = utf16_slice(text, one.start + span.start, one.start + span.end)
        assert whole == "旧伞"


async def test_what_was_found_comes_in_pages(tmp_path: Path) -> None:
    """Each place once; a match of the index that does not stand so is nowhere."""
    script = [say(f"伞旧了，旧伞{n}。" if n % 2 else "伞旧，旧了伞。") for n in range(6)]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turns = [await table.play(project.id, f"第{n}句。") for n in range(6)]
        seen: list[str] = []
        more: dict[str, str | int] = {"limit": 2}
        while True:
            page = await find(table, project.id, "旧伞", **more)
            assert len(page.items) <= 2
            seen += [one.turn for one in page.items]
            if page.next is None:
                break
            more = {"limit": 2, "after": page.next}
        assert seen == [turn.id for n, turn in reversed(list(enumerate(turns))) if n % 2]


@pytest.mark.parametrize(("query", "code"), [("", "missing_field"), ("q=", "invalid_field")])
async def test_a_search_says_what_it_needs(query: str, code: str) -> None:
    """A question, and a project that exists."""
    async with lobby() as client:
        status, told = problem(await client.get(f"/api/projects/p/search?{query}"))
        assert (status, told.code) == (422, code)
        status, told = problem(await client.get("/api/projects/p/search?q=x"))
        assert (status, told.code) == (404, "project_not_found")
