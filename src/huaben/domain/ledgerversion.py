"""Versions of a ledger: who wrote what on what grounds, and what stands after it; apart from patches and
evidence because only here the two meet, by different rules for a model and for the user.

A model's patch is weighed and spares what is locked; what the user writes holds (`state.md` §2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from huaben.domain.evidence import Weighed, weigh
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.ledger import (
    Ledger,
    Path,
    Roster,
    dotted,
    known_names,
    ledger_from_json,
    ledger_to_json,
    path_of,
    roster_from_json,
    roster_to_json,
)
from huaben.domain.ledgerchange import Change, Patched, Warned, changes_to_json, revert
from huaben.domain.ledgerpatch import Patch, apply, leaves, read_patch, sparing, without
from huaben.domain.scribereply import ScribeReply

Author: TypeAlias = Literal["scribe", "user"]


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands at a node. `claimed` are the places whose value has no valid evidence, `locked`
    those that no model may change; a lock holds for all beneath its path."""

    ledger: Ledger = field(default_factory=Ledger)
    roster: Roster = field(default_factory=Roster)
    claimed: frozenset[Path] = frozenset()
    locked: frozenset[Path] = frozenset()


@dataclass(frozen=True, slots=True)
class Version:
    """One version over its parent. `evidence` has the quotation for each item that rests on one,
    `claims` what was quoted in vain for each that does not, empty if nothing was."""

    author: Author
    standing: Standing
    changes: tuple[Change, ...] = ()
    evidence: Mapping[Path, str] = field(default_factory=dict[Path, str])
    claims: Mapping[Path, str] = field(default_factory=dict[Path, str])
    warnings: tuple[Warned, ...] = ()


@dataclass(frozen=True, slots=True)
class NoSuchPlace:
    """No place in a ledger is called `spelling`."""

    spelling: str


@dataclass(frozen=True, slots=True)
class Rules:
    """How a scribe's patch is taken. `aliases` lead to the names to use; without evidence an item
    is refused if `require_evidence`, else kept as a claim; `story_time` is noted for new names
    where the ledger's own time after the patch is not wanted."""

    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    require_evidence: bool = False
    story_time: str | None = None


def scribed(
    standing: Standing, reply: ScribeReply, turn: Sequence[str], rules: Rules | None = None
) -> Version:
    """The version that a scribe's reply makes of what stood before the turn.

    `turn` holds the texts that evidence is looked for in: the user's words, with what they were
    asked and answered, and the final text. `rules` are the default ones if left out.
    """
    rules = rules or Rules()
    names = known_names(standing.ledger, standing.roster, rules.aliases)
    written = read_patch(reply.patch, names)
    weighed = weigh(written, reply.evidence, turn, names)
    patch = sparing(written, standing.locked)
    if rules.require_evidence:
        patch = without(patch, weighed.claims, "unsupported")
    patched = apply(standing.ledger, standing.roster, patch, rules.story_time)
    warnings = (*reply.warnings, *patched.warnings, *weighed.warnings)
    return _version("scribe", standing, replace(patched, warnings=warnings), _kept(weighed, patch))


def edited(standing: Standing, patch: Json, aliases: Mapping[str, str] | None = None) -> Version:
    """The version that a patch of the user's makes. It passes locks and needs no evidence."""
    names = known_names(standing.ledger, standing.roster, aliases)
    read = read_patch(patch, names)
    patched = apply(standing.ledger, standing.roster, read)
    return _version("user", standing, patched, Weighed(dict.fromkeys(leaves(read), "")))


def reverted(standing: Standing, changes: Sequence[Change]) -> Version:
    """The version in which the user takes back the changes of an earlier one, as far as nothing
    changed there since. What is put back holds by the user's word."""
    patched = revert(standing.ledger, standing.roster, changes)
    put_back = dict.fromkeys((change.path for change in patched.changes), "")
    return _version("user", standing, patched, Weighed(put_back))


def with_locks(standing: Standing, spellings: Iterable[str]) -> Standing | NoSuchPlace:
    """The same facts with these places locked and no others, each given by its dotted path."""
    names = known_names(standing.ledger, standing.roster)
    paths: set[Path] = set()
    for spelling in spellings:
        path = names.path(spelling)
        if path is None:
            return NoSuchPlace(spelling)
        paths.add(path)
    return replace(standing, locked=frozenset(paths))


def _kept(weighed: Weighed, patch: Patch) -> Weighed:
    """Only what was said of items that are still in the patch."""
    items = frozenset(leaves(patch))
    canon, claims = (
        {path: quotation for path, quotation in quoted.items() if path in items}
        for quoted in (weighed.canon, weighed.claims)
    )
    return Weighed(canon, claims)


def _version(author: Author, before: Standing, patched: Patched, weighed: Weighed) -> Version:
    changed = {change.path for change in patched.changes}
    # A claim that repeats what stands already takes nothing from it.
    fresh = {path for path in weighed.claims if path in changed or path[:2] in changed}
    claimed = (before.claimed - weighed.canon.keys()) | fresh
    after = Standing(
        patched.ledger,
        patched.roster,
        frozenset(path for path in claimed if _has(patched.ledger, path)),
        before.locked,
    )
    quoted = {path: quotation for path, quotation in weighed.canon.items() if quotation}
    return Version(author, after, patched.changes, quoted, weighed.claims, patched.warnings)


def _has(ledger: Ledger, path: Path) -> bool:
    match path:
        case ("characters", name, "location"):
            return bool(name in ledger.characters and ledger.characters[name].location)
        case ("characters", name, *_):
            return name in ledger.characters
        case ("flags", name):
            return name in ledger.flags
        case _:
            return True


# ---- as JSON -------------------------------------------------------------------------------------


def standing_to_json(standing: Standing) -> JsonObject:
    """The public form, with dotted paths; `standing_from_json` reads it back to an equal value."""
    return {
        "ledger": ledger_to_json(standing.ledger),
        "roster": roster_to_json(standing.roster),
        "claimed": [*sorted(dotted(path) for path in standing.claimed)],
        "locked": [*sorted(dotted(path) for path in standing.locked)],
    }


def standing_from_json(value: Json) -> Standing:
    """What was stored so. Raises ValueError for what is none of ours: the record is damaged."""
    if not isinstance(value, dict):
        raise ValueError("the stored standing is no object")
    return Standing(
        ledger_from_json(value.get("ledger", {})),
        roster_from_json(value.get("roster", {})),
        _places(value, "claimed"),
        _places(value, "locked"),
    )


def version_to_json(version: Version) -> JsonObject:
    """A version without what stands after it, as it is stored beside that and shown to the user."""
    return {
        "author": version.author,
        "changes": changes_to_json(version.changes),
        "evidence": {dotted(path): said for path, said in version.evidence.items()},
        "claims": {dotted(path): said for path, said in version.claims.items()},
        "warnings": [
            {"code": warned.code, "path": warned.path, "detail": warned.detail}
            for warned in version.warnings
        ],
    }


def _places(stored: JsonObject, name: str) -> frozenset[Path]:
    value = stored.get(name, [])
    spellings = value if isinstance(value, list) else [None]
    paths = frozenset(path_of(each) if isinstance(each, str) else None for each in spellings)
    known = frozenset(path for path in paths if path is not None)
    if len(known) < len(paths):
        raise ValueError(f"the stored {name} hold something that is no place in a ledger")
    return known
