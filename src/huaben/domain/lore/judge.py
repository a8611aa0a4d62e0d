"""Whether an entry's keys are found, by its own window and logic.

Separate from the loop that asks: here nothing is remembered from pass to pass but what was read.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from huaben.domain.lore.keytable import KeyTable
from huaben.domain.lore.ready import Ready
from huaben.domain.lore.trace import OutBy
from huaben.domain.lore.values import Logic
from huaben.domain.lore.window import Segment, Window


@dataclass(frozen=True, slots=True)
class Found:
    """A key of an entry was found and all its other conditions hold."""

    key: str
    where: str
    score: int


@dataclass(frozen=True, slots=True)
class NotFound:
    """An entry's keys do not call for it, and which condition failed."""

    reason: OutBy
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Keys:
    """The keys of one entry by number; None is a blank secondary key, which is never found."""

    primary: tuple[int, ...]
    secondary: tuple[int | None, ...]
    required: tuple[tuple[int, ...], ...]
    forbidden: tuple[int, ...]
    never_all: tuple[int | None, ...]


@dataclass(slots=True)
class Judge:
    """The keys of all entries, and the segments they are looked for in."""

    table: KeyTable
    _keys: dict[int, _Keys] = field(default_factory=dict[int, _Keys])
    _owners: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    _askers: dict[int, list[int]] = field(default_factory=dict[int, list[int]])

    def add(self, ready: Ready) -> bool:
        """Takes in an entry; whether it must be asked in every pass, having patterns for keys."""
        entry, rule = ready.entry, ready.rule

        def numbers(keys: Iterable[str]) -> tuple[int | None, ...]:
            return tuple(self.table.add(key, rule, wildcards=entry.wildcards) for key in keys)

        obeyed = ready.obeyed
        keys = _Keys(
            primary=_known(numbers(entry.keys)),
            secondary=numbers(entry.secondary) if entry.selective else (),
            required=tuple(_known(numbers(each)) for each in obeyed.required),
            forbidden=_known(numbers(obeyed.forbidden)),
            never_all=numbers(obeyed.never_all),
        )
        self._keys[ready.rank] = keys
        for number in keys.primary:
            self._owners.setdefault(number, []).append(ready.rank)
        others = {number for number in keys.secondary if number is not None}
        for number in others.union(*keys.required):
            self._askers.setdefault(number, []).append(ready.rank)
        return self.has_patterns(ready)

    def read(self, segments: Iterable[Segment]) -> Iterator[tuple[int, bool]]:
        """Reads segments and yields the ranks of entries with a key in them, and if it is primary."""
        for segment in segments:
            for number in self.table.read(segment):
                for rank in self._owners.get(number, ()):
                    yield rank, True
                for rank in self._askers.get(number, ()):
                    yield rank, False

    def has_patterns(self, ready: Ready) -> bool:
        """Whether an entry has a key that is looked for in each window anew."""
        keys = self._keys[ready.rank]
        numbers = (
            *keys.primary,
            *_known(keys.secondary),
            *(n for each in keys.required for n in each),
        )
        return any(self.table.is_pattern(number) for number in numbers)

    def has_keys(self, ready: Ready) -> bool:
        """Whether an entry has a key that can be found at all."""
        return bool(self._keys[ready.rank].primary)

    def verdict(self, ready: Ready, window: Window) -> Found | NotFound:
        """Whether the entry is called for, in the order primary, secondary, required, forbidden."""
        keys = self._keys[ready.rank]
        if not keys.primary:
            return NotFound(OutBy.NO_KEYS)
        hit = self._first(keys.primary, window)
        if hit is None:
            return self._missing(keys)
        if not self._secondary(ready, keys, window):
            return NotFound(OutBy.SECONDARY, ready.entry.logic.name)
        for each in keys.required:
            if self._first(each, window) is None:
                names = ", ".join(self.table.name(number) for number in each)
                return NotFound(OutBy.REQUIRED, names)
        unwanted = self._first(keys.forbidden, window)
        if unwanted is not None:
            return NotFound(OutBy.FORBIDDEN, unwanted[0])
        if keys.never_all and all(self._finds(each, window) for each in keys.never_all):
            return NotFound(OutBy.FORBIDDEN, "all of exclude_keys_all")
        return Found(*hit, score=self.score(ready, window))

    def score(self, ready: Ready, window: Window) -> int:
        """How many keys are found, as group scoring counts them (formats §2.6.5)."""
        keys = self._keys[ready.rank]
        primary = sum(self._finds(number, window) for number in keys.primary)
        if not primary or not keys.secondary:
            return primary
        secondary = sum(self._finds(number, window) for number in keys.secondary)
        match ready.entry.logic:
            case Logic.AND_ANY:
                return primary + secondary
            case Logic.AND_ALL:
                return primary + (secondary if secondary == len(keys.secondary) else 0)
            case Logic.NOT_ALL | Logic.NOT_ANY:
                return primary

    def _secondary(self, ready: Ready, keys: _Keys, window: Window) -> bool:
        if not keys.secondary:
            return True
        finds = (self._finds(number, window) for number in keys.secondary)
        match ready.entry.logic:
            case Logic.AND_ANY:
                return any(finds)
            case Logic.NOT_ALL:
                return not all(finds)
            case Logic.NOT_ANY:
                return not any(finds)
            case Logic.AND_ALL:
                return all(finds)

    def _finds(self, number: int | None, window: Window) -> bool:
        return number is not None and self.table.find(number, window) is not None

    def _first(self, numbers: Iterable[int], window: Window) -> tuple[str, str] | None:
        """The first of these keys that is found, and where."""
        for number in numbers:
            where = self.table.find(number, window)
            if where is not None:
                return self.table.name(number), where
        return None

    def _missing(self, keys: _Keys) -> NotFound:
        """Why no key was found, if there is more to say than that."""
        unsupported = self.table.unsupported(keys.primary)
        if unsupported is not None:
            return NotFound(OutBy.UNSUPPORTED_KEY, f"{unsupported.key}: {unsupported.detail}")
        stopped = self.table.stopped(keys.primary)
        if stopped is not None:
            return NotFound(OutBy.STOPPED_KEY, f"{stopped}: {self.table.watch.disabled[stopped]}")
        return NotFound(OutBy.NO_MATCH)


def _known(numbers: tuple[int | None, ...]) -> tuple[int, ...]:
    return tuple(number for number in numbers if number is not None)
