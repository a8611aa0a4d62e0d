"""An old installation moves in as a reader sees it: looked at, chosen, followed to its report."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import FilePayload, Page, Route, expect

from huaben.domain.jsonvalue import JsonObject
from tests.browser.axe import check
from tests.browser.conftest import PHONE
from tests.browser.playhouse import Server
from tests.builders.chats import lines, row
from tests.builders.installation import Installed, Size, install

TINY = Size(cards=3, chats=2, books=1, rows=2)
MOVE_MS = 60_000
"""A move is a job in the background, which waits for whatever else the machine does."""


def old_one(folder: Path) -> Installed:
    """A small installation with one card that cannot be read."""
    old = install(folder / "old", TINY)
    old.write("characters/坏的.png", b"no picture")
    return old


def test_an_installation_moves_in_and_its_report_outlives_a_reload(
    server: Callable[..., Server], look: Callable[..., Page], tmp_path: Path
) -> None:
    """From the first run by keys alone: what is there and what stays, one kind left out, the move, each
    file's fate, what came; Back leads to the folder, and the move is found there again."""
    old = old_one(tmp_path)
    house = server()
    page = look(house, "/")
    page.get_by_role("link", name="Move in from SillyTavern").press("Enter")
    folder = page.get_by_role("textbox", name="Folder of the installation")
    folder.fill(str(tmp_path / "nowhere"))
    folder.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("This is no folder of an installation.")
    folder.fill(str(old.root))
    folder.press("Enter")
    expect(page.get_by_role("checkbox", name="Cards")).to_be_checked()
    expect(page.get_by_text("4 files", exact=False).first).to_be_visible()
    behind = page.get_by_role("listitem").filter(has_text="secrets.json")
    expect(behind).to_contain_text("keys are never opened")
    check(page)
    page.get_by_role("checkbox", name="Quick replies").press("Space")
    page.get_by_role("button", name="Bring it in").press("Enter")
    expect(page.get_by_text(re.compile(r"files moved: .* 1 not read\."))).to_be_visible(
        timeout=MOVE_MS
    )
    page.reload()
    files = page.get_by_role("region", name="Report by file")
    expect(files.get_by_role("listitem").first).to_contain_text("characters/坏的.png")
    came = page.get_by_role("region", name="What came")
    expect(came.get_by_role("link", name="Cards 3")).to_be_visible()
    expect(came.get_by_role("link", name="Quick replies")).to_be_hidden()
    check(page)
    files.get_by_role("combobox", name="Show").select_option("refused")
    expect(files.get_by_role("listitem")).to_have_count(1)
    page.go_back()
    expect(page.get_by_role("checkbox", name="Cards")).to_be_visible()
    page.get_by_role("region", name="Moves so far").get_by_role("link").click()
    page.get_by_role("link", name="Ferryman 0", exact=True).click()
    expect(page.get_by_role("complementary", name="Ferryman 0")).to_be_visible()


def test_a_reader_at_another_machine_is_told_the_other_ways(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """Where folders are not read for whoever asks, the page says what to do instead; in Chinese, on a
    phone."""
    page = look(server(), "/library/cards", size=PHONE, locale="zh-CN")
    page.route("**/api/moves/look", _refuse)
    page.get_by_role("link", name="从 SillyTavern 搬进来").click()
    page.get_by_role("textbox", name="旧安装的文件夹").fill("/somewhere")
    page.get_by_role("button", name="看一看").click()
    told = page.get_by_role("alert")
    expect(told).to_contain_text("huaben move FOLDER")
    check(page)
    told.get_by_role("link", name="去书库").click()
    expect(page.get_by_role("button", name="导入")).to_be_visible()


def _refuse(route: Route) -> None:
    """As a server answers that others can reach."""
    told = {"code": "not_this_machine", "detail": "Folders are read only here.", "hint": ""}
    route.fulfill(status=409, json=told, content_type="application/problem+json")


def test_a_chat_without_its_card_gets_a_bare_one_from_the_report(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """The report says in Chinese what is missing; one press makes the card, and the row leads to the story."""
    header: JsonObject = {"user_name": "阿澄", "character_name": "摆渡人", "chat_metadata": {}}
    chat = lines(header, row("「上船？」", name="摆渡人"))
    page = look(server(), "/library/cards", size=PHONE, locale="zh-CN")
    file: FilePayload = {"name": "旧.jsonl", "mimeType": "application/json", "buffer": chat}
    page.get_by_label("选取文件", exact=True).set_input_files([file])
    page.get_by_role("button", name="看报告").click()
    report = page.get_by_role("complementary", name="导入报告")
    expect(report).to_contain_text("聊天里的角色在这里还没有卡。", timeout=MOVE_MS)
    check(page)
    report.get_by_role("button", name="给它建一张只有名字的卡").click()
    expect(report.get_by_role("listitem").first).to_contain_text("已导入")
    report.get_by_role("listitem").first.get_by_role("link").click()
    expect(page.get_by_role("article").first).to_contain_text("「上船？」", timeout=MOVE_MS)
