"""Every reason why a lorebook entry came in or stayed out can be said on the page in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from huaben.domain.lore.trace import ChosenBy, OutBy

WORDS = Path(__file__).parents[2] / "frontend" / "src" / "i18n"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(("part", "reasons"), [("chosenBy", ChosenBy), ("leftBy", OutBy)])
def test_no_reason_is_shown_as_its_code(
    language: str, part: str, reasons: type[ChosenBy] | type[OutBy]
) -> None:
    """In Chinese as in English."""
    text = (WORDS / language / "lorebooks.ts").read_text("utf-8")
    body = re.search(rf"^  {part}: \{{$(.*?)^  \}},$", text, re.M | re.S)
    assert body is not None
    assert set(re.findall(r"^    (\w+):", body[1], re.M)) >= {one.value for one in reasons}
