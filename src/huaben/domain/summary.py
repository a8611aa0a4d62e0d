"""The relay summary that stands for old turns: what it covers, when it is due, and which turns are still
sent word for word; apart from writing one, which takes a model.

Source of the rules: `state.md` §4. Like everything that belongs to the story it is a function of the
node: a summary made at a node is in force below it, and rewinding before it brings the full text back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from huaben.domain.jsonvalue import JsonObject
from huaben.domain.ledger import Ledger, folded
from huaben.domain.lore.fold import fold_key
from huaben.domain.scenario import CompactionSection
from huaben.domain.standing import is_told
from huaben.domain.story import Node


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary in force. `covers` is the last turn that it stands for, `turns` how many it stands
    for in all; `missing` are names that the model had left out and the program put in. `node` is
    where it was made, at its version `revision`."""

    text: str
    covers: str
    turns: int
    missing: tuple[str, ...] = ()
    node: str = ""
    revision: int = 0
    author: str = "scribe"


@dataclass(frozen=True, slots=True)
class Span:
    """The turns of a path, told apart: those that a summary stands for, and those still sent."""

    covered: tuple[str, ...]
    live: tuple[str, ...]


def told_on(path: Sequence[Node], summary: Summary | None) -> Span | None:
    """The story turns on a path, split where the summary ends; None when the turn that it covers up to
    does not lie on the path, so that it stands for nothing here."""
    told = [node.id for node in path if is_told(node)]
    if summary is None:
        return Span((), tuple(told))
    if summary.covers not in told:
        return None
    cut = told.index(summary.covers) + 1
    return Span(tuple(told[:cut]), tuple(told[cut:]))


@dataclass(frozen=True, slots=True)
class Load:
    """What decides whether a summary is due: characters of the live turns, and tokens that the next
    request will come to of the model's window (None: not known)."""

    chars: int
    tokens: int
    window: int | None


def leaving(section: CompactionSection, live: Sequence[str], load: Load) -> tuple[str, ...]:
    """The live turns that a summary is to take up now: all but the last `keep`, when enough have come
    together or the window fills; none otherwise, or where compaction is off."""
    if section.every == 0 or len(live) <= section.keep:
        return ()
    grown = len(live) >= section.keep + section.every and load.chars >= section.min_chars
    if not grown and not _fills(section, load):
        return ()
    return tuple(live[: len(live) - section.keep])


def _fills(section: CompactionSection, load: Load) -> bool:
    return load.window is not None and load.tokens * 100 > load.window * section.window_percent


def must_survive(ledger: Ledger, titles: Iterable[str]) -> tuple[str, ...]:
    """The names that a summary may not lose: the ledger's people, things and marks, and the titles
    of locked notes."""
    names = (*ledger.characters, *ledger.inventory, *ledger.flags, *titles)
    return tuple({folded(name): name for name in names if folded(name)}.values())


def lost(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names that do not occur in a text; letter case and width do not count."""
    known = fold_key(" ".join(text.split()))
    return tuple(name for name in names if folded(name) not in known)


def in_parts(texts: Sequence[tuple[str, int]], room: int) -> list[list[str]]:
    """Turns with their sizes in as few runs as fit into `room` each; one that alone is larger is a run
    of its own."""
    runs: list[list[str]] = []
    used = 0
    for turn, size in texts:
        if not runs or used + size > room:
            runs.append([])
            used = 0
        runs[-1].append(turn)
        used += size
    return runs


def summary_to_json(summary: Summary) -> JsonObject:
    return {
        "text": summary.text,
        "covers": summary.covers,
        "turns": summary.turns,
        "missing": [*summary.missing],
    }


def summary_from_json(data: Mapping[str, object], node: str, revision: int, author: str) -> Summary:
    """The summary that was stored so. Raises ValueError for what is none of ours."""
    text, covers, turns = data.get("text"), data.get("covers"), data.get("turns")
    missing = data.get("missing")
    right = isinstance(text, str) and isinstance(covers, str) and isinstance(turns, int)
    if not right or not isinstance(missing, list):
        raise ValueError("the stored summary does not say what it stands for")
    names = tuple(str(name) for name in missing)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] - JSON list
    return Summary(str(text), str(covers), int(str(turns)), names, node, revision, author)


OUTPUT_TOKENS: Final = 4000
"""Room for the answer beside what is to be summarised."""
