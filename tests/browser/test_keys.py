"""The stage by keyboard and by finger alone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from huaben.testing.script import Status, reply, say, stall
from tests.browser.conftest import PHONE, Stage

Opening = Callable[..., Stage]


def test_a_story_is_played_by_keyboard_alone(stage: Opening) -> None:
    """Enter sends, Esc stops, arrows page, letters act on a turn that has the focus."""
    now = stage([say("一。"), say("另一。"), reply(say("慢。"), stall())])
    keys = now.page.keyboard
    now.box.focus()
    keys.type("甲")
    keys.press("Shift+Enter")
    keys.type("乙")
    keys.press("Enter")
    expect(now.turns.last).to_contain_text("一。")
    expect(now.turns.last.get_by_role("button", name="New variant")).to_be_enabled()
    expect(now.box).to_be_focused()
    keys.press("Alt+r")
    expect(now.turns.last).to_contain_text("另一。")
    expect(now.turns.last.get_by_role("button", name="2/2: show all variants")).to_be_visible()
    expect(now.turns.last.get_by_role("button", name="Previous variant")).to_be_enabled()
    keys.press("ArrowLeft")
    expect(now.turns.last.get_by_role("button", name="1/2: show all variants")).to_be_visible()
    keys.press("Shift+Tab")
    now.page.locator("main").focus()
    keys.press("k")
    expect(now.turns.last).to_be_focused()
    keys.press("e")
    field = now.page.get_by_role("textbox", name="Text of the reply")
    expect(field).to_be_focused()
    keys.press("Escape")
    expect(field).to_be_hidden()
    now.box.focus()
    keys.type("丙")
    keys.press("Enter")
    expect(now.turns.last).to_contain_text("慢。")
    keys.press("Escape")
    expect(now.turns.last).to_contain_text("Stopped.")


def test_no_key_acts_while_an_input_method_composes(stage: Opening) -> None:
    """Enter that chooses a word in an input method sends nothing."""
    now = stage([say("一。")])
    now.box.focus()
    now.box.evaluate(
        """box => {
            const init = { key: "Enter", isComposing: true, bubbles: true, cancelable: true };
            box.value = "";
            box.dispatchEvent(new KeyboardEvent("keydown", init));
        }"""
    )
    now.box.fill("拼音")
    now.box.evaluate(
        """box => box.dispatchEvent(new KeyboardEvent("keydown",
            { key: "Enter", keyCode: 229, bubbles: true, cancelable: true }))"""
    )
    now.page.wait_for_timeout(300)
    expect(now.box).to_have_value("拼音")
    expect(now.turns).to_have_count(1)


def test_a_swipe_pages_variants_and_never_generates(stage: Opening) -> None:
    """Past the last variant comes a card with a button; only the button tells again."""
    now = stage([say("一。"), say("另一。")], size=PHONE, touch=True)
    now.play("甲", "一。")
    swipe(now.page, now, -200)
    expect(now.page.get_by_text("There are no more variants.")).to_be_visible()
    assert len(now.endpoint.received) == 1
    now.turns.last.get_by_role("button", name="New variant").first.click()
    expect(now.turns.last).to_contain_text("另一。")
    expect(now.turns.last.get_by_role("button", name="2/2: show all variants")).to_be_visible()
    expect(now.turns.last.get_by_role("button", name="Previous variant")).to_be_enabled()
    swipe(now.page, now, 200)
    expect(now.turns.last.get_by_role("button", name="1/2: show all variants")).to_be_visible()


def swipe(page: Page, now: Stage, by: int) -> None:
    """Draw a finger across the latest reply."""
    now.turns.last.locator("[data-reply]").evaluate(
        """(reply, by) => {
            const box = reply.getBoundingClientRect();
            const [x, y] = [box.left + box.width / 2, box.top + 5];
            const at = (kind, dx) => reply.dispatchEvent(new PointerEvent(kind, {
                pointerType: "touch", clientX: x + dx, clientY: y, bubbles: true }));
            at("pointerdown", 0);
            for (let step = 1; step <= 10; step += 1) at("pointermove", (by * step) / 10);
            at("pointerup", by);
        }""",
        by,
    )
    page.wait_for_timeout(300)


def test_a_variant_that_yields_nothing_gives_the_story_back(stage: Opening) -> None:
    """The one before it stands again, and that is said."""
    now = stage([say("一。"), reply(Status(500))])
    now.play("甲", "一。")
    now.turns.last.get_by_role("button", name="New variant").click()
    expect(now.page.get_by_text("Back to the previous variant.")).to_be_visible()
    expect(now.turns.last).to_contain_text("一。")


def test_the_story_goes_back_to_a_save(stage: Opening) -> None:
    """A named save is a place to return to; what came after it is kept, and the toast leads back."""
    now = stage([say("一。"), say("二。")])
    now.play("甲", "一。")
    now.turns.last.get_by_role("button", name="More").click()
    now.page.get_by_role("menuitem", name="Save here").click()
    dialog = now.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("岔口")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_role("listitem")).to_contain_text("岔口")
    now.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    now.play("乙", "二。")
    now.page.get_by_role("button", name="Story", exact=True).click()
    now.page.get_by_role("menuitem", name="Saves").click()
    now.page.get_by_role("dialog").get_by_role("button", name="Go there").click()
    now.page.keyboard.press("Escape")
    expect(now.turns.last).to_contain_text("一。")
    now.page.get_by_role("button", name="Go back").click()
    expect(now.turns.last).to_contain_text("二。")
