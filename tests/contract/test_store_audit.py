"""What every store's audit finds: nothing in what the program wrote, each fault of a tree by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.events import Asked, DraftChange, End, Notice, Status, TextPiece
from huaben.domain.project import Project
from huaben.domain.story import Revision, Turn
from huaben.ports import Commit, Committed, Due, DueDone, Head, Row, Store, Visit
from tests.contract.samples import (
    a_beginning,
    a_book,
    a_card,
    a_closed_call,
    a_request,
    a_turn,
    an_opened_call,
)


async def faults(store: Store) -> list[str]:
    return [fault async for fault in store.audit()]


async def a_played_project(store: Store) -> tuple[Project, Turn, Turn]:
    """A project with a greeting, a sealed and folded turn with calls, a waiting and a queued one."""
    project, greeting, beginning = a_beginning()
    sealed = a_turn(project, parent=greeting.id, run="ended", outcome="sealed", epoch=1)
    waiting = a_turn(project, parent=sealed.id, run="waiting", epoch=1, depth=2)
    queued = a_turn(project, parent=greeting.id, run="queued", depth=7)
    opened = an_opened_call(sealed, a_request("雨", "Go on."))
    rows: list[Row] = [*beginning.rows, sealed, waiting, queued]
    rows += [Head(project.id, waiting.id), Visit(greeting.id, sealed.id), opened]
    rows += [a_closed_call(opened), a_card(object_hash=""), a_book(object_hash="")]
    pieces = [TextPiece(0, n, "灯") for n in range(5)]
    previews = [DraftChange(0, "write", 0, "雨", preview=True, offset=n) for n in range(5)]
    log = [
        *pieces,
        *previews,
        DraftChange(1, "write", 0, "雨" * 5),
        Status("sealed"),
        End("sealed"),
    ]
    answer = await store.commit(
        Commit(
            rows=tuple(rows),
            events=(
                *((sealed.id, event) for event in log),
                (waiting.id, Asked(0, 0, "往哪走？", ("左", "右"))),
            ),
            due=(Due("p/post", "scribe", {"turn": sealed.id}), Due("p/post", "compact", {})),
        )
    )
    assert isinstance(answer, Committed)
    await store.commit(Commit(rows=(DueDone("p/post", 1),)))
    return project, sealed, waiting


async def test_what_the_program_wrote_is_whole(store: Store) -> None:
    """An ordinary library has no faults, also after folding and going on."""
    _, sealed, _ = await a_played_project(store)
    assert await faults(store) == []
    assert await store.fold(sealed.id) > 0
    assert await faults(store) == []
    await store.commit(Commit(events=((sealed.id, Notice("later")),)))
    assert await faults(store) == []


async def test_an_empty_store_is_whole(store: Store) -> None:
    """Nothing stored, nothing wrong."""
    assert await faults(store) == []


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("orphan", "hangs on missing, which does not exist"),
        ("circle", "is its own ancestor"),
        ("no outcome", "is ended with the outcome None"),
        ("early outcome", "is waiting with the outcome sealed"),
        ("revises nothing", "revises missing, which does not exist"),
        ("too deep", "lies at depth 9 under one at 1"),
        ("two at work", "more than one turn is at work"),
        ("parent queued", "which is still queued"),
        ("head nowhere", "is missing, which does not exist"),
        ("redo elsewhere", "which is not its child"),
    ],
)
async def test_each_fault_of_a_tree_is_named(store: Store, what: str, expected: str) -> None:
    """One fault, told in few sentences that name the node or the project."""
    project, sealed, waiting = await a_played_project(store)
    below = a_turn(project, parent=waiting.id, depth=3, run="ended", outcome="stopped")
    broken: dict[str, Row] = {
        "orphan": replace(waiting, parent="missing"),
        "circle": replace(sealed, parent=waiting.id, depth=3),
        "no outcome": replace(sealed, outcome=None),
        "early outcome": replace(waiting, outcome="sealed"),
        "revises nothing": replace(sealed, revises=Revision("missing", 1, "")),
        "too deep": replace(waiting, depth=9),
        "two at work": replace(below, run="running", outcome=None),
        "parent queued": replace(sealed, run="queued", outcome=None),
        "head nowhere": Head(project.id, "missing"),
        "redo elsewhere": Visit(waiting.id, sealed.id),
    }
    assert isinstance(await store.commit(Commit(rows=(broken[what],))), Committed)
    found = await faults(store)
    assert any(expected in fault for fault in found), found
    assert len(found) <= 4, found


async def test_a_project_without_a_head_is_named(store: Store) -> None:
    """Nodes that nobody stands on are no story yet."""
    project, greeting, _ = a_beginning()
    await store.commit(Commit(rows=(project, greeting)))
    assert await faults(store) == [f"project {project.id} has nodes and no head"]
