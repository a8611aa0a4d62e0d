"""What an edit of a manuscript leaves to be checked, in an author's hands: marks in the World panel, the continuity
check at the desk. The rehearsal writes, reads and checks, so that no model is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.playhouse import Server, until

SECOND = "002-The ledger.md"


def test_an_author_sees_what_lost_its_words_and_checks_the_book(
    server: Callable[[str], Server], look: Callable[..., Page]
) -> None:
    """A fact is marked when its words are gone, the filter shows it alone, and the author's word takes the mark
    away; the check shows a finding with its chapter, which is dismissed."""
    at = server("")
    page = look(at, "/", size=DESKTOP)
    made = at.post("/api/rehearsal", {"language": "en", "mode": "writing"})
    path = f"/api/projects/{made['id']}"
    wish = {"text": "Write three chapters from this card.", "parent": made["head"]}
    at.post(f"{path}/turns", {**wish, "request_id": "one"})
    until(page, lambda: at.get(f"{path}/care")["checkpoint"] is not None)
    folder = at.data / "projects" / str(made["id"]) / "manuscript"
    (folder / SECOND).write_text("# The ledger\n\nThe coals were cold.\n", "utf-8")
    marked = cast("list[dict[str, str]]", at.get(f"{path}/care")["facts"])
    assert [one["path"] for one in marked] == ["flags.old ledger"]

    page.goto(f"/p/{made['id']}?panel=world")
    world = page.get_by_label("World", exact=True)
    expect(world.get_by_text("to be checked", exact=True)).to_be_visible()
    world.get_by_role("button", name="Show only these").click()
    expect(world.get_by_text("Place", exact=True)).to_have_count(0)
    world.get_by_role("button", name="What old ledger rests on").click()
    world.get_by_role("blockquote").get_by_role("button", name="It holds").click()
    expect(world.get_by_text("to be checked", exact=True)).to_have_count(0)
    world.get_by_role("button", name="It holds").click()  # the note of the passage
    expect(world.get_by_text("Notes to be checked")).to_have_count(0)
    until(page, lambda: at.get(f"{path}/care")["may_differ"] is False)

    page = look(at, f"/p/{made['id']}?panel=check", size=PHONE)
    check = page.get_by_role("dialog", name="Continuity", exact=True)
    check.get_by_role("button", name="Check what changed").click()
    expect(check.get_by_text("Prepared for the rehearsal")).to_be_visible()
    check.get_by_role("button", name="Dismiss").click()
    expect(check.get_by_text("dismissed", exact=True)).to_be_visible()
