"""Properties of text offsets and of the matching ladder, over all kinds of characters."""

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.matching import (
    FOLDS,
    PASSAGE_CHARS,
    BlankQuotation,
    Found,
    Level,
    Missing,
    Repeated,
    count_overlapping,
    fold,
    locate,
    nearest_passage,
)
from huaben.domain.text import (
    BadOffset,
    clip,
    from_utf16,
    from_utf16_each,
    graphemes,
    is_blank,
    scrub,
    shared_start,
    shorten,
    to_utf16,
    to_utf16_each,
    utf16_len,
    utf16_slice,
)

ANY = st.text(st.characters(codec="utf-8"), max_size=60)
MIXED = st.text(st.sampled_from("ab客栈🌙👍🏽\u200d\u0301 \n“”\"'—-\ud83d\ude00"), max_size=40)
FEW = st.text(st.sampled_from("ab"), max_size=24)
PROSE = st.text(st.sampled_from([*FOLDS, *"\"'-… 雨夜ab\n"]), max_size=24)


@given(st.one_of(ANY, MIXED))
def test_offsets_round_trip(text: str) -> None:
    """Each index has an offset that leads back to it, singly and all at once."""
    indices = tuple(range(len(text) + 1))
    offsets = tuple(to_utf16(text, index) for index in indices)
    assert offsets == to_utf16_each(text, indices)
    assert tuple(from_utf16(text, offset) for offset in offsets) == indices
    assert from_utf16_each(text, offsets) == indices


@given(st.one_of(ANY, MIXED), st.integers(-3, 130))
def test_an_offset_is_a_place_or_refused(text: str, offset: int) -> None:
    """Exactly the offsets that begin a character, and the end, are places."""
    places = {to_utf16(text, index) for index in range(len(text) + 1)}
    found = from_utf16(text, offset)
    if offset in places:
        assert found in range(len(text) + 1)
    else:
        inside = 0 <= offset <= utf16_len(text)
        reason = "inside_surrogate_pair" if inside else "outside"
        assert found == BadOffset(reason, utf16_len(text))


@given(ANY, st.data())
def test_slices_are_those_of_a_utf16_client(text: str, data: st.DataObject) -> None:
    """A slice has the code units that a client sees between the same offsets."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = to_utf16(text, start), to_utf16(text, end)
    units = text.encode("utf-16-le")[2 * first : 2 * last]
    assert utf16_slice(text, first, last) == text[start:end] == units.decode("utf-16-le")


@given(st.text(st.sampled_from("a雨🌙\ud83d\ude00\udfff\ufffd")))
def test_scrubbed_text_can_be_stored_and_stays_so(text: str) -> None:
    """Scrubbing never changes storable text, and is done once."""
    clean = scrub(text)
    assert clean.encode("utf-8").decode("utf-8") == clean
    assert scrub(clean) == clean
    assert utf16_len(clean) == utf16_len(text)


@given(st.one_of(ANY, MIXED), st.integers(2, 30))
def test_graphemes_and_cuts_lose_nothing(text: str, limit: int) -> None:
    """Clusters join to the text, a cut is a start of it, a shortened text fits."""
    assert "".join(graphemes(text)) == text
    assert text.startswith(clip(text, limit))
    assert len(clip(text, limit)) <= limit
    assert len(shorten(text, limit)) <= limit


@given(FEW, FEW)
def test_the_shared_start_is_shared_and_longest(left: str, right: str) -> None:
    """Up to it both agree, after it they do not."""
    shared = shared_start(left, right)
    assert left[:shared] == right[:shared]
    assert left[: shared + 1] != right[: shared + 1] or shared == min(len(left), len(right))


@given(FEW, st.text(st.sampled_from("ab"), min_size=1, max_size=6))
def test_counting_agrees_with_trying_every_place(text: str, needle: str) -> None:
    """The quick count is the plain count."""
    plain = sum(text.startswith(needle, at) for at in range(len(text)))
    assert count_overlapping(text, needle) == plain


@given(st.one_of(ANY, PROSE))
def test_folding_is_the_table_and_keeps_every_offset(text: str) -> None:
    """Length stays, each character is folded by itself, folding again does nothing."""
    folded = fold(text)
    assert len(folded) == len(text)
    assert folded == "".join(FOLDS.get(character, character) for character in text)
    assert fold(folded) == folded


@given(PROSE, PROSE, st.data())
def test_the_answer_is_that_of_the_first_level_with_an_occurrence(
    text: str, loose: str, data: st.DataObject
) -> None:
    """The ladder agrees with its plain description, on quotations taken from the text or not."""
    start = data.draw(st.integers(0, len(text)))
    quotation = data.draw(st.sampled_from([loose, text[start:], f" {text[start : start + 3]}\n"]))
    found = locate(text, quotation)
    if is_blank(quotation):
        assert found == BlankQuotation()
        return
    trimmed = quotation.strip()
    rungs: list[tuple[Level, str, str]] = [
        ("exact", text, quotation),
        ("trimmed", text, trimmed),
        ("punctuation", fold(text), fold(trimmed)),
    ]
    for level, page, wanted in rungs:
        places = [at for at in range(len(page)) if page.startswith(wanted, at)]
        if len(places) == 1:
            assert found == Found(places[0], places[0] + len(wanted), level)
            return
        if places:
            assert found == Repeated(level, len(places))
            return
    assert isinstance(found, Missing)


@given(st.one_of(ANY, PROSE, MIXED), st.one_of(ANY, PROSE, MIXED))
def test_the_nearest_passage_can_be_quoted(text: str, quotation: str) -> None:
    """It stands in the text as given, within its limit, and is not blank white space."""
    found = nearest_passage(text, quotation)
    assert found is None or (found in text and len(found) <= PASSAGE_CHARS)
