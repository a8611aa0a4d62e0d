"""Every journey of the page by keyboard alone: no test here touches the mouse. One house serves them all, and
each journey tells its own story in it."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from huaben.testing.script import Step, call, reply, say, stall
from tests.browser.conftest import found
from tests.browser.keyboard import Hands, House, unringed
from tests.browser.playhouse import until
from tests.browser.test_inspecting import WITH_BOOK


@pytest.fixture(scope="module")
def home(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    with House.standing(tmp_path_factory.mktemp("stage"), browser) as house:
        yield house


@pytest.fixture
def house(home: House) -> Generator[House]:
    """The house, with nothing left of the journey before but its stories."""
    yield home
    home.leave()


@dataclass(frozen=True)
class Play:
    """A story on the stage, under a reader's hands."""

    house: House
    project: str
    hands: Hands

    @property
    def page(self) -> Page:
        return self.hands.page

    @property
    def box(self) -> Locator:
        return self.page.get_by_role("textbox", name="Your words")

    @property
    def turns(self) -> Locator:
        return self.page.get_by_role("article")

    def say(self, words: str) -> None:
        self.hands.reach("textbox", "Your words")
        self.hands.write(words)
        expect(self.page.get_by_role("button", name="Send", exact=True)).to_be_enabled()
        self.hands.press("Enter")
        expect(self.turns.last.locator(".prose.user")).to_have_text(words)

    def play(self, words: str, text: str) -> None:
        """Say something, and wait for the whole reply."""
        self.say(words)
        expect(self.turns.last).to_contain_text(text)
        expect(self.turns.last.get_by_role("button", name="New variant")).to_be_enabled()
        expect(self.box).to_be_focused()


def opened(house: House, *lines: Step) -> Play:
    """A story on a card that has a book of its own, open on the stage."""
    house.lines.extend(lines)
    project = found(house.server, WITH_BOOK)
    page = house.look(f"/p/{project}")
    page.locator("[data-composer]").wait_for()
    return Play(house, project, Hands(page))


def test_a_newcomer_comes_to_the_first_question_and_answers_it(house: House) -> None:
    """The rehearsal begins with Enter; digits choose, Enter sends, and the focus is in the box again."""
    page = house.look("/")
    hands = Hands(page)
    assert unringed(page) == []
    hands.do("button", "Play the rehearsal")
    card = page.get_by_role("radiogroup")
    box = page.locator("[data-composer]")
    box.wait_for()
    hands.reach("textbox", "Your words")

    def asked() -> bool:
        if not card.is_visible() and box.evaluate_all("all => all.some(one => one.value !== '')"):
            hands.press("Enter")
        return card.is_visible()

    until(page, asked)
    own = page.get_by_role("textbox", name="Your own words")
    expect(own).to_be_focused()
    hands.press("2")
    expect(page.get_by_role("radio").nth(1)).to_be_checked()
    hands.reach("radio", "", back=True)
    hands.press("1")
    expect(page.get_by_role("radio").first).to_be_checked()
    expect(page.get_by_role("radio").first).to_be_focused()
    hands.press("Enter")
    expect(card).to_be_hidden()
    expect(box).to_be_focused()


