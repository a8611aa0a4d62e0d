"""JSON values as the program holds them: parsed within bounds, never NaN; apart because every format reads JSON."""

import json
import math
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
"""Any JSON value. Treated as immutable once it has left `parse_json`: change a copy, never the value."""

JsonObject: TypeAlias = dict[str, Json]

MAX_DEPTH = 128
MAX_MARKS = 1_000_000

_SURROGATE = re.compile("[\ud800-\udfff]")
# Without an end it goes to the end of the text, so that no second look begins within it.
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class JsonFault:
    """Why a text is not a JSON value we hold; `detail` is a technical fact in English."""

    code: Literal["syntax", "too_deep", "too_large", "not_finite"]
    detail: str


def parse_json(text: str) -> Json | JsonFault:
    """Reads one JSON value, whatever the text is, in bounded time and memory.

    At most `MAX_DEPTH` levels and `MAX_MARKS` commas and brackets outside of strings. A leading U+FEFF is skipped; lone
    surrogates become U+FFFD; NaN and the infinities are faults, as in RFC 8259 (no other reader of
    cards accepts them). Of two equal keys the last wins, as in JavaScript.
    """
    text = text.removeprefix("\ufeff")
    if _marks(text) > MAX_MARKS and _marks(_STRING.sub("", text)) > MAX_MARKS:
        return JsonFault("too_large", f"more than {MAX_MARKS} commas and brackets")
    try:
        value: Json = json.loads(text, parse_constant=_refuse_constant)
    except _NotFinite as found:
        return JsonFault("not_finite", str(found))
    except RecursionError:
        return JsonFault("too_deep", f"nested deeper than {MAX_DEPTH} levels")
    except ValueError as why:
        told = str(why)
        if told.startswith("Exceeds the limit"):
            return JsonFault("syntax", "a whole number of thousands of digits")
        return JsonFault("syntax", told[:200])
    fault = _fault_within(value)
    if fault is not None:
        return fault
    if _SURROGATE_ESCAPE.search(text) or _SURROGATE.search(text):
        return _without_surrogates(value)
    return value


def dump_json(value: Json, *, indent: int | None = None) -> str:
    """JSON text that `parse_json` reads back to an equal value, Chinese unescaped, lone surrogates replaced.

    Raises ValueError on NaN or an infinity: no value that came from `parse_json` holds one.
    """
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(
        value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators
    )
    return scrub_surrogates(text)


def scrub_surrogates(text: str) -> str:
    """The same text with each lone surrogate replaced by U+FFFD, so that it can be encoded."""
    return _SURROGATE.sub("\ufffd", text)


def _marks(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


class _NotFinite(Exception):
    """NaN, Infinity or -Infinity stood where a number is due."""


def _refuse_constant(name: str) -> None:
    raise _NotFinite(f"{name} is not JSON")


def _fault_within(value: Json) -> JsonFault | None:
    """The first number out of range or level too deep; walks with its own stack, never by recursion."""
    pending: list[tuple[Json, int]] = [(value, 0)]
    while pending:
        here, depth = pending.pop()
        if isinstance(here, float) and not math.isfinite(here):
            return JsonFault("not_finite", "a number is too large for a double")
        if not isinstance(here, list | dict):
            continue
        if depth == MAX_DEPTH:
            return JsonFault("too_deep", f"nested deeper than {MAX_DEPTH} levels")
        inner = here if isinstance(here, list) else here.values()
        pending.extend((item, depth + 1) for item in inner)
    return None


def _without_surrogates(value: Json) -> Json:
    """A copy with lone surrogates replaced; recursion is safe, the depth is bounded by then."""
    if isinstance(value, str):
        return scrub_surrogates(value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {scrub_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return value
