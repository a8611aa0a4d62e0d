"""How long a turn waits for what the turn before it left to do: for the scribe, and not for long."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from huaben.domain.story import Tree
from huaben.services.aftermath.chain import lane_of
from huaben.services.house import House
from huaben.services.standing import LedgerAt, ledger_at

LOOK_S = 0.1


async def ledger_in_time(
    house: House, project_id: str, tree: Tree, node: str, wait_s: float
) -> LedgerAt:
    """The ledger at a node once the scribe has caught up there or has nothing more to do, and after
    `wait_s` seconds as it is then. Only the scribe is waited for, not what else its job does."""
    ledger = await ledger_at(house, tree, node)
    with suppress(TimeoutError):
        async with asyncio.timeout(wait_s):
            while ledger.behind and await _is_coming(house, project_id):
                await asyncio.sleep(LOOK_S)
                ledger = await ledger_at(house, tree, node)
    return ledger


async def _is_coming(house: House, project_id: str) -> bool:
    """Whether a job that may read for the ledger is due, where jobs are carried out at all."""
    return house.jobs.begun and bool(await house.store.due(lane_of(project_id)))
