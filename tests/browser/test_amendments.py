"""A lasting change at the turn that asked for it, and the reader's word on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Page, expect

from huaben.config import load_settings
from huaben.domain.amendment import Amendment, FieldChange, NewEntry, Proposal
from huaben.ports import Commit
from huaben.services import library
from huaben.services.amended import written
from huaben.studio import Studio
from tests.browser.axe import violations
from tests.browser.playhouse import Server
from tests.builders import cards as made

CARD = made.as_json(
    made.v2({"name": "Shen Yan", "personality": "Calm.", "first_mes": "He looks up."})
)


async def seeded(data: Path) -> str:
    """A story whose turn has asked for a change that waits for the reader's word."""
    async with Studio.open(settings=load_settings(data=data)) as studio:
        house = studio.house
        card = await library.import_card(house, CARD, "shen.json")
        project = await studio.create_project(card=card.id, scenario="rehearsal", language="en")
        async for _ in studio.play(project.id, "From now on he smiles more."):
            pass
        head = await house.store.head(project.id)
        assert head is not None
        changes = (FieldChange("personality", "Calm.", "Calm, and quick to smile."),)
        lore = (NewEntry("The smile", "He has smiled since the rain.", ("smile",)),)
        proposal = Proposal("Shen Yan smiles more.", changes, lore, ("Short sentences.",))
        asked = Amendment(head.turn_id, "let him smile", "proposed", proposal=proposal)
        await house.store.commit(Commit(rows=(written(project.id, asked),)))
        await house.jobs.idle()
        return project.id


def test_a_lasting_change_waits_for_the_readers_word(
    server: Callable[..., Server], look: Callable[..., Page], tmp_path: Path
) -> None:
    """It stands at its turn with all that it changes; it is refused, accepted after all, taken back."""
    with ThreadPoolExecutor(1) as pool:  # the browser's loop runs in this thread
        project = pool.submit(lambda: asyncio.run(seeded(tmp_path / "data0"))).result()
    page = look(server(), f"/p/{project}")
    change = page.get_by_role("article").last.get_by_role("region", name="Lasting change")
    expect(change).to_contain_text("Nothing changes before your word.")
    expect(change.locator("ins").first).to_contain_text("quick to smile")
    expect(change.locator("del")).to_contain_text("Calm.")
    expect(change).to_contain_text("Short sentences.")
    assert not violations(page)
    change.get_by_role("button", name="Refuse").click()
    expect(change).to_contain_text("was refused")
    change.get_by_role("button", name="Accept").click()
    expect(change).to_contain_text("holds from the next turn on")
    page.reload()
    change.get_by_role("button", name="Take back").click()
    expect(change).to_contain_text("was taken back")
