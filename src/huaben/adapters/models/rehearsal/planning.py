"""What the rehearsal answers to the planner: routes, advice and a plan, prepared like its story; apart from the
story because planners see no draft sheet.

It reads only what it was sent: which role is asked, the headings that are wanted, the story's messages.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, cast

from huaben.adapters.models.rehearsal.script import LANGUAGES, Line, Step
from huaben.adapters.models.rehearsal.wire import Heard
from huaben.domain.jsonvalue import Json, dump_json
from huaben.domain.messages import User
from huaben.domain.project import Language

DIRECTOR: Final = "update_director_state"
_SECTIONS: Final = (
    "scene",
    "present",
    "relationships",
    "promises",
    "offstage",
    "outline",
    "camera",
    "agency",
)
_HEADING: Final = re.compile(r"^## .+$", re.MULTILINE)
_SENTENCE: Final = re.compile(r"[^\n。！？.!?]{4,60}")


@dataclass(frozen=True, slots=True)
class Prepared:
    """The prepared answers in one language. `turn` stands before the name of who is asked, `story`
    before a message of the story's; `conflict` is the one finding of a continuity check, whose headings are
    `changed`, `now` and `later`."""

    turn: str
    story: str
    notes: Mapping[str, str]
    state: Mapping[str, Sequence[str]]
    conflict: str
    changed: str
    now: str
    later: str


def planning_step(heard: Heard) -> Step | None:
    """What to answer where a planner is asked; None for any other request."""
    if DIRECTOR in heard.tools:
        # An ordinary exchange needs nobody. What was advised is worth entering in the plan.
        alone = len(heard.tools) == 1
        return Step(lines=(Line(DIRECTOR, {}),) if alone else (), say="" if alone else "…")
    said = [message.text for message in heard.messages if isinstance(message, User)]
    if not said or heard.tools:
        return None
    for language in LANGUAGES:
        prepared = load_answers(language)
        asked = re.search(rf"{prepared.turn} (\w+)", said[-1])
        if asked is not None:
            return _answer(prepared, asked[1], "\n".join(said[:-1]), said[-1])
    return None


def _answer(prepared: Prepared, role: str, material: str, own: str) -> Step | None:
    if role == DIRECTOR:
        return Step(say=_state(prepared, material, own))
    if role not in prepared.notes:
        return None
    note: dict[str, Json] = {"text": prepared.notes[role], "quote": _latest(prepared, material)[1]}
    notes: list[Json] = [note]
    return Step(say=dump_json({"notes": notes}))


def _state(prepared: Prepared, material: str, own: str) -> str:
    """The prepared plan under the headings that were asked for, each line with what it rests on."""
    message, _ = _latest(prepared, material)
    numbers = [int(number) for number in re.findall(r"^\[m(\d+)\]", material, re.MULTILINE)]
    words = f"m{max(numbers, default=1)}"
    parts: list[str] = []
    for heading, section in zip(_HEADING.findall(own), _SECTIONS, strict=False):
        lines = (
            line.replace("{message}", message).replace("{words}", words)
            for line in prepared.state[section]
        )
        parts.append("\n".join((heading, *(f"- {line}" for line in lines))))
    return "\n\n".join(parts)


def _latest(prepared: Prepared, material: str) -> tuple[str, str]:
    """The number of the story's latest message, and a sentence out of it."""
    found = re.findall(rf"^\[(m\d+)\] {prepared.story}: (.+)", material, re.MULTILINE)
    if not found:
        return "m1", ""
    number, text = cast("tuple[str, str]", found[-1])
    sentence = _SENTENCE.search(text)
    return number, sentence[0].strip() if sentence else ""


@cache
def load_answers(language: Language) -> Prepared:
    """The answers shipped in that language."""
    path = files("huaben") / "rehearsal" / language / "planning.toml"
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    notes = cast("Mapping[str, str]", raw["notes"])  # as the shipped file has it
    state = cast("Mapping[str, Sequence[str]]", raw["state"])  # likewise
    headings = (str(raw[key]) for key in ("conflict", "changed", "now", "later"))
    return Prepared(str(raw["turn"]), str(raw["story"]), notes, state, *headings)
