"""The trash as its users see it: deletion, return, and what thirty days do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.errors import NotFound
from huaben.ports import Page
from huaben.services import chores, founding, library, trash
from huaben.services.founding import Founding
from huaben.services.performing import Company
from tests.integration.jobs.yard import BOOK, Yard, card_bytes

DAY_S = 24 * 3600.0


async def names(yard: Yard) -> list[str]:
    return [thing.name for thing in (await trash.list_trash(yard.house, Page()))[0]]


async def reopened(yard: Yard) -> None:
    """The program starts again, and does what is due by now."""
    await yard.restart()
    await chores.begin(yard.house)
    await yard.patiently(yard.jobs.idle())


async def test_a_card_is_deleted_listed_and_taken_back(yard: Yard) -> None:
    """What was deleted is gone from the library, lies in the trash, and returns whole."""
    card = await library.import_card(yard.house, card_bytes("阿迟"), "阿迟.json")
    before = await yard.store.card(card.id)
    assert before is not None
    await trash.discard(yard.house, "card", card.id)
    assert await yard.store.cards("local", Page()) == ([], None)
    assert await names(yard) == ["阿迟"]
    await trash.restore(yard.house, "card", card.id)
    assert await yard.store.card(card.id) == replace(before, revision=3)
    assert await names(yard) == []


async def test_what_is_not_there_cannot_be_deleted_or_taken_back(yard: Yard) -> None:
    """Twice deleted, never deleted, another user's, unknown: each is an answer, not a change."""
    card = await library.import_card(yard.house, card_bytes("a"), "a.json")
    with pytest.raises(NotFound):
        await trash.restore(yard.house, "card", card.id)
    await trash.discard(yard.house, "card", card.id)
    other = replace(yard.house, user_id="somebody else")
    for house in (yard.house, other):
        with pytest.raises(NotFound):
            await trash.discard(house, "card", card.id)
    with pytest.raises(NotFound):
        await trash.discard(yard.house, "lorebook", card.id)
    with pytest.raises(NotFound):
        await trash.restore(other, "card", card.id)
    assert await names(yard) == ["a"]


async def test_a_story_keeps_the_card_that_was_deleted(yard: Yard) -> None:
    """Deleting a card takes no story away, not even when its thirty days are over."""
    card = await library.import_card(yard.house, card_bytes("渡船人"), "a.json")
    project, _ = await founding.create_project(yard.house, Founding(card_id=card.id))
    await trash.discard(yard.house, "card", card.id)
    await yard.clock.advance(31 * DAY_S)
    await reopened(yard)
    assert await yard.store.card(card.id) is not None
    assert await yard.store.project(project.id) is not None
    assert await names(yard) == ["渡船人"]


async def test_after_thirty_days_the_trash_is_emptied_at_a_start(yard: Yard) -> None:
    """What has lain there for its time goes for good, a project before the card that it names; what
    is younger stays."""
    card = await library.import_card(yard.house, card_bytes("旧卡"), "a.json")
    book = await library.import_lorebook(yard.house, BOOK, "旧书.json")
    project, _ = await founding.create_project(
        yard.house, Founding(title="旧事", card_id=card.id, lorebook_ids=(book.id,))
    )
    await trash.discard(yard.house, "card", card.id)
    await trash.discard(yard.house, "lorebook", book.id)
    await trash.discard_project(yard.house, Company(yard.house), project.id)
    await yard.clock.advance(29 * DAY_S)
    young = await library.import_card(yard.house, card_bytes("新卡"), "b.json")
    await trash.discard(yard.house, "card", young.id)
    await reopened(yard)
    assert await names(yard) == ["新卡", "旧事", "旧书", "旧卡"]
    await yard.clock.advance(DAY_S + 1)
    await reopened(yard)
    assert await names(yard) == ["新卡"]
    assert await yard.store.project(project.id) is None
    assert await yard.store.card(card.id) is None
    assert await yard.store.lorebook(book.id) is None
    assert await yard.outcome(trash.LANE) == "done"


async def test_a_start_without_old_trash_makes_nothing_due(yard: Yard) -> None:
    """The engine is not woken for nothing."""
    card = await library.import_card(yard.house, card_bytes("a"), "a.json")
    await trash.discard(yard.house, "card", card.id)
    await chores.begin(yard.house)
    assert await yard.store.due() == []


async def test_a_large_trash_is_emptied_across_a_death(yard: Yard) -> None:
    """More things than one step takes, and a process that dies between two: all of them go."""
    count = trash.AT_ONCE + 30
    for n in range(count):
        card = await library.import_card(yard.house, card_bytes(f"卡 {n}"), "a.json")
        await trash.discard(yard.house, "card", card.id)
    await yard.clock.advance(31 * DAY_S)
    yard.jobs.die_after(3)
    await chores.begin(yard.house)
    await yard.jobs.idle()
    await reopened(yard)
    assert await names(yard) == []
    assert await yard.outcome(trash.LANE) == "done"
