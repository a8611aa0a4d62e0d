"""Regex scripts: which text they meet, what they make of it, and that none of them holds a turn up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pytest

from huaben.domain.scriptrun import Expand, Memory, Run, run
from huaben.domain.scripts import Moment, Passage, Placement, Script, in_force, ordered

REPLY: frozenset[Placement] = frozenset({"reply"})


def a_script(pattern: str, replacement: str = "", **changes: object) -> Script:
    values: dict[str, object] = {
        "id": pattern + replacement,
        "name": pattern,
        "pattern": pattern,
        "flags": "g",
        "replacement": replacement,
        "placements": REPLY,
    }
    return Script(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


def ticking() -> Callable[[], float]:
    """A clock that stands still: nothing depends on how fast the machine is."""
    return lambda: 0.0


def plain(text: str, seed: int) -> str:
    return text.replace("{{user}}", "Ann").replace("{{seed}}", str(seed)).replace("{{dot}}", "a.c")


def ran(
    scripts: Sequence[Script],
    *texts: str,
    moment: Moment = "stored",
    expand: Expand = plain,
    memory: Memory | None = None,
) -> Run:
    passages = [Passage(text, "reply") for text in texts]
    return run(scripts, moment, passages, ticking(), expand, memory)


def after(script: Script, text: str, **about: object) -> str:
    return ran([script], text, **about).passages[0].text  # pyright: ignore[reportArgumentType] - passed on


# ---- what they make of a text ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "flags", "replacement", "text", "becomes"),
    [
        ("雨", "", "雪", "雨夜，雨声", "雪夜，雨声"),
        ("雨", "g", "雪", "雨夜，雨声", "雪夜，雪声"),
        (r"\*(.+?)\*", "g", "<i>$1</i>", "*slow* and *soft*", "<i>slow</i> and <i>soft</i>"),
        (r"(?<who>\w+):", "", "[$<who>]", "Ann: hi", "[Ann] hi"),
        (r"(a)(b)?", "", "$1-$2-$3", "a", "a--"),
        (r"(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)", "", "$10$1", "abcdefghij", "ja"),
        ("HELLO", "i", "{{match}}, {{user}}", "say hello", "say hello, Ann"),
        ("b", "", "$0$0", "abc", "abbc"),
        ("^x", "gm", "-", "x\nx", "-\n-"),
        ("a.b", "s", "!", "a\nb", "!"),
        ("^a", "y", "!", "aa", "!a"),
        ("x*", "g", "-", "abxd", "-a-b--d-"),
        ("<状态>[^]*?</状态>", "g", "", "好。<状态>\n冷</状态>", "好。"),
        ("$", "", "!", "a", "a!"),
    ],
)
def test_a_match_is_replaced_as_in_javascript(
    pattern: str, flags: str, replacement: str, text: str, becomes: str
) -> None:
    """First match alone without g; groups by number and name, missing ones empty."""
    assert after(a_script(pattern, replacement, flags=flags), text) == becomes


def test_what_is_trimmed_is_taken_off_every_group() -> None:
    """Its macros are resolved too."""
    script = a_script(r"(.+)", "<$1|{{match}}>", trim=("“", "”", "{{user}}"), flags="")
    assert after(script, "“Ann goes”") == "< goes| goes>"


def test_what_was_matched_is_no_template() -> None:
    """M10: a macro that a person or a model wrote stays as it is typed."""
    script = a_script(r"say (.+)", "{{user}}: $1", flags="")
    assert after(script, "say {{user}} {{seed}}") == "Ann: {{user}} {{seed}}"


def test_macros_may_hold_groups() -> None:
    """The group arrives where the macro put it."""

    def reverse(text: str, seed: int) -> str:
        del seed
        head, _, rest = text.partition("{{reverse:")
        inner, _, tail = rest.partition("}}")
        return head + inner[::-1] + tail if rest else text

    script = a_script("(a)(b)", "[{{reverse:$1$2}}]", flags="")
    assert after(script, "ab", expand=reverse) == "[ba]"


@pytest.mark.parametrize(
    ("macros", "text", "becomes"),
    [("none", "a.c abc", "a.c abc"), ("raw", "abc", "!"), ("escaped", "abc a.c", "abc !")],
)
def test_macros_in_the_pattern(macros: str, text: str, becomes: str) -> None:
    """Left alone, as a pattern, or letter by letter."""
    assert after(a_script("{{dot}}", "!", macros=macros), text) == becomes


def test_scripts_run_one_after_the_other() -> None:
    """Global, then the preset's, then the card's, each on what the one before left."""
    scripts = [
        a_script("3", "4", scope="card"),
        a_script("1", "2", scope="global"),
        a_script("2", "3", scope="preset"),
    ]
    assert ran(ordered(scripts), "1").passages[0].text == "4"
    assert ran(ordered(scripts), "1").passages[0].changed == ("1", "2", "3")


def test_p08_a_message_emptied_by_scripts_is_flagged() -> None:
    """P08: with the name of the script that did it; a blank one was not emptied."""
    run_ = ran([a_script("[^]*", "", flags="", name="清空")], "旧事。", "  ")
    assert [(one.text, one.emptied, one.changed) for one in run_.passages] == [
        ("", True, ("清空",)),
        ("", False, ("清空",)),
    ]


# ---- which text they meet ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("display", "prompt", "moments"),
    [
        (False, False, {"stored"}),
        (True, False, {"display"}),
        (False, True, {"prompt"}),
        (True, True, {"display", "prompt"}),
    ],
)
def test_p07_marks_say_when(display: bool, prompt: bool, moments: set[Moment]) -> None:
    """P07: unmarked ones change what is stored, others never do."""
    script = a_script("a", display=display, prompt=prompt)
    every: tuple[Moment, ...] = ("stored", "display", "prompt")
    met = {moment for moment in every if in_force([script], moment, Passage("a", "reply"))}
    assert met == moments


@pytest.mark.parametrize(
    ("least", "most", "reached"),
    [
        (None, None, [0, 1, 2, 3]),
        (1, None, [1, 2, 3]),
        (None, 1, [0, 1]),
        (1, 2, [1, 2]),
        (-1, 0, [0]),
    ],
)
def test_p07_depth_counts_from_the_last_message(
    least: int | None, most: int | None, reached: list[int]
) -> None:
    """P07: depth 0 is the last; min depth 1 leaves it alone."""
    script = a_script("a", min_depth=least, max_depth=most)
    passages = [Passage("a", "reply", depth) for depth in range(4)]
    assert [p.depth for p in passages if in_force([script], "stored", p)] == reached
    assert in_force([script], "stored", Passage("a", "reply", None))


def test_placement_disabled_and_edit() -> None:
    """The user's words are no reply; an edit meets only scripts that ask for it."""
    script = a_script("a")
    assert not in_force([script], "stored", Passage("a", "user"))
    assert not in_force([a_script("a", disabled=True)], "stored", Passage("a", "reply"))
    assert not in_force([script], "stored", Passage("a", "reply", edited=True))
    eager = a_script("a", run_on_edit=True)
    assert in_force([eager], "stored", Passage("a", "reply", edited=True))


