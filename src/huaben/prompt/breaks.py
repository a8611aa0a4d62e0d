"""What made a prompt part from the one before it, told by their outlines; apart from composing because
it compares what was stored, some of it by earlier programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

Outline: TypeAlias = Sequence[Mapping[str, object]]
BreakCode: TypeAlias = Literal[
    "model", "tools", "system", "greeting", "compaction", "branch", "edit", "scripts", "form"
]
SCRIPTS = "scripts: "
"""Begins the reason of a piece that regex scripts changed, before their names."""

_HEADS = ("summary", "resident")
"""What heads the log and is written anew at a compaction."""
_NOTHING: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True)
class Break:
    """Why the shared head of two prompts ended early.

    `tools`: another tool list; `system`: the pieces of the system text that changed; `greeting`:
    another opening; `compaction`: a summary took the place of old turns; `edit`: the text of an earlier turn was changed; `branch`: the story stands on
    another branch; `scripts`: a regex script that counts messages changed one that had been sent. What
    outlines cannot tell: `model`, another model; `form`, the same prompt
    written otherwise. `pieces` are the sources that differ."""

    code: BreakCode
    pieces: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ": ".join(part for part in (self.code, ", ".join(self.pieces)) if part)


def break_between(before: Outline, now: Outline) -> Break | None:
    """The first thing in which `now` does not repeat what a later turn has to repeat of `before`:
    its tool list, and its messages up to the last one."""
    tools = _other_tools(before, now)
    if tools is not None:
        return tools
    repeated, present = lasting(before), _messages(now)
    for number, former in enumerate(repeated):
        later = present[number] if number < len(present) else _NOTHING
        if _pieces(former) != _pieces(later):
            return _parted(former, later)
    return None


def lasting(outline: Outline) -> Outline:
    """The rows of the messages that the session's next turn sends again: all before the last."""
    return [row for row in _messages(outline) if row.get("zone") != "tail"]


def _parted(former: Mapping[str, object], later: Mapping[str, object]) -> Break:
    mine, theirs = _pieces(former), _pieces(later)
    if former.get("zone") == "prefix":
        return Break("system", _changed(mine, theirs))
    changed = _changed(mine, theirs)
    counting = _scripts(former) ^ _scripts(later)
    emptied = later is not _NOTHING and not (mine and theirs)  # only scripts leave nothing
    if counting or emptied:
        return Break("scripts", (*sorted(counting), *changed))
    if any(name in theirs and mine.get(name) != theirs[name] for name in _HEADS):
        return Break("compaction")
    if "greeting.title" in changed and mine.keys() == theirs.keys():
        return Break("greeting")
    return Break("edit", changed) if mine.keys() == theirs.keys() else Break("branch")


def _scripts(row: Mapping[str, object]) -> set[str]:
    """The regex scripts that changed a message."""
    pieces = cast("Sequence[Mapping[str, object]]", row.get("pieces", ()))  # written by `outline`
    reasons = [str(piece.get("reason", "")) for piece in pieces]
    told = [one.removeprefix(SCRIPTS) for one in reasons if one.startswith(SCRIPTS)]
    return {name for one in told for name in one.split(", ")}


def _messages(outline: Outline) -> Outline:
    return [row for row in outline if "zone" in row]


def _other_tools(before: Outline, now: Outline) -> Break | None:
    """Outlines of earlier programs do not name their tools, and then nothing is said."""
    rows = [next((row for row in outline if "tools" in row), None) for outline in (before, now)]
    former, later = rows
    if former is None or later is None or former == later:
        return None
    names = [cast("Sequence[str]", row["tools"]) for row in (former, later)]  # written by `outline`
    return Break("tools", tuple(sorted(set(names[0]) ^ set(names[1]))))


def _pieces(row: Mapping[str, object]) -> dict[str, str]:
    """The pieces of a message by source, each with its mark or, without one, its length."""
    pieces = cast("Sequence[Mapping[str, object]]", row.get("pieces", ()))  # as above
    return {
        str(piece.get("source")): str(piece.get("mark") or piece.get("chars")) for piece in pieces
    }


def _changed(one: Mapping[str, str], other: Mapping[str, str]) -> tuple[str, ...]:
    """The names that are in one alone or differ, in the order in which they stand."""
    names = [*one, *(name for name in other if name not in one)]
    return tuple(name for name in names if one.get(name) != other.get(name))
