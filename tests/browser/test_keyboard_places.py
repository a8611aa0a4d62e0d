"""Library, lorebooks, scenarios, connections, settings and the desk by keyboard alone, and a ring around whatever
has the focus; apart from the stage's journeys because a house of its own is furnished for them."""

from __future__ import annotations

import json
import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, expect

from huaben.testing.script import call, reply, say
from tests.browser.keyboard import Hands, House, unringed
from tests.browser.playhouse import until
from tests.browser.test_accessible import furnished
from tests.browser.test_desk import CHAPTERS, RAIN
from tests.browser.test_library import BOOK, IMPORT_MS, as_file
from tests.builders import cards as made


@pytest.fixture(scope="module")
def home(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    with House.standing(tmp_path_factory.mktemp("places"), browser) as house:
        yield house


@pytest.fixture
def house(home: House) -> Generator[House]:
    yield home
    home.leave()


def test_a_card_is_brought_in_written_and_let_go(house: House) -> None:
    """The browser's picker by Enter; the sheet, the editor and the dialog take the focus and give it back."""
    page = house.look("/library/cards")
    hands = Hands(page)
    card = json.dumps(made.v2({"name": "Ferryman", "first_mes": "Hm."})).encode()
    with page.expect_file_chooser() as told:
        hands.choose("Import", "Choose files")
    told.value.set_files([as_file("ferryman.json", card)])
    expect(page.get_by_role("status")).to_contain_text("1 imported", timeout=IMPORT_MS)
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_focused()

    hands.do("link", "Ferryman")
    sheet = page.get_by_role("complementary", name="Ferryman", exact=True)
    expect(sheet.get_by_role("heading", name="Ferryman").first).to_be_focused()
    hands.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.get_by_role("link", name="Ferryman")).to_be_focused()
    hands.press("Enter")
    hands.do("button", "Edit", sheet, exact=True)
    hands.reach("textbox", "Name", sheet, exact=True)
    hands.write("Ferrywoman")
    hands.press("Enter")
    renamed = page.get_by_role("complementary", name="Ferrywoman")
    expect(renamed).to_be_visible()
    hands.to(renamed.locator("summary", has_text="Versions"))
    hands.press("Enter")
    hands.do("button", "Restore: Version 1", renamed)
    expect(sheet).to_be_visible()
    hands.do("button", "To the trash", sheet)
    expect(sheet).to_be_hidden()
    expect(page.get_by_role("link", name="Ferryman")).to_be_hidden()

    hands.do("link", "Trash", exact=True)
    hands.do("button", "Restore: Ferryman")
    expect(page.get_by_text("The trash is empty.")).to_be_visible()
    expect(page.locator("main:focus, main :focus")).to_have_count(1)
    hands.do("link", "Cards", exact=True, back=True)
    hands.do("link", "Ferryman")
    hands.do("button", "To the trash", sheet)
    expect(sheet).to_be_hidden()
    hands.do("link", "Trash", exact=True)
    hands.do("button", "Empty the trash")
    dialog = page.get_by_role("dialog", name="Empty the trash")
    hands.stays_within(dialog)
    hands.press("Escape")
    expect(page.get_by_role("button", name="Empty the trash")).to_be_focused()
    hands.press("Enter")
    hands.do("button", "Let it go for good", dialog)
    expect(page.get_by_text("The trash is empty.")).to_be_visible()


def test_a_lorebook_and_a_persona_are_written(house: House) -> None:
    """An entry, many at once, the test box; a form from its first field to Enter."""
    book = house.server.upload("/api/lorebooks", "b.json", json.dumps(BOOK).encode())
    page = house.look(f"/library/lorebooks/{book['id']}")
    hands = Hands(page)
    hands.do("button", "夜市")
    entry = page.get_by_role("region", name="夜市")
    expect(entry).to_be_focused()
    hands.fill("Text", "灯火彻夜不熄。", entry)
    hands.do("button", "Keep", entry)
    expect(page.get_by_text("The entry is kept.")).to_be_visible()
    hands.press("Escape")
    expect(entry).to_be_hidden()
    expect(page.get_by_role("button", name="夜市")).to_be_focused()
    hands.reach("checkbox", "Choose all 3 shown", back=True)
    hands.press("Space")
    hands.do("button", "Turn 2 off", back=True)
    expect(page.get_by_role("button", name="Off ·")).to_have_count(3)
    hands.fill("A text", "他撑着旧伞。")
    hands.do("button", "Test", exact=True)
    expect(page.get_by_role("region", name="Test box")).to_contain_text("旧伞")
    assert unringed(page) == []

    hands.go("Personas")
    hands.do("link", "New persona")
    hands.fill("Name", "陆行")
    hands.press("Enter")
    expect(page.get_by_role("link", name="陆行", exact=True)).to_be_visible()
    hands.press("Escape")
    expect(page).to_have_url(re.compile(r"/library/personas$"))
    expect(page.locator("main:focus, main :focus")).to_have_count(1)


