"""The draft sheet: versions, all-or-nothing edits, and what a refusal says."""

from typing import Literal

import pytest

from huaben.domain.draft import (
    EMPTY,
    RECEIPT_CHARS,
    Append,
    Applied,
    BlankContent,
    BlankQuotation,
    BlankResult,
    Change,
    Draft,
    Edit,
    ManyMatches,
    NoEdits,
    NoMatch,
    Overlap,
    Pair,
    Reason,
    Receipt,
    Rejection,
    Replace,
    Restored,
    Span,
    StaleVersion,
    Write,
    apply,
    apply_spans,
    invert,
    read_reason,
)

INN = Draft(3, "夜雨敲着客栈的窗。\n\n沈青推开门。“掌柜的，还有房么？”")


def accepted(draft: Draft, change: Change) -> Applied:
    applied = apply(draft, change)
    assert isinstance(applied, Applied), applied
    return applied


def edit(draft: Draft, *pairs: tuple[str, str]) -> Applied | Rejection:
    return apply(draft, Edit(draft.version, tuple(Pair(old, new) for old, new in pairs)))


def edited(draft: Draft, *pairs: tuple[str, str]) -> Applied:
    applied = edit(draft, *pairs)
    assert isinstance(applied, Applied), applied
    return applied


def test_a_turn_starts_with_the_empty_draft_at_version_0() -> None:
    """The first write makes version 1."""
    assert Draft.EMPTY is EMPTY
    assert Draft(0, "") == EMPTY
    applied = accepted(EMPTY, Write(0, "雨停了。"))
    assert applied == Applied(Draft(1, "雨停了。"), "write")


def test_a_write_replaces_the_whole_draft() -> None:
    """It adds one version and records no spans."""
    assert accepted(INN, Write(3, "The rain stopped.")) == Applied(
        Draft(4, "The rain stopped."), "write"
    )


@pytest.mark.parametrize(
    "change",
    [
        Write(2, "x"),
        Append(4, "x"),
        Edit(0, (Pair("客栈", "酒楼"),)),
        Replace(2, "x", "user"),
        Edit(2, ()),
        Write(-1, ""),
    ],
)
def test_a_change_made_against_another_version_is_refused_first(change: Change) -> None:
    """Both versions are named, whatever else is wrong."""
    assert apply(INN, change) == StaleVersion(given=change.base, current=3)


@pytest.mark.parametrize("content", ["", " \n\u3000", "\u200b\ufeff"])
def test_blank_content_is_refused(content: str) -> None:
    """Nothing to see is nothing to write, in every kind of whole write and at the end."""
    assert apply(INN, Write(3, content)) == BlankContent()
    assert apply(INN, Append(3, content)) == BlankContent()
    assert apply(INN, Replace(3, content, "user")) == BlankContent()


def test_an_append_comes_after_two_line_ends_by_default() -> None:
    """The span is one insertion at the end, counted in UTF-16 units."""
    applied = accepted(Draft(1, "月🌙"), Append(1, "亮"))
    assert applied == Applied(Draft(2, "月🌙\n\n亮"), "append", (Span(3, 3, "\n\n亮"),))


def test_an_append_may_name_its_separator() -> None:
    """The empty separator joins directly."""
    assert accepted(Draft(1, "The inn"), Append(1, "keeper", "")).draft.text == "The innkeeper"
    assert accepted(Draft(1, "one"), Append(1, "two", " * ")).draft.text == "one * two"


def test_an_empty_draft_ignores_the_separator() -> None:
    """The first words stand at the beginning."""
    applied = accepted(EMPTY, Append(0, "雨停了。"))
    assert applied == Applied(Draft(1, "雨停了。"), "append", (Span(0, 0, "雨停了。"),))


def test_content_keeps_its_outer_white_space() -> None:
    """The program stores prose and does not tidy it."""
    assert accepted(EMPTY, Write(0, "\u3000\u3000雨。\n")).draft.text == "\u3000\u3000雨。\n"
    assert accepted(Draft(1, "a"), Append(1, " b ")).draft.text == "a\n\n b "


@pytest.mark.parametrize("reason", ["capture", "partial"])
def test_spoken_words_are_appended_under_their_own_reason(
    reason: Literal["capture", "partial"],
) -> None:
    """What was taken from speech or from a cut stream can be told from the model's own calls."""
    applied = accepted(Draft(1, "a"), Append(1, "b", reason=reason))
    assert (applied.draft.text, applied.reason) == ("a\n\nb", reason)


@pytest.mark.parametrize("reason", ["capture", "partial", "finalize", "user", Restored(1)])
def test_program_and_user_replace_the_text_for_a_reason(
    reason: Literal["capture", "partial", "finalize", "user"] | Restored,
) -> None:
    """The reason is kept with the version."""
    assert accepted(INN, Replace(3, "雨。", reason)) == Applied(Draft(4, "雨。"), reason)


