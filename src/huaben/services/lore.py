"""Which lore speaks in a turn: entries whose keys stand in the scan window, within the budget.

Chosen once per turn from what does not change while it runs, so that a retry chooses the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from huaben.domain.budget import estimate_tokens
from huaben.domain.lore.matching import key_matches
from huaben.domain.lore.search import entry_title
from huaben.domain.lore.values import Book, Entry, Logic
from huaben.domain.scenario import LoreSettings
from huaben.prompt.blocks import ActiveEntry
from huaben.prompt.segments import LeftOut
from huaben.prompt.stage import Constant
from huaben.services.expanding import Expander


@dataclass(frozen=True, slots=True)
class TurnLore:
    """The lore of one turn: always in force, active now, and what else can be looked up."""

    constants: tuple[Constant, ...]
    active: tuple[ActiveEntry, ...]
    index: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def choose(
    books: Sequence[Book], window: Sequence[str], settings: LoreSettings, expander: Expander
) -> TurnLore:
    """`window` are the latest story messages, oldest first, the user's words last."""
    constants: list[Constant] = []
    found: list[tuple[Entry, str, str]] = []
    index: list[str] = []
    for number, book in enumerate(books):
        for entry in sorted(book.entries, key=lambda e: e.order):
            ref = f"{number}/{entry.uid}"
            if not entry.enabled:
                continue
            if entry.resident:
                text = expander.text(entry.content)
                constants.append(Constant(ref, entry_title(entry), text))
                continue
            index.append(entry_title(entry))
            reason = _hit(entry, window)
            if reason:
                found.append((entry, ref, reason))
    active, left_out = _within(found, settings, expander)
    return TurnLore(tuple(constants), tuple(active), tuple(index), tuple(left_out))


def _hit(entry: Entry, window: Sequence[str]) -> str:
    """The key that stands in the window and where, or nothing."""
    if entry.constant:
        return "constant"
    for back, text in enumerate(reversed(window)):
        key = next((k for k in entry.keys if _stands(entry, k, text)), None)
        if key is not None and _secondary(entry, "\n".join(window)):
            return f"key {key}, {back} back"
    return ""


def _stands(entry: Entry, key: str, text: str) -> bool:
    return key_matches(
        key,
        text,
        case_sensitive=bool(entry.case_sensitive),
        whole_words=entry.whole_words is not False,
    )


def _secondary(entry: Entry, text: str) -> bool:
    if not entry.selective or not entry.secondary:
        return True
    hits = [_stands(entry, key, text) for key in entry.secondary]
    match entry.logic:
        case Logic.AND_ANY:
            return any(hits)
        case Logic.NOT_ALL:
            return not all(hits)
        case Logic.NOT_ANY:
            return not any(hits)
        case Logic.AND_ALL:
            return all(hits)


def _within(
    found: Sequence[tuple[Entry, str, str]], settings: LoreSettings, expander: Expander
) -> tuple[list[ActiveEntry], list[LeftOut]]:
    """Larger `order` first into the budget; in the block they stand in ascending order."""
    active: list[ActiveEntry] = []
    left_out: list[LeftOut] = []
    used = 0
    for entry, ref, reason in sorted(found, key=lambda item: -item[0].order):
        title = entry_title(entry)
        if len(active) >= settings.max_entries:
            left_out.append(LeftOut(f"lore:{ref} {title}", f"max_entries {settings.max_entries}"))
            continue
        text = "" if settings.delivery == "titles" else expander.text(entry.content)
        cost = estimate_tokens(text)
        if used + cost > settings.budget:
            left_out.append(LeftOut(f"lore:{ref} {title}", f"text over budget {settings.budget}"))
            if settings.delivery == "text":
                continue
            text = ""
        else:
            used += cost
        active.append(ActiveEntry(ref, title, text, reason))
    active.reverse()
    return active, left_out
