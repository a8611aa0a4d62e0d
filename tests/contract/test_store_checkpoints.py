"""What every store promises about the history of a manuscript."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.checkpoint import Checkpoint, Manifest, Snapshot, applied, difference
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import Binned, CheckpointNamed, Commit, Committed, Key, Purged, Stale, Store
from huaben.ports.checkpoints import AtDesk
from tests.contract.samples import AT, USER, a_beginning, a_turn, new_id

EARLY = "2026-10-01T00:00:00.000Z"


def a_hash(number: int) -> str:
    return f"{number:064x}"


def following(project: Project, last: Snapshot | None, files: Manifest, **more: object) -> Snapshot:
    """The checkpoint that comes to these files, numbered as the store will."""
    before: Manifest = last.files if last else {}
    delta = difference(before, files)
    values: dict[str, object] = {
        "id": new_id(),
        "project_id": project.id,
        "user_id": USER,
        "at": AT,
        "author": "user",
        "cause": "found",
        "delta": delta,
        "number": last.checkpoint.number + 1 if last else 1,
    }
    one = Checkpoint(**values | more)  # pyright: ignore[reportArgumentType] - a builder of fields
    return Snapshot(one, applied(before, delta))


async def begun(store: Store) -> tuple[Project, Turn]:
    project, greeting, beginning = a_beginning()
    turn = a_turn(project, parent=greeting.id, run="ended", outcome="done", epoch=1)
    rows = (*beginning.rows, turn)
    assert isinstance(await store.commit(replace(beginning, rows=rows)), Committed)
    return project, turn


async def kept(store: Store, *snapshots: Snapshot) -> None:
    for one in snapshots:
        place: Key = ("manuscript", one.checkpoint.project_id)
        expected: dict[Key, int] = {place: one.checkpoint.number - 1}
        done = await store.commit(Commit(expected=expected, rows=(one,)))
        assert done == Committed({place: one.checkpoint.number}, ())


async def test_a_checkpoint_is_kept_with_its_record_and_its_files(store: Store) -> None:
    """Whatever the names and messages hold; the latest is found by its project."""
    project, turn = await begun(store)
    assert await store.latest_snapshot(project.id) is None
    assert await store.at_desk("missing") == AtDesk()
    first = following(project, None, {"001-雨夜.md": a_hash(1), "b.md": a_hash(2)}, message="导入")
    second = following(
        project,
        first,
        {"002-雨夜.md": a_hash(1), "b.md": a_hash(3)},
        author="agent",
        turn=turn.id,
        message="改一句\0 please",
        aborted=True,
        restored_from=first.checkpoint.id,
        name="初稿",
    )
    await kept(store, first, second)
    assert await store.latest_snapshot(project.id) == second
    assert await store.snapshot(first.checkpoint.id) == first
    assert await store.snapshot("missing") is None
    assert second.checkpoint.changed.renamed == (("001-雨夜.md", "002-雨夜.md"),)


async def test_what_the_next_one_goes_on_from_is_told_at_once(store: Store) -> None:
    """The last checkpoint, and the turn at the head of the story."""
    project, _ = await begun(store)
    head = await store.head(project.id)
    assert head is not None
    turn = await store.turn(head.turn_id)
    assert turn is not None
    assert await store.at_desk(project.id) == AtDesk(None, turn)
    first = following(project, None, {"001-雨夜.md": a_hash(1)})
    await kept(store, first)
    assert await store.at_desk(project.id) == AtDesk(first, turn)


async def test_of_two_that_go_on_from_the_same_one_only_the_first_is_kept(store: Store) -> None:
    """The count of checkpoints is compared and set, so no history ever forks."""
    project, _ = await begun(store)
    first = following(project, None, {"a.md": a_hash(1)})
    await kept(store, first)
    rival = following(project, None, {"a.md": a_hash(2)})
    place: Key = ("manuscript", project.id)
    assert await store.commit(Commit(expected={place: 0}, rows=(rival,))) == Stale(*place, 0, 1)
    assert await store.latest_snapshot(project.id) == first


async def test_the_newest_is_told_after_every_one_of_many(store: Store) -> None:
    """However often it was read before: what came, changed and went since is in its files."""
    project, _ = await begun(store)
    last: Snapshot | None = None
    for number in range(1, 150):
        files = {f"{name:02d}-章.md": a_hash(number * name) for name in range(number % 5, 12)}
        last = following(project, last, files, message=f"第{number}次")
        await kept(store, last)
        if number % 7 < 3 or number > 140:
            assert await store.latest_snapshot(project.id) == last


async def test_checkpoints_are_listed_from_the_newest_with_their_files(store: Store) -> None:
    """In pages by number, also across those places where the store holds all files."""
    project, _ = await begun(store)
    other, _ = await begun(store)
    made: list[Snapshot] = []
    for number in range(1, 140):
        files = {"a.md": a_hash(number), f"{number % 7}.md": a_hash(number % 3)}
        made.append(following(project, made[-1] if made else None, files))
    await kept(store, *made, following(other, None, {"z.md": a_hash(9)}))
    made.reverse()
    assert await store.snapshots(project.id) == made[:50]
    assert await store.snapshots(project.id, before=90) == made[50:100]
    assert await store.snapshots(project.id, before=40, limit=1000) == made[100:]
    assert await store.snapshots(project.id, before=66, limit=3) == made[74:77]
    assert await store.snapshots(project.id, before=1) == []
    assert await store.snapshots("missing") == []
    assert await store.checkpoints(project.id) == [one.checkpoint for one in reversed(made)]


async def test_the_checkpoints_of_turns_are_found(store: Store) -> None:
    """So that a turn can be taken back, however many it made."""
    project, turn = await begun(store)
    first = following(project, None, {"a.md": a_hash(1)}, turn=turn.id, author="agent")
    second = following(project, first, {"a.md": a_hash(2)})
    third = following(project, second, {"a.md": a_hash(3)}, turn=turn.id, author="agent")
    await kept(store, first, second, third)
    found = await store.checkpoints(project.id, [turn.id])
    assert found == [first.checkpoint, third.checkpoint]
    assert await store.checkpoints(project.id, []) == []


async def test_a_checkpoint_gets_a_name_and_loses_it(store: Store) -> None:
    """Which moves no revision: nothing of the history changes."""
    project, _ = await begun(store)
    first = following(project, None, {"a.md": a_hash(1)})
    await kept(store, first)
    for name in ("初稿", "The first draft\0", ""):
        done = await store.commit(Commit(rows=(CheckpointNamed(first.checkpoint.id, name),)))
        assert done == Committed({}, ())
        found = await store.latest_snapshot(project.id)
        assert found == replace(first, checkpoint=replace(first.checkpoint, name=name))
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(CheckpointNamed("missing", "无"),)))


async def test_a_history_needs_its_project_and_goes_with_it(store: Store) -> None:
    """No checkpoint without a project, none left behind when it goes for good."""
    project, _ = await begun(store)
    stray = following(replace(project, id=new_id()), None, {"a.md": a_hash(1)})
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(stray,)))
    first = following(project, None, {"a.md": a_hash(1)})
    await kept(store, first)
    await store.commit(Commit(rows=(Binned("project", project.id, EARLY),)))
    assert await store.latest_snapshot(project.id) == first
    await store.commit(Commit(rows=(Purged("project", project.id),)))
    assert await store.latest_snapshot(project.id) is None
    assert await store.snapshot(first.checkpoint.id) is None
