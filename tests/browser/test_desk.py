"""The journeys of the desk: the model writes and the author reviews, two hands on one text, talk apart from
prose."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from huaben.testing.script import call, reply, say, stall
from tests.browser.axe import check
from tests.browser.conftest import PHONE, Desk

RAIN = "雨下了三天。他指尖收紧，转身走了。\n\n“伞留下。”她说。雨水顺着伞骨往下淌。\n"
UMBRELLA = "伞骨断了一根，用细麻绳缠着。\n"
CHAPTERS = {"001-雨夜.md": RAIN, "002-旧伞.md": UMBRELLA}
WORK = reply(
    call(
        "edit",
        path="manuscript/001-雨夜.md",
        edits=[
            {"oldText": "他指尖收紧，转身走了。", "newText": "他指尖一紧，走了。"},
            {"oldText": "雨水顺着伞骨往下淌。", "newText": "雨水一滴一滴往下淌。"},
        ],
    ),
    call(
        "edit",
        path="manuscript/002-旧伞.md",
        oldText="缠着。",
        newText="缠着。\n\n那是她父亲的手艺。",
    ),
)


def test_the_model_writes_and_the_author_puts_one_sentence_back(desk: Callable[..., Desk]) -> None:
    """Changes stand in the text, sentence by sentence; one is put back, one kept, the rest stays to be
    looked at; undoing the put back brings it to the review again. The report stays in the discussion."""
    now = desk([WORK, say("改好了，两章。")], CHAPTERS)
    expect(now.text).to_contain_text("他指尖收紧")
    now.say("第一章收一收。")
    expect(now.turns.last).to_contain_text("改好了，两章。")
    review = now.page.get_by_role("region", name="Changes")
    expect(review).to_contain_text("Change 1/2")
    expect(now.text.locator("ins").first).to_have_text("一")
    expect(now.turns.last).to_contain_text("Chapters changed: 2")
    assert "改好了" not in now.text.inner_text()
    check(now.page)

    now.page.get_by_role("button", name="Who wrote what").click()
    expect(now.text.locator(".models").first).to_have_text("一")
    review.get_by_role("button", name="Put back").click()
    expect(review).to_contain_text("Change 1/1")
    expect(now.page.get_by_text("Saved", exact=True)).to_be_visible()
    now.comes_to_disk("001-雨夜.md", RAIN.replace("雨水顺着伞骨", "雨水一滴一滴"))
    now.text.click()
    now.page.keyboard.press("Control+z")
    expect(review).to_contain_text("Change 1/2")
    now.page.keyboard.press("Control+y")
    expect(review).to_contain_text("Change 1/1")
    now.page.keyboard.press("F7")
    now.page.keyboard.press("Control+Enter")
    expect(review).to_be_hidden()
    now.page.reload()
    expect(now.text).to_contain_text("雨水一滴一滴往下淌")
    expect(review).to_be_hidden()
    expect(now.text).to_contain_text("他指尖收紧，转身走了。")

    now.turns.last.get_by_role("link", name="旧伞").click()
    expect(now.text.locator("ins")).to_have_text(re.compile("那是她父亲的手艺。"))


def test_two_hands_on_one_chapter(desk: Callable[..., Desk]) -> None:
    """What is typed saves itself; an edit on disk elsewhere in the chapter is put together with it; one at
    the same place shows both texts, and the one that is not taken is in the history."""
    now = desk([], CHAPTERS)
    file = now.folder / "001-雨夜.md"
    saved = now.page.get_by_text("Saved", exact=True)
    now.text.get_by_text("雨下了三天。").click()
    now.page.keyboard.press("Control+Home")
    with now.nothing_saved():
        now.page.keyboard.insert_text("那年，")
        file.write_text(RAIN.replace("她说。", "她说着，退了一步。"), "utf-8")
    expect(now.text).to_contain_text("退了一步")
    now.comes_to_disk(file.name, "那年，" + RAIN.replace("她说。", "她说着，退了一步。"))
    expect(saved).to_be_visible()

    with now.nothing_saved():
        now.page.keyboard.insert_text("据说")
        file.write_text("那年，听说" + RAIN, "utf-8")
    conflict = now.page.get_by_role("alert", name="Two texts")
    expect(conflict.locator("del")).to_contain_text("那年，听说雨下了三天。")
    expect(conflict.locator("ins")).to_contain_text("那年，据说雨下了三天。")
    check(now.page)
    now.page.reload()
    expect(conflict).to_be_visible()
    conflict.get_by_role("button", name="Take the other").click()
    expect(saved).to_be_visible()
    expect(now.text).to_contain_text("那年，听说雨下了三天。")
    now.comes_to_disk(file.name, "那年，听说" + RAIN)
    objects = now.folder.parent / "history" / "objects"
    kept = [path.read_text("utf-8") for path in objects.rglob("*") if path.is_file()]
    assert any(text.startswith("那年，据说雨下了三天。") for text in kept)


def test_chapters_are_made_ordered_and_taken_out_by_hand(desk: Callable[..., Desk]) -> None:
    """On a phone: a new chapter, another title, another place; a deletion comes back from its toast."""
    now = desk([], CHAPTERS, size=PHONE, touch=True)
    page = now.page

    def menu(title: str, item: str) -> None:
        page.get_by_role("button", name=f"Chapter {title}").click()
        page.get_by_role("menuitem", name=item).click()

    page.get_by_role("button", name="Chapters").click()
    page.get_by_role("button", name="New chapter").click()
    page.get_by_role("textbox", name="Title").fill("夜/市")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", level=2, name="夜 市")).to_be_visible()
    page.get_by_role("button", name="Chapters").click()
    menu("夜 市", "Rename")
    page.get_by_role("textbox", name="Title").fill("夜市")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("link", name="夜市")).to_be_visible()
    menu("夜市", "Move up")
    expect(page.get_by_role("listitem").nth(1)).to_contain_text("002夜市")
    expect(page.get_by_role("listitem").nth(2)).to_contain_text("003旧伞")  # both have moved
    check(page)
    menu("旧伞", "Delete")
    expect(page.get_by_role("link", name="旧伞")).to_be_hidden()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_role("link", name="旧伞")).to_be_visible()
    now.comes_to_disk("003-旧伞.md", UMBRELLA)
    assert sorted(path.name for path in now.folder.iterdir()) == [
        "001-雨夜.md",
        "002-夜市.md",
        "003-旧伞.md",
    ]
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]


def test_the_discussion_stands_apart_from_the_prose(desk: Callable[..., Desk]) -> None:
    """A turn is asked, answered, stopped with what it has changed, and goes on; a long text that strayed
    into the discussion becomes a chapter when the author says so."""
    ask = call("ask", question="谁来开门？", options=["她", "没有人"])
    change = call(
        "edit", path="manuscript/002-旧伞.md", oldText="用细麻绳缠着", newText="用红线缠着"
    )
    astray = "灯笼一盏一盏亮起来。" * 40
    now = desk([ask, reply(change, say("改")), reply(say("还"), stall()), say(astray)], CHAPTERS)
    now.say("改一改门口那场。")
    expect(now.page.get_by_role("radiogroup")).to_be_visible()
    check(now.page)
    now.page.get_by_role("radio", name="没有人").check()
    now.page.get_by_role("button", name="Choose").click()
    expect(now.turns.last).to_contain_text("还")
    chapters = now.page.get_by_role("navigation", name="Chapters")
    chapters.get_by_role("link", name="旧伞").click()
    # The words before it stand beside what they replaced as soon as the comparison has come.
    expect(now.text).to_contain_text("红线缠着")
    expect(now.page.get_by_role("button", name="Put back")).to_be_disabled()
    now.page.get_by_role("button", name="Stop").click()
    expect(now.turns.last).to_contain_text("Stopped. What it changed is in the chapters.")
    expect(now.page.get_by_role("button", name="Put back")).to_be_enabled()
    now.endpoint.release()
    now.turns.last.get_by_role("button", name="Continue").click()
    expect(now.turns.last).to_contain_text("灯笼一盏一盏亮起来")
    assert "灯笼" not in "".join(path.read_text("utf-8") for path in now.folder.glob("*.md"))
    now.turns.last.get_by_role("button", name="Make it a chapter").click()
    expect(now.text).to_contain_text("灯笼一盏一盏亮起来")
    now.comes_to_disk("003-新章.md", f"{astray}\n")
