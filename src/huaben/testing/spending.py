"""What the in-memory store adds up of the calls of a project; apart because no other read reckons."""

from __future__ import annotations

from dataclasses import replace

from huaben.ports import CallClosed, CallOpened, Spent
from huaben.testing.state import State


def spent(state: State, project_id: str) -> list[Spent]:
    """As the port says."""
    found: dict[tuple[str, ...], Spent] = {}
    for opened in state.opened.values():
        closed = state.closed.get(opened.id)
        if opened.project_id == project_id and closed is not None and closed.reply is not None:
            one = _spent(opened, closed)
            key = (one.turn_id, one.purpose, one.model, one.currency)
            found[key] = _sum(found[key], one) if key in found else one
    return list(found.values())


def _spent(opened: CallOpened, closed: CallClosed) -> Spent:
    usage, cost = closed.usage, closed.cost
    return Spent(
        turn_id=opened.turn_id,
        purpose=opened.purpose,
        model=opened.model,
        currency="" if cost is None else cost.currency,
        calls=1,
        prompt=usage.prompt or 0,
        completion=usage.completion or 0,
        reasoning=usage.reasoning or 0,
        cached=usage.cached or 0,
        cache_written=usage.cache_written or 0,
        cost_micros=0 if cost is None else cost.micros,
    )


def _sum(one: Spent, other: Spent) -> Spent:
    names = ("calls", "prompt", "completion", "reasoning", "cached", "cache_written", "cost_micros")
    sums = {name: getattr(one, name) + getattr(other, name) for name in names}
    return replace(one, **sums)
