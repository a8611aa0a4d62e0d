"""Words replaced in a chapter, and the places shown before it is done."""

from collections.abc import Collection

import pytest

from huaben.domain.manuscript_replace import (
    PLACES,
    BadPattern,
    ReplacedPlace,
    ReplacedText,
    Replacement,
    finder,
    replaced,
)


def done_with(text: str, wanted: Replacement, left_out: Collection[int] = ()) -> ReplacedText:
    ready = finder(wanted)
    assert not isinstance(ready, BadPattern), ready
    done = replaced(text, ready, left_out)
    assert not isinstance(done, str), done
    return done


def put(text: str, find: str, replace: str) -> str:
    """What a pattern makes of a text."""
    return done_with(text, Replacement(find, replace, pattern=True)).text


def test_every_place_is_replaced_and_shown_with_its_line() -> None:
    """Offsets are UTF-16 units of the old text; what stands around is shown before and after."""
    done = done_with("🌙旧伞。\n\n又是旧伞，旧伞。", Replacement("旧伞", "新伞"))
    assert done.text == "🌙新伞。\n\n又是新伞，新伞。"
    assert (done.count, done.done) == (3, 3)
    assert done.places[0] == ReplacedPlace(1, 2, 4, "🌙旧伞。", "🌙新伞。", 2, "新伞")
    assert [(p.line, p.start, p.end) for p in done.places[1:]] == [(3, 9, 11), (3, 12, 14)]
    assert done.places[2].before == "又是旧伞，旧伞。"
    assert done.places[2].after == "又是旧伞，新伞。"
    assert done.places[2].at == 5


def test_words_are_literal_and_case_is_kept_unless_told_otherwise() -> None:
    """No pattern in what is sought, no reference in what is put there."""
    assert done_with("a.c abc", Replacement("a.c", r"\1$&")).text == r"\1$& abc"
    assert done_with("Rain rain RAIN", Replacement("rain", "snow")).text == "Rain snow RAIN"
    done = done_with("Rain rain RAIN", Replacement("rain", "snow", ignore_case=True))
    assert (done.text, done.count) == ("snow snow snow", 3)


def test_places_do_not_overlap_and_deleting_is_replacing_by_nothing() -> None:
    """From the beginning on."""
    assert done_with("哈哈哈哈哈", Replacement("哈哈", "嘿")).text == "嘿嘿哈"
    assert done_with("一，二，", Replacement("，", "")).text == "一二"


def test_a_great_many_places_are_counted_and_the_first_are_shown() -> None:
    """However many there are."""
    done = done_with("雨\n" * 5000, Replacement("雨", "雪"))
    assert (done.count, len(done.places)) == (5000, PLACES)
    assert done.places[-1].line == PLACES


def test_places_that_are_left_out_stay_as_they_are() -> None:
    """They are named by where they begin, and still counted and shown."""
    done = done_with("🌙旧伞，旧伞，旧伞。", Replacement("旧伞", "新伞"), {5})
    assert done.text == "🌙新伞，旧伞，新伞。"
    assert (done.count, done.done, len(done.places)) == (3, 2, 3)


@pytest.mark.parametrize(
    ("text", "find", "result"),
    [
        ("cat concat cats Cat", "cat", "dog concat cats Cat"),
        ("他说cat。cat在", "cat", "他说dog。dog在"),
        ("旧伞店的旧伞", "旧伞", "dog店的dog"),  # a script without spaces has no edges of words
        ("the_cat cat's", "cat", "the_cat dog's"),
        ("a.b xa.b", "a.b", "dog xa.b"),
    ],
)
def test_whole_words_are_those_that_no_letter_touches(text: str, find: str, result: str) -> None:
    """In scripts that part words by spaces; Chinese words have no such edges, and beside one a Latin word is
    whole."""
    assert done_with(text, Replacement(find, "dog", whole_words=True)).text == result


@pytest.mark.parametrize(
    ("text", "find", "replace", "result"),
    [
        ("第3章 第12章", r"第(\d+)章", "$1.", "3. 12."),
        ("李四，王五", r"(?<a>\p{Han}+)，(?<b>\p{Han}+)", "$<b>，$<a>", "王五，李四"),
        ("雨。\n雪。", r"^", "　　", "　　雨。\n　　雪。"),
        ("雨  。", r" +", "", "雨。"),
        ("甲乙", "甲", r"$$$&\n", "$甲\n乙"),
        ("甲乙", "甲", "$9$<x>", "$<x>乙"),
    ],
)
def test_a_pattern_may_refer_to_what_it_matched(
    text: str, find: str, replace: str, result: str
) -> None:
    """By number and by name; `^` and `$` are the ends of a line."""
    assert put(text, find, replace) == result


def test_a_pattern_that_cannot_run_is_refused_and_a_slow_one_stopped() -> None:
    """With the reason; nobody waits for a hostile one."""
    assert isinstance(finder(Replacement("(", "", pattern=True)), BadPattern)
    slow = finder(Replacement(r"(?:a|aa|aaa)+c", "", pattern=True))
    assert not isinstance(slow, BadPattern)
    assert replaced(("a" * 40 + " ") * 50, slow) == "too_slow"
    much = finder(Replacement("甲", "乙" * 20_000))
    assert not isinstance(much, BadPattern)
    assert replaced("甲" * 1000, much) == "too_large"
