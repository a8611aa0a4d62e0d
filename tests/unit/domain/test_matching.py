"""The matching ladder, rung by rung, and what is said when nothing matches."""

from operator import index
from typing import SupportsIndex

import pytest

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

INN = "夜雨敲着客栈的窗。沈青推开门，抖落斗笠上的水。“掌柜的，还有房么？”她问。"


class Watched(str):
    """A text that counts how many searches are made in it and how many characters they may read."""

    __slots__ = ("read", "searches")

    def __init__(self, _: str) -> None:
        self.read = 0
        self.searches = 0

    def find(
        self,
        sub: str,
        start: SupportsIndex | None = None,
        end: SupportsIndex | None = None,
        /,
    ) -> int:
        at = super().find(sub, start, end)
        reached = len(self) if at < 0 else at + len(sub)
        self.read += reached - index(start or 0) + len(sub)
        self.searches += 1
        return at

    def startswith(
        self,
        prefix: str | tuple[str, ...],
        start: SupportsIndex | None = None,
        end: SupportsIndex | None = None,
        /,
    ) -> bool:
        self.read += len(prefix)
        self.searches += 1
        return super().startswith(prefix, start, end)


def test_a_quotation_that_occurs_once_is_found_exactly() -> None:
    """The range is in code points, end exclusive, in text with emoji too."""
    assert locate(INN, "客栈") == Found(4, 6, "exact")
    assert locate("🌙🌙 The inn.", "inn") == Found(7, 10, "exact")


def test_a_repeated_quotation_is_refused_with_the_count() -> None:
    """The place is never guessed."""
    assert locate("雨停了。雨又来了。", "雨") == Repeated("exact", 2)
    assert locate("the rain, the inn, the road", "the") == Repeated("exact", 3)


def test_overlapping_occurrences_count() -> None:
    """ "aa" occurs twice in "aaa", so it names no single place."""
    assert locate("aaa", "aa") == Repeated("exact", 2)
    assert locate("哈哈哈", "哈哈") == Repeated("exact", 2)


def test_exact_repetition_does_not_fall_through() -> None:
    """A quotation found twice with its spaces is not looked for in any other way."""
    assert locate("a b a b", " b") == Repeated("exact", 2)


def test_outer_white_space_of_the_quotation_is_ignored_second() -> None:
    """The range covers the trimmed words only, ideographic spaces are white space."""
    assert locate(INN, " \n沈青推开门\t") == Found(9, 14, "trimmed")
    assert locate(INN, "　　沈青推开门") == Found(9, 14, "trimmed")


def test_trimmed_words_that_occur_twice_are_refused() -> None:
    """Trimming makes no unique place out of a common word, and folding is not tried after it."""
    assert locate("雨停了。雨又来了。", " 雨 ") == Repeated("trimmed", 2)
    assert locate('"aaa" “aa”', " aa ") == Repeated("trimmed", 3)


def test_inner_white_space_is_never_ignored() -> None:
    """Only the ends are trimmed."""
    assert isinstance(locate("夜雨 敲窗", "夜雨敲窗"), Missing)
    assert isinstance(locate("night  rain", "night rain"), Missing)


@pytest.mark.parametrize(
    ("text", "quotation"),
    [
        ("她说：“走。”", '她说："走。"'),
        ("她说：「走。」", "她说：“走。”"),
        ("『走』", "「走」"),
        ("„Los“, sagte sie", '"Los", sagte sie'),
        ("it’s raining", "it's raining"),
        ("‚ja‘", "'ja'"),
        ("wait – now", "wait — now"),
        ("等等——来了", "等等――来了"),
        ("−1 and －1 degrees", "－1 and −1 degrees"),
        ("rain—and wind", "rain-and wind"),
        ("雨⋯⋯", "雨……"),
        ("10\u00a0km", "10 km"),
        ("春\u3000秋", "春 秋"),
    ],
)
def test_typographic_variants_match_third(text: str, quotation: str) -> None:
    """Quotes, dashes, ellipses and spaces match their variants, and offsets survive."""
    assert locate(text, quotation) == Found(0, len(text), "punctuation")


