"""The first generation: sweeps in a fixed order, without nesting."""

import pytest

from huaben.formats.macros import CardTexts, ChatFacts, Scene, Variables, expand

SCENE = Scene(char="林夏", user="Ann", card=CardTexts(description="{{char}}守灯。"))


def _text(template: str) -> str:
    return expand(template, SCENE, generation="legacy").text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{UsEr}}，<BOT>，<user>", "Ann，林夏，Ann"),
        ("{{reverse:abc}}", "cba"),
        ("{{random:{{char}},{{char}}}}", "林夏"),
        ("{{reverse:{{reverse:{{user}}}}}}", "Ann"),
        ("{{description}}", "林夏守灯。"),
        ("a\n\n{{trim}}\n\nb\n{{trim}}\nc", "abc"),
        ("a{{// 一 } 二\n三 }}b{{comment: x}}", "ab"),
        ("{{setvar::a::x::y}}{{getvar::a}}", "x::y"),
        ("{{addvar::n::2}}{{addvar::n::3}}{{getvar::n}}{{incvar::n}}", "66"),
    ],
)
def test_simple_macros_are_swept(template: str, expected: str) -> None:
    """What old cards use resolves as it did."""
    assert _text(template) == expected


def test_order_is_by_kind_not_by_place() -> None:
    """All of one kind come before all of the next: every `setvar` before any `getvar`."""
    assert _text("{{getvar::a}}{{setvar::a::1}}{{getvar::a}}{{setvar::a::2}}") == "22"


@pytest.mark.parametrize(
    "template",
    [
        "{{if user}}x{{else}}y{{/if}}",
        "{{.n = 1}}{{$n}}",
        r"\{\{a\}\}",
        "{{ user }}",
        "{{hasvar::n}}{{space}}",
    ],
)
def test_what_came_later_stays_as_typed(template: str) -> None:
    """Conditions, shorthands, escapes and inner white space belong to the second generation."""
    assert _text(template) == template


def test_a_macro_that_holds_a_later_one_stays_whole() -> None:
    """No pieces leak: the outer macro is left with the inner one resolved, nothing is stored."""
    found = expand("{{setvar::coat::{{random::red}}}}!", SCENE, generation="legacy")

    assert found.text == "{{setvar::coat::red}}!"
    assert found.variables is SCENE.variables
    found = expand("{{getvar::{{unknown}}}}", SCENE, generation="legacy")
    assert found.text == "{{getvar::{{unknown}}}}"
    assert [warning.code for warning in found.warnings] == ["nested", "unknown_macro"]


def test_what_a_sweep_has_written_is_not_swept_again() -> None:
    """Values are sealed: later sweeps cannot read macros in them, arguments still can use them."""
    scene = Scene(
        user="Ann",
        chat=ChatFacts(last_message="{{user}} {{setvar::x::1}} <BOT> {{roll:6}}", input="ab"),
        variables=Variables(local={"v": "{{user}}"}),
    )
    found = expand(
        "{{lastMessage}}|{{getvar::v}}|{{reverse:{{input}}}}", scene, generation="legacy"
    )

    assert found.text == "{{user}} {{setvar::x::1}} <BOT> {{roll:6}}|{{user}}|ba"
    assert found.variables is scene.variables


def test_noncharacters_in_the_text_are_only_text() -> None:
    """The marks of the seal may stand in a template or a value without meaning anything."""
    template = "\ufdd00\ufdd1 {{user}} \ufdd0\ufdd01\ufdd1"
    scene = Scene(user="\ufdd00\ufdd1")

    assert expand(template, scene, generation="legacy").text == (
        "\ufdd00\ufdd1 \ufdd00\ufdd1 \ufdd0\ufdd01\ufdd1"
    )


def test_warnings_quote_what_the_reader_sees() -> None:
    """A warning shows the text, not the seals in it."""
    found = expand("{{strange {{user}}}}", SCENE, generation="legacy")

    assert found.text == "{{strange Ann}}"
    assert [warning.detail for warning in found.warnings] == ["{{strange Ann"]
