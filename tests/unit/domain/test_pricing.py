"""What a call costs: to the millionth where it is known, not at all where it is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.messages import Usage
from huaben.domain.pricing import Cost, Price, PriceTable

PRICE = Price("m", 2.0, 10.0, 0.2, 2.5, "api.example")
TABLE = PriceTable((PRICE, Price("m", 9.0, 9.0, host="other.example"), Price("local", 0.0, 0.0)))
HERE = "m@api.example"


@pytest.mark.parametrize(
    ("usage", "micros"),
    [
        (Usage(1000, 100), 3000),
        (Usage(1000, 100, cached=600), 1920),
        (Usage(1000, 100, cached=600, cache_written=300), 1000 + 120 + 750 + 200),
        (Usage(0, 0), 0),
        (Usage(1, 0, cached=1), 0),
        (Usage(1000, 100, billed_micros=77), 77),
    ],
    ids=["fresh", "read", "read and written", "nothing", "rounded", "as the provider says"],
)
def test_each_kind_of_token_has_its_price(usage: Usage, micros: int) -> None:
    """Fresh, read from a cache, written to one, answered; thought is part of the answer."""
    assert TABLE.cost(HERE, usage) == Cost(micros, "USD")


@pytest.mark.parametrize(
    ("origin", "usage"),
    [
        ("n@api.example", Usage(10, 10)),
        ("m@elsewhere", Usage(10, 10)),
        ("m", Usage(10, 10)),
        (HERE, Usage(None, 10)),
        (HERE, Usage(10, None)),
        (HERE, Usage(10, 1, cached=11)),
        ("m@other.example", Usage(10, 10, cached=1)),
        ("m@other.example", Usage(10, 10, cache_written=1)),
    ],
)
def test_what_is_not_known_is_not_guessed(origin: str, usage: Usage) -> None:
    """An unknown model or host, tokens that were not reported or do not add up, a cache without a
    price: no cost."""
    assert TABLE.cost(origin, usage) is None


def test_a_price_holds_up_to_its_longest_prompt() -> None:
    """Beyond it the provider charges another one, which the table does not know."""
    table = PriceTable((Price("m", 1.0, 1.0, up_to=100),))
    assert table.cost("m@h", Usage(100, 1)) == Cost(101, "USD")
    assert table.cost("m@h", Usage(101, 1)) is None


def test_the_first_of_two_prices_holds() -> None:
    """The user's own table goes before the shipped one, whatever host it names."""
    own = PriceTable((Price("m", 1.0, 1.0, currency="CNY"),)).over(TABLE.prices)
    assert own.cost(HERE, Usage(5, 5)) == Cost(10, "CNY")
    assert own.price("local@127.0.0.1") == Price("local", 0.0, 0.0)


@given(st.integers(0, 10**7), st.integers(0, 10**7), st.integers(0, 10**6))
def test_reading_from_a_cache_never_costs_more(prompt: int, cached: int, completion: int) -> None:
    """As long as its price is lower, which it is in every table."""
    cached = min(cached, prompt)
    fresh = TABLE.cost(HERE, Usage(prompt, completion))
    read = TABLE.cost(HERE, Usage(prompt, completion, cached=cached))
    assert fresh is not None
    assert read is not None
    assert 0 <= read.micros <= fresh.micros
    assert read.amount == read.micros / 1_000_000
