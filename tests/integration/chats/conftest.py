"""The yard that tests of imported chats work in."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from tests.integration.jobs.yard import Yard, a_yard


@pytest.fixture
async def yard() -> AsyncGenerator[Yard]:
    made = a_yard()
    made.start()
    yield made
    await made.jobs.close()
