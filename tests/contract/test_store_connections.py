"""What every store promises about the connections that a user keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.connection import StoredConnection
from huaben.ports import Commit, Committed, Stale, Store

AT = "2026-11-01T08:00:00+00:00"


def a_connection(name: str = "本机 llama", user: str = "local") -> StoredConnection:
    settings = {"model": "小模型", "sampling": {"temperature": 0.7, "stop": ["\n"]}, "window": None}
    return StoredConnection(user, name, True, settings, {"streams": True, "models": ["a"]}, AT)


async def test_connections_come_back_whole_by_name(store: Store) -> None:
    """Every field survives; another user's are not told."""
    ours = [a_connection(name) for name in ("b", "a/b", "本机 llama")]
    await store.commit(Commit(rows=(*ours, a_connection("theirs", "other"))))
    found = await store.connections("local")
    assert found == [replace(one, revision=1) for one in sorted(ours, key=lambda one: one.name)]
    assert await store.connections("nobody") == []


@pytest.mark.parametrize("name", ["a", "a/b/c", "灯"])
async def test_a_connection_is_compared_and_set(store: Store, name: str) -> None:
    """Made once, replaced only by who saw its latest form."""
    key = ("connection", f"local/{name}")
    first = a_connection(name)
    assert isinstance(await store.commit(Commit({key: 0}, rows=(first,))), Committed)
    again = await store.commit(Commit({key: 0}, rows=(first,)))
    assert again == Stale("connection", f"local/{name}", 0, 1)
    changed = replace(first, kept=False, settings={})
    assert isinstance(await store.commit(Commit({key: 1}, rows=(changed,))), Committed)
    assert await store.connections("local") == [replace(changed, revision=2)]