def test_folding_works_on_the_trimmed_quotation() -> None:
    """Both liberties may be needed at once; the range is the passage as it stands."""
    found = locate("雨。「走吧。」她说。", ' "走吧。"\n')
    assert found == Found(2, 7, "punctuation")


def test_folded_repetition_is_refused() -> None:
    """Two passages that differ only in their quotes are two passages."""
    assert locate("“走” 「走」", '"走"') == Repeated("punctuation", 2)


@pytest.mark.parametrize(
    ("text", "quotation"),
    [
        ("The Inn", "the inn"),
        ("来，走", "来,走"),
        ("one\r\ntwo", "one\ntwo"),
        ("wait…", "wait..."),
        ("你好！", "你好!"),
        ("Ａ", "A"),
        ("cafe\u0301", "café"),
        ("tab\there", "tab here"),
        ("thin\u2009space", "thin space"),
    ],
)
def test_nothing_else_is_folded(text: str, quotation: str) -> None:
    """Letter case, full-width forms, line ends, three dots and accents stay distinct."""
    assert isinstance(locate(text, quotation), Missing)


@pytest.mark.parametrize("quotation", ["", "  \n", "\u3000", "\u200b\ufeff", " \u200b "])
def test_a_blank_quotation_names_no_place(quotation: str) -> None:
    """Even where the text holds such characters."""
    assert locate(f"a{quotation}b", quotation) == BlankQuotation()


def test_every_level_has_its_rung() -> None:
    """An exact place wins although looser places exist as well."""
    rungs: list[tuple[str, Level]] = [
        ("“雨”", "exact"),
        (" “雨”", "trimmed"),
        ("„雨“", "punctuation"),
    ]
    for quotation, level in rungs:
        found = locate("“雨”", quotation)
        assert isinstance(found, Found)
        assert found.level == level
    assert locate('“雨” "雨"', "“雨”") == Found(0, 3, "exact")


def test_folds_are_one_character_to_one() -> None:
    """No fold changes a length, and no result is folded again."""
    assert all(len(source) == len(target) == 1 for source, target in FOLDS.items())
    assert not set(FOLDS) & set(FOLDS.values())
    everything = "".join(FOLDS)
    assert fold(everything) == everything.translate(str.maketrans(dict(FOLDS)))


def test_a_miss_quotes_the_claim_and_the_nearest_sentence() -> None:
    """The claim is cut short, the passage is whole and stands in the text as given."""
    claim = "沈青推开了木门，抖落斗笠上的雨水" + "，又说了许多没有写过的话" * 9
    found = locate(INN, claim)
    assert isinstance(found, Missing)
    assert found.claimed.startswith("沈青推开了木门")
    assert found.claimed.endswith("…")
    assert len(found.claimed) <= 60

    short = locate(INN, "沈青推开了木门，抖落斗笠上的雨水")
    assert isinstance(short, Missing)
    assert short.nearest == "沈青推开门，抖落斗笠上的水。"


def test_the_nearest_english_sentence_is_whole() -> None:
    """Sentence ends of English prose bound the passage."""
    text = "It was late. Rain tapped at the window of the inn. Nobody came. The fire went out."
    found = nearest_passage(text, "Rain knocked on the window of the inn")
    assert found == "Rain tapped at the window of the inn."


def test_a_claim_in_other_letter_case_is_shown_as_it_stands() -> None:
    """Case is not folded for an edit, but the reader is led to the passage."""
    text = "First line\nThe Inn of the Seven Moons stood dark\nLast line"
    found = locate(text, "the inn of the seven moons")
    assert isinstance(found, Missing)
    assert found.nearest == "The Inn of the Seven Moons stood dark"


