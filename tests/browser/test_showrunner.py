"""A turn that a control model directs, as the reader sees it come: step by step, with a picture in its place."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import expect

from huaben.testing.script import Asked, Call, Step, call, reply, say, stall
from tests.browser.conftest import Stage
from tests.browser.test_accessible import check

SCENARIO = """name = "directed"
[performer]
kind = "showrunner"
[models]
image = "rehearsal"
[amendments]
apply = "review"
"""
"""With the pictures that ship with the program: nothing outside is asked to draw."""
FIRST, REST = "雨停了，旧伞还在滴水。", "他收了伞，把灯拨亮。"


class Crew:
    """Who directs and who writes, behind one address: only who directs is offered functions."""

    def __init__(self) -> None:
        self.directed: list[str] = []
        self.written: list[str] = []
        self._calls: list[Call] = [
            call("schedule_amendment", request="灯总亮着"),
            call("actor", instruction="从雨停写起"),
            call("generate_image", prompt="雨里的旧伞", caption="旧伞"),
            call("actor", instruction="收在灯上"),
            call("over"),
        ]

    def __call__(self, asked: Asked) -> Step:
        body = json.dumps(asked.body, ensure_ascii=False)
        if "actor" in asked.tool_names:
            self.directed.append(body)
            return reply(self._calls[len(self.directed) - 1])
        if not asked.tool_names and "【读者的要求】" in asked.last_text:
            return reply(stall(), say('{"summary": "从此灯不灭。", "style": ["灯总亮着"]}'))
        self.written.append(body)
        if len(self.written) == 1:
            return say(FIRST)
        return reply(say(REST[:4]), stall(), say(REST[4:]))


def test_a_directed_turn_comes_step_by_step_and_reads_as_one(
    stage: Callable[..., Stage],
) -> None:
    """The scenario is chosen on the page; steps, the first part and a placeholder are there while the
    second part is written; then there is one text with the picture in its place, also after a reload."""
    crew = Crew()
    now = stage(crew)
    page = now.page
    scenarios = now.server.data / "scenarios"
    scenarios.mkdir(exist_ok=True)
    (scenarios / "directed.toml").write_text(SCENARIO, "utf-8")
    page.get_by_role("button", name="Story", exact=True).click()
    page.get_by_role("menuitem", name="Scenario of this story").click()
    page.get_by_role("radio", name="directed", exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    now.say("我推门进去。")
    turn = now.turns.last
    expect(turn).to_contain_text(REST[:4])
    expect(turn).to_contain_text(FIRST)
    expect(turn.locator("figure")).to_contain_text("旧伞")
    turn.get_by_role("button", name="Writing").click()
    expect(turn.get_by_role("button", name="Wrote: 从雨停写起")).to_be_visible()
    expect(turn.get_by_role("button", name="Placed a picture: 旧伞")).to_be_visible()
    now.endpoint.release()
    now.endpoint.hold()
    reads_as_one(now)
    change = turn.get_by_role("region", name="Lasting change")
    expect(change).to_contain_text("is being worked on")
    expect(change).to_contain_text("灯总亮着")
    check(page)
    page.reload()
    reads_as_one(now)
    expect(change).to_contain_text("is being worked on")
    now.endpoint.release()
    expect(change).to_contain_text("Nothing changes before your word.")
    expect(change).to_contain_text("从此灯不灭。")
    change.get_by_text("What was asked for", exact=True).click()
    expect(change.get_by_text("灯总亮着").first).to_be_visible()
    assert "从雨停写起" in crew.written[0]
    assert FIRST in crew.written[1]
    assert len(crew.directed) == 5
    assert "沈砚" not in crew.directed[0]
    assert "我推门进去。" in crew.directed[0]


def reads_as_one(now: Stage) -> None:
    """Part, picture, part, in this order and no part twice."""
    text = now.turns.last.locator("[data-reply]")
    expect(text).to_contain_text(REST)
    expect(text.get_by_role("img", name="旧伞")).to_have_js_property("naturalWidth", 480)
    order = text.evaluate(
        """node => [...node.querySelectorAll("p, figure")]
            .map(one => one.tagName === "FIGURE" ? "picture" : one.textContent)
            .filter(one => one !== "")"""
    )
    assert [one for one in order if one in (FIRST, "picture", REST)] == [FIRST, "picture", REST]
