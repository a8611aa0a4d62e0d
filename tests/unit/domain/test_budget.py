"""Counting tokens: the plain estimate, what providers teach it, and what does not fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.budget import (
    DoesNotFit,
    Estimator,
    Sample,
    calibrated,
    estimate_tokens,
    fit,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("雨", 1), ("rain", 1), ("rains", 2), ("雨夜归人", 4), ("雨 rain", 3), ("\ud800", 1)],
)
def test_a_han_character_is_about_one_token_and_four_letters_too(text: str, tokens: int) -> None:
    """The estimate of a text by its script, for no model in particular."""
    assert estimate_tokens(text) == tokens


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(one: str, other: str) -> None:
    """Joining texts costs no less than either and no more than both, but for the rounding."""
    both = estimate_tokens(one + other)
    assert both >= max(estimate_tokens(one), estimate_tokens(other))
    assert both <= estimate_tokens(one) + estimate_tokens(other) + 1


@pytest.mark.parametrize(
    ("samples", "ratio"),
    [
        ([], 1.0),
        ([Sample(1000, 700)], 0.7),
        ([Sample(1000, 700), Sample(2000, 1500), Sample(1000, 9000)], 0.75),
        ([Sample(199, 10_000)], 1.0),
        ([Sample(1000, 0)], 1.0),
        ([Sample(1000, 50_000)], 4.0),
        ([Sample(1000, 3)], 0.25),
    ],
)
def test_a_model_is_counted_as_its_provider_counts(samples: list[Sample], ratio: float) -> None:
    """The middle of what was reported; one odd report, a tiny call or nothing at all moves nothing."""
    assert calibrated(samples).ratio == ratio


def test_a_calibrated_count_is_rounded_up() -> None:
    """Three tokens and a half are four."""
    assert Estimator(0.7).tokens("雨夜归人里") == 4
    assert Estimator(1.3).tokens("") == 0


def test_what_does_not_fit_is_told_by_its_parts() -> None:
    """Over the window less its reserve, with the sizes of each part, the largest first."""
    parts = [("base", "雨" * 500), ("turn:1", "夜" * 200), ("turn:2", "夜" * 100)]
    window = 1177  # 1000 and its reserve
    assert fit(parts, window=window, output_tokens=200) == 800
    found = fit(parts, window=window, output_tokens=201)
    assert isinstance(found, DoesNotFit)
    assert found.required == 1001
    assert list(found.parts.items()) == [("base", 500), ("turn", 300), ("output", 201)]
    assert fit(parts, window=None, output_tokens=10**9) == 800


def test_a_model_that_counts_more_has_less_room() -> None:
    """The fit is judged by the calibrated count."""
    parts = [("base", "雨" * 500)]
    assert fit(parts, window=1000, output_tokens=300) == 500
    assert isinstance(
        fit(parts, window=1000, output_tokens=300, estimator=Estimator(1.5)), DoesNotFit
    )
