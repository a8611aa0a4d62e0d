"""What became different from one ledger to the next, and taking it back; apart from patches because a
difference is told between any two ledgers, however the later one came about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.ledger import (
    Ledger,
    Path,
    Roster,
    capped,
    dotted,
    folded,
    ledger_from_json,
    ledger_to_json,
    named,
    roster_from_json,
    roster_to_json,
)

WarningCode: TypeAlias = Literal[
    "unknown_key",
    "wrong_type",
    "blank_name",
    "too_long",
    "clamped",
    "locked",
    "unsupported",
    "unknown_evidence",
    "changed_since",
]


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that was written and not done so. `path` is dotted, `detail` a technical fact."""

    code: WarningCode
    path: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One place that differs: a field, a flag, a whole list, a whole character that came or went,
    or a name of the roster under `("roster", group, name)`.

    `before` and `after` are in the public form, None where there was or is nothing. `at` is where
    something that went stood among its own kind, from 0; it is -1 for all else.
    """

    path: Path
    before: Json
    after: Json
    at: int = -1


@dataclass(frozen=True, slots=True)
class Patched:
    """Ledger and roster after something was done to them, what became different, and what of it
    was not done."""

    ledger: Ledger
    roster: Roster
    changes: tuple[Change, ...] = ()
    warnings: tuple[Warned, ...] = ()


Pair: TypeAlias = tuple[Ledger, Roster]


def changes_between(before: Pair, after: Pair) -> tuple[Change, ...]:
    """Every place in which two ledgers with their rosters differ; none if they are equal."""
    return tuple(_differences((), _document(before), _document(after)))


def revert(ledger: Ledger, roster: Roster, changes: Sequence[Change]) -> Patched:
    """Put back what stood before `changes`, wherever it is still as they left it.

    Right after the changes this gives back exactly what was, order included. A place that was
    changed again since is left alone, with the warning `changed_since`. Names that the changes
    brought to the roster leave it again, unless the ledger names them by now.
    """
    document = _document((ledger, roster))
    in_ledger = [change for change in changes if change.path[0] != "roster"]
    left = [change for change in in_ledger if not _put_back(document, change)]
    after = ledger_from_json({key: document[key] for key in document if key != "roster"})
    standing = _keys(named(after))
    for change in changes:
        if change.path[0] == "roster" and not (change.before is None and _key(change) in standing):
            _put_back(document, change)
    restored = capped(roster_from_json(document["roster"]))
    warnings = tuple(Warned("changed_since", dotted(change.path)) for change in left)
    done = changes_between((ledger, roster), (after, restored))
    return Patched(after, restored, done, warnings)


def changes_to_json(changes: Iterable[Change]) -> list[Json]:
    """The stored form; `changes_from_json` reads it back to equal values."""
    stored: list[Json] = []
    for change in changes:
        row: JsonObject = {
            "path": [*change.path],
            "before": change.before,
            "after": change.after,
        }
        stored.append(row if change.at < 0 else {**row, "at": change.at})
    return stored


def changes_from_json(value: Json) -> tuple[Change, ...]:
    """The changes that were stored so. Raises ValueError for what is none of ours."""
    if not isinstance(value, list):
        raise ValueError("the stored changes are no list")
    return tuple(_change(row) for row in value)


def _change(row: Json) -> Change:
    if isinstance(row, dict) and isinstance(written := row.get("path"), list):
        path = tuple(part for part in written if isinstance(part, str))
        at = row.get("at", -1)
        if path and len(path) == len(written) and isinstance(at, int):
            return Change(path, row.get("before"), row.get("after"), at)
    raise ValueError("a stored change names no place")


def _document(pair: Pair) -> JsonObject:
    """Ledger and roster as one tree of objects, in which paths lead to every place."""
    ledger, roster = pair
    return {**ledger_to_json(ledger), "roster": roster_to_json(roster)}


def _differences(path: Path, before: JsonObject, after: JsonObject) -> Iterator[Change]:
    for at, (key, old) in enumerate(before.items()):
        new = after.get(key)
        if key not in after:
            yield Change((*path, key), old, None, at)
        elif isinstance(old, dict) and isinstance(new, dict):
            yield from _differences((*path, key), old, new)
        elif old != new:
            yield Change((*path, key), old, new)
    for key, new in after.items():
        if key not in before:
            yield Change((*path, key), None, new)


def _put_back(document: JsonObject, change: Change) -> bool:
    """Undo one change in place and say whether it was still there to undo."""
    here = document
    for part in change.path[:-1]:
        inner = here.get(part)
        if not isinstance(inner, dict):
            return False
        here = inner
    key = change.path[-1]
    if here.get(key) != change.after:
        return False
    if change.before is None:
        here.pop(key, None)
    elif change.after is not None:
        here[key] = change.before
    else:
        members = list(here.items())
        members.insert(change.at, (key, change.before))
        here.clear()
        here.update(members)
    return True


def _key(change: Change) -> tuple[str, str]:
    return change.path[1], folded(change.path[-1])


def _keys(names: Roster) -> set[tuple[str, str]]:
    """The names of a roster as changes call them: group and folded name."""
    groups = (
        ("people", names.people),
        ("items", names.items),
        ("places", names.places),
        ("threads", names.threads),
    )
    return {(group, folded(name)) for group, members in groups for name in members}