def test_the_empty_version_can_be_restored() -> None:
    """Version 0 is a version like any other, so a restore alone may empty the sheet."""
    assert accepted(INN, Replace(3, "", Restored(0))).draft == Draft(4, "")


def test_a_change_that_changes_nothing_leaves_the_version_alone() -> None:
    """The very same draft comes back, with no spans."""
    for change in (
        Write(3, INN.text),
        Replace(3, INN.text, Restored(3)),
        Edit(3, (Pair("客栈", "客栈"),)),
    ):
        applied = accepted(INN, change)
        assert applied.draft is INN
        assert applied.spans == ()


def test_an_edit_changes_the_one_passage_that_it_quotes() -> None:
    """The receipt names the level and shows before and after."""
    applied = edited(INN, ("客栈", "酒楼"))
    assert applied.draft == Draft(4, INN.text.replace("客栈", "酒楼"))
    assert applied.reason == "edit"
    assert applied.spans == (Span(4, 6, "酒楼"),)
    assert applied.receipts == (Receipt("exact", "客栈", "酒楼"),)


def test_all_edits_are_located_in_the_same_version() -> None:
    """What one edit writes is neither found nor moved by another."""
    applied = edited(Draft(1, "甲乙丙"), ("丙", "甲"), ("甲", "乙丙"), ("乙", ""))
    assert applied.draft.text == "乙丙甲"
    assert applied.spans == (Span(0, 1, "乙丙"), Span(1, 2, ""), Span(2, 3, "甲"))
    assert [receipt.before for receipt in applied.receipts] == ["丙", "甲", "乙"]


def test_spans_count_in_utf16_units_of_the_base_text() -> None:
    """Emoji before and within the passage count two units each."""
    applied = edited(Draft(1, "🌙 rose, 🌙🌙 set"), ("rose", "shone"), ("🌙🌙", "☀"))
    assert applied.spans == (Span(3, 7, "shone"), Span(9, 13, "☀"))
    assert applied.draft.text == "🌙 shone, ☀ set"


def test_replacements_are_literal() -> None:
    """Group references, escapes and outer white space mean themselves."""
    new = r" \1 \g<0> $& {{user}} %s "
    assert edited(Draft(1, "a b c"), ("b", new)).draft.text == f"a {new} c"


def test_looser_levels_replace_only_what_matched() -> None:
    """White space about a trimmed quotation stays, the text's own quotes give way."""
    applied = edited(
        INN, ("  沈青推开门。\n", "沈青叩门。"), ('"掌柜的，还有房么？"', "「有房么？」")
    )
    assert applied.draft.text == "夜雨敲着客栈的窗。\n\n沈青叩门。「有房么？」"
    assert [receipt.level for receipt in applied.receipts] == ["trimmed", "punctuation"]
    assert applied.receipts[1].before == "“掌柜的，还有房么？”"


def test_a_missing_quotation_refuses_the_batch() -> None:
    """The refusal names the edit, quotes the claim and shows the nearest passage."""
    refused = edit(INN, ("客栈", "酒楼"), ("沈青推开了木门", "沈青叩门"))
    assert refused == NoMatch(1, "沈青推开了木门", "沈青推开门。")


def test_an_empty_draft_matches_nothing() -> None:
    """There is no nearest passage either."""
    assert edit(EMPTY, ("客栈", "酒楼")) == NoMatch(0, "客栈", None)


def test_a_repeated_quotation_refuses_the_batch() -> None:
    """The count is given with the level at which it repeats, overlaps counted."""
    assert edit(INN, ("客栈", "酒楼"), ("的", "之")) == ManyMatches(1, 2, "exact")
    assert edit(Draft(1, "aaa"), ("aa", "b")) == ManyMatches(0, 2, "exact")
    assert edit(Draft(1, "雨，雨"), (" 雨 ", "雪")) == ManyMatches(0, 2, "trimmed")
    assert edit(Draft(1, "“雨”「雨」"), ('"雨"', "雪")) == ManyMatches(0, 2, "punctuation")


def test_a_blank_quotation_refuses_the_batch() -> None:
    """Even if the draft holds that white space once."""
    assert edit(INN, ("客栈", "酒楼"), ("\n\n", "\n")) == BlankQuotation(1)


def test_an_edit_without_pairs_is_refused() -> None:
    """There must be at least one."""
    assert edit(INN) == NoEdits()


def test_overlapping_edits_are_refused_naming_both() -> None:
    """Indices are those of the call, the smaller one first; identical edits overlap too."""
    assert edit(INN, ("客栈的窗", "a"), ("推开", "b"), ("敲着客栈", "c")) == Overlap(0, 2)
    assert edit(INN, ("夜雨敲着客栈", "a"), ("雨", "b")) == Overlap(0, 1)
    assert edit(INN, ("客栈", "a"), ("客栈", "a")) == Overlap(0, 1)


