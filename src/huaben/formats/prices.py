"""Price files (TOML) to a table of prices; strict, because a price that is silently left out would
look like a model that costs nothing.

A file is a list of `[[price]]` tables with the fields of `domain.pricing.Price`: `model`, `prompt` and
`completion` must be there, amounts are per million tokens and never negative.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import cast

from rapidfuzz import fuzz, process

from huaben.domain.pricing import Price, PriceTable
from huaben.formats.scenario import Fault

_AMOUNTS = ("prompt", "completion", "cached", "cache_written")
_FIELDS = tuple(field.name for field in fields(Price))
_DEMANDED = tuple(field.name for field in fields(Price) if field.default is MISSING)


def read_prices(data: bytes) -> PriceTable | tuple[Fault, ...]:
    """The prices of a file, or every fault at once."""
    try:
        tables = cast("Mapping[str, object]", tomllib.loads(data.decode("utf-8-sig")))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return (Fault("(file)", f"cannot be read: {error}"),)
    except RecursionError:
        return (Fault("(file)", "is nested too deeply"),)
    faults = [
        Fault(name, "is not a field that is read", "price") for name in tables if name != "price"
    ]
    listed = tables.get("price", [])
    if not isinstance(listed, list):
        return (*faults, Fault("price", "must be a list of tables: [[price]]"))
    prices: list[Price] = []
    for number, entry in enumerate(cast("Sequence[object]", listed), 1):
        read = _price(f"price {number}", entry)
        if isinstance(read, Price):
            prices.append(read)
        else:
            faults += read
    return tuple(faults) if faults else PriceTable(tuple(prices))


def _price(place: str, entry: object) -> Price | list[Fault]:
    if not isinstance(entry, dict):
        return [Fault(place, "must be a table")]
    given = cast("Mapping[str, object]", entry)  # the keys of a TOML table
    faults = [
        Fault(f"{place}.{name}", "is not a field that is read", _nearest(name))
        for name in given
        if name not in _FIELDS
    ]
    faults += [Fault(f"{place}.{name}", "is missing") for name in _DEMANDED if name not in given]
    faults += [fault for name, value in given.items() if (fault := _check(place, name, value))]
    if faults:
        return faults
    return Price(**given)  # pyright: ignore[reportArgumentType] - each was checked right above


def _check(place: str, name: str, value: object) -> Fault | None:
    path = f"{place}.{name}"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if name in _AMOUNTS:
        # Written this way round, so that NaN is refused too.
        sound = is_number and 0 <= cast("float", value) < 1_000_000
        return None if sound else Fault(path, "must be an amount of money, 0 or more")
    if name == "up_to":
        sound = isinstance(value, int) and is_number and value > 0
        return None if sound else Fault(path, "must be a whole number above 0")
    if name in _FIELDS:
        return None if isinstance(value, str) else Fault(path, "must be a text")
    return None


def _nearest(name: str) -> str:
    found = process.extractOne(name, _FIELDS, scorer=fuzz.ratio, score_cutoff=55)
    return found[0] if found else ""
