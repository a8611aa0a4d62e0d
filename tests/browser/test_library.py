"""The library as a reader uses it: import, find out about lore, write, with fingers, mouse and keys."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

from huaben.domain.jsonvalue import Json
from tests.browser.axe import check
from tests.browser.conftest import DESKTOP
from tests.browser.playhouse import Server, until
from tests.builders import cards as made

IMPORT_MS = 60_000
"""An import is a job in the background, which waits for whatever else the machine does."""
HOSTILE = '<img src="https://elsewhere.example/x.png" onerror="document.title=1"><style>*{}</style>'
BOOK: Mapping[str, Json] = {
    "name": "百草堂",
    "entries": {
        "0": {"uid": 0, "key": ["旧伞"], "comment": "旧伞", "content": "伞柄刻着「证」字。"},
        "1": {"uid": 1, "key": ["夜市"], "comment": "夜市", "content": "灯火到子时才熄。"},
        "2": {"uid": 2, "key": ["渡口"], "comment": "渡口", "content": "已废。", "disable": True},
    },
}
OWN: Json = {
    "name": "沈砚",
    "entries": [
        {"keys": ["旧伞"], "content": "伞是师父的。", "enabled": True, "insertion_order": 1},
        {"keys": ["师父"], "content": "师父失踪三年。", "enabled": True, "insertion_order": 2},
    ],
}


def picture_card(fields: Mapping[str, Json]) -> bytes:
    """A card in a picture."""
    content = io.BytesIO()
    Image.linear_gradient("L").convert("RGB").save(content, "PNG")
    png = content.getvalue()
    end = png.rindex(b"IEND") - 4
    return png[:end] + made.card_chunk(made.v2(fields)) + png[end:]


def shen() -> bytes:
    more: dict[str, Json] = {
        "name": "沈砚",
        "first_mes": "「雨大，进来避一避。」",
        "alternate_greetings": ["夜市将散，他还在等。"],
        "creator_notes": HOSTILE,
        "tags": ["雨夜"],
        "character_book": OWN,
    }
    return picture_card(more)


def as_file(name: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def choose(page: Page, *files: FilePayload) -> None:
    """What the browser's own picker would hand over."""
    page.get_by_label("Choose files").set_input_files(list(files))


