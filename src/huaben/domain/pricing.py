"""What a model call costs: prices as a table, tokens as reported; pure, and never a guess.

A call whose price is not in the table, or whose tokens were not reported, has no cost at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from huaben.domain.messages import Usage


@dataclass(frozen=True, slots=True)
class Cost:
    """An amount of money in millionths of a unit of its currency (ISO 4217)."""

    micros: int
    currency: str

    @property
    def amount(self) -> float:
        """In whole units."""
        return self.micros / 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """What one model costs per million tokens; `prompt` for those that no cache held. An empty
    `host` is any. None: the price of cached tokens is not known, so a call that had some has no
    cost. `up_to` is the longest prompt, in tokens, for which the prices hold. `as_of` says when
    they were looked up."""

    model: str
    prompt: float
    completion: float
    cached: float | None = None
    cache_written: float | None = None
    host: str = ""
    currency: str = "USD"
    up_to: int | None = None
    as_of: str = ""

    def is_for(self, origin: str) -> bool:
        """Whether the price is for the model at that origin (`model@host`)."""
        model, _, host = origin.rpartition("@")
        return model == self.model and self.host in ("", host)


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices in order of preference: of two for the same model the first holds."""

    prices: tuple[Price, ...] = ()

    def price(self, origin: str) -> Price | None:
        return next((price for price in self.prices if price.is_for(origin)), None)

    def cost(self, origin: str, usage: Usage) -> Cost | None:
        """What a call cost; None where that cannot be known. What the provider itself says that it
        charged goes before any table."""
        if usage.billed_micros is not None:
            return Cost(usage.billed_micros, "USD")
        price = self.price(origin)
        return None if price is None else _cost(price, usage)

    def over(self, others: Iterable[Price]) -> PriceTable:
        """This table before other prices."""
        return PriceTable((*self.prices, *others))


def _cost(price: Price, usage: Usage) -> Cost | None:
    if usage.prompt is None or usage.completion is None:
        return None
    if price.up_to is not None and usage.prompt > price.up_to:
        return None
    cached, written = usage.cached or 0, usage.cache_written or 0
    fresh = usage.prompt - cached - written
    if fresh < 0 or (cached and price.cached is None) or (written and price.cache_written is None):
        return None
    # A price per million tokens is a price in millionths per token.
    micros = (
        fresh * price.prompt
        + cached * (price.cached or 0)
        + written * (price.cache_written or 0)
        + usage.completion * price.completion
    )
    return Cost(round(micros), price.currency)
