"""The ledger for users: what stands at a node, editing and locking at the head, and what was written when;
apart from the scribe because what a user writes holds (`state.md` §2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import cast

from huaben.domain.caring import chapter_of
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.ledgerchange import Warned, changes_from_json
from huaben.domain.ledgerversion import (
    NoSuchPlace,
    Standing,
    Version,
    edited,
    reverted,
    standing_to_json,
    with_locks,
)
from huaben.domain.standing import Reason, Stood, followed
from huaben.domain.story import Tree
from huaben.errors import BadInput, Conflict, NotFound
from huaben.ports import NodeState, Page, Stale
from huaben.services.aftermath.scribing import commit_version
from huaben.services.house import House
from huaben.services.standing import LedgerAt, ledger_at, stood_of
from huaben.services.stories import load_story, stale

AT_ONCE = 200
"""Nodes whose versions are read at once."""


@dataclass(frozen=True, slots=True)
class Written:
    """A version as it was written, and what stood after it."""

    state: NodeState
    stood: Stood


@dataclass(frozen=True, slots=True)
class Edit:
    """What a user does to the ledger. `revision` is the one that they saw; `patch` changes facts,
    `locked` is the whole list of places that no model may change, None leaves it."""

    revision: int
    patch: JsonObject
    locked: tuple[str, ...] | None = None


def revision_of(stood: Stood) -> int:
    """A number that no other version of the project's ledgers has; 0 where nothing was written. It
    says nothing of which is newer."""
    if not stood.node:
        return 0
    mark = blake2b(f"{stood.node}/{stood.revision}".encode(), digest_size=6)
    return int.from_bytes(mark.digest())


async def show_ledger(house: House, project_id: str, at: str | None = None) -> LedgerAt:
    """What stands at a node, the head if none is named. Raises `NotFound`."""
    story = await load_story(house, project_id)
    return await ledger_at(house, story.tree, _node(story.tree, at or story.head.turn_id))


async def edit_ledger(house: House, project_id: str, edit: Edit) -> LedgerAt:
    """Write a version by the user at the head. Raises `BadInput` naming what of the patch cannot be
    done (nothing is written then) and `Conflict("stale")` when another version stands by now."""

    def make(standing: Standing) -> Version:
        version = edited(standing, cast("Json", edit.patch))
        _refuse(version.warnings)
        return version if edit.locked is None else _locking(version, edit.locked)

    return await _write(house, project_id, edit.revision, make, "user")


async def revert_version(
    house: House, project_id: str, revision: int, node: str, version: int
) -> LedgerAt:
    """Take back what an earlier version changed, as far as nothing changed there since. Raises
    `NotFound` for a version that is not on the way to the head."""
    story = await load_story(house, project_id)
    if node not in [one.id for one in story.tree.path(story.head.turn_id)]:
        raise NotFound("version_not_found", "There is no such version on this branch.")
    found = await house.store.states("ledger", [node])
    state = next((one for one in found if one.revision == version), None)
    if state is None:
        raise NotFound("version_not_found", f"The ledger at {node} has no version {version}.")
    changes = changes_from_json(stood_of(state).version.get("changes"))
    return await _write(
        house, project_id, revision, lambda standing: reverted(standing, changes), "revert"
    )


async def history(
    house: House, project_id: str, page: Page, at: str | None = None
) -> tuple[list[Written], str | None]:
    """The versions on the way to a node, newest first."""
    story = await load_story(house, project_id)
    path = story.tree.path(_node(story.tree, at or story.head.turn_id))
    nodes = [node.id for node in reversed(path)]
    limit = min(max(page.limit, 1), 200)
    found: list[Written] = []
    passing = page.after is not None
    start = _start(nodes, page.after)
    for begin in range(start, len(nodes), AT_ONCE):
        for one in await _newest_first(house, nodes[begin : begin + AT_ONCE]):
            if passing:
                passing = _place(one) != page.after
                continue
            if len(found) == limit:
                return found, _place(found[-1])
            found.append(one)
    return found, None


def _start(nodes: Sequence[str], after: str | None) -> int:
    node = (after or "").partition("/")[0]
    return nodes.index(node) if node in nodes else 0


def _place(written: Written) -> str:
    return f"{written.state.node}/{written.state.revision}"


async def _newest_first(house: House, nodes: Sequence[str]) -> list[Written]:
    states = await house.store.states("ledger", nodes)
    order = {node: n for n, node in enumerate(nodes)}
    states.sort(key=lambda one: (order[one.node], -one.revision))
    return [Written(one, stood_of(one)) for one in states]


# ---- writing -----------------------------------------------------------------------------------


async def _write(
    house: House,
    project_id: str,
    revision: int,
    make: Callable[[Standing], Version],
    reason: Reason,
) -> LedgerAt:
    """Write at the head what `make` makes of what stands there."""
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        head = story.head.turn_id
        stood = (await ledger_at(house, story.tree, head)).stood
        if revision_of(stood) != revision:
            raise Conflict("stale", "The ledger has changed meanwhile.", "Load it and try again.")
        version = make(stood.standing)
        there = stood.revision if stood.node == head else 0
        following = replace(followed(stood, version, head), node=head, revision=there)
        _, commit = commit_version(house, project_id, following, version, reason)
        done = await house.store.commit(commit)
        if isinstance(done, Stale):
            raise stale(done)
        return await ledger_at(house, story.tree, head)


def _refuse(warnings: Sequence[Warned]) -> None:
    """A user's patch is done whole or not at all."""
    if warnings:
        named = "; ".join(
            f"{one.path}: {one.code}{f' ({one.detail})' if one.detail else ''}" for one in warnings
        )
        raise BadInput("bad_patch", f"The patch cannot be applied as it is: {named}.")


def _locking(version: Version, spellings: Sequence[str]) -> Version:
    locked = with_locks(version.standing, spellings)
    if isinstance(locked, NoSuchPlace):
        raise BadInput("no_such_place", f"No place in a ledger is called {locked.spelling}.")
    return replace(version, standing=locked)


def _node(tree: Tree, node: str) -> str:
    if node not in tree:
        raise NotFound.of("turn", node)
    return node


# ---- as resources ------------------------------------------------------------------------------


def ledger_json(ledger: LedgerAt) -> dict[str, object]:
    """The resource `GET /api/projects/{id}/ledger`."""
    stood = ledger.stood
    return {
        "at": ledger.node,
        "revision": revision_of(stood),
        "node": stood.node or None,
        "author": stood.version.get("author"),
        **standing_to_json(stood.standing),
        "behind": len(ledger.behind),
        "behind_turns": list(ledger.behind),
        "changed": list(ledger.changed),
        "grounds": {path: _ground(*ground) for path, ground in stood.grounds.items()},
    }


def _ground(place: str, said: str) -> dict[str, object]:
    """A quotation, and the turn that it stands in or, in a manuscript, the chapter."""
    chapter = chapter_of(place)
    if chapter is None:
        return {"turn": place, "quotation": said}
    return {"turn": "", "chapter": chapter, "quotation": said}


def version_json(written: Written) -> dict[str, object]:
    """One version of the history."""
    state, stood = written.state, written.stood
    told = cast("Mapping[str, object]", stood.version)
    return {
        "node": state.node,
        "version": state.revision,
        "revision": revision_of(stood),
        "at": state.at,
        "reason": stood.reason,
        **told,
    }