def test_the_test_box_says_why_an_entry_stays_out(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """Of each entry: in by which key, or out for what reason; also of the book inside a card."""
    house = server()
    told = house.upload("/api/lorebooks", "百草堂.json", json.dumps(BOOK).encode())
    page = look(house, f"/library/lorebooks/{told['id']}")
    page.get_by_role("textbox", name="A text").fill("他撑着旧伞到了渡口。")
    page.get_by_role("button", name="Test", exact=True).click()
    box = page.get_by_role("region", name="Test box")
    expect(box).to_contain_text("a key was found · “旧伞” in the text")
    expect(box.get_by_role("listitem").filter(has_text="渡口")).to_contain_text("It is off.")
    expect(box.get_by_role("listitem").filter(has_text="夜市")).to_contain_text(
        "None of its keys is in the text."
    )
    page.get_by_role("searchbox", name="Search entries").fill("子时")
    expect(page.get_by_text("1 of 3 entries")).to_be_visible()
    card = house.upload("/api/cards", "沈砚.png", shen())
    page.goto(f"/library/cards/{card['id']}")
    page.get_by_role("link", name="Read the entries").click()
    page.get_by_role("button", name="Test", exact=True).click()
    box = page.get_by_role("region", name="Test box")
    expect(box).to_contain_text("“师父” in the entry “旧伞”")


def test_one_bad_file_stops_nothing_and_the_report_outlives_a_reload(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """Good and bad files together: each has its fate and its reason; Back closes the report."""
    page = look(server(), "/library/cards")
    good = json.dumps(made.v2({"name": "阿蘅", "first_mes": "嗯。"})).encode()
    choose(
        page,
        as_file("bad.png", b"no picture"),
        as_file("阿蘅.json", good),
        as_file("book.json", json.dumps(BOOK).encode()),
        as_file("empty.json", b""),
        as_file("again.json", good),
    )
    status = page.get_by_role("status")
    expect(status).to_contain_text(
        "5 items: 2 imported, 1 already here, 2 unreadable.", timeout=IMPORT_MS
    )
    page.reload()
    expect(status).to_contain_text("2 unreadable")
    page.get_by_role("button", name="Report").click()
    report = page.get_by_role("complementary", name="Import report")
    expect(report.get_by_role("listitem").first).to_contain_text("bad.png")
    expect(report.get_by_role("listitem").first).to_contain_text("This file is no card")
    page.go_back()
    expect(report).to_be_hidden()
    page.get_by_role("button", name="Put away").click()
    expect(status).to_be_empty()


@pytest.mark.parametrize("how", ["drop", "paste"])
def test_a_card_is_taken_from_anywhere(
    server: Callable[..., Server], look: Callable[..., Page], how: str
) -> None:
    """Dropped on the page or pasted as text, a card is imported as by the picker."""
    page = look(server(), "/library/lorebooks")
    expect(page.get_by_text("No lorebooks yet.")).to_be_visible()
    text = json.dumps(made.v2({"name": "点灯人", "first_mes": "…"}), ensure_ascii=False)
    page.evaluate(
        """([how, text]) => {
            const data = new DataTransfer();
            if (how === "paste") data.setData("text/plain", text);
            else data.items.add(new File([text], "x.json"));
            const event = how === "paste"
                ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true })
                : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
            document.body.dispatchEvent(event);
        }""",
        [how, text],
    )
    expect(page.get_by_role("status")).to_contain_text("1 imported", timeout=IMPORT_MS)
    page.get_by_role("link", name="Cards", exact=True).click()
    expect(page.get_by_role("link", name="点灯人")).to_be_visible()


def test_cards_are_found_starred_and_taken_back_from_the_trash(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """What is looked for stands in the address; deleting is undone by one button."""
    house = server()
    for name in ("Ferryman", "点灯人"):
        fields: dict[str, Json] = {"name": name, "first_mes": "…", "tags": ["River"]}
        house.upload("/api/cards", f"{name}.png", picture_card(fields))
    page = look(house, "/library/cards")
    cards = page.get_by_role("list", name="Cards").get_by_role("listitem")
    expect(cards).to_have_count(2)
    page.get_by_role("searchbox").fill("点灯")
    expect(cards).to_have_count(1)
    page.reload()
    expect(cards).to_have_count(1)
    page.get_by_role("button", name="Make a favourite: 点灯人").click()
    page.get_by_role("searchbox").fill("")
    expect(cards).to_have_count(2)
    page.get_by_role("checkbox", name="Favourites").check()
    expect(cards).to_have_count(1)
    page.get_by_role("link", name="点灯人").click()
    page.get_by_role("button", name="To the trash").click()
    expect(cards).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(cards).to_have_count(1)
    page.get_by_role("link", name="点灯人").click()
    page.get_by_role("button", name="To the trash").click()
    page.get_by_role("link", name="Trash", exact=True).click()
    page.get_by_role("button", name="Empty the trash").click()
    dialog = page.get_by_role("dialog", name="Empty the trash")
    expect(dialog).to_contain_text("点灯人")
    check(page)
    dialog.get_by_role("button", name="Let it go for good").click()
    expect(page.get_by_text("The trash is empty.")).to_be_visible()


def test_a_persona_is_written_by_keys_alone(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """Made and changed without a mouse; what was typed outlives a reload."""
    page = look(server(), "/library/personas", size=DESKTOP)
    page.get_by_role("link", name="New persona").press("Enter")
    name = page.get_by_role("textbox", name="Name")
    name.focus()
    page.keyboard.type("陆行")
    page.keyboard.press("Tab")
    page.keyboard.type("游方郎中。")
    page.reload()
    expect(name).to_have_value("陆行")
    name.press("Enter")
    expect(page.get_by_role("link", name="陆行 游方郎中。")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"/library/personas$"))


def test_a_shelf_of_many_cards_loads_as_it_is_scrolled(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """Only what has been scrolled to is loaded; the last card can be reached."""
    house = server()
    page = look(house, "/library/cards")
    files = [
        as_file(f"{n}.json", json.dumps(made.v2({"name": f"card {n:03}"})).encode())
        for n in range(150)
    ]
    choose(page, *files)
    expect(page.get_by_role("status")).to_contain_text("150 imported", timeout=IMPORT_MS)
    page.goto("/library/cards?sort=name")
    cards = page.get_by_role("list", name="Cards").get_by_role("listitem")
    expect(cards.first).to_contain_text("card 000")
    assert cards.count() < 150

    def there() -> bool:
        page.mouse.move(700, 600)
        page.mouse.wheel(0, 3000)
        return page.get_by_text("card 149", exact=True).is_visible()

    until(page, there)
    expect(cards).to_have_count(150)


def test_a_card_is_changed_and_taken_back(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """What was typed outlives a reload; each keeping is a version, and the first can be had again."""
    house = server()
    told = house.upload("/api/cards", "沈砚.png", shen())
    page = look(house, f"/library/cards/{told['id']}")
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("沈砚之")
    page.reload()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("沈砚之")
    page.get_by_role("textbox", name="Opening 2").fill("夜市散了。")
    page.get_by_role("button", name="Keep").click()
    sheet = page.get_by_role("complementary", name="沈砚之")
    expect(sheet.get_by_text("夜市散了。", exact=True)).to_be_visible()
    expect(page.get_by_role("list", name="Cards").get_by_role("listitem")).to_have_count(1)
    sheet.get_by_text("Versions").click()
    sheet.get_by_role("button", name="Restore: Version 1").click()
    expect(page.get_by_role("complementary", name="沈砚", exact=True)).to_be_visible()


def test_a_lorebook_is_written_entry_by_entry_and_at_once(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """Form, raw view, many at once, undo, former versions; the story is offered the newer book."""
    house = server()
    told = house.upload("/api/lorebooks", "b.json", json.dumps(BOOK).encode())
    page = look(house, f"/library/lorebooks/{told['id']}")
    page.get_by_role("button", name="夜市").click()
    entry = page.get_by_role("region", name="夜市")
    entry.get_by_role("textbox", name="Text").fill("灯火彻夜不熄。")
    page.reload()
    expect(entry.get_by_role("textbox", name="Text")).to_have_value("灯火彻夜不熄。")
    entry.get_by_text("Time", exact=True).click()
    entry.get_by_role("spinbutton", name="Stays for messages").fill("3")
    entry.get_by_role("button", name="Keep").click()
    expect(page.get_by_text("The entry is kept.")).to_be_visible()
    entry.get_by_text("Raw JSON").click()
    raw = entry.get_by_role("textbox", name="Raw JSON")
    expect(raw).to_have_value(re.compile('"sticky": 3'))
    raw.fill('{"key": ["夜市"], "comment": "夜市", "content": "raw", "mine": true}')
    entry.get_by_role("button", name="Keep").click()
    expect(raw).to_have_count(0)  # what is kept is read again, as a form
    entry.get_by_text("Raw JSON").click()
    expect(raw).to_have_value(re.compile('"mine": true'))
    check(page)
    entry.get_by_role("button", name="Close").click()
    page.get_by_role("checkbox", name="Choose all 3 shown").check()
    page.get_by_role("button", name="Turn 2 off").click()
    expect(page.get_by_role("button", name="Off ·")).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Off ·")).to_have_count(1)
    page.get_by_role("checkbox", name="Choose: 渡口").check()
    check(page)
    page.get_by_role("button", name="Remove 1").click()
    expect(page.get_by_text("2 of 2 entries")).to_be_visible()
    page.get_by_role("button", name="New entry").click()
    made = page.get_by_role("region", name="New entry")
    made.get_by_role("textbox", name="Title").fill("灯塔")
    made.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("button", name="灯塔")).to_be_visible()
    page.get_by_role("button", name="This book").click()
    page.get_by_role("button", name="Restore: Version 1").click()
    expect(page.get_by_text("3 of 3 entries")).to_be_visible()


PRESET: Mapping[str, Json] = {
    "temperature": 0.9,
    "reverse_proxy": "https://elsewhere.example",
    "wrap_in_quotes": True,
    "prompts": [{"identifier": "main", "name": "主提示", "role": "system", "content": "克制。"}],
    "prompt_order": [{"character_id": 100001, "order": [{"identifier": "main", "enabled": True}]}],
    "extensions": {
        "regex_scripts": [
            {
                "scriptName": "去星号",
                "findRegex": "/x/g",
                "replaceString": HOSTILE,
                "placement": [2],
            }
        ]
    },
}


def test_what_is_kept_is_told_and_consent_is_asked(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """A preset's parts, its scripts before they run, quick replies, and a newer card for a story."""
    house = server()
    preset = house.upload("/api/presets", "雨夜.json", json.dumps(PRESET).encode())
    replies = {"version": 2, "name": "快捷", "qrList": [{"label": "继续", "message": "/continue"}]}
    kept = house.upload("/api/quick-replies", "快捷.json", json.dumps(replies).encode())
    page = look(house, "/library/presets")
    page.get_by_role("link", name="雨夜 雨夜.json").click()
    sheet = page.get_by_role("complementary", name="雨夜")
    for part in ("主提示", "wrap_in_quotes", "reverse_proxy", "temperature"):
        expect(sheet).to_contain_text(part)
    scripts = sheet.get_by_role("region", name="Scripts that came along")
    scripts.get_by_text("去星号").click()
    expect(scripts).to_contain_text("onerror")
    check(page)
    scripts.get_by_role("button", name="Let them run").click()
    expect(scripts.get_by_role("button", name="Take it back")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.get_by_text("Nothing fits.")).to_be_visible()
    page.goto(f"/library/quick-replies/{kept['id']}")
    expect(page.get_by_role("complementary", name="快捷")).to_contain_text("继续")
    check(page)
    card = house.upload("/api/cards", "沈砚.png", shen())
    story = house.post("/api/projects", {"card_id": card["id"], "preset_id": preset["id"]})
    page.goto(f"/library/cards/{card['id']}?edit=1")
    page.get_by_role("textbox", name="Name", exact=True).fill("沈砚之")
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("complementary", name="沈砚之").wait_for()
    page.goto(f"/p/{story['id']}")
    offer = page.get_by_role("region", name="Newer versions")
    expect(offer).to_contain_text("沈砚之")
    check(page)
    offer.get_by_role("button", name="Take it").click()
    expect(offer).to_be_hidden()


def test_a_scenario_is_copied_and_written_by_form_and_as_text(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """Each fault is told with its field and the nearest one; what is typed outlives a reload."""
    page = look(server(), "/scenarios?name=stage", size=DESKTOP)
    page.get_by_role("region", name="stage").get_by_text("scribe.enabled").wait_for()
    check(page)
    page.get_by_role("textbox", name="Name of a copy").fill("夜航")
    page.get_by_role("button", name="Copy", exact=True).click()
    side = page.get_by_role("region", name="夜航")
    side.get_by_role("combobox", name="performer.kind").select_option("actor")
    side.get_by_text("TOML").click()
    text = side.get_by_role("textbox", name="TOML")
    expect(text).to_have_value(re.compile('kind = "actor"'))
    sound = text.input_value()
    text.fill(f"{sound}\n[lore]\nbudgte = 1\n")
    expect(side.get_by_role("alert")).to_contain_text("lore.budgte is not a field that is read.")
    expect(side.get_by_role("alert")).to_contain_text("lore.budget")
    expect(side.get_by_role("button", name="Keep")).to_be_disabled()
    check(page)
    page.reload()
    side.get_by_text("TOML").click()
    expect(text).to_have_value(re.compile("budgte"))
    text.fill(f"{sound}\n[lore]\nbudget = 1\n")
    side.get_by_role("button", name="Keep").click()
    side.get_by_text("All settings").click()
    expect(side.get_by_role("definition").filter(has_text="1 夜航")).to_be_visible()
    side.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="夜航")).to_be_hidden()
