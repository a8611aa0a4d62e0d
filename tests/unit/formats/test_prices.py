"""Price files: read whole or refused with every fault."""

from __future__ import annotations

from importlib.resources import files

import pytest

from huaben.domain.messages import Usage
from huaben.domain.pricing import Cost, Price, PriceTable
from huaben.formats.prices import read_prices


def test_a_file_is_a_list_of_prices() -> None:
    """Amounts may be whole numbers; what is left out takes its default."""
    table = read_prices(
        '[[price]]\nmodel = "模型"\nprompt = 1\ncompletion = 2.5\ncurrency = "CNY"\n'
        '[[price]]\nmodel = "b"\nhost = "h"\nprompt = 0\ncompletion = 0\ncached = 0\n'
        "cache_written = 0.5\nup_to = 9\nas_of = '2026-01-01'\n".encode()
    )
    assert table == PriceTable(
        (
            Price("模型", 1, 2.5, currency="CNY"),
            Price("b", 0, 0, 0, 0.5, "h", "USD", 9, "2026-01-01"),
        )
    )
    assert read_prices(b"") == PriceTable()


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("[[price]", ["(file): cannot be read"]),
        ("price = 1", ["price: must be a list of tables"]),
        ("prices = []", ["prices: is not a field that is read; did you mean price?"]),
        ("price = [1]", ["price 1: must be a table"]),
        (
            '[[price]]\nmodel = 1\ninput = 2\nprompt = -1\ncached = "x"\nup_to = 0\n',
            [
                "price 1.input: is not a field that is read",
                "price 1.completion: is missing",
                "price 1.model: must be a text",
                "price 1.prompt: must be an amount of money, 0 or more",
                "price 1.cached: must be an amount of money, 0 or more",
                "price 1.up_to: must be a whole number above 0",
            ],
        ),
        (
            '[[price]]\nmodel = "m"\nprompt = nan\ncompletion = true\ncache_writen = 1\n',
            [
                "price 1.cache_writen: is not a field that is read; did you mean cache_written?",
                "price 1.prompt: must be an amount",
                "price 1.completion: must be an amount",
            ],
        ),
    ],
)
def test_every_fault_is_named(text: str, faults: list[str]) -> None:
    """With its place and the nearest field that exists."""
    found = read_prices(text.encode())
    assert not isinstance(found, PriceTable)
    assert len(found) == len(faults)
    for fault, expected in zip(found, faults, strict=True):
        assert str(fault).startswith(expected)


def test_hostile_depth_is_a_fault() -> None:
    """A file that nests without end is refused like any other that cannot be read."""
    assert not isinstance(read_prices(b"price = " + b"[" * 100_000), PriceTable)


def test_the_shipped_prices_are_sound() -> None:
    """Each names its host and its day; a call of a listed model has a cost."""
    table = read_prices((files("huaben") / "prices.toml").read_bytes())
    assert isinstance(table, PriceTable)
    assert table.prices
    assert all(price.host and price.as_of for price in table.prices)
    usage = Usage(1000, 100, cached=500, cache_written=100)
    assert table.cost("claude-sonnet-5-5@api.anthropic.com", usage) == Cost(2100, "USD")
