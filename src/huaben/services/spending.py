"""What a project has taken, turn by turn and purpose by purpose; apart from traces because it adds up
thousands of calls and shows none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict

from huaben.domain.pricing import Cost
from huaben.ports import Spent
from huaben.services.house import House
from huaben.services.stories import load_project

Shown = Mapping[str, object]

_COUNTS = ("calls", "prompt", "completion", "reasoning", "cached", "cache_written")


async def project_usage(house: House, project_id: str) -> Shown:
    """The resource `usage` of a project: one item per turn, purpose, model and currency, in the order
    of the calls; then the sums by purpose and of all. Calls whose cost is not known are counted as
    `unpriced` and add nothing to any cost. Raises `NotFound`."""
    await load_project(house, project_id)
    spent = await house.store.spent(project_id)
    purposes = dict.fromkeys(one.purpose for one in spent)
    return {
        "items": [_item(one) for one in spent],
        "purposes": {
            purpose: _sums(one for one in spent if one.purpose == purpose) for purpose in purposes
        },
        "total": _sums(spent),
    }


def cost_json(cost: Cost | None) -> Shown | None:
    """A cost in whole units of its currency."""
    return None if cost is None else {"amount": cost.amount, "currency": cost.currency}


def _item(one: Spent) -> Shown:
    known = Cost(one.cost_micros, one.currency) if one.currency else None
    counts = {name: value for name, value in asdict(one).items() if name in _COUNTS}
    return {
        "turn": one.turn_id,
        "purpose": one.purpose,
        "model": one.model,
        **counts,
        "cost": cost_json(known),
    }


def _sums(spent: Iterable[Spent]) -> Shown:
    rows = list(spent)
    costs: dict[str, int] = {}
    for one in rows:
        if one.currency:
            costs[one.currency] = costs.get(one.currency, 0) + one.cost_micros
    return {
        **{name: sum(getattr(one, name) for one in rows) for name in _COUNTS},
        "unpriced": sum(one.calls for one in rows if not one.currency),
        "costs": [cost_json(Cost(micros, currency)) for currency, micros in costs.items()],
    }
