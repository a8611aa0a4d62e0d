"""A story as the entries of a chat: what was imported as it came, with what has happened to it since, and
what was played as messages of its own. Pure; apart from the export, which reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from huaben.domain.project import Language
from huaben.domain.story import Outcome, Turn
from huaben.domain.text import scrub
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.staging import Row
from huaben.formats.chats.values import Entry, Message, Quarantined, Role, Variant
from huaben.prompt.stage import words_with_answers
from huaben.services.chats_origins import Origin

SHOWN: frozenset[Outcome] = frozenset(("sealed", "done"))
"""Outcomes of turns that are a part of the story as a reader has it."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One variant of a turn: its text in force, and where it came from."""

    turn: Turn
    text: str
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One turn of a path with all its variants, itself among them, in their order."""

    told: Telling
    variants: tuple[Telling, ...]

    @property
    def origin(self) -> Origin | None:
        """Where the turn came from; one that was told here again comes from where the first telling of
        it did."""
        return self.told.origin or next((one.origin for one in self.variants if one.origin), None)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who speaks: the names of the user and of the character, and the story's language."""

    user: str
    character: str
    language: Language


def merged(parts: Sequence[Part], entries: Iterator[Entry], cast: Cast) -> Iterator[Entry]:
    """The entries of a path. `entries` are those of the chat that it lies in; they are read as far as
    they are needed, once."""
    source = _Source(entries)
    for planted, run in groupby(parts, lambda part: part.origin is not None):
        if planted:
            yield from _imported(list(run), source, cast)
        else:
            for part in run:
                yield from played(part, cast)


def played(part: Part, cast: Cast) -> Iterator[Message]:
    """The messages of a turn that was played here: the words, then the reply with its variants."""
    turn = part.told.turn
    words = words_with_answers(cast.language, turn.user_text, turn.asked)
    if words.strip():
        said = _message(f"{turn.id}.words", "user", cast.user, (_variant(turn, words),), 0)
        yield replace(said, hidden=turn.outcome == "done")
    yield from reply(part, cast)


def reply(part: Part, cast: Cast) -> Iterator[Message]:
    """The reply of a turn that was answered here, if it has one."""
    turn = part.told.turn
    if turn.outcome not in SHOWN:
        return
    tellings = [one for one in part.variants if one.turn.outcome in SHOWN]
    active = next(n for n, one in enumerate(tellings) if one.turn.id == turn.id)
    variants = tuple(_variant(one.turn, one.text) for one in tellings)
    if any(variant.text for variant in variants):
        told = _message(turn.id, "assistant", cast.character, variants, active)
        yield replace(told, hidden=turn.outcome == "done")


def _message(
    message_id: str, role: Role, name: str, variants: tuple[Variant, ...], active: int
) -> Message:
    return Message(message_id, None, role, name, variants, active)


def _variant(turn: Turn, text: str) -> Variant:
    return Variant(text, moment=moment_of(turn.created_at))


# ---- what was imported -------------------------------------------------------------------------


class _Source:
    """The entries of a chat, asked for by places that only grow."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries
        self._next: Entry | None = None

    def at(self, place: int) -> Entry | None:
        """The entry at a place; None where the file reads otherwise than it did."""
        while self._next is None or self._next.place < place:
            self._next = next(self._entries, None)
            if self._next is None:
                return None
        return self._next if self._next.place == place else None


def _imported(parts: Sequence[Part], source: _Source, cast: Cast) -> Iterator[Entry]:
    """The rows of these turns in the order of the file, which hidden rows have left in the tree."""
    rows = [(row, part) for part in parts for row in (part.origin.rows if part.origin else ())]
    for row, part in sorted(rows, key=lambda pair: pair[0].place):
        last = part.origin is not None and row == part.origin.rows[-1]
        entry = source.at(row.place)
        if isinstance(entry, Quarantined):
            yield entry
        elif entry is None:
            yield from played(part, cast) if last else ()
        else:
            yield retold(entry, row, part)
            if last and entry.role == "user" and part.told.text:
                # Nobody had answered these words; here somebody has.
                yield from reply(part, cast)


def _rows(telling: Telling) -> tuple[Row, ...]:
    return telling.origin.rows if telling.origin else ()


def retold(message: Message, row: Row, part: Part) -> Message:
    """The message as it is told on this path. Words are the variant that the turn was made of. A reply
    has the variants that are still there, with their texts in force, and those that were added here."""
    if message.role == "user":
        return replace(message, active=row.variant)
    tellings = [*_from(message, part), *_added(message, part)]
    chosen = next((n for n, (turn, _) in enumerate(tellings) if turn == part.told.turn.id), None)
    if chosen is None:
        return message
    return replace(message, variants=tuple(variant for _, variant in tellings), active=chosen)


def _from(message: Message, part: Part) -> Iterator[tuple[str, Variant]]:
    """The variants of the message that are still variants of the turn, in the order of the file."""
    known = _by_variant(message.place, part.variants)
    for n, variant in enumerate(message.variants):
        telling = known.get(n)
        if telling is not None:
            same = scrub(variant.text) == telling.text
            changed = variant if same else replace(variant, text=telling.text, written=None)
            yield telling.turn.id, changed


def _by_variant(place: int, tellings: Sequence[Telling]) -> Mapping[int, Telling]:
    return {
        row.variant: telling
        for telling in tellings
        for row in _rows(telling)[-1:]
        if row.place == place
    }


def _added(message: Message, part: Part) -> Iterator[tuple[str, Variant]]:
    """Variants that did not come with this message. Other openings of the project are none of it."""
    for telling in part.variants:
        rows = _rows(telling)
        foreign = not rows or rows[-1].place != message.place
        if foreign and telling.turn.kind == "turn" and telling.turn.outcome in SHOWN:
            yield telling.turn.id, _variant(telling.turn, telling.text)
