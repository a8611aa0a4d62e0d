"""Chance that a seed decides: lists, picks and dice."""

from collections import Counter

import pytest

from huaben.formats.macros import Generation, Scene, expand


@pytest.mark.parametrize("generation", ["two", "legacy"])
@pytest.mark.parametrize(
    ("template", "items"),
    [
        ("{{random::红::蓝}}", {"红", "蓝"}),
        ("{{random:红, 蓝 ,绿}}", {"红", "蓝", "绿"}),
        (r"{{random:a\,b,c}}", {"a,b", "c"}),
        ("{{random::a,b::c}}", {"a,b", "c"}),
        ("{{pick:x,y}}", {"x", "y"}),
        ("{{random::only}}", {"only"}),
    ],
)
def test_a_list_is_written_with_colons_or_commas(
    template: str, items: set[str], generation: Generation
) -> None:
    """Commas divide a single argument, `\\,` is a comma; every item comes up."""
    found = {
        expand(template, Scene(seed=n, pick_seed=n), generation=generation).text for n in range(99)
    }
    assert found == items


def test_a_comma_that_a_nested_macro_says_divides_nothing() -> None:
    """Only the template's own commas make a list."""
    texts = {expand("{{random:{{char}},x}}", Scene(char="Li, Wei", seed=n)).text for n in range(50)}

    assert texts == {"Li, Wei", "x"}


@pytest.mark.parametrize("generation", ["two", "legacy"])
def test_the_same_seed_gives_the_same_text(generation: Generation) -> None:
    """Nothing but the seed and the place decides, so a build can be repeated."""
    template = "{{random::a::b::c}}{{roll:d20}}{{pick::x::y}}" * 5
    scene = Scene(seed=7, pick_seed=9)

    first = expand(template, scene, generation=generation)
    assert expand(template, scene, generation=generation) == first
    assert expand(template, Scene(seed=8, pick_seed=9), generation=generation) != first


def test_equal_macros_in_two_places_choose_apart() -> None:
    """A second identical macro is a second throw, in arguments and bodies too."""
    template = (
        "{{random::a::b}}{{random::a::b}}"
        "{{if 1}}{{random::a::b}}{{/if}}{{banned::{{random::a::b}}}}{{random::{{random::a::b}}}}"
    )
    texts = Counter(expand(template, Scene(seed=n)).text for n in range(300))

    assert len(texts) == 16


def test_pick_keeps_its_choice_while_random_moves() -> None:
    """`pick` follows the chat's seed alone, `random` the session's."""
    picks = {expand("{{pick::a::b::c}}", Scene(seed=n)).text for n in range(50)}
    texts = {expand("{{random::a::b::c}}", Scene(seed=n)).text for n in range(50)}

    assert len(picks) == 1
    assert len(texts) == 3
    assert expand("{{pick::a::b}}{{random::a::b}}", Scene()).volatile == ("random",)


@pytest.mark.parametrize("generation", ["two", "legacy"])
@pytest.mark.parametrize(
    ("formula", "lowest", "highest"),
    [("d6", 1, 6), ("2d4+3", 5, 11), ("1D1-5", -4, -4), ("3", 1, 3), ("2d6 + 1", 3, 13)],
)
def test_dice_fall_within_their_bounds(
    formula: str, lowest: int, highest: int, generation: Generation
) -> None:
    """`XdY+Z`, a bare number is one die."""
    rolls = [
        int(expand(f"{{{{roll:{formula}}}}}", Scene(seed=n), generation=generation).text)
        for n in range(200)
    ]
    assert (min(rolls), max(rolls)) == (lowest, highest)


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("abc", "invalid_argument"),
        ("0d6", "invalid_argument"),
        ("2d0", "invalid_argument"),
        ("d", "invalid_argument"),
        ("２d６", "invalid_argument"),
        ("1001d6", "too_large"),
        ("1d99999999999999999999", "too_large"),
    ],
)
def test_dice_that_cannot_be_thrown_stay_as_typed(formula: str, code: str) -> None:
    """A formula that says nothing, or asks for too many dice, is kept and named."""
    found = expand(f"{{{{roll:{formula}}}}}", Scene())

    assert found.text == f"{{{{roll:{formula}}}}}"
    assert [warning.code for warning in found.warnings] == [code]
