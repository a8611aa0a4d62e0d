"""Requests for pictures, recorded like any other call of a turn, so that each can be opened and counted; apart
from the job, which only knows what it asks for.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from huaben.domain.messages import Reply, Usage
from huaben.domain.story import Turn
from huaben.errors import ProviderFailed
from huaben.ports import CallClosed, CallOpened, Commit, Drawn, Images
from huaben.services.house import House

PURPOSE: Final = "image"


@dataclass(frozen=True, slots=True)
class Paid:
    """A picture, and the end of the call that drew it; the caller commits both at once, so that what was
    paid for is never lost."""

    drawn: Drawn
    closed: CallClosed


async def call_for(
    house: House, painter: Images, turn: Turn, prompt: str, hosts: Collection[str]
) -> Paid:
    """Raises `ProviderFailed`, after recording it with the call."""
    try:
        return await _called(house, painter, turn, prompt, hosts)
    except ProviderFailed as failure:
        if failure.code != "reshaped":  # the adapter has learnt the form that is wanted
            raise
        return await _called(house, painter, turn, prompt, hosts)


async def _called(
    house: House, painter: Images, turn: Turn, prompt: str, hosts: Collection[str]
) -> Paid:
    calls = await house.store.calls(turn.id)
    opened = CallOpened(
        house.ids.new(),
        turn.id,
        turn.project_id,
        turn.user_id,
        max((call.n for call in calls), default=-1) + 1,
        PURPOSE,
        painter.name,
        painter.encode(prompt),
        (),
        house.now(),
    )
    await house.store.commit(Commit(rows=(opened,)))
    try:
        drawn = await painter.draw(opened.request, hosts)
    except ProviderFailed as failure:
        closed = CallClosed(opened.id, None, failure.message, Usage(), None, house.now())
        await house.store.commit(Commit(rows=(closed,)))
        raise
    told = f"{drawn.media_type}, {len(drawn.content)} bytes"
    reply = Reply(told, usage=drawn.usage, model=painter.name)
    cost = house.prices.cost(painter.origin, drawn.usage)
    return Paid(drawn, CallClosed(opened.id, reply, "", drawn.usage, None, house.now(), cost))
