"""What every store promises about the trash: what lies there, and how it goes for good."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.events import ProjectEvent, Status
from huaben.domain.project import Project, StoredBook, StoredCard
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import (
    Binned,
    Commit,
    Committed,
    Due,
    DueDone,
    Effect,
    Head,
    Page,
    Purged,
    Stale,
    Store,
    Thing,
    Visit,
)
from tests.contract.samples import (
    a_book,
    a_card,
    a_closed_call,
    a_project,
    a_request,
    a_turn,
    an_opened_call,
    new_id,
)

EARLY, LATE = "2026-10-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"


async def stored(store: Store, *rows: Project | StoredCard | StoredBook | Turn) -> None:
    assert isinstance(await store.commit(Commit(rows=rows)), Committed)


def binned(row: Project | StoredCard | StoredBook, at: str) -> Project | StoredCard | StoredBook:
    return replace(row, deleted=True, deleted_at=at)


async def purge(store: Store, *gone: Purged) -> None:
    assert isinstance(await store.commit(Commit(rows=gone)), Committed)


async def test_the_trash_lists_all_kinds_latest_first(store: Store) -> None:
    """Cards, lorebooks and projects lie in one list, with the moment of their deletion."""
    card, book, project = a_card(name="灯\0"), a_book(), a_project()
    rows = [binned(card, EARLY), binned(book, LATE), binned(project, LATE), a_card(), a_project()]
    await stored(store, *rows, binned(a_card(user_id="somebody else"), LATE))
    found, following = await store.trash("local", Page())
    assert found == [
        Thing("project", project.id, "local", project.title, LATE, 1),
        Thing("lorebook", book.id, "local", book.name, LATE, 1),
        Thing("card", card.id, "local", "灯\0", EARLY, 1),
    ]
    assert following is None
    everybodys, _ = await store.trash(None, Page())
    assert len(everybodys) == 4
    assert [one.id for one in (await store.trash("local", Page(), LATE))[0]] == [card.id]


async def test_the_trash_is_paged(store: Store) -> None:
    """Things that went there at one moment are each listed once."""
    cards = [a_card() for _ in range(7)]
    await stored(store, *(binned(card, EARLY) for card in cards))
    listed: list[str] = []
    after: str | None = None
    while True:
        found, after = await store.trash("local", Page(after, 3))
        listed.extend(one.id for one in found)
        if after is None:
            break
    assert listed == [card.id for card in reversed(cards)]


async def test_a_thing_goes_to_the_trash_and_comes_back_as_it_was(store: Store) -> None:
    """Nothing of a row but its place changes, under the revision that was expected."""
    rows = {"card": a_card(), "lorebook": a_book(), "project": a_project()}
    await stored(store, *rows.values())
    for kind, row in rows.items():
        assert kind in ("card", "lorebook", "project")
        bin_it = Commit(expected={(kind, row.id): 1}, rows=(Binned(kind, row.id, EARLY),))
        assert await store.commit(bin_it) == Committed({(kind, row.id): 2}, ())
        assert await store.commit(bin_it) == Stale(kind, row.id, 1, 2)
        found = await store.thing(kind, row.id)
        assert found is not None
        assert (found.deleted_at, found.revision) == (EARLY, 2)
    assert await store.card(rows["card"].id) == binned(replace(rows["card"], revision=2), EARLY)
    for listed in (store.cards, store.lorebooks, store.projects):
        assert await listed("local", Page()) == ([], None)
    back = (Binned(one.kind, one.id, "") for one in (await store.trash("local", Page()))[0])
    assert isinstance(await store.commit(Commit(rows=tuple(back))), Committed)
    assert await store.project(rows["project"].id) == replace(rows["project"], revision=3)
    assert await store.lorebook(rows["lorebook"].id) == replace(rows["lorebook"], revision=3)
    assert await store.trash("local", Page()) == ([], None)


async def test_a_thing_that_does_not_exist_cannot_be_binned(store: Store) -> None:
    """Nothing is made by deleting it."""
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(Binned("card", "missing", EARLY),)))
    assert await store.thing("card", "missing") is None


async def test_purging_takes_only_what_is_in_the_trash(store: Store) -> None:
    """A thing that was restored meanwhile, or never deleted, stays; one that is gone stays gone."""
    kept, gone, book = a_card(), a_card(), a_book()
    await stored(store, kept, binned(gone, EARLY), binned(book, EARLY))
    purged = [Purged("card", one.id) for one in (kept, gone)]
    await purge(store, *purged, Purged("lorebook", book.id), Purged("card", "missing"))
    await purge(store, *purged)
    assert await store.card(kept.id) == replace(kept, revision=1)
    assert await store.card(gone.id) is None
    assert await store.lorebook(book.id) is None


async def test_purging_holds_to_the_expected_revision(store: Store) -> None:
    """Who purges says which state of the thing was seen."""
    card = a_card()
    await stored(store, binned(card, EARLY))
    commit = Commit(expected={("card", card.id): 2}, rows=(Purged("card", card.id),))
    assert await store.commit(commit) == Stale("card", card.id, 2, 1)
    assert await store.card(card.id) is not None


async def test_what_a_project_names_is_not_purged(store: Store) -> None:
    """A card or lorebook stays as long as any project plays with it, one in the trash included."""
    card, books = a_card(), [a_book(), a_book()]
    project = a_project(card_id=card.id, lorebook_ids=(books[0].id,))
    rows = [binned(card, EARLY), *(binned(book, EARLY) for book in books)]
    await stored(store, *rows, binned(project, EARLY))
    named = (Purged("card", card.id), *(Purged("lorebook", book.id) for book in books))
    await purge(store, *named)
    assert await store.card(card.id) is not None
    assert await store.lorebook(books[0].id) is not None
    assert await store.lorebook(books[1].id) is None
    await purge(store, Purged("project", project.id), *named)
    assert await store.card(card.id) is None
    assert await store.lorebook(books[0].id) is None


async def test_a_purged_project_goes_with_all_that_is_its_own(store: Store) -> None:
    """Turns, logs, calls, jobs and effects go; what belongs to another project stays whole."""
    projects = [a_project(), a_project()]
    turns: list[Turn] = []
    for project in projects:
        greeting = a_turn(project, kind="greeting", depth=0, run="ended", outcome="sealed")
        turn = a_turn(project, parent=greeting.id, run="ended", outcome="sealed")
        call = an_opened_call(turn, a_request("雨"))
        later = an_opened_call(turn, a_request("雨", "灯"), id=new_id())
        tree = (greeting, turn, Head(project.id, turn.id), Visit(greeting.id, turn.id))
        calls = (call, a_closed_call(call), later)
        commit = Commit(
            rows=(project, *tree, *calls, Effect(f"{project.id}/post:1/a", {})),
            events=((turn.id, Status("running")),),
            project_events=((project.id, ProjectEvent("turn_began", turn.id)),),
            due=(Due(f"{project.id}/post", "scribe", {}),),
        )
        assert isinstance(await store.commit(commit), Committed)
        turns.append(turn)
    gone, kept = projects
    await stored(store, binned(gone, EARLY))
    await store.commit(Commit(rows=(DueDone(f"{gone.id}/post", 1),)))
    await purge(store, Purged("project", gone.id))
    assert await store.project(gone.id) is None
    assert await store.head(gone.id) is None
    assert await store.skeleton(gone.id) == []
    assert await store.events(turns[0].id) == []
    assert await store.project_events(gone.id) == []
    assert await store.calls(turns[0].id) == []
    assert await store.job(f"{gone.id}/post", 1) is None
    assert await store.count_effects(f"{gone.id}/") == 0
    assert len(await store.calls(turns[1].id)) == 2
    assert len(await store.events(turns[1].id)) == 1
    assert await store.count_effects(f"{kept.id}/") == 1
    assert [fault async for fault in store.audit()] == []


async def test_turns_of_a_project_in_the_trash_are_not_taken_up(store: Store) -> None:
    """A start leaves alone what waits in a deleted project, and sees it again after its return."""
    project = a_project()
    turn = a_turn(project, run="waiting")
    await stored(store, project, turn)
    assert [one.id for one in await store.unended()] == [turn.id]
    await stored(store, binned(project, EARLY))
    assert await store.unended() == []
    await stored(store, project)
    assert [one.id for one in await store.unended()] == [turn.id]
