"""A book's past and its ways in and out in an author's hands: the timeline, going back, find and replace,
files brought in and saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Script, call, reply, say
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.playhouse import AWHILE_S, Server, until

RAIN = "雨下了一夜。他把旧伞撑开，旧伞漏水。\n"
FERRY = "渡口没有人，只有一把旧伞。\n"
SCRIPT: Script = [
    reply(
        call("edit", path="001-雨夜.md", oldText="雨下了一夜", newText="雨下了三天"),
        call("write", path="003-桥.md", content="桥上没有灯。\n"),
    ),
    say("雨改成三天，添了一章桥。"),
]


@dataclass(frozen=True)
class Book:
    """A writing project with two chapters that lie on the disk."""

    server: Server
    project: str

    @property
    def folder(self) -> Path:
        return self.server.data / "projects" / self.project / "manuscript"

    def text(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")

    def write(self, name: str, text: str) -> None:
        """As another editor does."""
        (self.folder / name).write_text(text, "utf-8")

    def say(self, words: str) -> None:
        """A turn of the discussion, from beginning to end."""
        path = f"/api/projects/{self.project}"
        parent = self.server.get(path)["head"]
        wish = {"text": words, "parent": parent, "request_id": words}
        self.server.post(f"{path}/turns", wish)
        end = time.monotonic() + AWHILE_S
        while self.server.get(path)["active"] is not None:
            assert time.monotonic() < end, "the turn does not end"
            time.sleep(0.05)


def a_book(server: Server) -> Book:
    made = server.post("/api/projects", {"title": "渡口", "mode": "writing", "language": "zh"})
    book = Book(server, str(made["id"]))
    book.write("001-雨夜.md", RAIN)
    book.write("002-渡口.md", FERRY)
    server.get(f"/api/projects/{book.project}/chapters")
    return book


def panel(page: Page, name: str) -> Locator:
    return page.get_by_role("dialog", name=name, exact=True)


def test_an_author_looks_back_compares_restores_and_undoes_a_turn(
    server: Callable[[str], Server], look: Callable[..., Page]
) -> None:
    """Each state says who made it; what a restore will do is shown first and can be taken back; an undone turn
    gives its words back, also over later edits once that is asked for."""
    with ScriptedEndpoint.in_thread(SCRIPT) as endpoint:
        book = a_book(server(endpoint.base_url))
        book.say("雨下三天，添一章桥。")
        page = look(book.server, f"/p/{book.project}?panel=timeline", size=DESKTOP)
        history = panel(page, "History")
        history.get_by_role("textbox", name="Keep the present state").fill("初稿")
        history.get_by_role("button", name="Keep", exact=True).click()
        states = history.locator("ol > li")
        expect(states).to_have_count(3)
        for at, maker in enumerate(("you", "model", "elsewhere")):
            expect(states.nth(at)).to_have_attribute("data-maker", maker)
        turn = states.filter(has_text="Model").get_by_role("button").first
        turn.click()
        states.nth(1).get_by_text("001-雨夜").last.click()
        expect(states.nth(1).locator("ins")).to_have_text(["inserted: 三天"])

        states.nth(2).get_by_role("button").first.click()
        states.nth(2).get_by_role("button", name="Compare with now").click()
        compared = panel(page, "Compare")
        expect(compared.get_by_role("status")).to_have_text("1 chapter changes, 1 comes back")
        page.go_back()

        states.nth(2).get_by_role("button").first.click()
        states.nth(2).get_by_role("button", name="Restore").click()
        dialog = history.get_by_role("region", name="Restore “")
        expect(dialog).to_contain_text("1 chapter changes, 1 goes")
        expect(dialog).to_contain_text("003-桥")
        assert "三天" in book.text("001-雨夜.md")
        dialog.get_by_role("button", name="Restore", exact=True).click()
        expect(dialog).to_have_count(0)
        until(page, lambda: book.text("001-雨夜.md") == RAIN)
        assert not (book.folder / "003-桥.md").exists()
        page.get_by_role("region", name="Notices").get_by_role("button", name="Undo").click()
        expect(states).to_have_count(5)
        until(page, lambda: "三天" in book.text("001-雨夜.md"))

        book.write("003-桥.md", "桥上有一盏灯。\n")
        history.get_by_role("button", name="Undo last turn").click()
        expect(history.get_by_role("alert")).to_contain_text("003-桥")
        assert book.text("003-桥.md") == "桥上有一盏灯。\n"
        history.get_by_role("button", name="Take back all the same").click()
        expect(page.get_by_text("Undone; your words are in the box.")).to_be_visible()
        until(page, lambda: book.text("001-雨夜.md") == RAIN)
        kept = page.evaluate("id => localStorage.getItem(`huaben.draft.${id}`)", book.project)
        assert kept == "雨下三天，添一章桥。"


def test_an_author_replaces_words_and_brings_the_book_in_and_out(
    server: Callable[[str], Server], look: Callable[..., Page], tmp_path: Path
) -> None:
    """On a phone and in Chinese: a place that was taken out stays, a pattern that is none yet says so, the change
    is taken back; a file comes in as chapters and the book leaves as one."""
    book = a_book(server(""))
    page = look(
        book.server, f"/p/{book.project}?panel=replace", size=PHONE, locale="zh-CN", touch=True
    )
    replacing = panel(page, "查找替换")
    replacing.get_by_label("查找", exact=True).fill("旧伞")
    replacing.get_by_label("替换为").fill("花伞")
    expect(replacing.get_by_role("status")).to_have_text("2 章里找到 3 处")
    places = replacing.get_by_role("region", name="001-雨夜").get_by_role("listitem")
    expect(places).to_have_count(2)
    places.nth(1).get_by_role("checkbox").uncheck()
    replacing.get_by_role("button", name="替换 2 处").click()
    undo = page.get_by_role("region", name="提示").get_by_role("button", name="撤销")
    expect(undo).to_be_visible()
    until(page, lambda: book.text("002-渡口.md") == "渡口没有人，只有一把花伞。\n")
    assert book.text("001-雨夜.md") == "雨下了一夜。他把花伞撑开，旧伞漏水。\n"
    expect(replacing.get_by_role("status")).to_have_text("1 章里找到 1 处")
    undo.click()
    expect(replacing.get_by_role("status")).to_have_text("2 章里找到 3 处")
    until(page, lambda: book.text("002-渡口.md") == FERRY)
    replacing.get_by_label("正则表达式").check()
    replacing.get_by_label("查找", exact=True).fill("(")
    expect(replacing.get_by_role("alert")).to_contain_text("这还不是正则表达式")

    page.goto(f"/p/{book.project}?panel=import")
    old = tmp_path / "旧稿.txt"
    old.write_bytes("第一章 灯\n灯灭了。\n第二章 船\n船来了。\n".encode("gb18030"))
    bringing = panel(page, "导入为章")
    bringing.get_by_label("按标题拆开").check()
    page.locator("input[type=file]").set_input_files(old)
    expect(bringing.get_by_role("status")).to_have_text("收进 2 章。")
    expect(bringing.get_by_role("link")).to_have_count(2)
    expect(bringing.get_by_label("报告").last).to_contain_text("gb18030")

    page.goto(f"/p/{book.project}?panel=export")
    leaving = panel(page, "导出")
    leaving.get_by_label("EPUB").check()
    with page.expect_download() as told:
        leaving.get_by_role("link", name="存成文件").click()
    assert told.value.suggested_filename == "渡口.epub"
    assert Path(told.value.path()).read_bytes().startswith(b"PK")
