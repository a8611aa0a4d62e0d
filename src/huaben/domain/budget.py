"""Counting tokens and refusing what does not fit: pure, so that the same numbers reach the check,
the trace and the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

RESERVE = 0.15
"""Share of the window kept free, because an estimate may fall short."""


def estimate_tokens(text: str) -> int:
    """An estimate of the tokens of a text, for no model in particular: about 1 for a Chinese
    character, a quarter for a Latin one. Never negative, 0 for the empty text."""
    # In UTF-8 a Latin letter is one byte and a Chinese character three, so the bytes tell how many
    # of each there are without a look at any.
    wide = (len(text.encode("utf-8", "replace")) - len(text)) // 2
    return wide + (len(text) - wide + 3) // 4


@dataclass(frozen=True, slots=True)
class DoesNotFit:
    """The mandatory part is larger than the window, in tokens; `parts` from large to small."""

    required: int
    window: int
    parts: Mapping[str, int]


def fit(
    parts: Iterable[tuple[str, str]], *, window: int | None, output_tokens: int
) -> DoesNotFit | int:
    """The estimated tokens of all parts `(source, text)`, or a refusal with their sizes when they
    and the output pass the window less its reserve. An unknown window always fits."""
    sizes: dict[str, int] = {}
    for source, text in parts:
        name = source.partition(":")[0]
        sizes[name] = sizes.get(name, 0) + estimate_tokens(text)
    total = sum(sizes.values())
    required = total + output_tokens
    if window is None or required <= window * (1 - RESERVE):
        return total
    ordered = dict(sorted(sizes.items(), key=lambda item: -item[1]))
    return DoesNotFit(required, window, ordered | {"output": output_tokens})
