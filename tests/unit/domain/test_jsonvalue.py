"""JSON within bounds: what is read, what is refused, what is written."""

import json
import time

import pytest

from huaben.domain.jsonvalue import (
    MAX_DEPTH,
    MAX_MARKS,
    Json,
    JsonFault,
    dump_json,
    parse_json,
)


def fault(text: str) -> str:
    """The fault's code, or a failure."""
    found = parse_json(text)
    assert isinstance(found, JsonFault)
    return found.code


def test_values_are_read_as_they_are() -> None:
    """Chinese, emoji, big integers and floats survive."""
    value: Json = {"名": ["🌙", 1, 1.5, True, None, 10**30, {"": []}]}
    assert parse_json(json.dumps(value)) == value
    assert parse_json(dump_json(value)) == value
    assert dump_json({"名": 1}) == '{"名":1}'


@pytest.mark.parametrize("text", ["", "{", "[1,]", "nope", '{"a":1} x', "9" * 5000, "\x00"])
def test_broken_text_is_a_fault(text: str) -> None:
    """Nothing is guessed from broken JSON."""
    assert fault(text) == "syntax"


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a":-Infinity}', "1e999", "[-1e999]"])
def test_numbers_other_readers_refuse_are_faults(text: str) -> None:
    """NaN and the infinities, also those of overflow, are never held."""
    assert fault(text) == "not_finite"


def test_depth_is_bounded() -> None:
    """The limit is exact below, and ten thousand or a million levels are no trouble above."""
    assert not isinstance(parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH), JsonFault)
    for depth in (MAX_DEPTH + 1, 900, 10_000, 500_000):
        assert fault("[" * depth + "]" * depth) == "too_deep"
        assert fault('{"a":' * depth + "1" + "}" * depth) == "too_deep"


def test_size_is_bounded_before_parsing() -> None:
    """Millions of tiny values are refused without building them."""
    started = time.monotonic()
    assert fault("[" + "[]," * MAX_MARKS + "1]") == "too_large"
    assert time.monotonic() - started < 30


def test_commas_in_prose_do_not_count() -> None:
    """A long story holds more commas than any data; quotes without an end take no longer."""
    prose = r"a, \"b\", [c]" * (MAX_MARKS // 2)
    assert parse_json(f'["{prose}"]') == [prose.replace("\\", "")]
    assert fault('"' + r"\"" * MAX_MARKS + ",[" * MAX_MARKS) == "syntax"


def test_a_number_without_end_is_named_in_our_words() -> None:
    """The interpreter's advice to its programmers helps nobody."""
    found = parse_json("9" * 5000)
    assert found == JsonFault("syntax", "a whole number of thousands of digits")


def test_a_byte_order_mark_is_skipped() -> None:
    """U+FEFF in front is no part of JSON."""
    assert parse_json("\ufeff[1]") == [1]


def test_lone_surrogates_are_replaced_in_keys_and_values() -> None:
    """A half character becomes U+FFFD, a pair one character."""
    assert parse_json('{"\\ud800":["\\udfffx","\\ud83c\\udf19"]}') == {"\ufffd": ["\ufffdx", "🌙"]}
    assert parse_json('["\ud800"]') == ["\ufffd"]
    assert dump_json("\ud800") == '"\ufffd"'


def test_writing_refuses_what_reading_never_gives() -> None:
    """NaN cannot be written by mistake."""
    with pytest.raises(ValueError):
        dump_json([float("nan")])
