"""What every store promises about what stands at the nodes of a story."""

from __future__ import annotations

import pytest

from huaben.errors import StorageFailed
from huaben.ports import Binned, Commit, Committed, NodeState, Purged, Stale, StateKind, Store
from tests.contract.samples import AT, a_project, new_id
from tests.contract.test_store_notes import a_story, stored


def a_state(project: str, node: str, text: str, kind: StateKind = "ledger") -> NodeState:
    return NodeState(kind, project, node, "scribe", AT, {"乙": text, "甲": {"z": 1, "a": 2}})


async def test_the_nearest_state_on_the_way_to_the_root_stands(store: Store) -> None:
    """A node without a state of its own has that of its nearest ancestor, of the asked kind."""
    project, path = await a_story(store, 40)
    ids = [turn.id for turn in path]
    await stored(store, a_state(project.id, ids[1], "早"), a_state(project.id, ids[3], "晚"))
    await stored(store, a_state(project.id, ids[5], "提要", "summary"))

    def up(depth: int) -> list[str]:
        return list(reversed(ids[: depth + 1]))

    async def at(depth: int) -> object:
        found = await store.state_at("ledger", up(depth))
        return found and found.data["乙"]

    assert [await at(depth) for depth in (0, 1, 2, 3, 39)] == [None, "早", "早", "晚", "晚"]
    summary = await store.state_at("summary", up(39))
    assert summary is not None
    assert summary.node == ids[5]
    assert await store.state_at("summary", up(4)) is None


async def test_each_writing_is_a_version_and_the_newest_stands(store: Store) -> None:
    """Versions are counted per node and kind; all of them can be read, with their order kept."""
    project, path = await a_story(store)
    node = path[0].id
    await stored(store, a_state(project.id, node, "一"))
    second = await stored(store, a_state(project.id, node, "二"))
    assert second.revisions["state", f"ledger/{node}"] == 2
    versions = await store.states("ledger", [path[1].id, node])
    assert [(one.revision, one.data["乙"]) for one in versions] == [(1, "一"), (2, "二")]
    assert list(versions[1].data) == ["乙", "甲"]
    newest = await store.state_at("ledger", [node])
    assert newest == versions[1]


async def test_a_state_is_compared_and_set(store: Store) -> None:
    """A version made from one that is no longer the newest is refused as a whole."""
    project, path = await a_story(store)
    node = path[0].id
    row = a_state(project.id, node, "一")
    first = await store.commit(Commit({("state", f"ledger/{node}"): 0}, rows=(row,)))
    assert isinstance(first, Committed)
    again = await store.commit(Commit({("state", f"ledger/{node}"): 0}, rows=(row,)))
    assert again == Stale("state", f"ledger/{node}", 0, 1)
    assert len(await store.states("ledger", [node])) == 1


async def test_a_state_belongs_to_a_node_that_exists(store: Store) -> None:
    """A state at no node is refused, and nothing is written."""
    project, path = await a_story(store)
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(a_state(project.id, new_id(), "无处"),)))
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(a_state(a_project().id, path[0].id, "无主"),)))


async def test_states_go_with_their_project(store: Store) -> None:
    """Of a project that is purged no state is left."""
    project, path = await a_story(store)
    await stored(store, a_state(project.id, path[0].id, "一"))
    await stored(store, Binned("project", project.id, AT))
    await stored(store, Purged("project", project.id))
    assert await store.states("ledger", [path[0].id]) == []
