"""Whatever happens to the page or the server, what is shown is the story as it is."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from huaben.testing.script import call, reply, say, stall
from tests.browser.conftest import Stage
from tests.browser.playhouse import Server, Watch

Opening = Callable[..., Stage]


def test_a_reload_in_mid_stream_shows_what_was_shown(stage: Opening) -> None:
    """The page replays the turn's log and goes on with it; the box keeps what was typed."""
    now = stage([reply(say("门外有人敲门。"), stall(), say("他去开了门。"))])
    now.say("我听着。")
    expect(now.turns.last).to_contain_text("门外有人敲门。")
    now.box.fill("我还没说完")
    now.page.reload()
    expect(now.turns.last).to_contain_text("门外有人敲门。")
    expect(now.box).to_have_value("我还没说完")
    now.endpoint.release()
    expect(now.turns.last).to_contain_text("他去开了门。")
    expect(now.box).to_have_value("我还没说完")


def test_two_tabs_show_one_story(stage: Opening) -> None:
    """What is said in one tab is seen in the other, while it is written and afterwards."""
    now = stage([reply(say("灯亮了。"), stall(), say("又灭了。")), say("天亮了。")])
    other = Watch(now.server.address).over(now.page.context.new_page())
    other.goto(f"/p/{now.project}")
    other.locator("[data-composer]").wait_for()
    now.say("我看灯。")
    theirs = other.get_by_role("article")
    expect(theirs.last).to_contain_text("灯亮了。")
    now.endpoint.release()
    expect(theirs.last).to_contain_text("又灭了。")
    other.locator("[data-composer]").fill("再等等。")
    other.get_by_role("button", name="Send", exact=True).click()
    expect(now.turns.last).to_contain_text("天亮了。")
    expect(now.turns).to_have_count(3)


def test_a_question_answered_elsewhere_is_said_to_be(stage: Opening) -> None:
    """The card goes away in the other tab as soon as one has answered."""
    ask = call("ask", question="去不去？", options=["去", "不去"])
    now = stage([reply(say("船来了。"), ask), say("你上了船。")])
    other = now.page.context.new_page()
    other.goto(f"/p/{now.project}")
    now.say("我等船。")
    card = other.get_by_role("radiogroup")
    expect(card).to_be_visible()
    expect(other).to_have_title("● 渡口")
    now.page.get_by_role("radio", name="去", exact=True).check()
    now.page.get_by_role("button", name="Choose").click()
    expect(card).to_be_hidden()
    expect(other.get_by_role("article").last).to_contain_text("你上了船。")


def test_a_server_that_died_in_mid_stream_comes_back(stage: Opening) -> None:
    """A bar says that the server is lost, reading goes on; after its return the turn stands as
    interrupted, with what had arrived, and can be resumed."""
    now = stage([reply(say("门外有人敲门。"), stall()), say("他去开了门。")])
    now.say("我听着。")
    expect(now.turns.last).to_contain_text("门外有人敲门。")
    # What a page was shown is stored already, so that the server may die at once.
    now.server.kill()
    expect(now.page.get_by_text("Server lost; reconnecting.")).to_be_visible()
    now.box.fill("不能丢的话")
    expect(now.turns.last).to_contain_text("门外有人敲门。")
    now.server.start()
    expect(now.page.get_by_text("Server lost; reconnecting.")).to_be_hidden()
    expect(now.turns.last).to_contain_text("Interrupted; 7 characters recovered.")
    expect(now.box).to_have_value("不能丢的话")
    now.page.get_by_role("button", name="Resume").click()
    expect(now.turns.last).to_contain_text("他去开了门。")


def test_words_that_were_not_acknowledged_stay_in_the_box(
    stage: Opening, server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """Without a server nothing is lost, and sending again afterwards is one turn."""
    now = stage([say("听见了。")])
    now.turns.first.wait_for()
    now.box.fill("喂？")
    now.server.kill()
    now.page.get_by_role("button", name="Send", exact=True).click()
    expect(now.page.get_by_role("alert")).to_contain_text("What you typed is still here.")
    expect(now.box).to_have_value("喂？")
    now.server.start()
    now.page.get_by_role("button", name="Retry").click()
    expect(now.turns.last).to_contain_text("听见了。")
    expect(now.box).to_have_value("")
