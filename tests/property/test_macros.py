"""What holds of every template: it ends, in bounds, without raising, and only templates are read."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from huaben.formats.macros import (
    CardTexts,
    ChatFacts,
    Generation,
    Limits,
    ModelFacts,
    Scene,
    Variables,
    expand,
)

PIECES = (
    "{{", "}}", "{", "}", "::", ":", "\\{\\{", "\\}\\}", "\\", ",", " ", "\n", "  x\n", "!", "#", "/",
    "{{user}}", "{{char}}", "<USER>", "<bot>", "{{description}}", "{{scenario}}", "{{original}}",
    "{{lastMessage}}", "{{time}}", "{{timeDiff::9:00::2024-01-01}}", "{{idleDuration}}",
    "{{random::a::", "{{random:a,b", "{{pick::", "{{roll:2d6}}", "{{roll:9999999d9}}",
    "{{setvar::x::", "{{setvar x}}", "{{/setvar}}", "{{addvar::x::", "{{incvar::x}}", "{{getvar::x}}",
    "{{hasvar::x}}", "{{deletevar::x}}", "{{.x = ", "{{.x ||= ", "{{$y ?? ", "{{.x}}", "{{.x++}}",
    "{{.x += ", "{{.x > 3}}", "{{if ", "{{if .x}}", "{{if user}}", "{{#if ::", "{{else}}", "{{/if}}",
    "{{reverse::", "{{trim}}", "{{newline::3}}", "{{newline::99999999}}", "{{// ", "{{ /// }}",
    "{{hidden_key:龙}}", "{{outlet::o}}", "{{unknown ", "{{/unknown}}", "{{datetimeformat ", "if",
    "user", "龙王", "é👍🏽", "1", "0", "\ufdd0", "\ufdd01\ufdd1", "\ud800", "{{uſer}}", "<uſer>", "{{TİME}}",
)  # fmt: skip

soup = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
generations = st.sampled_from(["two", "legacy"])
limits = st.sampled_from([Limits(), Limits(depth=3, max_bytes=200, steps=25), Limits(0, 0, 0)])
NOW = datetime(2026, 11, 5, 9, 59, tzinfo=UTC)


def _scene(description: str, scenario: str) -> Scene:
    return Scene(
        char="林夏",
        user="Ann",
        card=CardTexts(description=description, scenario=scenario),
        original=scenario,
        chat=ChatFacts(last_message=description),
        outlets={"o": scenario},
        variables=Variables(local={"x": scenario}),
        now=NOW,
    )


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


@given(soup, soup, soup, generations, limits)
def test_every_expansion_ends_within_its_bounds(
    template: str, description: str, scenario: str, generation: Generation, bounds: Limits
) -> None:
    """Whatever the braces, nothing raises, the result is bounded, and it is the same every time."""
    scene = _scene(description, scenario)
    found = expand(template, scene, generation=generation, limits=bounds)

    assert _size(found.text) <= max(bounds.max_bytes, 2 * _size(template))
    assert expand(template, scene, generation=generation, limits=bounds) == found


@given(st.text(), generations)
def test_text_without_macro_syntax_is_unchanged(text: str, generation: Generation) -> None:
    """No brace pair, no angle tag, no escape: nothing to read."""
    plain = text.replace("{{", "{ {").replace("<", "《").replace("\\", "/")
    found = expand(plain, _scene("", ""), generation=generation)

    assert found.text == plain
    assert found.warnings == ()
    assert found.volatile == ()


@given(soup, generations)
def test_what_is_not_a_template_comes_out_as_it_went_in(typed: str, generation: Generation) -> None:
    """Chat texts, outlets and variables pass through letter for letter and do nothing."""
    scene = Scene(
        user="Ann",
        chat=ChatFacts(last_message=typed),
        outlets={"o": typed},
        variables=Variables(local={"x": typed}),
    )
    found = expand("[{{lastMessage}}|{{outlet::o}}|{{getvar::x}}]", scene, generation=generation)

    assert found.text == f"[{typed}|{typed}|{typed}]"
    assert found.variables is scene.variables
    assert found.hidden_keys == ()


@given(soup, soup, generations)
def test_a_template_without_volatile_macros_says_the_same_at_every_build(
    template: str, description: str, generation: Generation
) -> None:
    """What is not flagged does not depend on seed, clock, chat, model call or variables."""
    card = CardTexts(description=description, scenario="S {{char}}")
    first = expand(template, Scene(char="A", card=card, now=NOW), generation=generation)
    if first.volatile:
        return
    later = Scene(
        char="A",
        card=card,
        chat=ChatFacts(last_message="new", last_message_id=9, summary="s", input="i"),
        model=ModelFacts(kind="swipe"),
        variables=Variables(local={"x": "7"}, globals={"y": "z"}),
        now=NOW + timedelta(days=40, minutes=3),
        idle=timedelta(hours=5),
        seed=99,
    )

    assert expand(template, later, generation=generation).text == first.text
