"""Words replaced in a chapter, and the places shown before it is done."""

from huaben.domain.manuscript_replace import PLACES, ReplacedPlace, Replacement, replaced


def test_every_place_is_replaced_and_shown_with_its_line() -> None:
    """Offsets are UTF-16 units of the old text; what stands around is shown before and after."""
    done = replaced("🌙旧伞。\n\n又是旧伞，旧伞。", Replacement("旧伞", "新伞"))
    assert done.text == "🌙新伞。\n\n又是新伞，新伞。"
    assert done.count == 3
    assert done.places[0] == ReplacedPlace(1, 2, 4, "🌙旧伞。", "🌙新伞。")
    assert [(p.line, p.start, p.end) for p in done.places[1:]] == [(3, 9, 11), (3, 12, 14)]
    assert done.places[2].before == "又是旧伞，旧伞。"
    assert done.places[2].after == "又是旧伞，新伞。"


def test_words_are_literal_and_case_is_kept_unless_told_otherwise() -> None:
    """No pattern in what is sought, no reference in what is put there."""
    assert replaced("a.c abc", Replacement("a.c", r"\1$&")).text == r"\1$& abc"
    assert replaced("Rain rain RAIN", Replacement("rain", "snow")).text == "Rain snow RAIN"
    done = replaced("Rain rain RAIN", Replacement("rain", "snow", ignore_case=True))
    assert (done.text, done.count) == ("snow snow snow", 3)


def test_places_do_not_overlap_and_deleting_is_replacing_by_nothing() -> None:
    """From the beginning on."""
    assert replaced("哈哈哈哈哈", Replacement("哈哈", "嘿")).text == "嘿嘿哈"
    assert replaced("一，二，", Replacement("，", "")).text == "一二"


def test_a_great_many_places_are_counted_and_the_first_are_shown() -> None:
    """However many there are."""
    done = replaced("雨\n" * 5000, Replacement("雨", "雪"))
    assert (done.count, len(done.places)) == (5000, PLACES)
    assert done.places[-1].line == PLACES
