"""The stored calls of a turn as plain values: what each shared with the call before it, which tools it
called, what was left out; apart from their printing so that text and JSON say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import cast

from huaben.domain.jsonvalue import Json
from huaben.domain.story import Node, Turn, status_of
from huaben.domain.turnview import ToolView, TurnView
from huaben.ports import CallRecord
from huaben.prompt.breaks import Break
from huaben.services.house import House
from huaben.services.stories import load_turn, load_view
from huaben.services.tracing import CallTrace, show_trace


@dataclass(frozen=True, slots=True)
class CallSeen:
    """One call with the tools that it called."""

    trace: CallTrace
    tools: tuple[ToolView, ...]

    @property
    def record(self) -> CallRecord:
        return self.trace.record

    @property
    def shared_bytes(self) -> int | None:
        """What stood at the head of the session's request before it too, in whole parts: what a
        provider's cache can serve. None for the first call of a story."""
        return self.trace.shared.size if self.trace.shared else None

    @property
    def share(self) -> float | None:
        """The shared part of tool list and messages, from 0 to 1; what closes the body (samplers,
        a schema) is no part of what a cache serves (`context.md` §1)."""
        request = self.trace.request
        pairs = zip(request.parts, request.shape, strict=True)
        size = sum(len(part) for part, shape in pairs if shape in ("head", "message"))
        return None if self.shared_bytes is None or not size else self.shared_bytes / size

    @property
    def volatile(self) -> tuple[str, ...]:
        """Macros of the prefix that were resolved once for the session."""
        rows = [row["volatile"] for row in self.record.outline if "volatile" in row]
        return tuple(str(name) for names in rows for name in cast("Sequence[object]", names))

    @property
    def ended(self) -> Break | None:
        """Why it does not repeat all that it should of the call before."""
        return self.trace.shared.ended if self.trace.shared else None


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """A turn with its calls in the order in which they were made, retried ones included."""

    turn: Turn
    view: TurnView
    calls: tuple[CallSeen, ...]


async def look(house: House, node: Node) -> TurnSeen:
    """The trace of a turn. Raises `NotFound`."""
    turn = await load_turn(house, node.id)
    view = await load_view(house, node.id)
    traces = await show_trace(house, node.id)
    last_of_n = {trace.record.n: trace.record.id for trace in traces}
    calls: list[CallSeen] = []
    for trace in traces:
        record = trace.record
        spoke = last_of_n[record.n] == record.id
        tools = tuple(tool for tool in view.tools if tool.call == record.n) if spoke else ()
        calls.append(CallSeen(trace, tools))
    return TurnSeen(turn, view, tuple(calls))


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
        "messages": call.trace.request.shape.count("message"),
        "shared_bytes": call.shared_bytes,
        "shared": round(call.share, 4) if call.share is not None else None,
        "shared_parts": call.trace.shared.parts if call.trace.shared else None,
        "break_cause": str(call.ended) if call.ended else record.break_cause,
        "estimated_tokens": call.trace.estimated,
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
