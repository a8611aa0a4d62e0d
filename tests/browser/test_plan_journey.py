"""The planner at work beside a story: what the reader sees of it, and what the model is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import cast

import pytest
from playwright.sync_api import Locator, Page, expect

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, ScriptedReply, Step, call, fail, reply, say
from tests.browser.axe import check
from tests.browser.conftest import Stage
from tests.browser.playhouse import Server, until
from tests.integration.planning.stage import role_of
from tests.integration.web.table import CARD
from tests.unit.domain.plan.states import a_state

SECRET = "伞里有信"
NOTES = json.dumps(
    {
        "notes": [
            {"text": "旧伞的来历还没有说", "quote": "雨下了一夜"},
            {"text": "也许有人在对岸", "quote": "对岸亮着灯"},
        ]
    },
    ensure_ascii=False,
)
PLAN = a_state(
    s0="- 视角：客人 [m1]\n- 雨夜，渡口的客栈 [m1]",
    s1=f"- 沈砚：想知道旧伞怎么回来的 [m1]\n- [秘密：沈砚] {SECRET} [m1]",
    s3="- 旧伞要还给借出的人 [m1]",
    s5="- 让伞的来历一点点显出来",
    s6="- 镜头近，手和物多于话",
)
REPLIES = ("门后有一把旧伞。", "灯灭了。", "雨停了。", "天亮了。")


class Cast:
    """One model behind one address: who writes is known by the sheet it is offered, the planners by what
    they are asked."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.planned: list[str] = []
        self.broken = False

    def __call__(self, asked: Asked) -> Step:
        if "draft_write" in asked.tool_names:
            return self._write(asked)
        self.planned.append(str(asked.body))
        return (
            reply(fail("unauthorized", http_status=401, retryable=False))
            if self.broken
            else self._plan(role_of(asked))
        )

    def _write(self, asked: Asked) -> Step:
        self.written.append(json.dumps(asked.messages, ensure_ascii=False))
        return say(REPLIES[len(self.written) - 1])

    def _plan(self, role: str) -> ScriptedReply:
        match role:
            case "route":
                return reply(say("维持原样"))
            case "second":
                return reply(call("update_director_state"))
            case "update_director_state":
                return reply(say(PLAN))
            case _:
                return reply(say(NOTES))


@pytest.fixture
def planned(
    server: Callable[..., Server], look: Callable[..., Page]
) -> Generator[Callable[..., tuple[Stage, Cast]]]:
    """A story with a planner beside it, open in a browser before its first turn."""
    with ExitStack() as stack:

        def open_story(**view: object) -> tuple[Stage, Cast]:
            cast = Cast()
            endpoint = stack.enter_context(ScriptedEndpoint.in_thread(cast))
            house = server(endpoint.base_url)
            project = beside_a_planner(house)
            page = look(house, f"/p/{project}", **view)
            page.locator("[data-composer]").wait_for()
            return Stage(house, endpoint, project, page), cast

        yield open_story


def beside_a_planner(house: Server) -> str:
    card = house.upload("/api/cards", "card.json", json.dumps(CARD).encode())
    wish = {"title": "渡口", "mode": "roleplay", "card_id": card["id"], "scenario": "stage+planner"}
    return str(house.post("/api/projects", wish)["id"])


def plan_of(page: Page, name: str = "Plan") -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def jobs_over(now: Stage, number: int) -> None:
    """Wait until that many jobs have come to their end."""

    def met() -> bool:
        told = now.server.get(f"/api/projects/{now.project}/plan/jobs")
        jobs = cast("list[dict[str, object]]", told["items"])  # as the API describes it
        return [job["state"] for job in jobs] == ["over"] * number

    until(now.page, met)


def edit(plan: Locator, old: str, new: str) -> None:
    """Change words of the plan where it stands."""
    plan.get_by_role("button", name="Edit Plan").click()
    box = plan.get_by_role("textbox", name="Plan")
    box.fill(box.input_value().replace(old, new))
    plan.get_by_role("button", name="Save").click()
    expect(box).to_have_count(0)
    expect(plan.get_by_text(new).first).to_be_visible()


def reads_notes_and_spend(plan: Locator) -> None:
    """The notes with what they rest on, and each call of the job with its tokens."""
    expect(plan.get_by_text("旧伞的来历还没有说").first).to_be_visible()
    expect(plan.get_by_text("Stands in the story.").first).to_be_visible()
    expect(plan.get_by_text("Was not found in the story.").first).to_be_visible()
    expect(plan.get_by_text("advisory", exact=True).first).to_be_visible()
    plan.get_by_text("Revisions", exact=True).click()
    expect(plan.locator("ins", has_text="让伞的来历一点点显出来")).to_be_visible()
    expect(plan.get_by_text(SECRET).filter(visible=True)).to_have_count(0)
    plan.get_by_text("Planning and spend", exact=True).click()
    expect(plan.get_by_text("1 · new revision")).to_be_visible()
    expect(
        plan.get_by_text(re.compile(r"turn 1 · 5 calls · [\d,]+ in, [\d,]+ out"))
    ).to_be_visible()
    plan.get_by_text("How it went", exact=True).click()
    expect(plan.get_by_text("Expert judge_npc · done")).to_be_visible()


def test_a_plan_that_a_planner_made_is_read_and_set_right(
    planned: Callable[..., tuple[Stage, Cast]],
) -> None:
    """Behind its guard; the reader's words and lock are in the next turn's request with the new
    revision, the secret only once the point of view knows it, and the lock outlasts the planner."""
    now, cast = planned()
    now.play("门后有什么？", REPLIES[0])
    jobs_over(now, 1)
    assert SECRET not in str(cast.written)
    now.page.goto(f"/p/{now.project}?panel=plan")
    plan = plan_of(now.page)
    opening = plan.get_by_role("button", name="Open it in this story")
    expect(opening).to_be_visible()
    expect(now.page.get_by_text("沈砚：想知道旧伞")).to_have_count(0)
    opening.click()
    expect(plan.get_by_role("status")).to_have_text("Revision 1 · planner · 0 turns old")
    expect(plan.get_by_text("旧伞要还给借出的人")).to_be_visible()
    expect(plan.get_by_text("A secret", exact=True)).to_be_visible()
    expect(plan.get_by_text(SECRET).filter(visible=True)).to_have_count(0)
    reads_notes_and_spend(plan)
    check(now.page)
    edit(plan, "旧伞要还给借出的人", "旧伞要还给阿蘅")
    expect(plan.get_by_role("status")).to_have_text("Revision 2 · you · 0 turns old")
    line = plan.get_by_role("listitem").filter(has_text="旧伞要还给阿蘅").first
    line.get_by_role("button", name="Lock this line").click()
    expect(line.get_by_role("button", name="Unlock this line")).to_be_visible()
    now.play("我吹灯。", REPLIES[1])
    assert "旧伞要还给阿蘅" in cast.written[-1]
    assert "旧伞要还给借出的人" not in cast.written[-1]
    assert SECRET not in cast.written[-1]
    until(
        now.page, lambda: SECRET in cast.planned[-1]
    )  # what the former turn's job asked is before it
    expect(plan.get_by_text("旧伞要还给阿蘅").first).to_be_visible()
    edit(plan, "视角：客人", "视角：沈砚")
    now.play("雨呢？", REPLIES[2])
    assert SECRET in cast.written[-1]
    cast.broken = True
    now.play("天亮了吗？", REPLIES[3])
    expect(now.turns.last).to_contain_text("Planning beside this turn failed")
    expect(plan.get_by_text("failed, plan kept").first).to_be_visible()
