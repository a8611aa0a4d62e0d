"""What always holds when blocks are compiled: nothing vanishes, and the order is total and stable."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from huaben.prompt.compiling import Block, Compiled, Frame, compiled
from huaben.prompt.segments import Piece

ANCHORS = ("base", "card", "memory", "plan", "nowhere")
TEXTS = st.sampled_from(["", " ", "伞", "旧伞是师父留下的。", "The umbrella.", "x" * 40])


@st.composite
def block_lists(draw: st.DrawFn) -> list[Block]:
    """Blocks with sources of their own, so that each can be found again."""
    made = draw(
        st.lists(st.tuples(TEXTS, st.sampled_from(ANCHORS), st.integers(-2, 2)), max_size=12)
    )
    return [
        Block(Piece(f"s{at}", text), anchor, priority)
        for at, (text, anchor, priority) in enumerate(made)
    ]


FRAMES = st.builds(
    Frame,
    st.permutations(["base", "card"]).map(tuple),
    st.sampled_from([("memory", "plan"), ("plan",), ()]),
    st.dictionaries(st.sampled_from(ANCHORS), st.integers(0, 50), max_size=3),
)


def sources(result: Compiled) -> list[str]:
    """Every source that the result names, sent or not."""
    sent = [piece.source for piece in (*result.foundation, *result.turn)]
    return [*sent, *(one.source for one in result.unsent)]


@given(block_lists(), FRAMES)
def test_nothing_vanishes(blocks: list[Block], frame: Frame) -> None:
    """Each block is sent once, unchanged, or listed once with a reason."""
    result = compiled(blocks, frame)
    assert Counter(sources(result)) == Counter(block.piece.source for block in blocks)
    assert all(one.reason for one in result.unsent)
    given_pieces = [block.piece for block in blocks]
    assert all(piece in given_pieces for piece in (*result.foundation, *result.turn))


@given(block_lists(), FRAMES)
def test_the_order_is_that_of_anchor_priority_and_giving(blocks: list[Block], frame: Frame) -> None:
    """Total and stable: the same every time, whatever else is given."""
    result = compiled(blocks, frame)
    assert compiled(blocks, frame) == result
    by_source = {block.piece.source: (at, block) for at, block in enumerate(blocks)}
    for pieces, anchors in ((result.foundation, frame.foundation), (result.turn, frame.turn)):
        ranks: list[tuple[int, int, int]] = []
        for piece in pieces:
            at, block = by_source[piece.source]
            ranks.append((anchors.index(block.anchor), -block.priority, at))
        assert ranks == sorted(ranks)


@given(block_lists(), FRAMES)
def test_limits_hold_and_what_is_sent_compiles_to_itself(blocks: list[Block], frame: Frame) -> None:
    """No anchor holds more than it may, and leaving out the unsent changes nothing."""
    result = compiled(blocks, frame)
    unsent = {one.source for one in result.unsent}
    sent = [block for block in blocks if block.piece.source not in unsent]
    for anchor, limit in frame.limits.items():
        held = sum(len(block.piece.text) for block in sent if block.anchor == anchor)
        assert held <= limit
    again = compiled(sent, frame)
    assert (again.foundation, again.turn, again.unsent) == (result.foundation, result.turn, ())


def test_a_place_that_a_prompt_lacks_is_named() -> None:
    """A memory that no template has a place for is listed, not forced in."""
    memory = Block(Piece("memory:伞", "旧伞"), "memory", origin="memory")
    result = compiled([memory], Frame(("base",)))
    assert [(one.source, one.reason) for one in result.unsent] == [
        ("memory:伞", "nothing here has a place for memory")
    ]
