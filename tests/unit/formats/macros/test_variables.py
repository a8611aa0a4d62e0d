"""Variables: by name, by shorthand, and the arithmetic that both share."""

import pytest

from huaben.formats.macros import Limits, Scene, Variables, expand
from huaben.formats.macros.numbers import number_text, to_number

SCENE = Scene(
    user="Ann",
    variables=Variables(
        local={"n": "10", "text": "旧伞", "blank": "", "zero": "0"}, globals={"g": "7"}
    ),
)


def _text(template: str) -> str:
    return expand(template, SCENE).text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{setvar::a::1}}{{getvar::a}}{{setvar::a::2}}{{getvar::a}}", "12"),
        ("{{setvar::a::007}}{{getvar::a}}", "007"),
        ("{{getvar::missing}}", ""),
        ("{{incvar::n}},{{decvar::n}},{{decvar::n}}", "11,10,9"),
        ("{{incvar::new}}{{decvar::other}}", "1-1"),
        ("{{addvar::n::2.5}}{{getvar::n}}", "12.5"),
        ("{{addvar::new::伞}}{{getvar::new}}", "伞"),
        ("{{hasvar::blank}}{{varexists::missing}}", "truefalse"),
        ("{{deletevar::n}}{{hasvar::n}}{{flushvar::n}}", "false"),
        ("{{getglobalvar::g}}{{incglobalvar::g}}{{decglobalvar::g}}", "787"),
        ("{{setglobalvar::n::x}}{{getvar::n}}{{getglobalvar::n}}", "10x"),
        ("{{addglobalvar::g::1}}{{getglobalvar::g}}", "8"),
        ("{{hasglobalvar::g}}{{deleteglobalvar::g}}{{globalvarexists::g}}", "truefalse"),
        ("{{flushglobalvar::g}}{{getglobalvar::g}}", ""),
    ],
)
def test_variables_are_read_and_written_by_name(template: str, expected: str) -> None:
    """Local and global variables are apart; writing says nothing, counting says the new value."""
    assert _text(template) == expected


@pytest.mark.parametrize(
    ("value", "amount", "expected"),
    [
        ("20", "2", "22"),
        ("20", "x", "20x"),
        ("x", "20", "x20"),
        ("0.1", "0.2", "0.30000000000000004"),
        ("1e21", "0", "1e+21"),
        ("10", "", "10"),
        ("旧", "伞", "旧伞"),
        ("[1]", "伞", '[1,"伞"]'),
        ("[broken", "x", "[brokenx"),
        ("９", "1", "９1"),
        ("9" * 401, "1", "9" * 401 + "1"),
    ],
)
def test_adding_counts_numbers_and_joins_everything_else(
    value: str, amount: str, expected: str
) -> None:
    """Numbers are added, a list grows by one item, any other text is written behind the first."""
    scene = Scene(variables=Variables(local={"v": value, "by": amount}))

    assert expand("{{addvar::v::{{.by}}}}{{.v}}", scene).text == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{.n}}{{$g}}{{ .text }}", "107旧伞"),
        ("{{.a = 你好 {{user}}}}{{.a}}", "你好 Ann"),
        ("{{.my-var_1=x}}{{getvar::my-var_1}}", "x"),
        ("{{.好感 += 5}}{{.好感}}", "5"),
        ("{{.n++}}{{.n--}}{{ .n ++ }}{{$g--}}", "1110116"),
        ("{{.n += 3}}{{.n}}", "13"),
        ("{{.n -= 3}}{{.n}}", "7"),
        ("{{.text -= 3}}{{.text}}", "旧伞"),
        ("{{.n -= }}{{.n}}", "10"),
        ("{{.text += {{noop}} 新}}{{.text}}", "旧伞 新"),
        ("{{.zero || Guest}}{{.n || Guest}}", "Guest10"),
        ("{{.blank ?? x}}|{{.none ?? x}}", "|x"),
        ("{{.zero ||= 5}}{{.zero}}", "55"),
        ("{{.blank ??= 5}}|{{.none ??= 6}}{{.none}}", "|66"),
        ("{{.n == 10}}{{.n != 10}}{{.blank ==}}", "truefalsetrue"),
        ("{{.n > 9}}{{.n >= 10}}{{.n < 10}}{{.n <= 9.5}}", "truetruefalsefalse"),
        ("{{.text > 1}}{{.n > -5}}", "falsetrue"),
        ("{{.a = }}[{{.a}}]", "[]"),
        ("{{.a = b::c}}{{.a}}", "b::c"),
    ],
)
def test_shorthands_read_and_write_in_place(template: str, expected: str) -> None:
    """`.` is the chat's, `$` everyone's; operators follow the variable macros."""
    assert _text(template) == expected