def test_edits_that_only_touch_are_both_applied() -> None:
    """The end of a range is exclusive."""
    assert edited(Draft(1, "夜雨敲窗"), ("敲窗", "不停"), ("夜雨", "晨雨")).draft.text == "晨雨不停"


def test_an_edit_cannot_empty_the_text() -> None:
    """Nor leave white space only."""
    assert edit(Draft(1, "雨停了。\n"), ("雨停了。", "")) == BlankResult()
    assert edit(Draft(1, "a b"), ("a", ""), ("b", "\u200b")) == BlankResult()


def test_an_edit_without_effect_beside_another_leaves_no_span() -> None:
    """It still has its receipt."""
    applied = edited(Draft(1, "夜雨敲窗"), ("夜雨", "夜雨"), ("敲窗", "不停"))
    assert applied.spans == (Span(2, 4, "不停"),)
    assert len(applied.receipts) == 2


def test_receipts_of_long_passages_show_the_change() -> None:
    """If two passages begin alike, the excerpts start shortly before they part."""
    before = "很长的一段话，" * 30 + "夜里下雨。" + "之后又是很长的一段话，" * 10
    after = before.replace("下雨", "落雪")
    receipt = edited(Draft(1, f"始。{before}终。"), (before, after)).receipts[0]
    assert max(len(receipt.before), len(receipt.after)) <= RECEIPT_CHARS
    assert "夜里下雨" in receipt.before
    assert "夜里落雪" in receipt.after
    assert receipt.before.startswith("…")
    assert receipt.before.endswith("…")


def test_receipts_of_short_passages_are_whole() -> None:
    """Nothing is left out that fits, and a deletion shows as an empty passage."""
    assert edited(INN, ("夜雨", "")).receipts == (Receipt("exact", "夜雨", ""),)


def test_lone_surrogates_never_enter_the_draft() -> None:
    """Every string of a change is made storable, quotations of a refusal too."""
    assert accepted(EMPTY, Write(0, "a\ud83d")).draft.text == "a\ufffd"
    assert accepted(Draft(1, "a"), Append(1, "b\ude00", "\ud83d")).draft.text == "a\ufffdb\ufffd"
    assert edited(Draft(1, "a b"), ("b", "\ud83d")).draft.text == "a \ufffd"
    refused = edit(Draft(1, "雨"), ("x\ud83d", "y"))
    assert refused == NoMatch(0, "x\ufffd", None)


@pytest.mark.parametrize(
    "spans",
    [
        (Span(0, 9, ""),),
        (Span(-1, 0, ""),),
        (Span(2, 1, ""),),
        (Span(1, 2, ""),),
        (Span(3, 4, ""), Span(0, 1, "")),
        (Span(0, 3, ""), Span(1, 4, "")),
    ],
)
def test_a_record_that_does_not_fit_its_text_is_a_fault(spans: tuple[Span, ...]) -> None:
    """Damaged spans raise, they are never applied in part."""
    with pytest.raises(ValueError, match="recorded spans do not fit"):
        apply_spans("a🌙b", spans)
    with pytest.raises(ValueError, match="recorded spans do not fit"):
        invert("a🌙b", spans)


def test_inverted_spans_lead_back() -> None:
    """Deletions at touching places come back in their order."""
    spans = (Span(0, 1, ""), Span(1, 3, ""), Span(3, 4, "🌙🌙"), Span(5, 5, "!"))
    changed = apply_spans("a🌙bc", spans)
    assert changed == "🌙🌙c!"
    assert invert("a🌙bc", spans) == (
        Span(0, 0, "a"),
        Span(0, 0, "🌙"),
        Span(0, 4, "b"),
        Span(5, 6, ""),
    )
    assert apply_spans(changed, invert("a🌙bc", spans)) == "a🌙bc"


@pytest.mark.parametrize(
    ("reason", "stored"),
    [
        ("write", "write"),
        ("append", "append"),
        ("edit", "edit"),
        ("capture", "capture"),
        ("partial", "partial"),
        ("finalize", "finalize"),
        ("user", "user"),
        (Restored(0), "restore:v0"),
        (Restored(12), "restore:v12"),
    ],
)
def test_reasons_are_stored_as_words(reason: Reason, stored: str) -> None:
    """Writing a reason down and reading it gives the reason again."""
    assert str(reason) == stored
    assert read_reason(stored) == reason


@pytest.mark.parametrize(
    "stored", ["", "restore", "restore:v", "restore:v01", "restore:v-1", "restore:v1\n", "Write"]
)
def test_other_words_are_no_reason(stored: str) -> None:
    """Nothing is guessed from a damaged record."""
    assert read_reason(stored) is None
