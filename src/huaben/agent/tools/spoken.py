"""Results in the form the model reads: JSON in plain UTF-8, and sentences for every refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import assert_never

from huaben.agent.desk import Outcome
from huaben.domain.draft import (
    BlankContent,
    BlankQuotation,
    BlankResult,
    ManyMatches,
    NoEdits,
    NoMatch,
    Overlap,
    Rejection,
    StaleVersion,
)
from huaben.domain.project import Language
from huaben.prompt.texts import phrase


def as_json(value: Mapping[str, object]) -> str:
    """Compact JSON that keeps every character as it is."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def refusal(sentence: str, **facts: object) -> Outcome:
    """A refusal: the sentence, and the facts that help to try again."""
    return Outcome(ok=False, result=as_json({"ok": False, "error": sentence, **facts}))


def rejected(language: Language, rejection: Rejection, *, previous: bool = False) -> Outcome:
    """A refused change of a draft, in words; a stale version also names the current one."""
    match rejection:
        case StaleVersion(given=given, current=current):
            key = "stale_previous" if previous else "stale_version"
            return refusal(phrase(language, key, given=given, current=current), version=current)
        case BlankContent():
            return refusal(phrase(language, "blank_content"))
        case BlankResult():
            return refusal(phrase(language, "blank_result"))
        case NoEdits():
            return refusal(phrase(language, "no_edits"))
        case BlankQuotation(index=index):
            return refusal(phrase(language, "blank_quotation", number=index + 1))
        case NoMatch(index=index, claimed=claimed, nearest=nearest):
            near = (
                phrase(language, "nearest", passage=nearest)
                if nearest
                else phrase(language, "nearest_none")
            )
            return refusal(
                phrase(language, "no_match", number=index + 1, claimed=claimed, nearest=near)
            )
        case ManyMatches(index=index, count=count):
            return refusal(phrase(language, "many_matches", number=index + 1, count=count))
        case Overlap(first=first, second=second):
            return refusal(phrase(language, "overlap", first=first + 1, second=second + 1))
        case _:
            assert_never(rejection)
