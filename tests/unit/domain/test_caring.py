"""What of an edited manuscript is to be read, and what is to be checked."""

from __future__ import annotations

import pytest

from huaben.domain.caring import (
    Cared,
    Doubt,
    Grown,
    cared_from_json,
    cared_to_json,
    doubts,
    edited,
    ground_in,
    grown,
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("雨下了一夜。\n", "雨下了一夜。\n\n天亮了。\n", Grown(8, "天亮了。", otherwise=False)),
        (
            "It rained.\n",
            "It rained. Then it stopped.",
            Grown(11, "Then it stopped.", otherwise=False),
        ),
        (
            "雨下了一夜。\n他出了门。\n",
            "雪下了一夜。\n他出了门。\n天亮了。\n",
            Grown(13, "天亮了。", otherwise=True),
        ),
        ("雨下了一夜。", "雪下了一夜。", Grown(6, "", otherwise=True)),
        ("He left at dawn.", "He left at noon.", Grown(16, "", otherwise=True)),
        ("雨下了一夜。\n", "雨下了一夜。\n\n\n", Grown(9, "", otherwise=False)),
        ("雨。天亮。", "雨。", Grown(2, "", otherwise=True)),
        ("🌧雨。", "🌧大雨。🌤晴。", Grown(4, "🌤晴。", otherwise=True)),
    ],
)
def test_only_what_came_to_the_end_is_a_passage(old: str, new: str, expected: Grown) -> None:
    """A passage at the end is told apart from changes before it; a new ending is a change."""
    assert grown(old, new) == expected


def test_the_end_of_the_last_chapter_is_looked_at_by_itself() -> None:
    """The last chapter, then and now, may have grown; an older one has only changed."""
    old = {"001.md": "a", "002.md": "b", "003.md": "c"}
    new = {"001.md": "a2", "003.md": "c2", "004.md": "d", "000.md": "b"}
    told = edited(old, new)
    assert (told.added, told.last, told.changed) == (("004.md",), ("003.md",), ("001.md",))
    assert told.removed == ()
    assert told.renamed == (("002.md", "000.md"),)


def test_a_fact_whose_words_have_gone_is_to_be_checked() -> None:
    """Words that stand in another chapter by now, or with other quotation marks, still hold a fact."""
    grounds = {
        "location": (ground_in("001.md"), "他到了“渡口”"),
        "time": (ground_in("002.md"), "天亮了"),
        "flags.umbrella": (ground_in("001.md"), "The umbrella was hers."),
        "flags.rain": (ground_in("001.md"), "雨"),
        "flags.told": ("01900000-0000-7000-8000-000000000001", "said in a turn"),
    }
    pages = {
        "003.md": "那天，他到了「渡口」。 The umbrella was hers. 雨停了。",
        "002.md": "天黑了。",
    }
    assert doubts(grounds, pages) == (
        Doubt("flags.rain", "001.md", "雨"),
        Doubt("time", "002.md", "天亮了"),
    )


def test_how_far_was_read_is_read_back() -> None:
    """decode(encode(x)) = x, and a damaged record says so."""
    cared = Cared("c1", {"001-雨.md": "passed"}, "n1", 3)
    assert cared_from_json(cared_to_json(cared), "n1", 3) == cared
    with pytest.raises(ValueError, match="not told"):
        cared_from_json({"checkpoint": 3}, "n1", 1)
