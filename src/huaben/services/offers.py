"""Restores that were previewed and wait for the user's word; apart from restoring, because the house keeps
them between two requests."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

MOST = 4
"""Offers that are kept; the oldest go."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A sound archive. `received`: it was sent for this and is let go with the offer."""

    token: str
    archive: Path
    received: bool


class Offers:
    """The offers of one program by their tokens; none outlives it."""

    def __init__(self) -> None:
        self._offers: OrderedDict[str, Offer] = OrderedDict()

    def put(self, offer: Offer) -> list[Offer]:
        """Keep an offer; gives those that had to go for it."""
        self._offers[offer.token] = offer
        return [self._offers.popitem(last=False)[1] for _ in range(len(self._offers) - MOST)]

    def take(self, token: str) -> Offer | None:
        """An offer, which is then no longer there."""
        return self._offers.pop(token, None)
