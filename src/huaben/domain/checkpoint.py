"""Checkpoints: what a manuscript was at a moment, how two of them differ, and which changes of files a
restore needs. Apart from files and rows, so that a plan is made in full before anything is touched.

The rules are those of `writing.md` §3 and §4.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from huaben.domain.manuscript import name_key

Manifest: TypeAlias = Mapping[str, str]
"""File name → SHA-256 of its bytes in lower-case hex."""
CheckpointAuthor: TypeAlias = Literal["agent", "user"]
CheckpointCause: TypeAlias = Literal[
    "turn", "saved", "found", "imported", "replaced", "restored", "moved", "asked", "begun"
]
"""What made a checkpoint: a turn, a save of a chapter, an edit found on the disk, an import, a
replacement, a restore of files, a move of the head, the user's wish, the beginning of the book."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """The hash of a file before and after; None where there was or is none. Never both."""

    before: str | None
    after: str | None


Delta: TypeAlias = Mapping[str, FileChange]
"""File name → its change; only files that differ, in order of their names."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What a checkpoint changed, as its record tells it: names in order, renamed ones as (old, new)."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The record of a checkpoint.

    `number` counts the checkpoints of a project from 1; the store gives it. `turn` is the turn that made
    the change, `message` the user's words of it. `aborted`: the turn was stopped or failed.
    `restored_from` is the checkpoint that was restored. `name` is what the user called it. Times are
    ISO-8601 UTC. `cause` is None where it was not written down.
    """

    id: str
    project_id: str
    user_id: str
    at: str
    author: CheckpointAuthor
    delta: Delta
    number: int = 0
    turn: str | None = None
    message: str = ""
    aborted: bool = False
    restored_from: str | None = None
    name: str = ""
    cause: CheckpointCause | None = None

    @property
    def changed(self) -> Changed:
        return changed_of(self.delta)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A checkpoint with all files of the manuscript at that moment."""

    checkpoint: Checkpoint
    files: Manifest


@dataclass(frozen=True, slots=True)
class MoveConflict:
    """Files that were changed by hand since, or that would clash with one; nothing was touched."""

    names: tuple[str, ...]


def difference(old: Manifest, new: Manifest) -> Delta:
    """Return what leads from one manifest to the other."""
    names = [name for name, sha256 in new.items() if old.get(name) != sha256]
    names += [name for name in old if name not in new]
    return {name: FileChange(old.get(name), new.get(name)) for name in sorted(names)}


def applied(files: Manifest, delta: Delta) -> Manifest:
    """Return the manifest after a change. What the files were before is not looked at."""
    after = dict(files)
    for name, one in delta.items():
        if one.after is None:
            after.pop(name, None)
        else:
            after[name] = one.after
    # What only changed keeps its place; a thousand names are put in order for new ones alone.
    return after if after.keys() <= files.keys() else dict(sorted(after.items()))


def changed_of(delta: Delta) -> Changed:
    """Tell a change as added, modified, renamed and removed files.

    Renamed is a file whose old name is gone and whose bytes stand under a new name, paired one to one in
    order of the names; a file that still exists is never the source of one.
    """
    gone: defaultdict[str, deque[str]] = defaultdict(deque)
    for name in sorted(delta):
        before = delta[name].before
        if before is not None and delta[name].after is None:
            gone[before].append(name)
    added: list[str] = []
    renamed: list[tuple[str, str]] = []
    for name in sorted(delta):
        after = delta[name].after
        if delta[name].before is not None or after is None:
            continue
        if gone[after]:
            renamed.append((gone[after].popleft(), name))
        else:
            added.append(name)
    modified = [n for n in sorted(delta) if None not in (delta[n].before, delta[n].after)]
    removed = sorted(name for names in gone.values() for name in names)
    return Changed(tuple(added), tuple(modified), tuple(sorted(renamed)), tuple(removed))


def combined(deltas: Iterable[Delta]) -> Delta:
    """Return what changes that followed each other come to; what was changed back is left out."""
    whole: dict[str, FileChange] = {}
    for delta in deltas:
        for name, step in delta.items():
            earlier = whole.get(name)
            whole[name] = FileChange(earlier.before if earlier else step.before, step.after)
    return {name: step for name, step in sorted(whole.items()) if step.before != step.after}


def delta_data(delta: Delta) -> dict[str, list[str | None]]:
    """Return a change as plain JSON: name → [before, after]."""
    return {name: [step.before, step.after] for name, step in delta.items()}


def delta_of(data: object) -> Delta | None:
    """Return the change that `delta_data` wrote, or None for anything else."""
    if not isinstance(data, Mapping):
        return None
    steps: dict[str, FileChange] = {}
    for name, pair in cast("Mapping[object, object]", data).items():
        if not isinstance(name, str) or not isinstance(pair, list | tuple):
            return None
        hashes = cast("Sequence[object]", pair)
        if len(hashes) != 2 or not all(one is None or isinstance(one, str) for one in hashes):
            return None
        before, after = cast("Sequence[str | None]", pair)
        steps[name] = FileChange(before, after)
    return steps


def move_plan(
    now: Manifest, undone: Sequence[Delta], redone: Sequence[Delta], *, force: bool = False
) -> Delta | MoveConflict:
    """Return what must happen to the files `now` so that turns are taken back and done again.

    `undone` are the changes to take back, latest first, `redone` those to do afterwards, earliest first.
    Only their files are touched. A file that is not what the turn left, or that was changed by hand
    between two of them, is a conflict; with `force` it becomes what the plan says all the same. A file
    that already is what it should become is left alone.
    """
    plan: dict[str, FileChange] = {}
    broken: set[str] = set()
    backwards = ({n: FileChange(c.after, c.before) for n, c in one.items()} for one in undone)
    for delta in (*backwards, *redone):
        for name, step in delta.items():
            earlier = plan.get(name)
            if earlier is not None and earlier.after != step.before:
                broken.add(name)
            plan[name] = FileChange(earlier.before if earlier else step.before, step.after)
    steps: dict[str, FileChange] = {}
    for name, step in sorted(plan.items()):
        found = now.get(name)
        if found != step.after:
            steps[name] = FileChange(found, step.after)
            if found != step.before:
                broken.add(name)
        else:
            broken.discard(name)
    if broken and not force:
        return MoveConflict(tuple(sorted(broken)))
    twins = twins_among(applied(now, steps))
    return MoveConflict(tuple(twins)) if twins else steps


def twins_among(names: Iterable[str]) -> list[str]:
    """Names that some file system could not tell from one another, in order."""
    keyed: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        keyed[name_key(name)].append(name)
    return sorted(name for alike in keyed.values() if len(alike) > 1 for name in alike)


def chain_faults(checkpoints: Iterable[Checkpoint]) -> Iterator[str]:
    """What does not fit in the checkpoints of a project, from the first on, in a sentence each: every one
    must go on from the state that the one before it left."""
    files: Manifest = {}
    for number, one in enumerate(checkpoints, 1):
        if one.number != number:
            yield f"checkpoint {one.id} has the number {one.number} where {number} belongs"
        for name, step in one.delta.items():
            if files.get(name) != step.before:
                yield f"checkpoint {one.id} changes {name} as it was not"
        files = applied(files, one.delta)