def test_a_long_claim_in_other_letter_case_leads_to_the_letter() -> None:
    """If one capital in a long claim is wrong, the passage shows that place."""
    text = " ".join(f"Night {number} fell over the river." for number in range(200))
    found = nearest_passage(text, text[:3000].replace("Night 50 ", "night 50 "))
    assert found is not None
    assert "Night 50 fell over the river." in found


def test_a_claim_that_goes_astray_late_leads_to_the_parting() -> None:
    """What is shown is where claim and text differ, not where they agree."""
    lines = [f"第{number}夜，雨落在第{number}座桥上。" for number in range(1, 90)]
    text = "\n".join(lines)
    found = nearest_passage(text, text[:700].replace("第40夜，雨", "第40夜，雪"))
    assert found is not None
    assert "第40夜，雨" in found


def test_a_claim_with_an_invented_start_is_found_by_its_middle_or_end() -> None:
    """A wrong beginning does not hide that the rest exists."""
    text = "窗外的雨下了一整夜。" + INN
    claim = "无关的甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥" * 4 + INN
    found = nearest_passage(text, claim)
    assert found is not None
    assert "掌柜的" in found


def test_nothing_near_is_nothing() -> None:
    """Unrelated words and tiny texts are not offered as near."""
    assert nearest_passage(INN, "The dragon folded its wings over the harbour.") is None
    assert nearest_passage("", "客栈") is None
    assert nearest_passage("the", "Across the harbour the lamps were lit.") is None
    assert nearest_passage(INN, " ") is None


def test_a_passage_without_sentence_ends_is_cut_between_words() -> None:
    """Long unpunctuated prose is bounded, and still quotable."""
    text = " ".join(f"word{number}" for number in range(2000))
    found = nearest_passage(text, "word900 word901 word9o2 word903 word904")
    assert found is not None
    assert len(found) <= PASSAGE_CHARS
    assert set(found.split(" ")) <= set(text.split(" "))
    assert found in text


def test_a_long_chinese_line_is_bounded() -> None:
    """Without spaces or stops the passage starts where it is near and ends at the limit."""
    text = "".join(chr(0x4E00 + number) for number in range(3000))
    found = nearest_passage(text, text[1000:1030] + "错" + text[1031:1040])
    assert found == text[1000 : 1000 + PASSAGE_CHARS]


def test_letters_that_grow_in_lower_case_do_not_shift_the_passage() -> None:
    """The Turkish capital İ leaves every offset where it is."""
    text = "İİİİ。The lamp was lit above the door。İİ"
    assert nearest_passage(text, "The lamp was out above the door") == (
        "The lamp was lit above the door。"
    )


@pytest.mark.parametrize(
    ("text", "needle", "count"),
    [
        ("aaa", "aa", 2),
        ("aaaa", "a", 4),
        ("abababa", "aba", 3),
        ("abcabcab", "abcab", 2),
        ("aabaaabaab", "aab", 3),
        ("aabaabaaXaabaa", "aabaa", 3),
        ("雨雨", "雪", 0),
        ("", "a", 0),
        ("abc", "", 0),
    ],
)
def test_occurrences_are_counted_with_overlaps(text: str, needle: str, count: int) -> None:
    """Periodic needles, broken runs and absent ones are counted right."""
    assert count_overlapping(text, needle) == count


@pytest.mark.parametrize(
    ("unit", "needle"),
    [
        ("a", "a" * 400),
        ("ab", "ab" * 200),
        ("a" * 399 + "b", "a" * 390),
        ("a" * 400 + "b", "a" * 200 + "b" + "a" * 200),
        ("ab" * 150 + "c", "ab" * 140),
        ("雨", "雨"),
    ],
)
def test_counting_reads_each_character_a_bounded_number_of_times(unit: str, needle: str) -> None:
    """Work grows with the text alone, however often and densely the needle repeats."""
    for size in (4_000, 16_000):
        text = Watched((unit * size)[:size])
        assert count_overlapping(text, needle) >= 1
        assert text.read <= 8 * size
        assert text.searches <= size + 2
