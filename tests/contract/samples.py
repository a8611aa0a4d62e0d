"""Rows for the contract suites, small and in both languages; apart so that each test names only
what it is about."""

from __future__ import annotations

from itertools import count

from huaben.domain.messages import Reply, Thinking, ToolCall, Usage, WireRequest
from huaben.domain.project import Persona, Project, StoredBook, StoredCard
from huaben.domain.story import Exchange, Revision, Turn
from huaben.ports import CallClosed, CallOpened, Commit, Head
from huaben.testing.clock import CountedIds

AT = "2026-11-01T08:00:00.000Z"
USER = "local"

_ids = CountedIds()
_hashes = count(1)


def new_id() -> str:
    return _ids.new()


def a_project(**changes: object) -> Project:
    values: dict[str, object] = {
        "id": new_id(),
        "user_id": USER,
        "title": "雨夜客栈",
        "mode": "roleplay",
        "language": "zh",
        "created_at": AT,
        "persona": Persona("林", "A traveller with a borrowed umbrella."),
        "config": {"performer": "stage", "温度": 0.8, "nested": {"list": [1, None, True]}},
    }
    return Project(**values | changes)  # pyright: ignore[reportArgumentType] - a builder of fields


def a_turn(project: Project, **changes: object) -> Turn:
    made = new_id()
    values: dict[str, object] = {
        "id": made,
        "project_id": project.id,
        "user_id": project.user_id,
        "parent": None,
        "kind": "turn",
        "beat": made,
        "depth": 1,
        "created_at": AT,
        "user_text": "推开门，看看里面。",
        "config": {"performer": "stage", "rounds": 20},
    }
    return Turn(**values | changes)  # pyright: ignore[reportArgumentType] - a builder of fields


def a_full_turn(project: Project) -> Turn:
    """A turn that uses every field."""
    return a_turn(
        project,
        parent=new_id(),
        run="ended",
        outcome="revised",
        code="seen",
        message="说明 / why",
        title="A quiet evening",
        asked=(Exchange("往哪走？", "Left, towards the river"),),
        final_text="灯还亮着。\n\nThe innkeeper looked up.",
        version=3,
        prose=True,
        revises=Revision(new_id(), 2, "灯灭了。"),
        request_id=new_id(),
        owner="a",
        epoch=2,
        deleted=True,
        ended_at=AT,
    )


def a_card(**changes: object) -> StoredCard:
    values: dict[str, object] = {
        "id": new_id(),
        "user_id": USER,
        "name": "阿迟",
        "object_hash": f"{next(_hashes):064x}",
        "filename": "阿迟.png",
        "content": {"data": {"name": "阿迟", "greetings": ["你来了。", "You came."]}},
        "report": {"kept": ["extensions"]},
        "created_at": AT,
    }
    return StoredCard(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


def a_book(**changes: object) -> StoredBook:
    values: dict[str, object] = {
        "id": new_id(),
        "user_id": USER,
        "name": "河港设定",
        "object_hash": f"{next(_hashes):064x}",
        "filename": "harbour.json",
        "content": {"entries": {"0": {"key": ["灯塔", "lighthouse"]}}},
        "report": {},
        "created_at": AT,
    }
    return StoredBook(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


def a_request(*messages: str, tools: str = "[]") -> WireRequest:
    """A body in the way of the wire formats: the tool list, one part per message, the end."""
    parts = [
        f'{{"tools":{tools},"messages":['.encode(),
        *(f'{{"content":"{text}"}},'.encode() for text in messages),
        b"]}",
    ]
    shapes = ["head", *("message" for _ in messages), "tail"]
    return WireRequest(tuple(parts), tuple(shapes))  # pyright: ignore[reportArgumentType] - literals


def an_opened_call(turn: Turn, request: WireRequest, **changes: object) -> CallOpened:
    values: dict[str, object] = {
        "id": new_id(),
        "turn_id": turn.id,
        "project_id": turn.project_id,
        "user_id": turn.user_id,
        "n": 0,
        "purpose": "story",
        "model": "rehearsal",
        "request": request,
        "outline": [{"zone": "system", "sources": ["base"], "why": "总是"}],
        "opened_at": AT,
    }
    return CallOpened(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


def a_reply() -> Reply:
    """A reply that uses every field."""
    return Reply(
        text="灯还亮着。",
        calls=(ToolCall("c1", "draft_write", '{"version": 0, "content": "雨"}', {"sig": "x"}),),
        thinking=Thinking("先写雨。", "reasoning", {"id": "t1"}),
        usage=Usage(1200, 80, 30, 1100, 0),
        finish="tool_calls",
        model="rehearsal-1",
        flags=("no_finish_reason",),
    )


def a_closed_call(opened: CallOpened, **changes: object) -> CallClosed:
    values: dict[str, object] = {
        "id": opened.id,
        "reply": a_reply(),
        "error": "",
        "usage": Usage(1200, 80, 30, 1100, 0),
        "first_token_ms": 412,
        "closed_at": AT,
    }
    return CallClosed(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


def a_beginning() -> tuple[Project, Turn, Commit]:
    """A project with its greeting, and the commit that makes them."""
    project = a_project()
    greeting = a_turn(project, kind="greeting", depth=0, run="ended", outcome="sealed")
    head = Head(project.id, greeting.id)
    return project, greeting, Commit(rows=(project, greeting, head))
