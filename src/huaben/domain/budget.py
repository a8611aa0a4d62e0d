"""Counting tokens and refusing what does not fit: pure, so that the same numbers reach the check,
the trace and the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from statistics import median

RESERVE = 0.15
"""Share of the window kept free, because an estimate may fall short."""
MIN_SAMPLE = 200
"""Tokens below which a call says nothing about texts: what a provider adds by itself weighs more."""
RATIOS = (0.25, 4.0)
"""No tokenizer strays further from the estimate; a report that does counts something else."""


def estimate_tokens(text: str) -> int:
    """An estimate of the tokens of a text, for no model in particular: about 1 for a Chinese
    character, a quarter for a Latin one. Never negative, 0 for the empty text."""
    # In UTF-8 a Latin letter is one byte and a Chinese character three, so the bytes tell how many
    # of each there are without a look at any.
    wide = (len(text.encode("utf-8", "replace")) - len(text)) // 2
    return wide + (len(text) - wide + 3) // 4


@dataclass(frozen=True, slots=True)
class Sample:
    """A call of a model: what `estimate_tokens` said of its request and what its provider counted."""

    estimated: int
    reported: int


@dataclass(frozen=True, slots=True)
class Estimator:
    """Counts for one model: the estimate times what that model's provider counts for one of it."""

    ratio: float = 1.0

    def tokens(self, text: str) -> int:
        """Tokens of a text, rounded up; 0 for the empty text."""
        return ceil(estimate_tokens(text) * self.ratio)


def calibrated(samples: Iterable[Sample]) -> Estimator:
    """An estimator with the middle ratio of the samples, so that one odd report moves nothing; the
    plain estimate where no sample is large enough to tell."""
    low, high = RATIOS
    ratios = [
        min(high, max(low, sample.reported / sample.estimated))
        for sample in samples
        if sample.estimated >= MIN_SAMPLE and sample.reported > 0
    ]
    return Estimator(median(ratios)) if ratios else Estimator()


@dataclass(frozen=True, slots=True)
class DoesNotFit:
    """The mandatory part is larger than the window, in tokens; `parts` from large to small."""

    required: int
    window: int
    parts: Mapping[str, int]


def fit(
    parts: Iterable[tuple[str, str]],
    *,
    window: int | None,
    output_tokens: int,
    estimator: Estimator = Estimator(),
) -> DoesNotFit | int:
    """The estimated tokens of all parts `(source, text)`, or a refusal with their sizes when they
    and the output pass the window less its reserve. An unknown window always fits."""
    sizes: dict[str, int] = {}
    for source, text in parts:
        name = source.partition(":")[0]
        sizes[name] = sizes.get(name, 0) + estimator.tokens(text)
    total = sum(sizes.values())
    required = total + output_tokens
    if window is None or required <= window * (1 - RESERVE):
        return total
    ordered = dict(sorted(sizes.items(), key=lambda item: -item[1]))
    return DoesNotFit(required, window, ordered | {"output": output_tokens})