def test_a_story_is_told_stopped_continued_and_taken_back(house: House) -> None:
    """Enter, Esc, arrows, Ctrl+Z: what they leave behind can be gone on from without looking for the focus."""
    now = opened(
        house,
        say("一。"),
        say("另一。"),
        say("二。"),
        reply(say("门外有人敲门。"), stall()),
        call("draft_append", version=1, content="他去开了门。"),
        call("draft_seal", version=2),
    )
    hands, page = now.hands, now.page
    now.play("甲", "一。")
    hands.press("Alt+r")
    expect(now.turns.last).to_contain_text("另一。")
    expect(now.turns.last.get_by_role("button", name="New variant")).to_be_enabled()
    now.play("乙", "二。")
    now.say("丙")
    expect(now.turns.last).to_contain_text("门外有人敲门。")
    hands.press("Escape")
    expect(now.turns.last).to_contain_text("Stopped.")
    house.endpoint.release()
    hands.do("button", "Continue", now.turns.last, back=True)
    expect(now.turns.last).to_contain_text("他去开了门。")
    expect(now.turns.last.get_by_role("button", name="New variant")).to_be_enabled()

    hands.reach("button", "Story", back=True)
    for left in (3, 2, 1):
        hands.press("Control+z")
        expect(now.turns).to_have_count(left)
    expect(now.box).to_have_value(re.compile("甲"))
    for there in (2, 3, 4):
        hands.press("Control+Shift+z")
        expect(now.turns).to_have_count(there)
    expect(page.get_by_role("button", name="Story", exact=True)).to_be_focused()
    for left in (3, 2):
        hands.press("Control+z")
        expect(now.turns).to_have_count(left)
    expect(now.turns.last.get_by_role("button", name="Previous variant")).to_be_enabled()
    hands.reach("textbox", "Your words")
    hands.press("Control+a", "Delete", "ArrowLeft")
    expect(now.turns.last.get_by_role("button", name="1/2: show all variants")).to_be_visible()
    expect(now.box).to_be_focused()


def test_words_and_sentences_are_changed_where_they_stand(house: House) -> None:
    """The last words by the arrow, a reply by E, one sentence of it by the model: each field has the focus, and
    gives it back to where the reader was."""
    wish = [{"old": "他笑了。", "new": "他没有笑。"}]
    now = opened(
        house,
        say("他笑了。灯还亮着。\n\n雨停了。"),
        say("他笑了。灯也亮着。\n\n雨停了。"),
        call("previous_draft_read"),
        call("previous_draft_edit", version=2, edits=wish),
        say("改好了。"),
    )
    hands, page = now.hands, now.page
    now.play("我看着他。", "他笑了。")
    hands.press("ArrowUp")
    again = page.get_by_role("textbox", name="Change your words and send again")
    expect(again).to_be_focused()
    hands.press("Escape")
    expect(now.box).to_be_focused()
    hands.press("ArrowUp")
    hands.write("我又看他。")
    hands.do("button", "Send as another branch")
    expect(now.turns.last).to_contain_text("灯也亮着。")
    expect(now.turns.last.get_by_role("button", name="New variant")).to_be_enabled()

    hands.reach("button", "New variant", now.turns.last, back=True)
    hands.press("k", "j", "e")
    field = page.get_by_role("textbox", name="Text of the reply")
    expect(field).to_be_focused()
    hands.press("Control+End")
    page.keyboard.insert_text("天亮了。")
    hands.press("Escape")
    expect(now.turns.last).to_be_focused()
    hands.do("button", "Unsaved edit", now.turns.last)
    expect(field).to_be_focused()
    hands.press("Control+Enter")
    expect(now.turns.last.locator("[data-reply]")).to_contain_text("天亮了。")
    expect(field).to_be_hidden()

    hands.choose("More", "Choose a sentence", now.turns.last)
    chooser = page.get_by_role("dialog", name="Choose a sentence")
    hands.stays_within(chooser)
    hands.press("Escape")
    expect(now.turns.last.get_by_role("button", name="More")).to_be_focused()
    hands.choose("More", "Choose a sentence", now.turns.last)
    hands.do("button", "他笑了。", chooser)
    change = page.get_by_role("button", name="Change this…")
    expect(change).to_be_focused()
    hands.press("Escape")
    expect(change).to_be_hidden()
    expect(now.turns.last.get_by_role("button", name="More")).to_be_focused()
    hands.choose("More", "Choose a sentence", now.turns.last)
    hands.do("button", "他笑了。", chooser)
    expect(change).to_be_focused()
    hands.press("Enter")
    expect(page.get_by_role("textbox", name="How should it read?")).to_be_focused()
    hands.write("让他别笑")
    hands.press("Enter")
    expect(now.turns.nth(1)).to_contain_text("他没有笑。灯也亮着。")
    expect(now.turns.last.locator("del")).to_be_visible()
    expect(page.locator("main :focus")).to_have_count(1)