@pytest.mark.parametrize("template", ["{{.n++5}}", "{{.n -- 5}}", "{{.5}}", "{{.n ! 3}}", "{{$}}"])
def test_a_shorthand_that_cannot_be_read_stays(template: str) -> None:
    """An operator in the wrong place is no operator."""
    assert _text(template) == template


def test_a_fallback_is_expanded_only_when_it_is_needed() -> None:
    """`||` and `??` are lazy, and what they need is expanded once."""
    assert _text("{{.n ?? {{.t = 1}}x}}[{{.t}}]") == "10[]"
    assert _text("{{.none ?? {{.t += 1}}x}}[{{.t}}]") == "x[1]"
    assert _text("{{.n ||= {{.t = 1}}x}}[{{.t}}]") == "10[]"
    assert _text("{{.n == {{.t = 1}}10}}[{{.t}}]") == "true[1]"


def test_the_given_variables_are_never_changed() -> None:
    """An expansion gives new variables; the scene keeps its own, and they are the same if unwritten."""
    before = Variables(local={"a": "1"})
    scene = Scene(variables=before)

    assert expand("{{incvar::a}}{{setglobalvar::b::2}}", scene).variables == Variables(
        local={"a": "2"}, globals={"b": "2"}
    )
    assert before == Variables(local={"a": "1"})
    assert expand("{{getvar::a}}", scene).variables is before


def test_what_a_variable_holds_is_never_a_template() -> None:
    """Macros inside a value come out as typed, in both generations."""
    scene = Scene(user="Ann", variables=Variables(local={"v": "{{user}} <USER> {{incvar::n}}"}))

    for found in (
        expand("{{getvar::v}}", scene),
        expand("{{getvar::v}}", scene, generation="legacy"),
        expand("{{.v}}", scene),
    ):
        assert found.text == "{{user}} <USER> {{incvar::n}}"
        assert found.variables is scene.variables


def test_reading_is_volatile_unless_the_template_itself_decided_the_value() -> None:
    """A value from elsewhere may differ at the next build; one that was just set cannot."""
    assert expand("{{getvar::a}}{{hasvar::b}}{{$c}}{{incvar::d}}", SCENE).volatile == (
        "getvar",
        "hasvar",
        "getglobalvar",
        "incvar",
    )
    assert (
        expand("{{setvar::a::1}}{{getvar::a}}{{incvar::a}}{{.b = 2}}{{.b}}", SCENE).volatile == ()
    )


def test_all_variables_together_are_bounded() -> None:
    """Growing past the limit is refused in place; what was stored before stays."""
    found = expand("{{setvar::a::abcde}}{{.a += fghij}}{{.a}}", Scene(), limits=Limits(max_bytes=8))
    assert found.text == "{{.a += fghij}}abcde"
    assert [warning.code for warning in found.warnings] == ["too_large"]


@pytest.mark.parametrize(
    ("number", "text"),
    [(22.0, "22"), (-0.0, "0"), (0.00001, "0.00001"), (1e-7, "1e-7"), (1.5e300, "1.5e+300")],
)
def test_numbers_are_written_as_javascript_writes_them(number: float, text: str) -> None:
    """Cards compare these texts, so 22 is never 22.0."""
    assert number_text(number) == text
    assert to_number(text) == number


@pytest.mark.parametrize("text", ["", "x", "1_000", "0x1f", "Infinity", "1e999", "１", "1 2"])
def test_what_is_no_plain_number_is_none(text: str) -> None:
    """Only finite decimal numbers in ASCII digits count."""
    assert to_number(text) is None
