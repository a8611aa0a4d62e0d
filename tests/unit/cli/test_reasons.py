"""Reasons that the program finds have words in the user's language."""

from __future__ import annotations

from typing import get_args

import pytest

from huaben.cli.words_en import WORDS as ENGLISH
from huaben.cli.words_zh import WORDS as CHINESE
from huaben.domain.lore import ChosenBy, OutBy
from huaben.prompt.breaks import BreakCode

REASONS = [str(reason) for reason in (*ChosenBy, *OutBy)]
CODES: tuple[str, ...] = get_args(BreakCode)


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_of_an_entry_is_said(reason: str) -> None:
    """Whatever kept it out or brought it in."""
    key = f"inspect.lore.{reason}"
    assert key in ENGLISH
    assert key in CHINESE


@pytest.mark.parametrize("code", CODES)
def test_every_cause_of_a_cache_break_is_said(code: str) -> None:
    """Whatever ended the shared head of two requests."""
    key = f"inspect.break.{code}"
    assert key in ENGLISH
    assert key in CHINESE
