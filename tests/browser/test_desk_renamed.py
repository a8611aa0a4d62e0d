"""What a turn renames, what a restore leaves behind, and a story that becomes a book, as an author sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Page, expect

from huaben.testing.script import call, reply, say
from tests.browser.axe import check
from tests.browser.conftest import PHONE, Desk
from tests.browser.playhouse import Server, until
from tests.browser.test_pictures import seeded

NIGHT = "雨下了三天。他指尖收紧，转身走了。\n"
UMBRELLA = "伞骨断了一根，用细麻绳缠着。\n"
CHAPTERS = {"001-雨夜.md": NIGHT, "002-旧伞.md": UMBRELLA}
WORK = reply(
    call("rename", path="001-雨夜.md", to="001-渡口.md"),
    call("edit", path="001-渡口.md", oldText="转身走了", newText="上了船"),
    call("rename", path="002-旧伞.md", to="002-花伞.md"),
)


def test_a_chapter_that_the_model_renamed_is_one_chapter_with_its_changes(
    desk: Callable[..., Desk],
) -> None:
    """The open chapter is followed to its new name, its words stand against those it had, and the former name
    comes back without them; then an earlier text is restored, and the ledger says that it may differ."""
    now = desk([WORK, say("改了名。")], CHAPTERS)
    page = now.page
    expect(now.text).to_contain_text("转身走了")
    now.say("第一章改叫渡口。")
    expect(now.turns.last).to_contain_text("Chapters changed: 2")
    expect(now.turns.last.get_by_role("link")).to_have_text(["雨夜 → 渡口", "旧伞 → 花伞"])
    expect(page.get_by_role("heading", level=2, name="渡口")).to_be_visible()
    expect(now.text.locator("ins")).to_have_text(["上", "船"])
    renamed = page.get_by_role("region", name="Rename")
    expect(renamed).to_contain_text("Called “雨夜” before.")
    check(page)
    page.goto(f"/p/{now.project}/c/001-雨夜.md")
    page.get_by_role("link", name="Open it").click()
    renamed.get_by_role("button", name="Put back").click()
    expect(page.get_by_role("heading", level=2, name="雨夜")).to_be_visible()
    now.comes_to_disk("001-雨夜.md", NIGHT.replace("转身走了", "上了船"))
    until(
        page,
        lambda: sorted(one.name for one in now.folder.iterdir()) == ["001-雨夜.md", "002-花伞.md"],
    )

    path = f"/api/projects/{now.project}"
    until(page, lambda: now.server.get(f"{path}/care")["reading"] is False)
    now.server.post(f"{path}/care", {"chapters": ["001-雨夜.md", "002-花伞.md"]})
    until(page, lambda: now.server.get(f"{path}/care")["reading"] is False)
    page.goto(f"/p/{now.project}?panel=timeline")
    history = page.get_by_role("dialog", name="History", exact=True)
    first = history.locator("ol > li").last
    first.get_by_role("button").first.click()
    first.get_by_role("button", name="Restore", exact=True).click()
    dialog = history.get_by_role("region", name="Restore “")
    dialog.get_by_role("button", name="Restore", exact=True).click()
    now.comes_to_disk("001-雨夜.md", NIGHT)
    now.comes_to_disk("002-旧伞.md", UMBRELLA)
    notice = history.get_by_role("status").filter(has_text="the ledger may differ from it")
    expect(notice).to_contain_text("001-雨夜")
    notice.get_by_role("button", name="Recompute").click()
    until(page, lambda: now.server.get(f"{path}/care")["changed"] == [])
    expect(notice).to_have_count(0)


def test_a_story_becomes_a_book_whose_pictures_stand_in_the_text(
    server: Callable[..., Server], look: Callable[..., Page], tmp_path: Path
) -> None:
    """On a phone and in Chinese: the prose lies on the disk to the byte, its pictures are shown at the desk, and
    whoever puts the caret there sees and keeps the line as it is written."""
    data = tmp_path / "data0"
    with ThreadPoolExecutor(1) as pool:  # the browser's loop runs in this thread
        story = pool.submit(lambda: asyncio.run(seeded(data))).result()
    house = server()
    page = look(house, f"/p/{story}", size=PHONE, locale="zh-CN", touch=True)
    expect(page.get_by_role("img", name="雨里的旧伞")).to_be_visible()  # it is drawn by now
    page.goto(f"/p/{story}?sheet=book")
    dialog = page.get_by_role("dialog", name="写成一本书")
    dialog.get_by_label("书名").fill("渡口")
    dialog.get_by_label("合成一章").check()
    dialog.get_by_role("button", name="建立").click()
    text = page.locator(".cm-content")
    pictures = text.locator(".picture")
    expect(pictures).to_have_text(["插图 · 雨里的旧伞", "插图 · 一盏灯"])
    expect(pictures.first.locator("img")).to_have_js_property("naturalWidth", 480)
    expect(text).not_to_contain_text("image:")

    folder = data / "projects" / page.url.split("/p/")[1].split("/")[0].split("?")[0] / "manuscript"
    (chapter,) = folder.iterdir()
    told = chapter.read_text("utf-8")
    assert "![雨里的旧伞](image:" in told
    pictures.last.click()
    expect(text).to_contain_text("![一盏灯](image:")
    expect(pictures).to_have_count(1)
    text.get_by_text("雨停了。").click()
    expect(pictures).to_have_count(2)
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("雨又下了。")
    until(page, lambda: chapter.read_text("utf-8") == f"{told}雨又下了。")
