"""The stored calls of a turn as plain values: what each shared with the call before it, which tools it
called, what was left out; apart from their printing so that text and JSON say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import cast

from huaben.domain.jsonvalue import Json
from huaben.domain.messages import WireRequest
from huaben.domain.story import Node, Turn, status_of
from huaben.domain.turnview import ToolView, TurnView
from huaben.ports import CallRecord
from huaben.services.house import House
from huaben.services.stories import Story, load_turn, load_view


@dataclass(frozen=True, slots=True)
class CallSeen:
    """One call. `shared_bytes` stood at the head of the request before it too, in whole parts (the
    tool list, then one part per message): what a provider's cache can serve. None for the first
    call of a story."""

    record: CallRecord
    request: WireRequest | None
    shared_bytes: int | None
    tools: tuple[ToolView, ...]

    @property
    def share(self) -> float | None:
        """The shared part of this request, from 0 to 1."""
        size = self.record.request_bytes
        return None if self.shared_bytes is None or not size else self.shared_bytes / size


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """A turn with its calls in the order in which they were made, retried ones included."""

    turn: Turn
    view: TurnView
    calls: tuple[CallSeen, ...]


async def look(house: House, story: Story, node: Node) -> TurnSeen:
    """The trace of a turn. Raises `NotFound`."""
    turn = await load_turn(house, node.id)
    view = await load_view(house, node.id)
    records = await house.store.calls(node.id)
    last_of_n = {record.n: record.id for record in records}
    before = await _request_before(house, story, node)
    calls: list[CallSeen] = []
    for record in records:
        request = await house.store.request(record.id)
        shared = shared_bytes(before, request) if before and request else None
        spoke = last_of_n[record.n] == record.id
        tools = tuple(tool for tool in view.tools if tool.call == record.n) if spoke else ()
        calls.append(CallSeen(record, request, shared, tools))
        before = request or before
    return TurnSeen(turn, view, tuple(calls))


def shared_bytes(before: WireRequest, now: WireRequest) -> int:
    """The size of the whole parts that two requests share at their head."""
    same = 0
    for one, other in zip(before.parts, now.parts, strict=False):
        if one != other:
            break
        same += len(one)
    return same


async def _request_before(house: House, story: Story, node: Node) -> WireRequest | None:
    """The last request of the turns that this one continues."""
    for earlier in reversed(story.tree.path(node.id)[:-1]):
        records = await house.store.calls(earlier.id)
        if records:
            return await house.store.request(records[-1].id)
    return None


# ---- as JSON -----------------------------------------------------------------------------------


def turn_seen_json(seen: TurnSeen) -> dict[str, object]:
    turn = seen.turn
    return {
        "turn": turn.id,
        "project": turn.project_id,
        "status": status_of(turn.run, turn.outcome),
        "code": turn.code,
        "user_text": turn.user_text,
        "calls": [call_seen_json(call) for call in seen.calls],
    }


def call_seen_json(call: CallSeen) -> dict[str, object]:
    record = call.record
    return {
        "n": record.n,
        "id": record.id,
        "purpose": record.purpose,
        "model": record.model,
        "state": record.state,
        "error": record.error,
        "request_bytes": record.request_bytes,
        "messages": call.request.shape.count("message") if call.request else None,
        "shared_bytes": call.shared_bytes,
        "shared": round(call.share, 4) if call.share is not None else None,
        "usage": asdict(record.usage),
        "first_token_ms": record.first_token_ms,
        "opened_at": record.opened_at,
        "closed_at": record.closed_at,
        "tools": [
            {"name": tool.name, "arguments": tool.arguments, "ok": tool.ok, "result": tool.result}
            for tool in call.tools
        ],
        "left_out": left_out(record.outline),
        "outline": [dict(row) for row in record.outline],
    }


def left_out(outline: Sequence[Mapping[str, object]]) -> list[dict[str, str]]:
    """What was considered for a prompt and not sent, with the reason."""
    return [row for part in outline for row in listed(part.get("left_out"))]


def listed(value: object) -> list[dict[str, str]]:
    """A list of stored rows as texts; anything that is none is empty."""
    rows = cast("Json", value)  # the store gives back the JSON that was put in
    if not isinstance(rows, list):
        return []
    return [{key: str(item) for key, item in row.items()} for row in rows if isinstance(row, dict)]
