"""Effects that happen once however often their step runs: the commit carries the record of itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from huaben.ports import Commit, Effect, Stale
from huaben.services.house import House
from huaben.services.stories import stale

Made = tuple[Commit, Mapping[str, object]]
"""What an effect writes, and what it came to."""


async def once(house: House, key: str, make: Callable[[], Awaitable[Made]]) -> Mapping[str, object]:
    """What the effect of that key came to: made now, in one commit with its record, or read back.

    A job's keys begin with its id and a slash; by them its progress is counted. Raises `Conflict`
    when what the commit expected had moved on."""
    known = await house.store.effect(key)
    if known is not None:
        return known.result
    commit, result = await make()
    effect = Effect(key, result)
    done = await house.store.commit(replace(commit, rows=(*commit.rows, effect)))
    if not isinstance(done, Stale):
        return result
    known = await house.store.effect(key)
    if known is None:
        raise stale(done)
    return known.result
