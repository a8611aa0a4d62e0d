"""What a continuity check looks at: the changed passages and the chapters behind them, cut into rounds that a
model can take in; apart from asking, because it is decided once however often the job runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar, cast

from huaben.domain.checkpoint import Manifest, changed_of, difference
from huaben.domain.continuity import BEFORE_CHARS, altered
from huaben.domain.manuscript import in_order
from huaben.domain.text import clip, is_blank
from huaben.prompt.diary import in_pieces
from huaben.services.house import House
from huaben.services.writing.lacking import Part, files_at, text_at

HALF_CHARS: Final = 20_000
"""Of changed passages, and of later chapters, so much goes into a round at most."""
LEAST_CHARS: Final = 1000
MAX_ROUNDS: Final = 12
"""More are not asked; the chapters that are left out are named."""

T = TypeVar("T")
Changed: TypeAlias = tuple[Part, str]
"""A passage, and what stood there before. Of a chapter that is gone the text has no name."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A manuscript between two checkpoints (no first one: all of it is new); `chosen` chapters alone, if any
    are named, whole."""

    project_id: str
    since: str
    checkpoint: str
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    passages: tuple[Changed, ...]
    later: tuple[Part, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "passages": [[*_row(part), before] for part, before in self.passages],
            "later": [_row(part) for part in self.later],
        }

    @staticmethod
    def from_json(data: Mapping[str, object]) -> Round:
        """What `to_json` gave."""
        passages = cast("list[tuple[str, str, int, int, str]]", data["passages"])
        later = cast("list[tuple[str, str, int, int]]", data["later"])
        return Round(
            tuple((Part(*one[:4]), one[4]) for one in passages), tuple(Part(*one) for one in later)
        )


@dataclass(frozen=True, slots=True)
class Planned:
    """The rounds of a check, the chapters whose passages it looks at, and those that it leaves out."""

    rounds: tuple[Round, ...]
    chapters: tuple[str, ...]
    left_out: tuple[str, ...]


def sized_for(window: int | None) -> int:
    """How many characters each half of a round may have: a model with a small window gets less."""
    return HALF_CHARS if window is None else max(LEAST_CHARS, min(HALF_CHARS, window // 3))


async def rounds_of(house: House, compared: Compared, half: int) -> Planned:
    """Every changed passage beside every chapter behind it."""
    files = await files_at(house, compared.checkpoint)
    changes = [one async for one in _changes(house, compared, files, half)]
    texts: dict[str, str] = {}
    rounds: list[Round] = []
    for group in _groups(changes, half):
        names = {part.name for part, _ in group}
        behind = [name for name in in_order(files) if name > min(names) and name not in names]
        later: list[Part] = []
        for name in behind:
            if name not in texts:
                texts[name] = await text_at(house, compared.project_id, files[name])
            later += _cut(name, files[name], texts[name], 0, len(texts[name]), half)
        slices = list(_slices(later, half)) or [()]
        rounds += [Round(tuple(group), one) for one in slices]
    asked, rest = rounds[:MAX_ROUNDS], rounds[MAX_ROUNDS:]
    seen = {part.name for one in asked for part in _parts(one)}
    left = {part.name for one in rest for part in _parts(one)}
    return Planned(
        tuple(asked),
        tuple(in_order({part.name for part, _ in changes})),
        tuple(in_order(left - seen or left)),
    )


async def _changes(
    house: House, compared: Compared, files: Manifest, half: int
) -> AsyncIterator[Changed]:
    old = await files_at(house, compared.since)
    told = changed_of(difference(old, files))
    wanted = compared.chosen or in_order((*told.added, *told.modified, *told.removed))
    for name in wanted:
        was = await text_at(house, compared.project_id, old[name]) if name in old else ""
        if name not in files:
            if not is_blank(was):
                yield Part(name, "", 0, 0), clip(was, BEFORE_CHARS)
            continue
        now = await text_at(house, compared.project_id, files[name])
        start, end, before = 0, len(now), ""
        found = altered(was, now) if was else None
        if found is not None:
            start, end, before = found.start, found.end, found.before
        pieces = list(_cut(name, files[name], now, start, end, half))
        for n, part in enumerate(pieces or [Part(name, files[name], start, end)]):
            yield part, before if n == 0 else ""


def _cut(name: str, sha256: str, text: str, start: int, end: int, half: int) -> Iterator[Part]:
    """A stretch of a chapter in pieces that fit."""
    for piece in in_pieces(text[start:end], half):
        if not is_blank(piece):
            yield Part(name, sha256, start, start + len(piece))
        start += len(piece)


def _groups(changes: Sequence[Changed], half: int) -> Iterator[list[Changed]]:
    """Changes that go into a round together."""
    sizes = [part.end - part.start + len(before) for part, before in changes]
    return _runs(changes, sizes, half)


def _slices(parts: Sequence[Part], half: int) -> Iterator[tuple[Part, ...]]:
    """Later chapters that go into a round together."""
    return (tuple(run) for run in _runs(parts, [part.end - part.start for part in parts], half))


def _runs(items: Sequence[T], sizes: Sequence[int], room: int) -> Iterator[list[T]]:
    """Items in as few runs as fit into `room` each, in their order."""
    run: list[T] = []
    used = 0
    for item, size in zip(items, sizes, strict=True):
        if run and used + size > room:
            yield run
            run, used = [], 0
        run.append(item)
        used += size
    if run:
        yield run


def _parts(one: Round) -> Iterator[Part]:
    yield from (part for part, _ in one.passages)
    yield from one.later


def _row(part: Part) -> list[object]:
    return [part.name, part.sha256, part.start, part.end]
