"""The panels beside the story in a reader's hands: the world, the roster, what is remembered, the plan."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Locator, Page, expect

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, Step, say
from tests.browser.axe import check
from tests.browser.conftest import DESKTOP, PHONE, Stage, found
from tests.browser.playhouse import Server, come_to_rest

PATCH = """{"patch": {"time": "子时", "inventory": ["旧伞"], "flags": {"暗号": "三长两短"},
 "characters": {"沈砚": {"affinity": 12, "status": "立在门边"}}},
 "evidence": {"inventory": "一把旧伞"}}"""


def scribe(asked: Asked) -> Step:
    """Writes down the umbrella of the first turn, with a claim that nothing supports."""
    return say(PATCH if "旧伞" in asked.last_text.split("【读者的话】")[1] else "{}")


@pytest.fixture
def panels(
    server: Callable[..., Server], look: Callable[..., Page]
) -> Generator[Callable[..., Stage]]:
    """A story of one turn that a scribe has read, open in a browser at a panel."""
    with ExitStack() as stack:

        def open_panel(panel: str, **view: object) -> Stage:
            script = [say("门后有一把旧伞。"), say("灯灭了。"), say("雨停了。")]
            endpoint = stack.enter_context(ScriptedEndpoint.in_thread(script, scribe=scribe))
            house = server(endpoint.base_url)
            project = found(house)
            page = look(house, f"/p/{project}", **view)
            page.locator("[data-composer]").wait_for()
            now = Stage(house, endpoint, project, page)
            now.play("门后有什么？", "旧伞")
            page.goto(f"/p/{project}?panel={panel}")
            return now

        yield open_panel


def panel(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def test_the_world_says_what_is_claimed_and_is_edited_where_it_stands(
    panels: Callable[..., Stage],
) -> None:
    """A claim says so, evidence is shown, an edit is a version that the next request brings, and the
    history takes it back."""
    now = panels("world")
    world = panel(now.page, "World")
    expect(world.get_by_text("三长两短")).to_be_visible()
    expect(world.get_by_text("claimed", exact=True).first).to_be_visible()
    world.get_by_role("button", name="What Things rests on").click()
    expect(world.get_by_text("一把旧伞")).to_be_visible()
    world.get_by_role("button", name="Edit Time").click()
    world.get_by_role("textbox", name="Time").fill("寅时三刻")
    now.page.keyboard.press("Control+Enter")
    expect(world.get_by_role("textbox")).to_have_count(0)
    expect(world.get_by_text("寅时三刻")).to_be_visible()
    world.get_by_role("button", name="Lock Time").click()
    expect(world.get_by_role("button", name="Unlock Time")).to_be_visible()
    now.play("我吹灯。", "灯灭了。")
    assert "寅时三刻" in str(now.server.get(f"/api/turns/{head(now)}/trace"))
    world.get_by_text("History").click()
    expect(world.get_by_role("button", name="Take back")).not_to_have_count(0)
    check(now.page)


def head(now: Stage) -> str:
    return str(now.server.get(f"/api/projects/{now.project}")["head"])


def test_what_was_typed_into_a_field_outlasts_a_reload(panels: Callable[..., Stage]) -> None:
    """Esc and a reload leave a chip that says so, with the text behind it."""
    now = panels("world")
    world = panel(now.page, "World")
    world.get_by_role("button", name="Edit Place").first.click()  # a character has one too
    world.get_by_role("textbox", name="Place").fill("渡口")
    now.page.keyboard.press("Escape")
    now.page.reload()
    world.get_by_role("button", name="Unsaved; go on").click()
    expect(world.get_by_role("textbox", name="Place")).to_have_value("渡口")


def test_a_changed_earlier_text_is_read_again_with_the_difference_first(
    panels: Callable[..., Stage],
) -> None:
    """The line on top offers it; nothing changes before the reader applies it."""
    now = panels("world")
    world = panel(now.page, "World")
    expect(world.get_by_text("三长两短")).to_be_visible()
    now.page.evaluate(
        """async turn => {
            const { draft } = await (await fetch(`/api/turns/${turn}`)).json();
            const told = await fetch(`/api/turns/${turn}/final`, { method: "PUT",
                headers: { "content-type": "application/json", "if-match": `"${draft.version}"` },
                body: JSON.stringify({ text: "门后什么也没有。" }) });
            if (!told.ok) throw new Error(await told.text());
        }""",
        head(now),
    )
    now.page.reload()
    expect(world.get_by_text("Earlier text changed")).to_be_visible()
    world.get_by_role("button", name="Recompute").click()
    apply = world.get_by_role("button", name="Apply")
    expect(apply).to_be_visible()
    expect(world.locator("del", has_text="旧伞").first).to_be_visible()
    apply.click()
    expect(apply).to_have_count(0)
    expect(world.get_by_text("三长两短")).to_have_count(0)


def test_the_roster_names_who_appeared(panels: Callable[..., Stage]) -> None:
    """With the time of the first appearance, found by a part of the name."""
    now = panels("roster")
    roster = panel(now.page, "Roster")
    expect(roster.get_by_text("沈砚")).to_be_visible()
    roster.get_by_role("searchbox").fill("无此人")
    expect(roster.get_by_text("No name has “无此人” in it.")).to_be_visible()
    check(now.page)


def test_a_note_is_added_found_edited_removed_and_brought_back(
    panels: Callable[..., Stage],
) -> None:
    """Each by one control beside the note."""
    now = panels("memory")
    memory = panel(now.page, "Memory")
    memory.get_by_role("button", name="Add a note").click()
    memory.get_by_role("textbox", name="Title").fill("暗号")
    memory.get_by_role("textbox", name="Text").fill("敲门三长两短。")
    memory.get_by_role("button", name="Save").click()
    expect(memory.get_by_role("textbox", name="Text")).to_have_count(0)
    expect(memory.get_by_text("敲门三长两短。")).to_be_visible()
    memory.get_by_role("searchbox").fill("三长两短")
    note = memory.get_by_role("listitem").filter(has_text="敲门三长两短。")
    expect(note).to_be_visible()
    note.get_by_role("button", name="Edit Text").click()
    memory.get_by_role("textbox", name="Text").fill("敲门三长两短，再咳一声。")
    now.page.keyboard.press("Control+Enter")
    expect(memory.get_by_role("textbox", name="Text")).to_have_count(0)
    expect(memory.get_by_text("再咳一声").first).to_be_visible()
    check(now.page)
    memory.get_by_role("button", name="Remove 暗号").click()
    expect(memory.get_by_role("button", name="Remove 暗号")).to_have_count(0)
    memory.get_by_role("searchbox").fill("")
    memory.get_by_role("switch", name="What was removed").check()
    memory.get_by_role("button", name="Bring back").click()
    expect(memory.get_by_role("button", name="Bring back")).to_have_count(0)


def test_nothing_of_the_plan_is_asked_for_before_it_is_opened(
    panels: Callable[..., Stage],
) -> None:
    """The guard is a door, not a curtain; it stays open in that story, and can be closed again."""
    now = panels("world")
    asked: list[str] = []
    now.page.on("request", lambda request: asked.append(request.url))
    now.page.goto(f"/p/{now.project}?panel=plan")
    plan = panel(now.page, "Plan")
    opening = plan.get_by_role("button", name="Open it in this story")
    expect(opening).to_be_visible()
    assert not [url for url in asked if "/plan" in url.split("?")[0] and "/api/" in url]
    check(now.page)
    opening.click()
    expect(plan.get_by_text("No plan was made yet").first).to_be_visible()
    check(now.page)
    now.page.reload()
    plan.get_by_role("button", name="Hide the plan again").click()
    expect(opening).to_be_visible()


STATE = """## 场景与时间
- 子时，渡口
## 在场人物
- 沈砚：等一个人
- [秘密：沈砚] 伞里有信
## 人物关系
## 承诺与伏笔
## 场外世界
## 主线与走向
## 镜头与节奏
## 用户的自主
"""


def test_the_plan_is_edited_locked_and_keeps_its_secrets_folded(
    panels: Callable[..., Stage],
) -> None:
    """The reader's own text is a revision, whose lines are locked; a secret is opened by itself."""
    now = panels("plan")
    plan = panel(now.page, "Plan")
    plan.get_by_role("button", name="Open it in this story").click()
    plan.get_by_role("button", name="Edit Plan").click()
    plan.get_by_role("textbox", name="Plan").fill(STATE)
    plan.get_by_role("button", name="Save").click()
    expect(plan.get_by_role("textbox", name="Plan")).to_have_count(0)
    expect(plan.get_by_text("沈砚：等一个人")).to_be_visible()
    expect(plan.get_by_text("伞里有信")).to_be_hidden()
    plan.get_by_text("A secret", exact=True).click()
    expect(plan.get_by_text("伞里有信")).to_be_visible()
    plan.get_by_role("button", name="Lock this line").first.click()
    expect(plan.get_by_role("button", name="Unlock this line")).to_have_count(1)
    plan.get_by_text("Revisions", exact=True).click()
    expect(plan.locator("ins", has_text="子时，渡口").first).to_be_visible()
    plan.get_by_text("Planning and spend", exact=True).click()
    check(now.page)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_panels_in_chinese_are_clean_and_scroll_nothing_sideways(
    panels: Callable[..., Stage], size: dict[str, int]
) -> None:
    """On a phone over the story, on a desktop beside it."""
    now = panels("world", size=size)
    now.page.evaluate("""localStorage.setItem("huaben.preferences", '{"language":"zh"}')""")
    for name, title in (
        ("world", "世界"),
        ("roster", "名录"),
        ("memory", "记忆"),
        ("plan", "规划"),
    ):
        now.page.goto(f"/p/{now.project}?panel={name}")
        panel(now.page, title).wait_for()
        come_to_rest(now.page)
        assert now.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        check(now.page)
