"""What a seal makes of a turn: its own final text, or, of a continuation, more of the one that it goes on
from; apart from `settle` because the earlier text must be read."""

from __future__ import annotations

from huaben.domain.continuing import continues
from huaben.domain.draft import Draft
from huaben.domain.story import Tree, Turn
from huaben.domain.turnview import TurnView
from huaben.services import settle
from huaben.services.house import House
from huaben.services.past import text_in_force
from huaben.services.scripts_arriving import reply_arrived
from huaben.services.settle import Settled


async def sealed(
    house: House, turn: Turn, view: TurnView, *, with_tail: bool = True
) -> Settled | None:
    """The turn as sealed; None when there is no prose. `with_tail` as for `settle.seal`."""
    arrived = await reply_arrived(house, turn, settle.would_seal(view, with_tail=with_tail))
    made = settle.seal(turn, view, house.now(), with_tail=with_tail, arrived=arrived)
    if made is None or not continues(turn):
        return made
    return settle.append(turn, view, made, await text_before(house, turn), house.now())


async def text_before(house: House, turn: Turn) -> Draft:
    """The final text that a continuation goes on from, as it was in force before it."""
    assert turn.revises is not None, "a continuation names what it goes on from"
    assert turn.parent is not None, "it stands behind it"
    target = turn.revises.turn
    overlay = Tree(await house.store.skeleton(turn.project_id)).in_force(turn.parent)
    wanted = [target, *([overlay[target]] if target in overlay else [])]
    return text_in_force(await house.store.turns(wanted), overlay, target)
