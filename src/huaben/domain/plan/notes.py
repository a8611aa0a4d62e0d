"""Plan notes: what experts have found, each with what it rests on; apart from the state because notes are
only ever added, and because analysis is not fact (`planner.md` §4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

from huaben.domain.evidence import stands_in
from huaben.domain.matching import fold
from huaben.domain.text import clip, is_blank, scrub

NoteGroup: TypeAlias = Literal["event", "knowledge", "world", "npc", "callback", "camera", "agency"]
GROUPS: Final[tuple[NoteGroup, ...]] = get_args(NoteGroup)
Expert: TypeAlias = Literal[
    "analyze_plot",
    "judge_npc",
    "audit_knowledge",
    "simulate_world",
    "manage_callbacks",
    "direct_scene",
]
EXPERTS: Final[tuple[Expert, ...]] = get_args(Expert)
GROUP_OF: Final[Mapping[Expert, NoteGroup]] = MappingProxyType(
    {
        "analyze_plot": "event",
        "judge_npc": "npc",
        "audit_knowledge": "knowledge",
        "simulate_world": "world",
        "manage_callbacks": "callback",
        "direct_scene": "camera",
    }
)
MAX_NOTE_CHARS: Final = 900
MAX_QUOTE_CHARS: Final = 400
MAX_WORDS_CHARS: Final = 400
ACTIVE: Final = 60
"""Notes that can come into a prompt: the latest so many that were not dropped."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing that an expert says, with the history that it quotes; not numbered yet."""

    text: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class PlanNote:
    """One note. `number` counts the notes of a line of descent; `tool` is the expert that made it, or
    empty for the fixed principle and the user's own. `turn` is the source turn. `checked`: its
    quotation stands in the history; otherwise the note is advisory. `words` are the user's that it
    answered."""

    number: int
    group: NoteGroup
    text: str
    tool: str
    turn: int
    quote: str = ""
    checked: bool = False
    words: str = ""
    pinned: bool = False
    dropped: bool = False

    @property
    def label(self) -> str:
        """What a line of the state refers to it by."""
        return f"n{self.number}"


@dataclass(frozen=True, slots=True)
class Occasion:
    """When notes are made: their source turn and the user's words that they answer."""

    turn: int
    words: str


def is_advisory(note: PlanNote) -> bool:
    """Whether a note is to be shown as unproved. The fixed principle needs no proof."""
    return not note.checked and note.group != "agency"


def check(quotes: Sequence[str], pages: Iterable[str]) -> list[bool]:
    """Of each quotation whether it stands in one of the texts of the history, by any rung of the
    matching ladder. A long history is folded once, and only as far as a quotation is missing."""
    missing = {quote for quote in quotes if not is_blank(quote)}
    sought = set(missing)
    for page in pages:
        if not missing:
            break
        folded = fold(page)
        missing -= {quote for quote in missing if stands_in(folded, quote)}
    return [quote in sought and quote not in missing for quote in quotes]


def made(
    tool: Expert, advice: Sequence[tuple[Advice, bool]], occasion: Occasion, first: int
) -> tuple[PlanNote, ...]:
    """The notes of an expert, each with whether its quotation was found, numbered from `first`."""
    return tuple(
        PlanNote(
            number=first + at,
            group=GROUP_OF[tool],
            text=clip(scrub(one.text.strip()), MAX_NOTE_CHARS),
            tool=tool,
            turn=occasion.turn,
            quote=clip(scrub(one.quote.strip()), MAX_QUOTE_CHARS) if one.quote.strip() else "",
            checked=checked,
            words=clip(occasion.words, MAX_WORDS_CHARS) if occasion.words else "",
        )
        for at, (one, checked) in enumerate(advice)
    )


def kept(notes: Sequence[PlanNote]) -> tuple[PlanNote, ...]:
    """What a revision keeps of its notes: all that are pinned, the fixed principle, the latest that
    are active, and what was dropped among them; older ones stay in earlier revisions."""
    active = [note.number for note in notes if not note.dropped]
    oldest = active[-ACTIVE] if len(active) > ACTIVE else 0
    return tuple(
        note
        for note in notes
        if note.number >= oldest or note.pinned or (note.group == "agency" and not note.dropped)
    )


def marked(
    notes: Sequence[PlanNote],
    number: int,
    *,
    pinned: bool | None = None,
    dropped: bool | None = None,
) -> tuple[PlanNote, ...] | None:
    """The notes with one of them pinned, dropped or neither; None if there is no such note."""
    if all(note.number != number for note in notes):
        return None
    return tuple(
        note
        if note.number != number
        else replace(
            note,
            pinned=note.pinned if pinned is None else pinned,
            dropped=note.dropped if dropped is None else dropped,
        )
        for note in notes
    )
