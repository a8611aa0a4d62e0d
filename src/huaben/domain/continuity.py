"""What the experts find when they hold changed passages against ledger and later chapters: findings, and whether
their quotations stand; apart from plan notes because a finding is for the author alone.

Source of the rules: `writing.md` §5, `planner.md` §4. A finding that no quotation bears out is advisory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, cast, get_args

from huaben.domain.evidence import stands
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.matching import fold
from huaben.domain.plan.notes import EXPERTS, Expert
from huaben.domain.plan.replies import Unreadable, listed_in
from huaben.domain.text import clip, is_blank, scrub

CHECKERS: Final[tuple[Expert, ...]] = (
    "audit_knowledge",
    "judge_npc",
    "simulate_world",
    "manage_callbacks",
    "analyze_plot",
)
"""The experts that look for conflicts; the camera's has none to find."""
MAX_FINDINGS: Final = 6
"""Findings that one expert may report of a round; more is not read."""
MAX_CHARS: Final = 600
BEFORE_CHARS: Final = 2000
"""How much of what stood there before is shown."""

FindingState: TypeAlias = Literal["open", "accepted", "dismissed"]
STATES: Final[tuple[FindingState, ...]] = get_args(FindingState)


@dataclass(frozen=True, slots=True)
class Altered:
    """Where a text differs from an earlier one, by whole lines: from `start` to `end` (code points) of the
    new one, and what stood there before."""

    start: int
    end: int
    before: str


@dataclass(frozen=True, slots=True)
class Said:
    """What an expert reports: a conflict, words of a changed passage, words that they are at odds with."""

    text: str
    quote: str = ""
    against: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A conflict that an expert reports. `chapter` is where `quote` stands, empty if nowhere: then it is
    advisory. `against_chapter` is where `against` stands; empty for the ledger, or where `against` is."""

    number: int
    expert: Expert
    text: str
    quote: str = ""
    chapter: str = ""
    against: str = ""
    against_chapter: str = ""
    state: FindingState = "open"

    @property
    def advisory(self) -> bool:
        return not self.chapter


def altered(old: str, new: str) -> Altered | None:
    """The lines that differ, as one stretch; None for texts that are equal but for white space at the end."""
    if old.rstrip() == new.rstrip():
        return None
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    room = min(len(before), len(after))
    head = next((n for n in range(room) if before[n] != after[n]), room)
    room -= head
    tail = next((n for n in range(room) if before[-1 - n] != after[-1 - n]), room)
    start = sum(map(len, after[:head]))
    end = len(new) - sum(map(len, after[len(after) - tail :]))
    was = "".join(before[head : len(before) - tail])
    return Altered(start, end, clip(was, BEFORE_CHARS) if was else "")


def read_findings(reply: str) -> tuple[Said, ...] | Unreadable:
    """What an expert answered: the first JSON value that holds findings, an empty list of them too."""
    listed = listed_in(reply)
    if isinstance(listed, Unreadable):
        return listed
    found = [_said(one) for one in listed if isinstance(one, dict)]
    return tuple(one for one in found if not is_blank(one.text))[:MAX_FINDINGS]


def place_of(pages: Mapping[str, str], quote: str) -> tuple[str, int, int] | None:
    """The first chapter that holds the words, by any rung of the matching ladder (`turn.md` §2), and where
    they stand in it (code points); None where they stand nowhere or say nothing."""
    for name, page in pages.items():
        if stands(page, quote):
            wanted = fold(quote.strip())
            start = fold(page).find(wanted)
            return name, start, start + len(wanted)
    return None


def placed(said: Said, expert: Expert, pages: Mapping[str, str], ledger: str) -> Finding:
    """The finding, its quotations looked up in the chapters that were shown and in the ledger. Words that
    stand nowhere prove nothing and are left out."""
    own = place_of(pages, said.quote)
    other = place_of(pages, said.against)
    known = other is not None or stands(ledger, said.against)
    return Finding(
        0,
        expert,
        said.text,
        said.quote if own else "",
        own[0] if own else "",
        said.against if known else "",
        other[0] if other else "",
    )


def numbered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Those that rest on the text first, each once, counted from 1."""
    first: dict[tuple[str, str], Finding] = {}
    for one in sorted(findings, key=lambda one: one.advisory):
        first.setdefault((one.text, one.quote), one)
    return tuple(replace(one, number=n) for n, one in enumerate(first.values(), 1))


def _said(value: JsonObject) -> Said:
    text, quote, against = (value.get(key) for key in ("text", "quote", "against"))
    return Said(_short(text), _short(quote), _short(against))


def _short(value: object) -> str:
    return clip(scrub(value.strip()), MAX_CHARS) if isinstance(value, str) and value.strip() else ""


# ---- as JSON -------------------------------------------------------------------------------------


def finding_to_json(one: Finding) -> JsonObject:
    """`finding_from_json` reads it back to an equal value."""
    return {
        "number": one.number,
        "expert": one.expert,
        "text": one.text,
        "quote": one.quote,
        "chapter": one.chapter,
        "against": one.against,
        "against_chapter": one.against_chapter,
        "state": one.state,
    }


def finding_from_json(value: object) -> Finding:
    """What was stored so. Raises ValueError for what is none of ours: the record is damaged."""
    if not isinstance(value, Mapping):
        raise ValueError("a stored finding is no object")
    data = cast("Mapping[str, object]", value)  # keys of a JSON object are texts
    number, expert, state = data.get("number"), data.get("expert"), data.get("state")
    if not isinstance(number, int) or expert not in EXPERTS or state not in STATES:
        raise ValueError("a stored finding is none")
    return Finding(
        number,
        expert,
        str(data.get("text", "")),
        str(data.get("quote", "")),
        str(data.get("chapter", "")),
        str(data.get("against", "")),
        str(data.get("against_chapter", "")),
        state,
    )
