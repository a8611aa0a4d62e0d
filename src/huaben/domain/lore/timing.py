"""Entries that stay, rest, wait or fire once: what of it lasts from turn to turn.

Separate because the state is stored with the turn, so that undoing a turn undoes its effects.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import blake2b
from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.values import Entry

_FOR_EVER: Final = 2**53


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect on one entry, counted in messages of the chat.

    `mark` is the entry's content when it began: an edited entry is another entry. An unprotected
    effect ends if the chat has not grown past `start`, so that a swipe undoes it (formats §2.6).
    """

    mark: str
    start: int
    end: int
    protected: bool = False


def _no_effects() -> Mapping[str, Effect]:
    return {}


@dataclass(frozen=True, slots=True)
class TimedState:
    """The effects in force after a turn, each by `book.uid`.

    `matched` holds the entries that a decorator lets fire once, or keeps once they have fired.
    """

    sticky: Mapping[str, Effect] = field(default_factory=_no_effects)
    cooldown: Mapping[str, Effect] = field(default_factory=_no_effects)
    matched: Mapping[str, Effect] = field(default_factory=_no_effects)

    def renewed(self, key: str) -> "TimedState":
        """The state as if the entry had never fired: for one that a user enables again."""
        return TimedState(*({k: v for k, v in held.items() if k != key} for held in _held(self)))

    def to_json(self) -> JsonObject:
        """The state as JSON, shaped like SillyTavern's `timedWorldInfo`."""
        return {
            part.name: {key: _effect_json(effect) for key, effect in held.items()}
            for part, held in zip(fields(self), _held(self), strict=True)
        }


@dataclass(frozen=True, slots=True)
class TimedEntry:
    """An entry as timing sees it: its key in the state and its timing, with the decorators' part."""

    key: str
    mark: str
    sticky: int
    cooldown: int
    remembers: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """Which entries an evaluation finds sticky, resting, or matched before, by key."""

    state: TimedState
    sticky: frozenset[str]
    cooldown: frozenset[str]
    matched: frozenset[str]


def mark_of(entry: Entry) -> str:
    """A digest of what an entry says, taken before macros (SillyTavern #2762)."""
    own = replace(entry, raw={}, slot=None, display_index=None)
    return blake2b(repr(own).encode("utf-8", "replace"), digest_size=8).hexdigest()


def timed_from_json(value: Json) -> TimedState:
    """The state that `to_json` gave; whatever cannot be read is no effect."""
    parts = value if isinstance(value, dict) else {}
    return TimedState(*(_effects(parts.get(part.name)) for part in fields(TimedState)))


def settle(state: TimedState, entries: Iterable[TimedEntry], length: int) -> Standing:
    """The effects still in force at this length of the chat; ended ones are dropped.

    When stickiness ends, the entry's cooldown begins at once and is protected. Effects of entries
    that are not here, or were edited, stay without force until their end; an edited entry has not
    fired yet.
    """
    here = {entry.key: entry for entry in entries}
    sticky = _running(state.sticky, here, length, lambda entry: entry.sticky > 0)
    cooldown = _running(state.cooldown, here, length, lambda entry: entry.cooldown > 0)
    for key, effect in state.sticky.items():
        entry = here.get(key)
        if entry is not None and entry.cooldown and _ran_out(entry, effect, length):
            cooldown[key] = Effect(entry.mark, length, length + entry.cooldown, protected=True)
    remembered = _running(state.matched, here, length, lambda entry: entry.remembers)
    matched = {
        key: effect
        for key, effect in remembered.items()
        if key not in here or here[key].mark == effect.mark
    }
    return Standing(
        TimedState(sticky, cooldown, matched),
        sticky=_in_force(sticky, here),
        cooldown=_in_force(cooldown, here),
        matched=_in_force(matched, here),
    )


def record(state: TimedState, chosen: Iterable[TimedEntry], length: int) -> TimedState:
    """The state after these entries were chosen; an effect in force does not begin anew."""
    sticky, cooldown, matched = (dict(held) for held in _held(state))
    for entry in chosen:
        if entry.sticky:
            sticky.setdefault(entry.key, Effect(entry.mark, length, length + entry.sticky))
        if entry.cooldown:
            cooldown.setdefault(entry.key, Effect(entry.mark, length, length + entry.cooldown))
        if entry.remembers:
            matched.setdefault(entry.key, Effect(entry.mark, length, _FOR_EVER))
    return TimedState(sticky, cooldown, matched)


def _running(
    effects: Mapping[str, Effect],
    here: Mapping[str, TimedEntry],
    length: int,
    wanted: Callable[[TimedEntry], bool],
) -> dict[str, Effect]:
    """The effects that neither ended nor were undone, but for entries that no longer ask for them."""
    return {
        key: effect
        for key, effect in effects.items()
        if length < effect.end
        and (effect.protected or length > effect.start)
        and (key not in here or wanted(here[key]))
    }


def _in_force(effects: Mapping[str, Effect], here: Mapping[str, TimedEntry]) -> frozenset[str]:
    """The keys of effects on entries that are here as they were."""
    return frozenset(k for k, each in effects.items() if k in here and here[k].mark == each.mark)


def _ran_out(entry: TimedEntry, effect: Effect, length: int) -> bool:
    """Whether stickiness ran its course, rather than being undone or losing its entry."""
    grown = effect.protected or length > effect.start
    return entry.mark == effect.mark and grown and length >= effect.end


def _held(state: TimedState) -> tuple[Mapping[str, Effect], ...]:
    return state.sticky, state.cooldown, state.matched


def _effect_json(effect: Effect) -> JsonObject:
    return {
        "hash": effect.mark,
        "start": effect.start,
        "end": effect.end,
        "protected": effect.protected,
    }


def _effects(value: Json) -> dict[str, Effect]:
    members = value.items() if isinstance(value, dict) else ()
    read = ((key, _effect(member)) for key, member in members)
    return {key: effect for key, effect in read if effect is not None}


def _effect(value: Json) -> Effect | None:
    if not isinstance(value, dict):
        return None
    start, end = value.get("start"), value.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return None
    return Effect(str(value.get("hash")), start, end, value.get("protected") is True)
