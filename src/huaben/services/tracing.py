"""What was sent to a model in a turn and what came back, as plain values; apart from `viewing`, which
shows the story, because a trace shows the machine behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from huaben.domain.budget import Estimator
from huaben.domain.messages import Reply, WireRequest
from huaben.errors import NotFound
from huaben.ports import CallRecord
from huaben.prompt.segments import token_ratio
from huaben.services.house import House
from huaben.services.prefix import Sent, Shared, sent_before, shared_head, shared_json
from huaben.services.spending import cost_json
from huaben.services.stories import load_calls, load_turn

Shown = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CallTrace:
    """One model call as it was sent and answered. `shared` is what its request repeats of the
    session's call before; None for the first. `estimated` is what its request was counted for, in
    tokens, to be held against `record.usage.prompt`."""

    record: CallRecord
    request: WireRequest
    shared: Shared | None
    estimated: int


async def show_trace(
    house: House, turn_id: str, *, after: str | None = None, limit: int | None = None
) -> list[CallTrace]:
    """The calls of a turn in their order, each with its request rebuilt to the byte: all of them
    but those of its planning, or at most `limit` after the call `after`. Raises `NotFound`, also for
    such a call."""
    turn = await load_turn(house, turn_id)
    return await traces_of(house, turn.project_id, await load_calls(house, turn_id), after, limit)


async def traces_of(
    house: House,
    project_id: str,
    records: Sequence[CallRecord],
    after: str | None = None,
    limit: int | None = None,
) -> list[CallTrace]:
    """These calls, as `show_trace` shows those of a turn."""
    if after is not None:
        ids = [record.id for record in records]
        if after not in ids:
            raise NotFound.of("call", after)
        records = records[ids.index(after) + 1 :]
    traces: list[CallTrace] = []
    for record in records[:limit]:
        request = await house.store.request(record.id)
        if request is None:
            continue
        now = Sent(record, request)
        before = await _before(house, project_id, now, traces)
        shared = None if before is None else shared_head(before, now)
        traces.append(CallTrace(record, request, shared, _estimated(now)))
    return traces


def trace_json(trace: CallTrace) -> Shown:
    """A call as the resource of a turn's trace. `break_cause` is one sentence, its parts stand in
    `shared.ended`."""
    record, request = trace.record, trace.request
    ended = trace.shared.ended if trace.shared else None
    parts = [
        {"shape": shape, "bytes": len(part)}
        for shape, part in zip(request.shape, request.parts, strict=True)
    ]
    return {
        "id": record.id,
        "n": record.n,
        "purpose": record.purpose,
        "model": record.model,
        "state": record.state,
        "error": record.error,
        "request": request.body.decode("utf-8", "replace"),
        "request_bytes": record.request_bytes,
        "parts": parts,
        "outline": list(record.outline),
        "shared": shared_json(trace.shared),
        "break_cause": record.break_cause or (str(ended) if ended else ""),
        "reply": None if record.reply is None else _reply_json(record.reply),
        "usage": asdict(record.usage),
        "cost": cost_json(record.cost),
        "estimated_tokens": trace.estimated,
        "opened_at": record.opened_at,
        "closed_at": record.closed_at,
        "first_token_ms": record.first_token_ms,
    }


async def _before(house: House, project_id: str, now: Sent, traces: list[CallTrace]) -> Sent | None:
    """The session's call before; inside a turn it is nearly always the one just shown."""
    if traces and traces[-1].record.purpose == now.record.purpose:
        return Sent(traces[-1].record, traces[-1].request)
    return await sent_before(house, project_id, now.record)


def _estimated(sent: Sent) -> int:
    text = sent.request.body.decode("utf-8", "replace")
    return Estimator(token_ratio(sent.record.outline)).tokens(text)


def _reply_json(reply: Reply) -> Shown:
    return {
        "text": reply.text,
        "thinking": reply.thinking.text if reply.thinking else "",
        "calls": [{"id": c.id, "name": c.name, "arguments": c.arguments} for c in reply.calls],
        "finish": reply.finish,
        "flags": list(reply.flags),
    }
