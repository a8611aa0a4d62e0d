"""Findings of a continuity check: which lines are looked at, what experts answer, and whether their words stand."""

from __future__ import annotations

import pytest

from huaben.domain.continuity import (
    Altered,
    Finding,
    Said,
    altered,
    finding_from_json,
    finding_to_json,
    numbered,
    placed,
    read_findings,
)
from huaben.domain.plan.replies import Unreadable

PAGES = {"001.md": "他把「旧伞」留在渡口。\n", "003.md": "The umbrella was hers. 他打着旧伞。"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("一\n二\n三\n", "一\n贰\n三\n", Altered(2, 4, "二\n")),
        ("a\nb\nc", "a\nc", Altered(2, 2, "b\n")),
        ("a\nc", "a\nb\nc", Altered(2, 4, "")),
        ("a\n", "a", None),
        ("", "雨。", Altered(0, 2, "")),
        ("a\na\n", "a\n", Altered(2, 2, "a\n")),
    ],
)
def test_whole_lines_that_differ_are_looked_at(
    old: str, new: str, expected: Altered | None
) -> None:
    """One stretch of lines holds all that is different, with what stood there before."""
    assert altered(old, new) == expected


def test_an_answer_is_read_in_whatever_shape_it_came() -> None:
    """Fences and prose around it do no harm, an empty list is an answer, prose alone is none."""
    told = 'Here:\n```json\n{"findings": [{"text": "伞", "quote": "旧伞", "against": 3}, {"text": " "}]}\n```'
    assert read_findings(told) == (Said("伞", "旧伞"),)
    assert read_findings('{"findings": []}') == ()
    assert read_findings("All is well.") == Unreadable("broken")
    assert read_findings(" ") == Unreadable("blank")


def test_a_finding_whose_words_stand_nowhere_is_advisory() -> None:
    """Words are found by the matching ladder in chapters and ledger; what is not there is not shown as said."""
    sound = placed(
        Said("谁的伞？", "他把“旧伞”留在渡口", "The umbrella was hers."),
        "audit_knowledge",
        PAGES,
        "",
    )
    assert (sound.chapter, sound.against_chapter, sound.advisory) == ("001.md", "003.md", False)
    ledger = placed(Said("x", "打着旧伞", "物品：旧伞"), "simulate_world", PAGES, "物品：旧伞")
    assert (ledger.chapter, ledger.against, ledger.against_chapter) == ("003.md", "物品：旧伞", "")
    vain = placed(Said("x", "没有这句", "nor this"), "judge_npc", PAGES, "")
    assert (vain.quote, vain.against, vain.advisory) == ("", "", True)
    assert [one.number for one in numbered([vain, sound, vain])] == [1, 2]
    assert not numbered([vain, sound])[0].advisory


def test_a_finding_is_read_back() -> None:
    """decode(encode(x)) = x, and a damaged record says so."""
    one = Finding(2, "judge_npc", "text", "quote", "001.md", "other", "002.md", "dismissed")
    assert finding_from_json(finding_to_json(one)) == one
    with pytest.raises(ValueError, match="finding"):
        finding_from_json({"number": 1, "expert": "nobody", "state": "open"})
