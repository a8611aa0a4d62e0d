"""Acceptance cases M01 … M14 and P10: each fault once reported elsewhere, and the right value."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from huaben.formats.macros import (
    CardTexts,
    ChatFacts,
    Generation,
    Limits,
    Scene,
    Variables,
    expand,
)

BOTH = pytest.mark.parametrize("generation", ["two", "legacy"])


@BOTH
def test_m01_nested_random_takes_one_branch_and_leaks_nothing(generation: Generation) -> None:
    """A list in a list gives a third to each item, and the inner items share theirs."""
    template = "{{random:red,{{random:green,blue}},yellow}}"
    counts = Counter(
        expand(template, Scene(seed=n), generation=generation).text for n in range(10_000)
    )

    assert set(counts) == {"red", "green", "blue", "yellow"}
    for item, share in (("red", 1 / 3), ("green", 1 / 6), ("blue", 1 / 6), ("yellow", 1 / 3)):
        assert counts[item] / 10_000 == pytest.approx(share, abs=0.02)


@BOTH
def test_m01_nested_lists_with_colons_leave_no_brace(generation: Generation) -> None:
    """Exactly one of the four, never a piece of the syntax."""
    template = "{{random::甲::{{random::乙::丙}}::丁}}"
    texts = {expand(template, Scene(seed=n), generation=generation).text for n in range(500)}

    assert texts == {"甲", "乙", "丙", "丁"}


@BOTH
def test_m02_too_many_dice_stay_as_typed(generation: Generation) -> None:
    """A roll that would never end is not thrown."""
    found = expand("You roll {{roll:999999999d999}}.", Scene(), generation=generation)

    assert found.text == "You roll {{roll:999999999d999}}."
    assert [warning.code for warning in found.warnings] == ["too_large"]


def test_m02_a_doubling_variable_stops_at_the_size_limit() -> None:
    """Forty doublings stop at a mebibyte: what fits is kept clean, the rest stays as typed."""
    doubling = "{{setvar::x::{{getvar::x}}{{getvar::x}}}}"
    found = expand("{{setvar::x::ab}}" + doubling * 40 + "{{getvar::x}}", Scene())

    assert set(found.variables.local["x"]) == {"a", "b"}
    assert len(found.variables.local["x"]) <= 1 << 20
    assert len(found.text.encode()) <= 1 << 20
    assert found.text.startswith(doubling)
    assert "too_large" in {warning.code for warning in found.warnings}


def test_m02_a_doubling_variable_is_whole_in_the_first_generation() -> None:
    """There the inner macros are read after the outer, so nothing doubles and nothing is lost."""
    doubling = "{{setvar::x::{{getvar::x}}{{getvar::x}}}}"
    found = expand("{{setvar::x::ab}}" + doubling * 40, Scene(), generation="legacy")

    assert found.text == "{{setvar::x::abab}}" * 40
    assert found.variables.local == {"x": "ab"}


@BOTH
@pytest.mark.parametrize("name", ["reverse", "random", "if", "unknown", "setvar::x"])
def test_m02_nesting_without_end_is_kept_as_text(name: str, generation: Generation) -> None:
    """Ten thousand levels neither raise nor run, and the text of the outer ones is still there."""
    template = f"前 {'{{' + name + '::'}" + f"{{{{{name}::" * 9_999 + "x" + "}}" * 10_000 + " 后"
    found = expand(template, Scene(), generation=generation)

    assert found.text.startswith(f"前 {{{{{name}::")
    assert found.text.endswith(" 后")
    assert found.warnings
    if generation == "two":
        assert found.text == template
        assert [warning.code for warning in found.warnings] == ["too_deep"]


@BOTH
def test_m02_an_endless_list_of_macros_stops_at_the_step_limit(generation: Generation) -> None:
    """Past the budget macros stay as typed, each whole, and the reason is named."""
    found = expand(
        "{{user}} " * 30, Scene(user="Ann"), generation=generation, limits=Limits(steps=20)
    )

    assert found.text == "Ann " * 20 + "{{user}} " * 10
    assert [warning.code for warning in found.warnings] == ["too_many_steps"]


@BOTH
def test_m04_an_empty_original_is_empty_and_comes_once(generation: Generation) -> None:
    """`{{original}}` is what would have been used, once, even if that is nothing."""
    override = "A {{original}} B"

    assert expand(override, Scene(original=""), generation=generation).text == "A  B"
    scene = Scene(user="Ann", original="默认给 {{user}}")
    twice = expand(f"{override} {{{{original}}}}|", scene, generation=generation)
    assert twice.text == "A 默认给 Ann B |"


@BOTH
def test_m04_an_original_never_contains_itself(generation: Generation) -> None:
    """A default that names itself ends there; outside of overrides the macro stays as typed."""
    scene = Scene(original="x{{original}}y")

    assert expand("A {{original}} B", scene, generation=generation).text == "A xy B"
    assert expand("{{original}}", Scene(), generation=generation).text == "{{original}}"


@BOTH
@pytest.mark.parametrize(
    ("text", "reversed_text"),
    [
        ("a👍🏽b", "b👍🏽a"),
        ("你好", "好你"),
        ("e\u0301x", "xe\u0301"),
        ("👩‍👩‍👧🇨🇳", "🇨🇳👩‍👩‍👧"),
        ("a\r\nb", "b\r\na"),
    ],
)
def test_m05_reverse_keeps_what_a_reader_sees_as_one(
    text: str, reversed_text: str, generation: Generation
) -> None:
    """Emoji with skin tones, families, flags and accents stay whole."""
    found = expand(f"{{{{reverse:{text}}}}}", Scene(), generation=generation)

    assert found.text == reversed_text


@BOTH
def test_m07_names_are_read_in_any_case(generation: Generation) -> None:
    """`{{UsEr}}` and `{{GETVAR::k}}` are the macros they look like; variable names keep their case."""
    scene = Scene(user="Ann", variables=Variables(local={"k": "值"}))
    found = expand("{{UsEr}}{{GETVAR::k}}{{getvar::K}}", scene, generation=generation)

    assert found.text == "Ann值"


@BOTH
def test_m08_numbers_are_added_and_texts_joined(generation: Generation) -> None:
    """20 and 2 make 22, 20 and x make 20x."""
    added = expand("{{setvar::n::20}}{{addvar::n::2}}{{getvar::n}}", Scene(), generation=generation)
    joined = expand(
        "{{setvar::n::20}}{{addvar::n::x}}{{getvar::n}}", Scene(), generation=generation
    )

    assert (added.text, joined.text) == ("22", "20x")


@BOTH
def test_m10_macros_that_arrive_through_macros_are_resolved(generation: Generation) -> None:
    """Card texts inside card texts resolve wherever they enter a prompt."""
    scene = Scene(
        char="林夏",
        user="Ann",
        persona="<USER>, a guest of {{char}}",
        card=CardTexts(
            description="{{char}}住在灯塔。",
            scenario="{{description}}下雨了。",
            greetings=("{{scenario}}",),
        ),
        texts={"authorsnote": "Be kind to {{user}}."},
    )
    found = expand("{{greeting}} {{persona}} {{authorsNote}}", scene, generation=generation)

    assert found.text == "林夏住在灯塔。下雨了。 Ann, a guest of 林夏 Be kind to Ann."


@BOTH
@pytest.mark.parametrize(
    "field", ["lastMessage", "lastUserMessage", "lastCharMessage", "summary", "input"]
)
def test_m10_what_users_type_and_models_write_is_no_template(
    field: str, generation: Generation
) -> None:
    """Their macros come out as typed and change nothing."""
    typed = "{{setvar::gold::999}}{{user}} <BOT> \\{\\{x\\}\\} {{random::a::b}}"
    chat = ChatFacts(
        last_message=typed,
        last_user_message=typed,
        last_char_message=typed,
        summary=typed,
        input=typed,
    )
    scene = Scene(user="Ann", char="林夏", chat=chat)
    found = expand(f"他说：{{{{{field}}}}}", scene, generation=generation)

    assert found.text == f"他说：{typed}"
    assert found.variables is scene.variables
    assert found.volatile == (field,)


def test_m11_a_greeting_chooses_once_for_the_whole_chat() -> None:
    """The choice is stored as a variable, so every later text sees the same coat."""
    greeting = "{{setvar::coat::{{random::red::blue}}}}门开了。"
    coats: set[str] = set()
    for seed in range(30):
        opened = expand(greeting, Scene(seed=seed))
        coat = opened.variables.local["coat"]
        coats.add(coat)
        for later in range(3):
            scene = Scene(seed=100 + later, variables=opened.variables)
            assert expand("A {{getvar::coat}} coat.", scene).text == f"A {coat} coat."
        assert opened.text == "门开了。"
        assert "random" in opened.volatile
    assert coats == {"red", "blue"}


@BOTH
def test_m13_comments_are_empty_and_hidden_keys_only_scanned(generation: Generation) -> None:
    """A hidden key leaves the prompt but is still a key; a comment is neither."""
    found = expand(
        "a{{// 注释 } 里的\n dragon }}b{{hidden_key:dragon}}c{{hidden_key:龙王}}{{comment: dragon}}",
        Scene(),
        generation=generation,
    )

    assert found.text == "abc"
    assert found.hidden_keys == ("dragon", "龙王")


@BOTH
def test_m14_volatile_macros_of_the_prefix_are_flagged(generation: Generation) -> None:
    """Chance and clock are named, also where they arrive through a card text; names are not."""
    scene = Scene(
        char="林夏",
        card=CardTexts(description="现在 {{time}}，{{random::晴::雨}}。"),
        now=datetime(2026, 11, 5, 8, 30, tzinfo=UTC),
    )

    assert expand("{{char}}: {{description}}", scene, generation=generation).volatile == (
        "time",
        "random",
    )
    assert expand("{{char}} {{pick::a::b}}", scene, generation=generation).volatile == ()


@BOTH
def test_p10_a_prefix_built_again_for_the_same_session_is_the_same(generation: Generation) -> None:
    """With the session's seed and clock even volatile macros give the same bytes, and a later
    chance does not depend on how long an earlier value came out."""
    template = "{{lastMessage}}{{time}} {{random::a::b::c}}{{roll:d1000}} {{pick::x::y}}"
    now = datetime(2026, 11, 5, 9, 59, tzinfo=UTC)
    session = Scene(seed=11, pick_seed=12, now=now)

    first = expand(template, session, generation=generation)
    assert expand(template, session, generation=generation) == first
    later = Scene(
        seed=11,
        pick_seed=12,
        now=now + timedelta(minutes=1),
        chat=ChatFacts(last_message="很长的话"),
    )
    assert (
        expand(template, later, generation=generation).text.split(" ")[-2:]
        == (first.text.split(" ")[-2:])
    )
