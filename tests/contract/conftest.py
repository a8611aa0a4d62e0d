"""Stores that the contract suites run on; here so that every suite meets every adapter and fake."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from pathlib import Path

import pytest

from huaben.adapters.db.store import open_store
from huaben.ports import Store
from huaben.testing.clock import ManualClock
from huaben.testing.store import MemoryStore
from tests.contract.postgres import a_schema, a_server

POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.postgres)


@pytest.fixture(scope="session")
def server() -> Generator[str]:
    with a_server() as address:
        yield address


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str | Path]:
    """Where a database of that kind may be made; the server starts only when it is asked for."""

    def place(kind: str) -> str | Path:
        if kind == "sqlite":
            return tmp_path / "资料 data"
        return a_schema(str(request.getfixturevalue("server")))

    return place


@pytest.fixture(params=["memory", "sqlite", POSTGRESQL])
async def store(
    request: pytest.FixtureRequest, places: Callable[[str], str | Path], clock: ManualClock
) -> AsyncGenerator[Store]:
    if request.param == "memory":
        opened: Store = MemoryStore(clock)
    else:
        opened = open_store(places(str(request.param)), clock=clock)
    yield opened
    await opened.close()


@pytest.fixture(params=["sqlite", POSTGRESQL])
def place(request: pytest.FixtureRequest, places: Callable[[str], str | Path]) -> str | Path:
    """Where a real database may be opened, also twice."""
    return places(str(request.param))