# ---- limits ------------------------------------------------------------------------------------

HOSTILE = [
    (r"(a|a)*c", "a" * 30),
    (r"(\w+\s?)*$", "a" * 60 + "!"),
    (r"(a+)+$", "a" * 60 + "!"),
    (r"(.*)*x", "a" * 60),
    (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 60),
    (r"(.*)(.*)(.*)(.*)(.*)(.*)[^a]$", "a" * 1000),
    (r"^(.*?,){13}龙", "1,2,3,4," * 40),
]


@pytest.mark.parametrize(("pattern", "text"), HOSTILE)
def test_l25_a_hostile_pattern_ends_at_its_limit(pattern: str, text: str) -> None:
    """L25: it is stopped or done, and either way the text is whole and the others run."""
    begun = time.monotonic()
    scripts = [a_script(pattern, "x", name="hostile"), a_script("!", "?", name="good")]
    passages = [Passage(text, "reply"), Passage("ok!", "reply")]
    done = run(scripts, "stored", passages, lambda: time.monotonic() * 1000, plain)
    assert done.passages[1].text.startswith("ok?")
    assert {name for name, _ in done.off} <= {"hostile"}
    if pattern in (HOSTILE[-2][0], HOSTILE[-1][0]):
        assert done.off
    assert time.monotonic() - begun < 20  # it would take for ever


def test_l25_a_script_that_is_stopped_is_off_for_the_whole_turn() -> None:
    """Also in the passages before the one that stopped it."""
    moments = iter(range(0, 100_000, 30))
    script = a_script("a", "b", name="slow")
    other = a_script("c", "d", name="quick")
    passages = [Passage("a", "reply"), Passage("aaaaaa", "reply"), Passage("c", "reply")]
    done = run([script, other], "stored", passages, lambda: float(next(moments)), plain)
    assert [one.text for one in done.passages][:2] == ["a", "aaaaaa"]
    assert dict(done.off)["slow"].startswith("stopped after")


def test_l25_the_turns_limit_is_for_all_scripts_together() -> None:
    """What begins after it is spent is off, and says so."""
    moments = iter(range(0, 1_000_000, 20))
    scripts = [a_script(letter, letter.upper(), flags="") for letter in "abcdefghij"]
    passages = [Passage("abcdefghij", "reply")]
    done = run(scripts, "stored", passages, lambda: float(next(moments)), plain)
    assert any("250 ms for scripts are spent" in why for _, why in done.off)


def test_a_script_that_makes_too_much_is_off() -> None:
    """A replacement cannot fill the memory."""
    done = ran([a_script(".", "x" * 100_000, name="flood")], "a" * 1000)
    assert done.passages[0].text == "a" * 1000
    assert dict(done.off)["flood"].startswith("made more than")


def test_a_pattern_that_cannot_run_is_named() -> None:
    """And changes nothing."""
    done = ran([a_script("(", name="broken"), a_script("a", "b")], "a(")
    assert done.passages[0].text == "b("
    assert dict(done.off)["broken"].startswith("syntax")


def test_what_was_done_is_remembered() -> None:
    """A long past is not worked through again each turn; seeds count only where macros are."""
    memory: Memory = {}
    scripts = [a_script("a", "{{seed}}"), a_script("b", "c")]
    first = run(scripts, "stored", [Passage("ab", "reply", seed=1)], ticking(), plain, memory)
    assert first.passages[0].text == "1c"
    kept = len(memory)
    again = run(scripts, "stored", [Passage("ab", "reply", seed=1)], ticking(), plain, memory)
    assert (again, len(memory)) == (first, kept)
    other = run(scripts, "stored", [Passage("ab", "reply", seed=2)], ticking(), plain, memory)
    assert other.passages[0].text == "2c"
