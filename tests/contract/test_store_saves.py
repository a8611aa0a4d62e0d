"""What every store promises about named saves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.project import Project
from huaben.domain.saves import Save
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import Binned, Commit, Committed, Page, Purged, Stale, Store, Thing
from tests.contract.samples import AT, USER, a_beginning, a_turn, new_id

EARLY = "2026-10-01T00:00:00.000Z"


def a_save(project: Project, turn: Turn, name: str = "雨停之前") -> Save:
    return Save(new_id(), USER, project.id, turn.id, name, "user", AT)


async def begun(store: Store) -> tuple[Project, Turn]:
    project, greeting, beginning = a_beginning()
    assert isinstance(await store.commit(beginning), Committed)
    return project, greeting


async def test_a_save_is_kept_and_renamed(store: Store) -> None:
    """Whatever its name holds, under the revision that was expected."""
    project, turn = await begun(store)
    save = a_save(project, turn)
    made = Commit(expected={("save", save.id): 0}, rows=(save,))
    assert await store.commit(made) == Committed({("save", save.id): 1}, ())
    assert await store.save(save.id) == replace(save, revision=1)
    renamed = replace(save, name="Before the rain\0", author="model")
    change = Commit(expected={("save", save.id): 1}, rows=(renamed,))
    assert await store.commit(change) == Committed({("save", save.id): 2}, ())
    assert await store.commit(change) == Stale("save", save.id, 1, 2)
    assert await store.save(save.id) == replace(renamed, revision=2)
    assert await store.save("missing") is None


async def test_the_saves_of_a_project_are_paged_from_the_newest(store: Store) -> None:
    """Two may bear one name; those of other projects and those in the trash are not among them."""
    project, turn = await begun(store)
    saves = [a_save(project, turn) for _ in range(5)]
    other = a_save(*await begun(store))
    gone = replace(a_save(project, turn), deleted_at=EARLY)
    assert isinstance(await store.commit(Commit(rows=(*saves, other, gone))), Committed)
    first, following = await store.saves(project.id, Page(limit=3))
    rest, over = await store.saves(project.id, Page(following, 3))
    assert [one.id for one in (*first, *rest)] == [one.id for one in reversed(saves)]
    assert over is None
    assert await store.saves("missing", Page()) == ([], None)


async def test_a_save_goes_to_the_trash_and_comes_back(store: Store) -> None:
    """Like any other thing, and for good when it is purged."""
    project, turn = await begun(store)
    save = a_save(project, turn)
    await store.commit(Commit(rows=(save,)))
    await store.commit(Commit(rows=(Binned("save", save.id, EARLY),)))
    assert await store.saves(project.id, Page()) == ([], None)
    thing = Thing("save", save.id, USER, save.name, EARLY, 2)
    assert await store.trash(USER, Page()) == ([thing], None)
    assert await store.thing("save", save.id) == thing
    await store.commit(Commit(rows=(Binned("save", save.id, ""),)))
    assert await store.save(save.id) == replace(save, revision=3)
    await store.commit(Commit(rows=(Purged("save", save.id),)))
    assert await store.save(save.id) is not None
    await store.commit(Commit(rows=(Binned("save", save.id, EARLY), Purged("save", save.id))))
    assert await store.save(save.id) is None


async def test_a_save_needs_its_project_and_its_node(store: Store) -> None:
    """A name for nothing is refused, and nothing is written."""
    project, turn = await begun(store)
    save = a_save(project, turn)
    for broken in (replace(save, node="missing"), replace(save, project_id="missing")):
        with pytest.raises(StorageFailed):
            await store.commit(Commit(rows=(broken,)))
    assert await store.save(save.id) is None


async def test_saves_go_with_a_purged_project(store: Store) -> None:
    """Those in the trash too; another project's stay."""
    project, turn = await begun(store)
    other = a_save(*await begun(store))
    saves = (a_save(project, turn), replace(a_save(project, turn), deleted_at=EARLY))
    binned = Binned("project", project.id, EARLY)
    await store.commit(Commit(rows=(*saves, other, binned, Purged("project", project.id))))
    assert [await store.save(one.id) for one in saves] == [None, None]
    assert await store.save(other.id) is not None
    assert [fault async for fault in store.audit()] == []


async def test_turns_made_after_another_are_counted(store: Store) -> None:
    """In all projects; openings and edits are no turns of the user's."""
    project, greeting = await begun(store)
    turns = [a_turn(project, parent=greeting.id) for _ in range(3)]
    edit = a_turn(project, parent=greeting.id, kind="edit", run="ended", outcome="revised")
    other, root = await begun(store)
    later = a_turn(other, parent=root.id)
    await store.commit(Commit(rows=(*turns, edit, later)))
    assert await store.turns_after("") == 4
    assert await store.turns_after(turns[1].id) == 2
    assert await store.turns_after(later.id) == 0
