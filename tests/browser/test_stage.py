"""The journeys of the stage: playing, stopping, going back, other telling, editing."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from huaben.testing.script import Think, call, reply, say, stall
from tests.browser.conftest import Stage

Opening = Callable[..., Stage]


def test_a_reply_is_stopped_in_mid_stream_and_continued(stage: Opening) -> None:
    """Stop stands where Send stood; what was written is kept, and Continue goes on from it."""
    halted = reply(say("门外有人敲门。"), stall())
    now = stage(
        [
            halted,
            call("draft_append", version=1, content="他去开了门。"),
            call("draft_seal", version=2),
        ]
    )
    now.say("我听着。")
    expect(now.turns.last).to_contain_text("门外有人敲门。")
    expect(now.page.get_by_role("button", name="Send", exact=True)).to_be_hidden()
    now.page.get_by_role("button", name="Stop").click()
    expect(now.turns.last).to_contain_text("Stopped. 7 characters are kept.")
    now.endpoint.release()
    now.page.get_by_role("button", name="Continue").click()
    expect(now.turns.last).to_contain_text("他去开了门。")
    expect(now.turns.last.get_by_role("button", name="New variant")).to_be_visible()
    expect(now.turns.last).to_contain_text("门外有人敲门。")


def test_another_telling_and_back(stage: Opening) -> None:
    """A new variant takes the place of the old one, which stays one arrow away."""
    now = stage([say("雨停了。"), say("雨更大了。")])
    now.play("我看窗外。", "雨停了。")
    now.page.get_by_role("button", name="New variant").click()
    expect(now.turns.last).to_contain_text("雨更大了。")
    expect(now.turns.last.get_by_role("button", name="2/2: show all variants")).to_be_visible()
    now.turns.last.get_by_role("button", name="Previous variant").click()
    expect(now.turns.last).to_contain_text("雨停了。")
    expect(now.turns.last).not_to_contain_text("雨更大了。")
    now.turns.last.get_by_role("button", name="1/2: show all variants").click()
    dialog = now.page.get_by_role("dialog")
    expect(dialog).to_contain_text("雨更大了。")


def test_three_turns_are_undone_and_redone(stage: Opening) -> None:
    """Undo gives the words back to the box and a way back in a toast; Redo goes forward again."""
    now = stage([say("一。"), say("二。"), say("三。")])
    for words, text in (("甲", "一。"), ("乙", "二。"), ("丙", "三。")):
        now.play(words, text)
    for left in (3, 2, 1):
        now.page.keyboard.press("Escape")
        now.page.locator("main").focus()
        now.page.keyboard.press("Control+z")
        expect(now.turns).to_have_count(left)
    expect(now.box).to_have_value(re.compile("甲"))
    for there in (2, 3, 4):
        now.page.locator("main").focus()
        now.page.keyboard.press("Control+Shift+z")
        expect(now.turns).to_have_count(there)
    expect(now.turns.last).to_contain_text("三。")


def test_a_paragraph_is_edited_where_it_stands(stage: Opening) -> None:
    """A double click opens the paragraph; Esc keeps the edit behind a chip, Ctrl+Enter saves it."""
    now = stage([say("第一段。\n\n第二段。")])
    now.play("说。", "第二段。")
    now.turns.last.get_by_text("第二段。").dblclick()
    field = now.page.get_by_role("textbox", name="Text of the reply")
    expect(field).to_have_value("第二段。")
    field.fill("第二段改了。")
    now.page.keyboard.press("Escape")
    expect(now.turns.last).to_contain_text("第二段。")
    now.page.reload()
    now.page.get_by_role("button", name="Unsaved edit").click()
    expect(field).to_have_value("第二段改了。")
    field.press("Control+Enter")
    expect(now.turns.last.locator("[data-reply]")).to_have_text(
        re.compile(r"^第一段。\s+第二段改了。\s*$")
    )


def test_a_selected_sentence_is_changed_by_the_model(stage: Opening) -> None:
    """The wish goes out as words of the user's; the reply is changed and the difference is shown."""
    edit = call("previous_draft_edit", version=1, edits=[{"old": "他笑了。", "new": "他没有笑。"}])
    now = stage([say("他笑了。灯还亮着。"), call("previous_draft_read"), edit])
    now.play("我看着他。", "他笑了。")
    now.turns.last.locator("[data-reply] p").evaluate(
        """p => {
            const range = document.createRange();
            range.setStart(p.firstChild, 0);
            range.setEnd(p.firstChild, 4);
            document.getSelection().removeAllRanges();
            document.getSelection().addRange(range);
        }"""
    )
    now.page.get_by_role("button", name="Change this…").click()
    now.page.get_by_role("textbox", name="How should it read?").fill("让他别笑")
    now.page.get_by_role("button", name="Ask for the change").click()
    expect(now.turns.nth(1)).to_contain_text("他没有笑。灯还亮着。")
    expect(now.turns.last.locator("del")).to_be_visible()


def test_a_question_is_answered_with_an_option_and_own_words(stage: Opening) -> None:
    """Choosing an option selects it; only the button sends, and own words may go along."""
    ask = call("ask", question="去不去？", options=["去", "不去"])
    now = stage([reply(say("船来了。"), ask), say("你上了船。")])
    now.say("我等船。")
    expect(now.page.get_by_role("radiogroup")).to_be_visible()
    now.page.keyboard.press("1")
    expect(now.page.get_by_role("radio", name="去", exact=True)).to_be_checked()
    now.page.get_by_role("textbox", name="Your own words").fill("快去")
    now.page.get_by_role("button", name="Choose").click()
    expect(now.page.get_by_role("radiogroup")).to_be_hidden()
    expect(now.turns.last).to_contain_text("你上了船。")
    assert "去\\\\n快去" in now.endpoint.bodies[-1].decode()  # JSON in JSON


def test_words_sent_while_a_turn_runs_wait_behind_it(stage: Opening) -> None:
    """Typing is never disabled; what is queued is seen as stored and can be taken back."""
    now = stage([reply(say("慢慢写。"), stall()), say("第二拍。")])
    now.say("一。")
    expect(now.turns.last).to_contain_text("慢慢写。")
    now.box.fill("二。")
    now.page.get_by_role("button", name="Send after this turn").click()
    expect(now.page.get_by_text("Stored; it waits for the turn before it.")).to_be_visible()
    now.endpoint.release()
    expect(now.turns.last).to_contain_text("第二拍。")
    expect(now.turns.last.locator(".prose.user")).to_have_text("二。")


def test_a_sealed_reply_is_continued(stage: Opening) -> None:
    """What is written is appended to the reply, which stays one turn."""
    now = stage([say("灯亮着。"), reply(Think("接着写。"), say("后来灯灭了。"))])
    now.play("我看灯。", "灯亮着。")
    now.box.press("Alt+Enter")
    expect(now.turns.last).to_contain_text("后来灯灭了。")
    expect(now.turns).to_have_count(2)
    expect(now.turns.last).to_contain_text("灯亮着。")
