"""Personas on the page: their pictures, finding one among many, and choosing it for a story."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import CARD, DESKTOP
from tests.browser.playhouse import Server
from tests.browser.test_library import as_file

MANY = 110
"""More than a list or a box gives at once."""


def picture() -> bytes:
    packed = io.BytesIO()
    Image.linear_gradient("L").convert("RGB").save(packed, "PNG")
    return packed.getvalue()


def a_crowd(house: Server) -> None:
    """Many personas; the one that is listed last is 陆行."""
    names = {f"{n}.png": "陆行" if n == 0 else f"Someone {n:03}" for n in range(MANY)}
    backup = {"personas": names, "persona_descriptions": {}, "default_persona": None}
    house.upload("/api/personas/import", "personas.json", json.dumps(backup).encode())


def test_a_persona_is_found_among_many_given_a_face_and_played(
    server: Callable[..., Server], look: Callable[..., Page]
) -> None:
    """Looked for on the server, shown with the picture that was chosen, offered to a new story by name, and
    seen in its bar; what is no picture is refused in words, and the picture can be taken away."""
    house = server()
    a_crowd(house)
    card = house.upload("/api/cards", "沈砚.json", json.dumps(CARD).encode())["id"]
    page = look(house, "/library/personas", size=DESKTOP)
    rows = page.get_by_role("list", name="Personas").get_by_role("listitem")
    page.get_by_role("searchbox", name="Personas").fill("陆")
    expect(rows).to_have_count(1)
    rows.get_by_role("link", name="陆行").first.click()
    sheet = page.get_by_role("complementary", name="陆行")
    form = sheet.get_by_role("textbox", name="Description")
    form.fill("游方郎中。")
    chooser = sheet.locator("input[type=file]")
    chooser.set_input_files([as_file("notes.png", b"no picture")])
    expect(sheet.get_by_role("alert")).to_contain_text("This file is no whole picture.")
    chooser.set_input_files([as_file("me.png", picture())])
    expect(sheet.locator("img")).to_have_attribute("src", re.compile(r"/picture\?v="))
    expect(form).to_have_value("游方郎中。")
    sheet.get_by_role("button", name="Keep", exact=True).click()
    expect(sheet).to_be_hidden()
    expect(rows.locator("img")).to_have_js_property("complete", True)
    expect(rows).to_contain_text("游方郎中。")

    page.goto(f"{house.address}/library/cards/{card}")
    begin = page.get_by_role("form", name="Begin a story")
    expect(begin.get_by_text("These are the newest 100")).to_be_visible()
    begin.get_by_role("searchbox", name="Find by name: Persona").fill("陆行")
    chosen = begin.get_by_role("combobox", name="Persona")
    expect(chosen.get_by_role("option", name="陆行")).to_be_attached()
    chosen.select_option(label="陆行")
    expect(begin.locator("img")).to_have_js_property("complete", True)
    begin.get_by_role("button", name="Begin").click()
    who = page.get_by_role("link", name="You play 陆行")
    expect(who.locator("img")).to_have_js_property("complete", True)
    who.click()
    sheet.get_by_role("button", name="Take the picture away").click()
    expect(sheet.locator("img")).to_have_count(0)