def test_a_scenario_a_connection_and_a_setting_are_made(house: House) -> None:
    """Copied and written as text; added, given work and tested; a host allowed and forbidden."""
    page = house.look("/scenarios")
    hands = Hands(page)
    hands.to(page.get_by_role("button", name=re.compile("^stage Draft")))
    hands.press("Enter")
    side = page.get_by_role("region", name="stage", exact=True)
    expect(side).to_be_focused()
    hands.fill("Name of a copy", "night", side)
    hands.press("Enter")
    own = page.get_by_role("region", name="night", exact=True)
    expect(own).to_be_focused()
    hands.reach("radio", "", own)
    hands.press("ArrowRight")
    hands.reach("textbox", "TOML", own)
    hands.press("Control+End")
    page.keyboard.insert_text("\n[lore]\nbudget = 900\n")
    hands.do("button", "Keep", own)
    expect(own.get_by_role("button", name="Keep")).to_be_disabled()
    hands.do("button", "Delete", own)
    expect(page.get_by_role("button", name="night")).to_be_hidden()
    expect(page.locator("main:focus, main :focus")).to_have_count(1)

    hands.go("Connections")
    provider = page.get_by_role("combobox", name="Provider")
    expect(provider.get_by_role("option")).not_to_have_count(1)  # they come from the server
    hands.reach("combobox", "Provider")
    hands.press("End")
    hands.fill("Address", house.endpoint.base_url)
    hands.fill("Model", "scripted", page.get_by_role("form", name="Add a connection"))
    house.lines.extend([say("ok")] * 12)
    hands.do("button", "Keep and test")
    expect(page.get_by_text("is kept and tested.")).to_be_visible()
    hands.do("button", "Change", back=True)
    hands.reach("checkbox", "Scribe")
    hands.press("Space")
    expect(page.get_by_role("checkbox", name="Scribe")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Scribe")).to_be_focused()
    hands.do("button", "Forget it and its key")
    expect(page.get_by_role("button", name="Change", exact=True)).to_have_count(1)
    expect(page.locator("main:focus, main :focus")).to_have_count(1)

    hands.go("Settings")
    hands.fill("Name of a host", "pictures.example.org")
    hands.press("Enter")
    hands.do("button", "No longer allow pictures.example.org")
    expect(page.get_by_text("pictures.example.org", exact=True)).to_be_hidden()


def test_a_book_is_written_at_the_desk(house: House) -> None:
    """Chapters by menu, the review by its keys, history, find and replace, and the way out as a file."""
    house.lines.extend(
        [
            reply(
                call(
                    "edit",
                    path="manuscript/001-雨夜.md",
                    edits=[
                        {"oldText": "他指尖收紧，转身走了。", "newText": "他指尖一紧，走了。"},
                        {"oldText": "雨水顺着伞骨往下淌。", "newText": "雨水一滴一滴往下淌。"},
                    ],
                )
            ),
            say("改好了。"),
        ]
    )
    wish = {"title": "渡口", "mode": "writing"}
    project = str(house.server.post("/api/projects", wish)["id"])
    folder = house.server.data / "projects" / project / "manuscript"
    for name, text in CHAPTERS.items():
        (folder / name).write_text(text, "utf-8")
    page = house.look(f"/p/{project}")
    hands = Hands(page)
    text = page.locator(".cm-content")
    expect(text).to_contain_text("他指尖收紧")
    hands.reach("textbox", "Your words")
    hands.write("第一章收一收。")
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_enabled()
    hands.press("Enter")
    review = page.get_by_role("region", name="Changes")
    expect(review).to_contain_text("Change 1/2")
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    hands.press("F7")
    expect(review).to_contain_text("Change 2/2")
    expect(text).to_be_focused()
    hands.press("Control+Backspace")
    expect(review).to_contain_text("Change 1/1")
    hands.press("F7", "Control+Enter")
    expect(review).to_be_hidden()
    expect(text).to_be_focused()
    hands.press("Control+Home")
    page.keyboard.insert_text("那年，")
    changed = "那年，" + RAIN.replace("他指尖收紧，转身走了。", "他指尖一紧，走了。")
    file = folder / "001-雨夜.md"
    until(page, lambda: file.read_text("utf-8") == changed)

    chapters = page.get_by_role("navigation", name="Chapters")
    hands.do("button", "New chapter", chapters)
    hands.fill("Title", "夜市", chapters)
    hands.press("Enter")
    expect(page.get_by_role("heading", level=2, name="夜市")).to_be_visible()
    hands.choose("Chapter 夜市", "Rename", chapters)
    expect(chapters.get_by_role("textbox", name="Title")).to_be_focused()
    hands.press("Escape")
    expect(chapters.get_by_role("button", name="Chapter 夜市")).to_be_focused()
    hands.choose("Chapter 夜市", "Move up", chapters)
    expect(chapters.get_by_role("link").nth(1)).to_contain_text("夜市")
    hands.choose("Chapter 夜市", "Delete", chapters)
    expect(chapters.get_by_role("link", name="夜市")).to_be_hidden()
    expect(page.locator("main:focus, main :focus")).to_have_count(1)

    on_panels(hands, page)
    until(page, lambda: "粗麻绳" in (folder / "003-旧伞.md").read_text("utf-8"))


def on_panels(hands: Hands, page: Page) -> None:
    """History with a state kept, compared and restored; find and replace; export."""
    hands.choose("Book", "History")
    history = page.get_by_role("dialog", name="History")
    hands.stays_within(history)
    hands.fill("Keep the present state", "初稿", history)
    hands.press("Enter")
    states = history.locator("ol > li")
    expect(states.filter(has_text="初稿")).to_have_count(1)
    hands.to(states.last.get_by_role("button").first)
    hands.press("Enter")
    hands.do("button", "Restore", states.last)
    asked = history.get_by_role("region", name="Restore “")
    expect(asked).to_be_focused()
    hands.press("Escape")
    expect(states.last.get_by_role("button", name="Restore")).to_be_focused()
    hands.press("Escape")
    expect(history).to_be_hidden()
    expect(page.get_by_role("button", name="Book", exact=True)).to_be_focused()

    hands.press("Control+f")
    replacing = page.get_by_role("dialog", name="Find and replace")
    hands.fill("Find", "细麻绳", replacing)
    hands.fill("Replace by", "粗麻绳", replacing)
    expect(replacing.get_by_role("status")).to_contain_text("1 found")
    hands.stays_within(replacing)
    hands.to(replacing.get_by_role("button", name=re.compile("^Replace \\d")))
    hands.press("Enter")
    expect(replacing.get_by_role("status")).to_have_text("Nothing found.")
    hands.press("Escape")
    expect(replacing).to_be_hidden()

    hands.choose("Book", "Export")
    leaving = page.get_by_role("dialog", name="Export")
    hands.reach("radio", "", leaving)
    hands.press("ArrowDown")
    with page.expect_download() as told:
        hands.do("link", "Save file", leaving)
    assert told.value.suggested_filename.startswith("渡口.")


def test_whatever_has_the_focus_shows_it(house: House) -> None:
    """A ring on each control of each furnished screen; without the ring the look itself would find it missing."""
    lists, opened = furnished(house.server)
    page = house.look("/")
    bare: list[str] = []
    for path in lists + opened:
        page.goto(path)
        page.locator("h1").first.wait_for()
        if path.startswith("/p/"):
            page.locator(".cm-content").wait_for()
        page.wait_for_timeout(150)
        bare += [f"{path}: {one}" for one in unringed(page)]
    assert not bare, "\n".join(bare)
    page.evaluate(
        """() => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(":focus-visible { outline: none !important }");
            document.adoptedStyleSheets.push(sheet);
        }"""
    )
    assert unringed(page)
