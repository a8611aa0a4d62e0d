"""Stores that the contract suites run on; here so that every suite meets every adapter and fake."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.ports import Store
from huaben.testing.clock import ManualClock
from huaben.testing.store import MemoryStore


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=["memory", "sqlite"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock
) -> AsyncGenerator[Store]:
    opened = (
        MemoryStore(clock)
        if request.param == "memory"
        else open_store(tmp_path / "资料 data", clock=clock)
    )
    yield opened
    await opened.close()
