"""`doctor`: looks for model servers on this machine, then tests each connection; apart from testing one
because it tells as it goes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from huaben.services.connecting import Switchboard, find, probe
from huaben.services.connections import Known
from huaben.services.house import House


async def examine(
    house: House, board: Switchboard, names: Sequence[str] = ()
) -> AsyncIterator[Known]:
    """Each connection after its test, in the order of choice: the named ones, or all, with what is
    found on this machine. One that has no model is told untested. Raises `NotFound` for a name that
    is none, before anything is tested."""
    if names:
        chosen = [board.connections.named(name).name for name in names]
    else:
        await find(house, board)
        chosen = [one.name for one in board.connections.known]
    for name in chosen:
        yield await probe(house, board, name)
