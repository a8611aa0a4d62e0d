"""A ledger as a node of the story has it: what stands, who wrote it there, and which turns went into it;
apart from versions because those know nothing of a tree.

Source of the rules: `state.md` §§1–2. A ledger row is a function of its node. What a scribe has not read
is told by the path: the sealed turns behind the last one that it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, cast

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.ledger import Ledger, dotted, path_of
from huaben.domain.ledgerversion import (
    Standing,
    Version,
    standing_from_json,
    standing_to_json,
    version_to_json,
)
from huaben.domain.story import Node, Tree

Reason: TypeAlias = Literal["scribe", "user", "revert", "recompute", "import"]


@dataclass(frozen=True, slots=True)
class Stood:
    """What stands at a node. `node` is where it was written (empty: nowhere yet, all is blank) and
    `revision` its version there. `through` is the last turn that went into it, `missed` earlier ones
    that did not; `heard` are the revisions of earlier texts that did. `grounds` has for each place
    that rests on a quotation, by its dotted path, the turn that it stands in and its words."""

    standing: Standing = field(default_factory=Standing)
    version: Mapping[str, Json] = field(default_factory=dict[str, Json])
    node: str = ""
    revision: int = 0
    through: str = ""
    missed: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    reason: Reason = "scribe"
    grounds: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])


def followed(stood: Stood, version: Version, turn: str) -> Stood:
    """What stands after a version over `stood`: `turn` is where its quotations stand. A place that
    changed without one has no ground any more, nor has one that is gone."""
    changed = {dotted(change.path) for change in version.changes}
    ledger = version.standing.ledger
    kept = {
        path: ground
        for path, ground in stood.grounds.items()
        if path not in changed and _stands(ledger, path)
    }
    fresh = {dotted(path): (turn, said) for path, said in version.evidence.items()}
    return replace(stood, standing=version.standing, version={}, grounds=kept | fresh)


def _stands(ledger: Ledger, spelling: str) -> bool:
    match path_of(spelling):
        case ("characters", name, *_):
            return name in ledger.characters
        case ("flags", name):
            return name in ledger.flags
        case _:
            return True


def stood_to_json(stood: Stood, version: Version) -> JsonObject:
    """What is kept at a node of what stands there and how it came about."""
    return {
        "standing": standing_to_json(stood.standing),
        "version": version_to_json(version),
        "through": stood.through,
        "missed": [*stood.missed],
        "heard": [*stood.heard],
        "reason": stood.reason,
        "grounds": {path: [*ground] for path, ground in stood.grounds.items()},
    }


def stood_from_json(data: Mapping[str, object], node: str, revision: int) -> Stood:
    """What was kept so. Raises ValueError for what is none of ours: the record is damaged."""
    value = cast("JsonObject", data)  # JSON text is what it was read from
    through, reason, version = value.get("through"), value.get("reason"), value.get("version")
    if not isinstance(through, str) or not isinstance(version, dict):
        raise ValueError("the stored ledger does not say what it is of")
    return Stood(
        standing_from_json(value.get("standing")),
        version,
        node,
        revision,
        through,
        _texts(value.get("missed")),
        _texts(value.get("heard")),
        cast("Reason", reason),  # written from the same type
        _grounds(value.get("grounds")),
    )


def unread(path: Sequence[Node], stood: Stood) -> list[str]:
    """The sealed turns on a path (from the root) that did not go into what stands at its end, oldest
    first."""
    on_path = {node.id for node in path}
    missed = [turn for turn in stood.missed if turn in on_path]
    start = next((n + 1 for n, node in enumerate(path) if node.id == stood.through), 0)
    return missed + [
        node.id for node in path[start:] if is_told(node) and node.id not in stood.missed
    ]


def is_told(node: Node) -> bool:
    """Whether the node tells a part of the story that a scribe reads."""
    return node.kind == "turn" and node.outcome == "sealed"


def unheard(tree: Tree, head: str, stood: Stood) -> list[str]:
    """The turns on the path to `head` whose text was changed since it went into what stands there."""
    return [
        turn
        for turn, revision in tree.in_force(head).items()
        if revision not in stood.heard and is_told(tree[turn])
    ]


def _grounds(value: Json) -> dict[str, tuple[str, str]]:
    if not isinstance(value, dict):
        raise ValueError("the stored ledger has no grounds")
    found = {path: _texts(ground) for path, ground in value.items()}
    return {path: (ground[0], ground[1]) for path, ground in found.items() if len(ground) == 2}


def _texts(value: Json) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("the stored ledger names turns that are no texts")
    return tuple(cast("list[str]", value))
