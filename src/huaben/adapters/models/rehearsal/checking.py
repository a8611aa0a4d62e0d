"""What the rehearsal answers to a continuity check: one prepared finding about the first changed passage, from the
expert for facts; the others find nothing."""

from __future__ import annotations

import re
from typing import Final

from huaben.adapters.models.rehearsal.planning import load_answers
from huaben.adapters.models.rehearsal.script import LANGUAGES, Step
from huaben.adapters.models.rehearsal.wire import Heard
from huaben.domain.jsonvalue import Json, dump_json
from huaben.domain.messages import User

FINDER: Final = "audit_knowledge"
_SENTENCE: Final = re.compile(r"[^\n。！？.!?#]{4,60}")


def checking_step(heard: Heard) -> Step | None:
    """What to answer to an expert's request; None for any other."""
    said = [message.text for message in heard.messages if isinstance(message, User)]
    if len(said) < 2 or heard.tools:
        return None
    for language in LANGUAGES:
        prepared = load_answers(language)
        _, title, rest = f"\n{said[0]}".partition(f"\n{prepared.changed}\n")
        asked = re.search(rf"{prepared.turn} (\w+)", said[-1])
        if title and asked is not None:
            passage = rest.partition(f"\n{prepared.later}\n")[0]
            now = passage.rpartition(f"\n{prepared.now}\n")[2]
            return Step(say=_answer(prepared.conflict, asked[1], now))
    return None


def _answer(text: str, expert: str, passage: str) -> str:
    """The finding, resting on a sentence that stands in the passage; none where there is no sentence."""
    body = "\n".join(line for line in passage.splitlines() if not line.startswith("#"))
    sentence = _SENTENCE.search(body)
    found: list[Json] = []
    if expert == FINDER and sentence is not None:
        found.append({"text": text, "quote": sentence[0].strip(), "against": ""})
    return dump_json({"findings": found})
