"""The vectors that the server's reducer and the page's are both held to; apart because the same file
is read by the page's own tests (`frontend/src/api/turnview.test.ts`)."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from typing import TypedDict, cast

import pytest

from huaben.domain.events import from_data, to_data
from huaben.domain.turnview import TurnView, replay

VECTORS = Path(__file__).parents[2] / "vectors" / "turnview.json"


class Told(TypedDict):
    kind: str
    data: dict[str, object]


class Case(TypedDict):
    name: str
    events: list[Told]
    view: dict[str, object]


CASES = cast("list[Case]", json.loads(VECTORS.read_text("utf-8"))["cases"])


def told(view: TurnView) -> dict[str, object]:
    """What is in the view and what is derived from it, as JSON, where it is not as in the empty
    view."""
    before = _whole(TurnView())
    return {name: value for name, value in _whole(view).items() if value != before[name]}


def _whole(view: TurnView) -> dict[str, object]:
    data = {field.name: plain(getattr(view, field.name)) for field in fields(TurnView)}
    data["partial"] = view.partial
    data["last_spoken"] = view.last_spoken
    data["open_ask"] = plain(view.open_ask)
    return cast("dict[str, object]", json.loads(json.dumps(data, ensure_ascii=False)))


def plain(value: object) -> object:
    """A part of the view as a plain value."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, tuple):
        return [plain(one) for one in cast("tuple[object, ...]", value)]
    return dict(cast("dict[int, str]", value)) if hasattr(value, "keys") else value


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_log_gives_the_view_that_the_page_shows(case: Case) -> None:
    """What the server replays and what the page replays is one view."""
    view = replay(from_data(event["kind"], event["data"]) for event in case["events"])
    assert told(view) == case["view"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_vectors_are_events_as_they_are_sent(case: Case) -> None:
    """Every payload has all its fields, as the wire has them."""
    for event in case["events"]:
        sent = to_data(from_data(event["kind"], event["data"]))
        assert json.loads(json.dumps(sent)) == event["data"]


def test_every_kind_of_event_is_in_a_vector() -> None:
    """A kind that is added must be added to the vectors too."""
    kinds = {event["kind"] for case in CASES for event in case["events"]}
    assert kinds >= {
        *("status", "thinking", "text", "draft", "tool", "ask", "answered", "captured"),
        *("notice", "final", "usage", "plan", "error", "end"),
    }
