"""Properties of the draft: undo, replay, commuting edits, and refusals without effect."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.draft import (
    EMPTY,
    Append,
    Applied,
    Change,
    Draft,
    Edit,
    Pair,
    Replace,
    Restored,
    Span,
    Write,
    apply,
    apply_spans,
    invert,
)
from huaben.domain.text import is_blank, to_utf16, utf16_len

WORDS = st.text(st.sampled_from("ab雨夜🌙👍🏽\u0301 \n“”\"'—-"), max_size=12)
ANY = st.text(st.characters(codec="utf-8"), max_size=12)
CHARACTERS = st.lists(
    st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zs", "Zl", "Zp", "Mn")),
    min_size=3,
    max_size=24,
    unique=True,
)


@st.composite
def drafts_with_pairs(draw: st.DrawFn) -> tuple[Draft, tuple[Pair, ...]]:
    """A draft of characters that occur once each, and disjoint edits of it in any order."""
    text = "".join(draw(CHARACTERS))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), min_size=2, max_size=8)))
    passages = [text[start:end] for start, end in pairwise(cuts)]
    chosen = draw(st.lists(st.sampled_from(passages), min_size=1, unique=True))
    pairs = tuple(Pair(old, draw(st.one_of(WORDS, ANY))) for old in chosen)
    return Draft(draw(st.integers(1, 9)), text), pairs


@st.composite
def texts_with_spans(draw: st.DrawFn) -> tuple[str, tuple[Span, ...]]:
    """A text and spans in order within it, insertions among them."""
    text = draw(st.one_of(WORDS, ANY))
    size = draw(st.integers(0, 3))
    bounds = draw(st.lists(st.integers(0, len(text)), min_size=2 * size, max_size=2 * size))
    offsets = [to_utf16(text, bound) for bound in sorted(bounds)]
    spans = [
        Span(start, end, draw(st.one_of(WORDS, ANY)))
        for start, end in zip(offsets[::2], offsets[1::2], strict=True)
    ]
    return text, tuple(spans)


def changes(versions: st.SearchStrategy[int]) -> st.SearchStrategy[Change]:
    """Changes of all kinds, many of them to be refused."""
    pairs = st.lists(st.builds(Pair, old=WORDS, new=WORDS), max_size=3).map(tuple)
    return st.one_of(
        st.builds(Write, base=versions, content=WORDS),
        st.builds(Append, base=versions, content=WORDS, separator=WORDS),
        st.builds(Edit, base=versions, pairs=pairs),
        st.builds(
            Replace,
            base=versions,
            content=WORDS,
            reason=st.sampled_from(["capture", "partial", "finalize", "user", Restored(0)]),
        ),
    )


def accepted(draft: Draft, pairs: Sequence[Pair]) -> Applied:
    applied = apply(draft, Edit(draft.version, tuple(pairs)))
    assert isinstance(applied, Applied), applied
    return applied


@given(texts_with_spans())
def test_applying_then_undoing_is_identity(given_text: tuple[str, tuple[Span, ...]]) -> None:
    """Inverted spans lead back, and inverting them again gives the same text as before."""
    text, spans = given_text
    changed = apply_spans(text, spans)
    back = invert(text, spans)
    assert apply_spans(changed, back) == text
    assert apply_spans(text, invert(changed, back)) == changed


@given(drafts_with_pairs())
def test_an_edit_can_be_replayed_and_undone_from_its_spans(
    given_edit: tuple[Draft, tuple[Pair, ...]],
) -> None:
    """The record alone gives the new text from the old and the old from the new."""
    draft, pairs = given_edit
    applied = apply(draft, Edit(draft.version, pairs))
    if isinstance(applied, Applied):
        assert apply_spans(draft.text, applied.spans) == applied.draft.text
        undone = apply_spans(applied.draft.text, invert(draft.text, applied.spans))
        assert undone == draft.text


@given(drafts_with_pairs(), st.data())
def test_the_order_of_disjoint_edits_in_a_call_does_not_matter(
    given_edit: tuple[Draft, tuple[Pair, ...]], data: st.DataObject
) -> None:
    """Any order gives the same draft and the same spans, or the same kind of refusal."""
    draft, pairs = given_edit
    shuffled = data.draw(st.permutations(pairs))
    one = apply(draft, Edit(draft.version, pairs))
    other = apply(draft, Edit(draft.version, tuple(shuffled)))
    assert type(one) is type(other)
    if isinstance(one, Applied) and isinstance(other, Applied):
        assert (one.draft, one.spans) == (other.draft, other.spans)


@given(st.lists(st.tuples(st.booleans(), WORDS), min_size=2, max_size=6), st.data())
def test_disjoint_edits_in_separate_calls_commute(
    plan: list[tuple[bool, str]], data: st.DataObject
) -> None:
    """Edits of different paragraphs give the same text, one by one in any order or at once."""
    names = [f"〔{number}〕" for number in range(len(plan))]
    draft = Draft(1, "\n\n".join(f"{name}夜雨" for name in names))
    pairs = [
        Pair(f"{name}夜雨", f"{name}{words}")
        for name, (changed, words) in zip(names, plan, strict=True)
        if changed
    ]
    if not pairs:
        return
    at_once = accepted(draft, pairs).draft.text
    for pair in data.draw(st.permutations(pairs)):
        draft = accepted(draft, [pair]).draft
    assert draft.text == at_once


@given(st.lists(changes(st.integers(0, 3)), max_size=8))
def test_versions_count_the_changes(sequence: list[Change]) -> None:
    """A change adds one exactly if the text differs; a refusal hands back no draft at all."""
    draft = EMPTY
    for change in sequence:
        before = Draft(draft.version, draft.text)
        applied = apply(draft, change)
        assert draft == before
        if not isinstance(applied, Applied):
            continue
        assert change.base == draft.version
        assert applied.draft.version == draft.version + (applied.draft.text != draft.text)
        draft = applied.draft


@given(drafts_with_pairs(), st.data())
def test_one_failing_edit_refuses_the_whole_batch(
    given_edit: tuple[Draft, tuple[Pair, ...]], data: st.DataObject
) -> None:
    """Wherever it stands among good ones, a quotation that is absent or blank lets none through."""
    draft, pairs = given_edit
    bad = data.draw(st.sampled_from([Pair("〔nowhere〕", "x"), Pair(" \n", "x")]))
    at = data.draw(st.integers(0, len(pairs)))
    refused = apply(draft, Edit(draft.version, (*pairs[:at], bad, *pairs[at:])))
    assert not isinstance(refused, Applied)


@given(st.one_of(WORDS, ANY), st.one_of(WORDS, ANY), WORDS)
def test_an_append_is_one_insertion_at_the_end(text: str, content: str, separator: str) -> None:
    """Old text is never touched, and the span replays the append."""
    applied = apply(Draft(1, text), Append(1, content, separator))
    if not isinstance(applied, Applied):
        assert is_blank(content)
        return
    assert applied.draft.text == (text + separator + content if text else content)
    assert [span.start for span in applied.spans] == [utf16_len(text)]
    assert apply_spans(text, applied.spans) == applied.draft.text
