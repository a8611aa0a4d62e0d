"""The OpenAPI document tells the truth about routes, streams and refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast, get_args

import pytest

from huaben.domain.events import (
    Answered,
    Asked,
    Captured,
    Compacted,
    DraftChange,
    End,
    Failed,
    Final,
    ImageChange,
    LedgerChange,
    Notice,
    Planned,
    ScribeChange,
    Status,
    TextPiece,
    ThinkingPiece,
    ToolEnd,
    ToolStart,
    TurnEvent,
    UsageReported,
    to_data,
)
from huaben.web.documents import PROJECT_KINDS, event_name
from tests.integration.web.lobby import lobby
from tests.integration.web.table import read

EXAMPLES: tuple[TurnEvent, ...] = (
    Status("running"),
    ThinkingPiece(0, 0, "旧伞"),
    TextPiece(0, 0, "rain"),
    DraftChange(2, "edit", 1, edits=({"start": 0, "end": 1, "text": "雨"},)),
    ToolStart(0, 0, "c1", "draft_read", "{}"),
    ToolEnd(0, 0, "c1", "draft_read", ok=True, result="{}"),
    Asked(0, 0, "往哪走？", ("左", "right")),
    Answered("左"),
    Captured(0, 1, "write", 12),
    Notice("retrying", "429"),
    Final("雨停了。", 2),
    UsageReported(0, "story", "qwen", prompt=10),
    ScribeChange("failed", "t1", 1, "scribe_blank", "The scribe's answer held no patch."),
    LedgerChange("t1", 1, "scribe", ({"path": ["inventory"], "after": ["旧伞"]},), ("inventory",)),
    Compacted("t9", "t3", 3, 6, 4000, 900, ("阿迟",)),
    Planned("over", 3, "committed", 2),
    ImageChange("t1-0", "failed", "旧伞", "An umbrella", 0, 1, code="timeout", message="late"),
    Failed("provider_status", "429", retryable=True),
    End("sealed"),
)


async def document() -> dict[str, object]:
    async with lobby() as client:
        return read(await client.get("/api/openapi.json"))


def at(value: object, *path: str) -> dict[str, object]:
    """What stands at a path of the document, which must be an object."""
    for step in path:
        assert isinstance(value, dict)
        value = cast("dict[str, object]", value)[step]  # keys of a JSON object are strings
    assert isinstance(value, dict)
    return cast("dict[str, object]", value)


def operations(told: Mapping[str, object]) -> Iterator[tuple[str, str, dict[str, object]]]:
    for path, methods in at(told, "paths").items():
        for method in at(methods):
            yield method, path, at(methods, method)


def test_there_is_an_example_of_every_event() -> None:
    """So that a new kind of event cannot come without its documented payload."""
    assert {type(event) for event in EXAMPLES} == set(get_args(TurnEvent))


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
async def test_the_payload_of_every_event_is_documented(event: TurnEvent) -> None:
    """Exactly the fields that a stream sends, with a sentence about them."""
    told = await document()
    schema = at(told, "components", "schemas", event_name(type(event)))
    assert set(at(schema, "properties")) == set(to_data(event))
    assert schema["required"] == list(at(schema, "properties"))
    assert schema["x-event"] == event.kind


async def test_the_streams_name_all_their_kinds() -> None:
    """Whoever generates a client finds each kind of event and its payload at the stream."""
    told = await document()
    content = ("get", "responses", "200", "content", "text/event-stream", "schema")
    turn = at(told, "paths", "/api/turns/{turn_id}/events", *content)
    project = at(told, "paths", "/api/projects/{project_id}/events", *content)
    assert set(at(turn, "x-events")) == {event.kind for event in EXAMPLES}
    assert set(at(project, "x-events")) == set(PROJECT_KINDS)


async def test_every_reference_leads_somewhere() -> None:
    """No schema is named that the document does not hold."""
    async with lobby() as client:
        answer = await client.get("/api/openapi.json")
    held = set(at(read(answer), "components", "schemas"))
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', answer.text))
    assert named <= held


async def test_every_operation_says_what_it_does_and_how_it_refuses() -> None:
    """A sentence, and the one form of every refusal; nothing of the framework's own form."""
    told = await document()
    listed = list(operations(told))
    assert len(listed) > 25
    for method, path, operation in listed:
        assert operation.get("description"), f"{method} {path}"
        refusal = at(operation, "responses", "default", "content")
        assert list(refusal) == ["application/problem+json"], f"{method} {path}"
        assert "422" not in at(operation, "responses")


async def test_no_page_of_the_framework_is_served() -> None:
    """Its documentation pages load scripts from elsewhere; there are none."""
    async with lobby() as client:
        for path in ("/docs", "/redoc", "/openapi.json", "/api/docs", "/docs/oauth2-redirect"):
            assert (await client.get(path)).status_code == 404