def test_what_stands_beside_the_story_is_reached_and_left(house: House) -> None:
    """The world by Ctrl+K, a field and its lock; why an entry stayed out; the inspector by I; the map by arrows."""
    now = opened(house, say("灯亮了。"), say("灯灭了。"), say("雨停了。"))
    hands, page = now.hands, now.page
    now.play("我点灯。", "灯亮了。")
    now.play("我吹灯。", "灯灭了。")
    hands.go("World")
    world = page.get_by_role("region", name="World", exact=True)
    expect(world.get_by_role("button", name="World", exact=True)).to_be_focused()
    hands.do("button", "Edit Time", world)
    expect(world.get_by_role("textbox", name="Time")).to_be_focused()
    page.keyboard.insert_text("子时")
    hands.press("Escape")
    expect(world.get_by_role("button", name="Edit Time")).to_be_focused()
    hands.press("Enter")
    expect(world.get_by_role("textbox", name="Time")).to_have_value("子时")
    hands.press("Control+Enter")
    expect(world.get_by_role("button", name="Edit Time")).to_be_focused()
    expect(world.get_by_text("子时")).to_be_visible()
    hands.do("button", "Lock Time", world, back=True)
    expect(world.get_by_role("button", name="Unlock Time")).to_be_focused()
    assert unringed(page) == []
    hands.reach("button", "Edit Time", world)
    hands.press("Escape")
    expect(world).to_be_hidden()
    expect(now.box).to_be_focused()

    hands.go("Lore")
    lore = page.get_by_role("region", name="Lore", exact=True)
    expect(lore.locator("li[data-out]", has_text="百草堂")).to_contain_text("None of its keys")
    hands.do("button", "Test", lore)
    hands.fill("What would be said", "百草堂在哪里？", lore)
    hands.press("Control+Enter")
    expect(lore.get_by_role("status")).to_contain_text("“百草堂” in the text")
    hands.press("Escape")
    expect(lore).to_be_hidden()

    hands.reach("button", "New variant", now.turns.last, back=True)
    hands.press("k", "j", "i")
    expect(page.get_by_role("heading", level=1)).to_have_text("Inspector · turn 2")
    hands.do("button", "Beside the last")
    expect(page.get_by_text("The same as the last request")).to_be_visible()
    hands.do("button", "Raw")
    expect(page.locator("pre").first).to_contain_text("我吹灯。")
    assert unringed(page) == []

    hands.go("Map")
    tree = page.get_by_role("tree", name="Map")
    rows = tree.get_by_role("treeitem")
    present = rows.filter(has_text="here")
    expect(present).to_be_visible()
    hands.reach("treeitem", "here", tree)
    hands.press("Home")
    expect(rows.first).to_be_focused()
    hands.press("Enter")
    expect(rows.first).to_have_attribute("aria-selected", "true")
    hands.fill("Name for turn 1", "开头")
    hands.press("Enter")
    expect(tree).to_contain_text("开头")
    hands.do("button", "Rename 开头")
    expect(page.get_by_role("textbox", name="Name of the save")).to_be_focused()
    hands.press("Escape")
    expect(page.get_by_role("button", name="Rename 开头")).to_be_focused()
    assert unringed(page) == []
    hands.do("button", "Go there", exact=True, back=True)
    page.wait_for_url(f"**/p/{now.project}")
    expect(now.turns).to_have_count(2)
    hands.do("button", "Go back")
    expect(now.turns).to_have_count(3)
    hands.choose("Story", "Saves")
    saves = page.get_by_role("dialog", name="Saves")
    hands.stays_within(saves)
    hands.press("Escape")
    expect(page.get_by_role("button", name="Story", exact=True)).to_be_focused()
