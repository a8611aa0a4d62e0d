"""Names of uploaded files."""

from __future__ import annotations

import pytest

from huaben.web.uploads import MAX_NAME, plain_name


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("雨夜.png", "雨夜.png"),
        ("C:\\Users\\me\\card.png", "card.png"),
        ("../../etc/passwd", "passwd"),
        ("a/b/", ""),
        ("card\x00.png\r\nX: y", "card.pngX: y"),
        ("gnp.\u202ecard", "gnp.card"),
        ("<img onerror=x>.json", "<img onerror=x>.json"),
        ("x" * 500, "x" * MAX_NAME),
        ("", ""),
    ],
)
def test_a_name_keeps_its_words_and_loses_its_tricks(sent: str, kept: str) -> None:
    """Folders, controls and marks that reorder text go; what remains is text, shown as text."""
    assert plain_name(sent) == kept
