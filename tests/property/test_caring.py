"""Properties of what is seen in an edited chapter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.caring import grown
from huaben.domain.continuity import BEFORE_CHARS, altered

LINES = st.lists(st.sampled_from(["雨。", "He left.", "", "🌧", "“天亮了”"]), max_size=8).map(
    "\n".join
)
ADDED = st.sampled_from(["天亮了。", "It rained.", "🌤。"])


@given(LINES, ADDED)
def test_what_comes_to_the_end_is_found_whole(old: str, added: str) -> None:
    """Whatever stood before, a passage behind a blank line is the passage, and nothing else has changed."""
    new = f"{old.rstrip()}\n\n{added}\n"
    found = grown(old, new)
    assert (found.text, found.otherwise) == (added, False)
    assert new[found.start :].startswith(added)


@given(LINES, LINES)
def test_a_passage_put_back_gives_the_earlier_text(old: str, new: str) -> None:
    """The lines around a change are the same on both sides."""
    found = altered(old, new)
    if found is None:
        assert old.rstrip() == new.rstrip()
    elif len(found.before) < BEFORE_CHARS:
        assert new[: found.start] + found.before + new[found.end :] == old
