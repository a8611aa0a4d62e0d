"""Properties of the difference by words: it leads from the one text to the other and cuts nothing."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain import worddiff_blocks
from huaben.domain.text import graphemes, utf16_len, utf16_slice
from huaben.domain.worddiff import diff_words
from huaben.domain.worddiff_blocks import matches

PIECES = st.sampled_from(
    [
        "雨",
        "夜",
        "雨夜",
        "。",
        "，",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "the",
        "inn",
        "'s",
        "e\u0301",
        "🌙",
        "👍🏽",
        "𠮷",
    ]
)
PROSE = st.lists(PIECES, max_size=40).map("".join)
ANY = st.text(st.characters(codec="utf-8"), max_size=40)
SEQUENCES = st.text("abcdefgh", max_size=60)


def applied(old: str, new: str) -> str:
    """The first text with the spans carried out on it."""
    parts: list[str] = []
    for span in diff_words(old, new):
        source = (
            (old, span.start, span.end)
            if span.kind == "kept"
            else (new, span.new_start, span.new_end)
        )
        part = utf16_slice(*source)
        assert isinstance(part, str)
        parts.append(part)
    return "".join(parts)


@given(st.one_of(PROSE, ANY), st.one_of(PROSE, ANY))
def test_applied_to_the_first_text_the_difference_gives_the_second(old: str, new: str) -> None:
    """What is kept stands in both, what is inserted completes the second."""
    assert applied(old, new) == new


@given(st.one_of(PROSE, ANY), st.one_of(PROSE, ANY))
def test_the_spans_cover_both_texts_in_order(old: str, new: str) -> None:
    """No gap, no overlap, no empty span, a deletion before the insertion in its place."""
    spans = diff_words(old, new)
    at = new_at = 0
    for span in spans:
        assert (span.start, span.new_start) == (at, new_at)
        at, new_at = span.end, span.new_end
        deleted, inserted = span.end - span.start, span.new_end - span.new_start
        assert (deleted > 0, inserted > 0) == {
            "kept": (True, True), "deleted": (True, False), "inserted": (False, True)
        }[span.kind]  # fmt: skip
    assert (at, new_at) == (utf16_len(old), utf16_len(new))
    for left, right in pairwise(spans):
        assert (left.kind, right.kind) not in {("inserted", "deleted"), (right.kind, left.kind)}


@given(PROSE, PROSE)
def test_no_span_begins_inside_a_cluster(old: str, new: str) -> None:
    """Every bound is between two characters as a reader counts them."""
    bounds = {0}
    for cluster in graphemes(old):
        bounds.add(max(bounds) + utf16_len(cluster))
    assert {span.start for span in diff_words(old, new)} <= bounds


@given(SEQUENCES, SEQUENCES, st.sampled_from([(), (1,), (3, 1)]))
def test_matches_are_equal_stretches_in_order(
    first: str, second: str, sizes: tuple[int, ...]
) -> None:
    """Whatever ties two sequences together stands in both, once."""
    at = worddiff_blocks.Match(0, 0, 0)
    for match in matches(first, second, sizes):
        assert match.length > 0
        assert match.a >= at.a + at.length
        assert match.b >= at.b + at.length
        assert first[match.a : match.a + match.length] == second[match.b : match.b + match.length]
        at = match
