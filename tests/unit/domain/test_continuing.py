"""How a continuation is joined to the text that it goes on from."""

from __future__ import annotations

import pytest

from huaben.domain.continuing import appended


@pytest.mark.parametrize(
    ("text", "more", "joined"),
    [
        ("雨停了。", "他站起来。", "雨停了。\n\n他站起来。"),
        ("他说：“走。”", "门开了。", "他说：“走。”\n\n门开了。"),
        ("他把伞", "放在墙角。", "他把伞放在墙角。"),
        ("She turned to the", "door.", "She turned to the door."),
        ("他把伞", "![伞](image:t-0)\n\n放下。", "他把伞\n\n![伞](image:t-0)\n\n放下。"),
        ("雨。\n\n![伞](image:t-0)", "他笑了。", "雨。\n\n![伞](image:t-0)\n\n他笑了。"),
        ("She turned", ", slowly.", "She turned, slowly."),
        ("It rained.\n\n", "\n\nThen it stopped.", "It rained.\n\nThen it stopped."),
        ("", "雨。", "雨。"),
        ("雨。", "  ", "雨。"),
    ],
)
def test_a_paragraph_that_is_closed_stays_closed(text: str, more: str, joined: str) -> None:
    """After a closed sentence a new paragraph begins; an open one is completed where it stops."""
    assert appended(text, more) == joined
