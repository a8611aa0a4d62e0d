"""Macros with a body, and the conditions that choose between two."""

import pytest

from huaben.formats.macros import CardTexts, Scene, Variables, expand

SCENE = Scene(
    char="林夏",
    user="Ann",
    card=CardTexts(description="守灯人"),
    variables=Variables(
        local={"yes": "1", "no": "false", "zero": "0", "blank": "", "bang": "!x", "hp": "12"},
        globals={"on": "true"},
    ),
)


def _text(template: str) -> str:
    return expand(template, SCENE).text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{setvar::a}}灯塔 {{user}}{{/setvar}}[{{.a}}]", "[灯塔 Ann]"),
        ("{{setvar a}}1{{/setvar}}{{setvar b}}2{{/setvar}}{{.a}}{{.b}}", "12"),
        ("{{setvar a}}x{{setvar b}}y{{/setvar}}z{{/setvar}}{{.a}}|{{.b}}", "xz|y"),
        ("{{setvar a}}x{{setvar::b::1}}y{{/setvar}}{{.a}}|{{.b}}", "xy|1"),
        ("{{reverse}}abc{{/reverse}}", "cba"),
        ("{{REVERSE}}ab::c{{/Reverse}}", "c::ba"),
        ("{{trim}}  灯 {{user}}  {{/trim}}", "灯 Ann"),
        ("{{setvar::a::{{reverse}}ab{{/reverse}}-{{reverse}}cd{{/reverse}}}}{{.a}}", "ba-dc"),
        ("{{setvar::e}}{{/setvar}}[{{getvar::e}}]", "[]"),
    ],
)
def test_what_stands_between_the_tags_is_the_last_argument(template: str, expected: str) -> None:
    """`{{name a}}b{{/name}}` is `{{name::a::b}}`, nested or not."""
    assert _text(template) == expected


@pytest.mark.parametrize(
    "template",
    [
        "a {{/setvar}} b",
        "{{/unknown}}{{/user}}",
        "{{/getvar::x}}",
        "{{setvar::x}}y{{/getvar}}",
        "{{setvar::x::old}}extra{{/setvar}}",
    ],
)
def test_tags_without_a_partner_stay_as_typed(template: str) -> None:
    """A closing tag that closes nothing, and a body that is one argument too many, are kept."""
    assert _text(template) == template


def test_a_macro_that_takes_no_argument_stays_with_its_body_expanded() -> None:
    """`{{user}}…{{/user}}` means nothing, but what is inside still does."""
    assert _text("{{user}}Hi {{char}}{{/user}}") == "{{user}}Hi 林夏{{/user}}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("\n  a  \n", "a"),
        ("\n  # 标题\n    缩进\n\n  正文  \n", "# 标题\n  缩进\n\n正文"),
        ("\n\n\n    one\n  two\n", "one\ntwo"),
        ("\n　　一\n　　二\n", "一\n二"),
        ("first\n  second", "first\n  second"),
        ("   ", ""),
    ],
)
def test_a_body_is_trimmed_and_loses_its_indentation(body: str, expected: str) -> None:
    """Every line loses the indentation of the first line that is not blank."""
    assert _text(f"{{{{setvar::a}}}}{body}{{{{/setvar}}}}[{{{{.a}}}}]") == f"[{expected}]"


def test_the_hash_flag_keeps_white_space() -> None:
    """`{{#name}}` takes its body as it stands."""
    assert _text("{{#setvar::a}}\n  x  \n{{/setvar}}[{{.a}}]") == "[\n  x  \n]"
    assert _text("[{{#if yes}}\n  x\n{{else}}y{{/if}}]") == "[\n  x\n]"


def test_indentation_that_a_macro_says_is_not_touched() -> None:
    """Only what the template writes is laid out anew."""
    scene = Scene(variables=Variables(local={"poem": "a\n    b"}))
    found = expand("{{setvar::t}}\n    {{.poem}}\n    c\n{{/setvar}}{{.t}}", scene)

    assert found.text == "a\n    b\nc"


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("hello", True),
        ("::", False),
        ("::false", False),
        ("::OFF", False),
        ("::0", False),
        ("no", True),
        ("user", True),
        ("DESCRIPTION", True),
        ("scenario", False),
        ("noop", False),
        ("!noop", True),
        ("! user", False),
        ("::!", True),
        (".yes", True),
        (".no", False),
        (".blank", False),
        (".missing", False),
        ("!.missing", True),
        ("$on", True),
        ("!$on", False),
        (".hp > 10", True),
        (".hp == 12", True),
        (".hp < {{getvar::zero}}", False),
        ("{{getvar::no}}", False),
        ("!{{getvar::blank}}", True),
        ("{{getvar::bang}}", True),
        ("{{hasvar::hp}} == true", True),
    ],
)
def test_a_condition_is_a_name_a_variable_or_a_text(condition: str, *, holds: bool) -> None:
    """Empty, `false`, `off` and `0` are no, all else is yes; only a written `!` inverts."""
    head = f"if{condition}" if condition.startswith("::") else f"if {condition}"

    assert _text(f"{{{{{head}}}}}是{{{{else}}}}否{{{{/if}}}}") == ("是" if holds else "否")


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{if::yes::shown}}|{{if::0::hidden}}|{{if::::hidden}}", "shown||"),
        ("{{if 0}}a{{else}}b{{if 0}}c{{else}}d{{/if}}{{/if}}", "bd"),
        ("{{if 1}}a{{if 1}}b{{else}}c{{/if}}{{else}}d{{/if}}", "ab"),
        ("{{if 0}}{{if::1::a}}{{if::1::b}}{{else}}c{{/if}}", "c"),
        ("{{if 1}}\n  一\n  二\n{{else}}\n  三\n{{/if}}", "一\n二"),
        ("{{if 0}}\n  一\n{{else}}\n  二\n    三\n{{/if}}", "二\n  三"),
        ("{{setvar::a::{{if 0}}x{{else}}y{{/if}}}}{{.a}}", "y"),
        ("{{else}}", "{{else}}"),
    ],
)
def test_one_branch_is_taken(template: str, expected: str) -> None:
    """The `{{else}}` of the same `if` divides the branches; without one the other is empty."""
    assert _text(template) == expected


def test_the_branch_not_taken_does_nothing() -> None:
    """Branches are lazy: what is not shown writes no variable and is not volatile."""
    found = expand(
        "{{if 0}}{{setvar::a::wrong}}{{random::x::y}}{{else}}{{setvar::a::right}}{{/if}}", Scene()
    )

    assert found.variables.local == {"a": "right"}
    assert found.volatile == ()


def test_an_if_with_a_condition_alone_stays_as_typed() -> None:
    """Without a body there is nothing to choose."""
    assert _text("{{if user}}") == "{{if user}}"
