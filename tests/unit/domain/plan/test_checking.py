"""Whether a candidate state may take the place of the one in force (`planner.md` §3.5)."""

from __future__ import annotations

import pytest

from huaben.domain.plan.checking import (
    Adopted,
    Unchanged,
    UnfitState,
    judge,
    read_candidate,
    unfit_state,
)
from huaben.domain.plan.revision import Plan
from huaben.domain.plan.state import headings
from tests.unit.domain.plan.states import a_state

KNOWN = frozenset({"m1", "m2", "n1"})


def test_a_state_is_found_in_chatter() -> None:
    """A sentence before it and a fence around it are taken off; nothing else is."""
    state = a_state(s0="- 雨夜 [m1]")
    assert read_candidate(f"好的，新的规划：\n```markdown\n{state}\n```\n", "zh") == state


@pytest.mark.parametrize(
    ("candidate", "code"),
    [
        ("", "blank"),
        (a_state(s0="长" * 8000), "too_long"),
        (a_state().replace(headings("zh")[3], ""), "heading_missing"),
        (a_state(s0=headings("zh")[5]), "heading_twice"),
        ("\n".join((*headings("zh")[1:], headings("zh")[0])), "headings_order"),
        (f"前言\n{a_state()}", "headings_order"),
        (a_state(s0="<think>想一想</think>"), "internal_marker"),
        (a_state(s0="- 【世界状态】 雨夜"), "internal_marker"),
        (a_state(s0="- <|im_end|>"), "internal_marker"),
        (a_state("en"), "heading_missing"),
    ],
)
def test_what_is_no_state_is_not_taken(candidate: str, code: str) -> None:
    """Each rule has its own word."""
    judged = judge(candidate, Plan(), "zh", known=KNOWN)
    assert isinstance(judged, UnfitState)
    assert judged.code == code


def test_a_secret_mark_is_no_internal_marker() -> None:
    """Also in the brackets of block titles."""
    assert unfit_state(a_state(s1="- 【secret: 沈砚】 密道"), "zh") is None


def test_the_same_again_is_no_change() -> None:
    """Other bullets, spacing and references say the same."""
    before = Plan(a_state(s0="- 雨夜 [m1]"))
    assert judge(a_state(s0="*  雨夜 [m2]"), before, "zh", known=KNOWN) == Unchanged()


def test_new_lines_without_ground_are_listed() -> None:
    """A reference must exist; a line that stood before needs none."""
    before = Plan(a_state(s0="- 雨夜"))
    candidate = a_state(s0="- 雨夜", s1="- 沈砚在等人 [m2]\n- 阿迟会游水\n- 账本不见了 [m99]")
    judged = judge(candidate, before, "zh", known=KNOWN)
    assert judged == Adopted(candidate, (), ("- 阿迟会游水", "- 账本不见了 [m99]"))


def test_locked_lines_come_back() -> None:
    """A director cannot drop what the user has locked; it goes back into its own section."""
    before = Plan(a_state("en", s2="- Mira owes Tom [n1]", s3="- old"), locks=("Mira owes Tom",))
    judged = judge(a_state("en", s2="- They are friends [m1]"), before, "en", known=KNOWN)
    assert isinstance(judged, Adopted)
    assert judged.state == a_state("en", s2="- They are friends [m1]\n- Mira owes Tom [n1]")
    assert judged.restored == ("- Mira owes Tom [n1]",)


def test_a_lock_of_a_line_that_is_gone_locks_nothing() -> None:
    """The user may edit a locked line away."""
    before = Plan(a_state(s0="- 雨夜"), locks=("早已删去",))
    candidate = a_state(s0="- 天晴了 [m1]")
    assert judge(candidate, before, "zh", known=KNOWN) == Adopted(candidate)
