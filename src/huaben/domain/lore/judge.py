"""Whether an entry's keys are found, by its own window and logic.

Separate from the loop that asks: here nothing is remembered from pass to pass but what was read.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from huaben.domain.lore.keyring import EntryKeys, Keyring
from huaben.domain.lore.reading import Reading
from huaben.domain.lore.ready import Ready
from huaben.domain.lore.trace import Obstacle, OutBy
from huaben.domain.lore.values import Logic
from huaben.domain.lore.window import Segment, Window


@dataclass(frozen=True, slots=True)
class Found:
    """A key of an entry was found and all its other conditions hold."""

    key: str
    where: str
    score: int


@dataclass(frozen=True, slots=True)
class Judge:
    """The keys of all entries, on one ring or two, and the segments they are looked for in."""

    rings: Sequence[Keyring]
    reading: Reading

    def read(self, segments: Iterable[Segment]) -> Iterator[tuple[int, bool]]:
        """Reads segments and yields the ranks of entries with a key in them, and if it is primary."""
        for segment in segments:
            for number in self.reading.read(segment):
                for ring in self.rings:
                    for rank in ring.owners.get(number, ()):
                        yield rank, True
                    for rank in ring.askers.get(number, ()):
                        yield rank, False

    def keys(self, rank: int) -> EntryKeys:
        """The keys of the entry of a rank."""
        return self.rings[0].of.get(rank) or self.rings[-1].of[rank]

    def verdict(self, ready: Ready, window: Window) -> Found | Obstacle:
        """Whether the entry is called for, in the order primary, secondary, required, forbidden."""
        keys = self.keys(ready.rank)
        if not keys.primary:
            return Obstacle(OutBy.NO_KEYS)
        hit = self._first(keys.primary, window)
        if hit is None:
            return self._missing(keys)
        if not self._secondary(ready, keys, window):
            return Obstacle(OutBy.SECONDARY, ready.entry.logic.name)
        for each in keys.required:
            if self._first(each, window) is None:
                names = ", ".join(self.reading.name(number) for number in each)
                return Obstacle(OutBy.REQUIRED, names)
        unwanted = self._first(keys.forbidden, window)
        if unwanted is not None:
            return Obstacle(OutBy.FORBIDDEN, unwanted[0])
        if keys.never_all and all(self._finds(each, window) for each in keys.never_all):
            return Obstacle(OutBy.FORBIDDEN, "all of exclude_keys_all")
        return Found(*hit, score=self.score(ready, window))

    def score(self, ready: Ready, window: Window) -> int:
        """How many keys are found, as group scoring counts them (formats §2.6.5)."""
        keys = self.keys(ready.rank)
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

    def _secondary(self, ready: Ready, keys: EntryKeys, window: Window) -> bool:
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
        return number is not None and self.reading.find(number, window) is not None

    def _first(self, numbers: Iterable[int], window: Window) -> tuple[str, str] | None:
        """The first of these keys that is found, and where."""
        for number in numbers:
            where = self.reading.find(number, window)
            if where is not None:
                return self.reading.name(number), where
        return None

    def _missing(self, keys: EntryKeys) -> Obstacle:
        """Why no key was found, if there is more to say than that."""
        unsupported = self.reading.unsupported(keys.primary)
        if unsupported is not None:
            return Obstacle(OutBy.UNSUPPORTED_KEY, f"{unsupported.key}: {unsupported.detail}")
        stopped = self.reading.stopped(keys.primary)
        if stopped is not None:
            why = self.reading.watch.disabled[stopped]
            return Obstacle(OutBy.STOPPED_KEY, f"{stopped}: {why}")
        return Obstacle(OutBy.NO_MATCH)
