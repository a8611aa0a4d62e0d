"""Regex scripts as values, and which of them a text meets; apart from running them, which takes time and may
be stopped (formats §4.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Scope: TypeAlias = Literal["global", "preset", "card"]
SCOPES: Final[tuple[Scope, ...]] = ("global", "preset", "card")
"""In the order in which scripts run."""
Placement: TypeAlias = Literal["user", "reply", "slash", "lore", "reasoning"]
Moment: TypeAlias = Literal["stored", "display", "prompt"]
"""When a text is changed: as it arrives and for good, for the eye alone, for the model alone."""
Macros: TypeAlias = Literal["none", "raw", "escaped"]
"""What becomes of macros in the pattern; `escaped` ones match what they say letter by letter."""


@dataclass(frozen=True, slots=True)
class Script:
    """One script. With neither `display` nor `prompt` it changes what is stored. `min_depth` and
    `max_depth` count messages from the last one, which is 0; None is no limit. `owner` is the card
    or preset that brought it, empty for a global one."""

    id: str
    name: str
    pattern: str
    flags: str = ""
    replacement: str = ""
    trim: tuple[str, ...] = ()
    placements: frozenset[Placement] = frozenset()
    disabled: bool = False
    display: bool = False
    prompt: bool = False
    run_on_edit: bool = False
    macros: Macros = "none"
    min_depth: int | None = None
    max_depth: int | None = None
    scope: Scope = "global"
    owner: str = ""

    def is_for(self, moment: Moment) -> bool:
        """Whether it acts at that moment: without a mark on arrival alone, with one or both at those."""
        match moment:
            case "stored":
                return not (self.display or self.prompt)
            case "display":
                return self.display
            case "prompt":
                return self.prompt

    def reaches(self, depth: int | None) -> bool:
        """Whether a message so deep is within its limits; where depth means nothing, it is."""
        if depth is None:
            return True
        below = self.min_depth is not None and depth < self.min_depth
        beyond = self.max_depth is not None and depth > self.max_depth
        return not (below or beyond)

    @property
    def minds_depth(self) -> bool:
        """Whether the same message may read otherwise when others have followed it."""
        return (self.min_depth or 0) > 0 or self.max_depth is not None


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that scripts may change: what it is, how many visible messages follow it (None where
    depth means nothing), and the seed that its macros are rolled with. `edited`: it is a change of
    a text that was there."""

    text: str
    placement: Placement
    depth: int | None = None
    seed: int = 0
    edited: bool = False


def in_force(scripts: Iterable[Script], moment: Moment, passage: Passage) -> list[Script]:
    """The scripts that a passage meets, in the order in which they run."""
    return [
        script
        for script in scripts
        if not script.disabled
        and script.is_for(moment)
        and passage.placement in script.placements
        and script.reaches(passage.depth)
        and (script.run_on_edit or not passage.edited)
    ]


def ordered(scripts: Iterable[Script]) -> tuple[Script, ...]:
    """Global ones, then the preset's, then the card's; each scope as it stood."""
    return tuple(sorted(scripts, key=lambda script: SCOPES.index(script.scope)))
