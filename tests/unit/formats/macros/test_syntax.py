"""How the second generation reads braces, separators, escapes and names."""

import pytest

from huaben.formats.macros import CardTexts, Generation, Scene, Variables, expand

SCENE = Scene(char="林夏", user="Ann", card=CardTexts(description="A quiet keeper."))


def _text(template: str) -> str:
    return expand(template, SCENE).text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{reverse::abc}}", "cba"),
        ("{{reverse:abc}}", "cba"),
        ("{{reverse abc def}}", "fed cba"),
        ("{{ reverse :: abc }}", "cba"),
        ("{{reverse:a::b}}", "b::a"),
        ("{{reverse a::b}}", "b::a"),
        ("{{reverse::一\n二}}", "二\n一"),
        ("{{ UsEr }} 和 {{CHAR}}", "Ann 和 林夏"),
        ("{{!user}}{{ ? ~ user }}{{#user}}", "AnnAnnAnn"),
    ],
)
def test_every_separator_is_read(template: str, expected: str) -> None:
    """`::`, a single colon and a space all introduce an argument; white space round them is free."""
    assert _text(template) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{{char}}}", "{林夏}"),
        ("{{{{char}}}}", "{{林夏}}"),
        ('{"name":{{user}}}}', '{"name":Ann}}'),
        ("{{reverse::a { b }}", " b { a".strip()),
        ("{{reverse::a } b}}", "b } a"),
        ("]] }} {{user}} }}", "]] }} Ann }}"),
        ("{{user}}\r\n{next}", "Ann\r\n{next}"),
        ("{{char}}{{user}}", "林夏Ann"),
        ("{{&& x {{user}}", "{{&& x Ann"),
        ("{{}} {{ }} {{::}} {{123}}", "{{}} {{ }} {{::}} {{123}}"),
    ],
)
def test_braces_that_belong_to_no_macro_stay(template: str, expected: str) -> None:
    """Single, doubled and stray braces are text, and macros beside them still resolve."""
    assert _text(template) == expected


def test_a_macro_that_never_ends_stays_and_is_named() -> None:
    """An open macro at the end of the text is text; the macros after its head still resolve."""
    found = expand("门 {{ 未完 and {{user}}", SCENE)

    assert found.text == "门 {{ 未完 and Ann"
    assert [warning.code for warning in found.warnings] == ["unclosed"]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{asset::{{char}}.png}}", "{{asset::林夏.png}}"),
        ("{{未知 {{user}}}}!", "{{未知 Ann}}!"),
        ("{{#when x}}{{user}}{{/when}}", "{{#when x}}Ann{{/when}}"),
        ("{{foo+bar {{user}}}}", "{{foo+bar Ann}}"),
    ],
)
def test_an_unknown_macro_stays_with_the_known_ones_inside_expanded(
    template: str, expected: str
) -> None:
    """What another program understands is left to it, letter for letter."""
    found = expand(template, SCENE)

    assert found.text == expected
    assert "unknown_macro" in {warning.code for warning in found.warnings}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{char::x}}", "{{char::x}}"),
        ("{{reverse}}", "{{reverse}}"),
        ("{{setvar::a}}", "{{setvar::a}}"),
        ("{{reverse::a::b}}", "{{reverse::a::b}}"),
        ("{{user said {{char}}}}", "{{user said 林夏}}"),
    ],
)
def test_a_wrong_number_of_arguments_leaves_the_macro_as_typed(
    template: str, expected: str
) -> None:
    """A macro that cannot mean what it says is kept and named, not guessed at."""
    found = expand(template, SCENE)

    assert found.text == expected
    assert [warning.code for warning in found.warnings] == ["wrong_arguments"]


def test_what_stays_as_typed_runs_what_is_inside_it_once() -> None:
    """A counter inside a macro that cannot be read counts one, not two."""
    found = expand("{{char::{{incvar::n}}}}{{unknown::{{incvar::n}}}}", SCENE)

    assert found.text == "{{char::1}}{{unknown::2}}"
    assert found.variables.local == {"n": "2"}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (r"\{\{char\}\}", "{{char}}"),
        (r"{{reverse::a\}\}b}}", "b}}a"),
        (r"{{setvar::t::\{\{user\}\}}}{{getvar::t}}", "{{user}}"),
        (r"a \{ b \} c \n", r"a \{ b \} c \n"),
    ],
)
def test_escaped_braces_come_out_as_braces_and_are_not_read_again(
    template: str, expected: str
) -> None:
    """`\\{\\{x\\}\\}` shows a macro instead of running it; lone escapes are nobody's business."""
    assert _text(template) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("<USER>和<bot>，<Char>", "Ann和林夏，林夏"),
        ("<GROUP>/<CHARIFNOTGROUP>", "林夏/林夏"),
        ("{{reverse::<user>}}", "nnA"),
        ("<START>\n<users>", "<START>\n<users>"),
    ],
)
def test_angle_tags_stand_for_names(template: str, expected: str) -> None:
    """The oldest cards write names in angle brackets, in any case."""
    assert _text(template) == expected


@pytest.mark.parametrize("generation", ["two", "legacy"])
def test_letters_that_only_fold_to_ascii_are_other_letters(generation: Generation) -> None:
    """A long s or a dotted İ is not the letter it folds to."""
    template = "{{uſer}} <uſer> {{descriptİon}}"

    assert expand(template, SCENE, generation=generation).text == template


def test_arguments_are_expanded_before_the_macro_that_holds_them() -> None:
    """Nested macros work in every argument, in the order they are written."""
    found = expand("{{setvar::{{user}}_心情::{{reverse::{{char}}}}}}{{getvar::Ann_心情}}", SCENE)

    assert found.text == "夏林"
    assert found.variables == Variables(local={"Ann_心情": "夏林"})


def test_white_space_at_the_ends_of_an_argument_counts_only_where_a_macro_makes_it() -> None:
    """Arguments are trimmed as they are written; `{{noop}}` and `{{space}}` protect a blank."""
    assert _text("[{{setvar::a:: x }}{{getvar::a}}]") == "[x]"
    assert _text("[{{setvar::a::{{noop}} x {{noop}}}}{{getvar::a}}]") == "[ x ]"
    assert _text("[{{setvar::a::x{{space}}}}{{getvar::a}}]") == "[x ]"


def test_comments_vanish_whatever_they_hold() -> None:
    """A comment may span lines and hold braces, colons and macros, and none of it runs."""
    assert _text("a{{// 一 } 二 :: {x\n三 }}b") == "ab"
    assert _text("a{{//!@#$%^&*()_+}}b{{// a // b}}c") == "abc"
    found = expand("a{{// {{incvar::n}} }}b{{ // }}\n多行 {{incvar::n}}\n{{ /// }}c", SCENE)
    assert (found.text, found.variables) == ("abc", SCENE.variables)


def test_trim_eats_the_newlines_around_it() -> None:
    """A bare `{{trim}}` joins what newlines separated, at any level, and nothing but newlines."""
    assert _text("一\n\n{{trim}}\n\n二\r\n{{trim}}\r\n三") == "一二三"
    assert _text("a \n{{trim}}\n b") == "a  b"
    assert _text("a\n{{setvar::x::1}}\n{{trim}}\nb") == "ab"
    assert _text("a\n\n{{if user}}{{trim}}{{/if}}\n\nb") == "ab"


def test_plain_text_comes_back_as_the_same_object() -> None:
    """Text without macro syntax costs nothing and is returned at once, however large."""
    text = "一把旧伞。" * 1_000_000
    found = expand(text, SCENE)

    assert found.text is text
    assert found.variables is SCENE.variables
    assert found.warnings == ()
