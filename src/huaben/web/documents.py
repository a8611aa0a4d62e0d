"""The OpenAPI document: what the framework knows, and what it cannot know (the payloads of streamed
events, the one shape of every refusal). Apart from the routes, which only point to it.

The payloads are read off the event values themselves, so that the document cannot drift from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, cast, get_args

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, TypeAdapter

from huaben import __version__
from huaben.domain.events import ToolEnd, ToolStart, TurnEvent
from huaben.web import schemas
from huaben.web.problems import MEDIA_TYPE

Schema: TypeAlias = dict[str, object]
Responses: TypeAlias = dict[int | str, dict[str, object]]

PROJECT_KINDS = (
    "turn_queued",
    "turn_began",
    "turn_waiting",
    "turn_answered",
    "turn_ended",
    "head_moved",
    "project_changed",
    "ledger_changed",
    "summary_changed",
    "memory_changed",
    "saves_changed",
    "chapters_changed",
    "plan_changed",
    "images_changed",
    "amendments_changed",
)
_REF = "#/components/schemas/{model}"
_EVENTS: tuple[type[TurnEvent], ...] = get_args(TurnEvent)

_DESCRIPTION = """
Every refusal is `application/problem+json` with a stable `code`, a sentence in `detail` and what to
do in `hint`. Lists are pages: `{items, next}`. Streams are server-sent events: `id` is the number to
resume from, `event` the kind, `data` the payload. Offsets in payloads are UTF-16 code units.
"""


class ProjectEventData(BaseModel):
    """What happened in a project. `status` and `code` say how a turn ended, `answer` what was
    answered. A ledger was written at `node` as its `revision` there, or a reading of it is proposed by
    the job `proposal`; a summary reaches to the turn that it `covers`; of memory a `source` changed, or
    one `note` of it. An `image` of the turn came to a `state`, its planning to an `outcome`. The rest is about chapters: the `checkpoint`, its `author`, and what it changed."""

    turn: str | None
    status: str | None = None
    code: str | None = None
    answer: str | None = None
    node: str | None = None
    revision: int | None = None
    proposal: str | None = None
    covers: str | None = None
    source: str | None = None
    note: str | None = None
    image: str | None = None
    state: str | None = None
    outcome: str | None = None
    checkpoint: str | None = None
    author: Literal["agent", "user", "scribe", "planner"] | None = None
    added: list[str] | None = None
    modified: list[str] | None = None
    renamed: list[tuple[str, str]] | None = None
    removed: list[str] | None = None


def event_name(event: type[TurnEvent]) -> str:
    """The name of an event's payload among the document's schemas."""
    return f"{event.__name__}Event"


def _stream(description: str, kinds: Mapping[str, list[str]]) -> Responses:
    names = [name for listed in kinds.values() for name in listed]
    schema = {
        "description": "The `data` of one event, by its kind.",
        "anyOf": [_ref(name) for name in dict.fromkeys(names)],
        "x-events": {kind: [_ref(name) for name in listed] for kind, listed in kinds.items()},
    }
    content = {"text/event-stream": {"schema": schema}}
    return {200: {"description": description, "content": content}}


def _ref(name: str) -> Schema:
    return {"$ref": _REF.format(model=name)}


def _turn_kinds() -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for event in _EVENTS:
        kinds.setdefault(event.kind, []).append(event_name(event))
    return kinds


TURN_STREAM = _stream("The events of the turn.", _turn_kinds())
PROJECT_STREAM = _stream(
    "The events of the project.", {kind: ["ProjectEventData"] for kind in PROJECT_KINDS}
)
REFUSALS: Responses = {
    "default": {
        "description": "A refusal.",
        "content": {MEDIA_TYPE: {"schema": _ref("Problem")}},
    }
}


class Documented(FastAPI):
    """An application whose document holds the payloads of its streams too."""

    def openapi(self) -> Schema:
        if self.openapi_schema is None:
            document = get_openapi(
                title="Huaben 话本",
                version=__version__,
                description=_DESCRIPTION.strip(),
                routes=self.routes,
            )
            components = cast("dict[str, Schema]", document.setdefault("components", {}))
            components.setdefault("schemas", {}).update(_added())
            self.openapi_schema = document
        return self.openapi_schema


def _added() -> Schema:
    """The schemas that no route declares to the framework."""
    added: Schema = {}
    for model in (schemas.Problem, ProjectEventData):
        added[model.__name__] = model.model_json_schema(ref_template=_REF)
    for event in _EVENTS:
        added[event_name(event)] = _payload(event)
    return added


def _payload(event: type[TurnEvent]) -> Schema:
    schema = cast("Schema", TypeAdapter(event).json_schema(ref_template=_REF, mode="serialization"))
    properties = cast("Schema", schema["properties"])
    if event is ToolStart or event is ToolEnd:
        properties["phase"] = {"const": event.phase, "type": "string"}
    # `to_data` writes every field, whether it has a default or not.
    return {**schema, "required": list(properties), "x-event": event.kind}
