"""Halls for the tests of the rehearsal, closed behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

import pytest

from huaben.domain.project import Language
from huaben.ports import Model
from tests.integration.rehearsal.hall import Hall, open_hall


class OpenHall(Protocol):
    """Opens a hall where the rehearsal is played, by `model` if one is given."""

    async def __call__(self, language: Language, model: Model | None = None) -> Hall: ...


@pytest.fixture
async def hall_in() -> AsyncIterator[OpenHall]:
    opened: list[Hall] = []

    async def make(language: Language, model: Model | None = None) -> Hall:
        hall = await open_hall(language, model)
        opened.append(hall)
        return hall

    yield make
    for hall in opened:
        await hall.company.close()
        await hall.house.jobs.close()
