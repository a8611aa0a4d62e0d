"""Whether a candidate state may take the place of the one in force, what is put back into it, and which of
its lines rest on nothing; apart from writing one because a model writes it and a program judges it
(`planner.md` §§3–4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import regex

from huaben.domain.plan.revision import Plan
from huaben.domain.plan.state import (
    Section,
    body_lines,
    headings,
    plain_line,
    references,
    sections,
    written,
)
from huaben.domain.project import Language
from huaben.domain.text import scrub

MAX_STATE_CHARS: Final = 8000

Unfit: TypeAlias = Literal[
    "blank", "too_long", "heading_missing", "heading_twice", "headings_order", "internal_marker"
]

_MARKERS: Final = regex.compile(
    r"</?(?:think|thinking|tool_call|tool_response|system|assistant|user)\b[^>]*>"
    r"|<\|[^|>\n]{1,40}\|>"
    r"|```"
    r"|\[/?(?:INST|SYS)\]"
    r"|【(?!\s*(?:secret|秘密|机密))",
    regex.IGNORECASE,
)
"""What belongs to the machinery of prompts and not into a document that goes into later ones."""
_FENCE: Final = regex.compile(r"^\s*```[\w-]*\s*$")


@dataclass(frozen=True, slots=True)
class UnfitState:
    """Why a candidate is not taken; `detail` names the place or the size."""

    code: Unfit
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The candidate says what stands already."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """A state that may be committed: `restored` are locked lines that were put back, `unreferenced`
    new lines that name nothing they rest on, or only what does not exist."""

    state: str
    restored: tuple[str, ...] = ()
    unreferenced: tuple[str, ...] = ()


Judged: TypeAlias = Adopted | Unchanged | UnfitState


def read_candidate(reply: str, language: Language) -> str:
    """The state within whatever a model wrote: from the first heading on, without a fence around."""
    lines = [line for line in scrub(reply).splitlines() if not _FENCE.match(line)]
    names = headings(language)
    start = next((at for at, line in enumerate(lines) if line.strip() in names), 0)
    tidy = (line.strip() if line.strip() in names else line.rstrip() for line in lines[start:])
    return "\n".join(tidy).strip()


def judge(
    candidate: str,
    before: Plan,
    language: Language,
    *,
    known: Collection[str],
    max_chars: int = MAX_STATE_CHARS,
) -> Judged:
    """Judge a candidate against the plan in force. `known` are the references that exist. Locked
    lines that it lost are put back at the end of their sections."""
    unfit = unfit_state(candidate, language, max_chars)
    if unfit is not None:
        return unfit
    state, restored = _with_locks(candidate, before, language)
    if len(state) > max_chars:
        return UnfitState("too_long", f"{len(state)} > {max_chars}")
    if _says(state, language) == _says(before.state, language):
        return Unchanged()
    return Adopted(state, restored, _without_ground(state, before, language, known))


def unfit_state(
    state: str, language: Language, max_chars: int = MAX_STATE_CHARS
) -> UnfitState | None:
    """What is wrong with the form of a state: its length, its headings, marks that do not belong."""
    if not state.strip():
        return UnfitState("blank")
    if len(state) > max_chars:
        return UnfitState("too_long", f"{len(state)} > {max_chars}")
    lines = [line.rstrip() for line in state.splitlines()]
    found = [line for line in lines if line in headings(language)]
    for heading in headings(language):
        times = found.count(heading)
        if times != 1:
            return UnfitState("heading_twice" if times else "heading_missing", heading)
    if tuple(found) != headings(language) or lines[0] != found[0]:
        return UnfitState("headings_order", lines[0])
    marker = _MARKERS.search(state)
    return UnfitState("internal_marker", marker[0]) if marker else None


def _with_locks(candidate: str, before: Plan, language: Language) -> tuple[str, tuple[str, ...]]:
    """The candidate with every locked line that stood in the plan before."""
    there = {plain_line(line) for line in body_lines(candidate, language)}
    lost = [lock for lock in before.locks if lock not in there]
    if not lost:
        return candidate, ()
    restored: list[str] = []
    parts: list[Section] = []
    for old, new in zip(
        sections(before.state, language), sections(candidate, language), strict=True
    ):
        back = tuple(line for line in old.lines if plain_line(line) in lost)
        restored += back
        parts.append(Section(new.heading, (*new.lines, *back)))
    return (written(parts), tuple(restored)) if restored else (candidate, ())


def _says(state: str, language: Language) -> list[tuple[str, tuple[str, ...]]]:
    """What a state says, whatever its bullets, references and spacing."""
    return [
        (part.heading, tuple(plain_line(line) for line in part.lines))
        for part in sections(state, language)
    ]


def _without_ground(
    state: str, before: Plan, language: Language, known: Collection[str]
) -> tuple[str, ...]:
    old = {plain_line(line) for line in body_lines(before.state, language)}
    return tuple(
        line
        for line in body_lines(state, language)
        if plain_line(line) not in old and not any(one in known for one in references(line))
    )
