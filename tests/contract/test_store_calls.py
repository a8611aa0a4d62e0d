"""What every store promises about model calls: requests to the byte, replies whole, paid once."""

from __future__ import annotations

import pytest

from huaben.domain.messages import Reply, Thinking, ToolCall, Usage, WireRequest
from huaben.domain.pricing import Cost
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import CallRecord, Commit, Committed, Row, Spent, Store
from tests.contract.samples import (
    AT,
    a_beginning,
    a_closed_call,
    a_project,
    a_reply,
    a_request,
    a_turn,
    an_opened_call,
)


async def a_stored_turn(store: Store) -> Turn:
    project, greeting, beginning = a_beginning()
    turn = a_turn(project, parent=greeting.id, run="running", epoch=1)
    await store.commit(Commit(rows=(*beginning.rows, turn)))
    return turn


async def stored(store: Store, *rows: Row) -> None:
    assert isinstance(await store.commit(Commit(rows=rows)), Committed)


async def test_a_call_comes_back_as_it_was_opened_and_closed(store: Store) -> None:
    """The record of a call holds what was sent about it and all that came back."""
    turn = await a_stored_turn(store)
    request = a_request("雨夜", "Go on.")
    opened = an_opened_call(turn, request, n=2, break_cause="system_changed")
    await stored(store, opened)
    expected = CallRecord(
        id=opened.id,
        turn_id=turn.id,
        n=2,
        purpose="story",
        model="rehearsal",
        state="open",
        reply=None,
        error="",
        usage=Usage(),
        outline=[{"zone": "system", "sources": ["base"], "why": "总是"}],
        break_cause="system_changed",
        request_bytes=len(request.body),
        opened_at=AT,
        closed_at="",
        first_token_ms=None,
    )
    assert await store.calls(turn.id) == [expected]
    await stored(store, a_closed_call(opened))
    (closed,) = await store.calls(turn.id)
    assert (closed.state, closed.reply) == ("done", a_reply())
    assert (closed.usage, closed.first_token_ms) == (Usage(1200, 80, 30, 1100, 0), 412)
    assert (closed.error, closed.closed_at) == ("", AT)


async def test_what_a_call_cost_is_kept_with_it(store: Store) -> None:
    """To the millionth, in its currency; a cost that is not known is none, not nothing."""
    turn = await a_stored_turn(store)
    known, unknown = (an_opened_call(turn, a_request("雨夜"), n=n) for n in range(2))
    large = Cost(3_000_000_000, "CNY")
    await stored(store, known, unknown)
    await stored(store, a_closed_call(known, cost=large), a_closed_call(unknown))
    assert [call.cost for call in await store.calls(turn.id)] == [large, None]


async def test_calls_are_added_up_by_turn_purpose_model_and_currency(store: Store) -> None:
    """Only finished ones, in the order of their first calls; what was not reported counts nothing."""
    turn = await a_stored_turn(store)
    other = a_turn(a_project(id=turn.project_id), parent=turn.id, run="running")
    await stored(store, other)
    calls = [
        (turn, "story", Usage(10, 2, 1, 8, 3), Cost(5, "USD")),
        (turn, "story", Usage(20, None), Cost(7, "USD")),
        (turn, "story", Usage(), None),
        (turn, "scribe", Usage(1, 1), Cost(1, "CNY")),
        (other, "story", Usage(4, 4), None),
    ]
    for of, purpose, usage, cost in calls:
        opened = an_opened_call(of, a_request("雨夜"), purpose=purpose)
        await stored(store, opened, a_closed_call(opened, usage=usage, cost=cost))
    failed, running = (an_opened_call(turn, a_request("雨夜")) for _ in range(2))
    await stored(store, failed, a_closed_call(failed, reply=None, usage=Usage(99)), running)
    model = "rehearsal"
    assert await store.spent(turn.project_id) == [
        Spent(turn.id, "story", model, "USD", 2, 30, 2, 1, 8, 3, 12),
        Spent(turn.id, "story", model, "", 1, 0, 0, 0, 0, 0, 0),
        Spent(turn.id, "scribe", model, "CNY", 1, 1, 1, 0, 0, 0, 1),
        Spent(other.id, "story", model, "", 1, 4, 4, 0, 0, 0, 0),
    ]
    assert await store.spent("missing") == []


async def test_a_failed_call_keeps_its_error(store: Store) -> None:
    """A call that ended without a reply says why, and the next try opens beside it."""
    turn = await a_stored_turn(store)
    request = a_request("雨夜")
    first = an_opened_call(turn, request)
    await stored(store, first, a_closed_call(first, reply=None, error="502 坏网关", usage=Usage()))
    again = an_opened_call(turn, request)
    await stored(store, again)
    failed, opened = await store.calls(turn.id)
    assert (failed.state, failed.reply, failed.error) == ("failed", None, "502 坏网关")
    assert (opened.id, opened.n, opened.state) == (again.id, 0, "open")


async def test_of_two_ends_the_first_stands(store: Store) -> None:
    """A reply that was paid for is not replaced, by an error or by another reply."""
    turn = await a_stored_turn(store)
    opened = an_opened_call(turn, a_request("雨夜"))
    await stored(store, opened, a_closed_call(opened))
    await stored(store, a_closed_call(opened, reply=None, error="late"))
    (call,) = await store.calls(turn.id)
    assert (call.state, call.reply, call.error) == ("done", a_reply(), "")


async def test_calls_come_in_the_order_in_which_they_were_opened(store: Store) -> None:
    """Whatever their ids, numbers or purposes are."""
    turn, other = await a_stored_turn(store), await a_stored_turn(store)
    ids = [f"call-{x}" for x in "zmab"]
    for n, call_id in enumerate(ids):
        purpose = "story" if n % 2 else "scribe"
        request = a_request("雨", str(n))
        await stored(store, an_opened_call(turn, request, id=call_id, n=3 - n, purpose=purpose))
    await stored(store, an_opened_call(other, a_request("x")))
    assert [call.id for call in await store.calls(turn.id)] == ids
    assert await store.calls("missing") == []


async def test_a_call_of_nothing_is_refused(store: Store) -> None:
    """A call belongs to a turn and is opened once; an end belongs to an opened call."""
    turn = await a_stored_turn(store)
    opened = an_opened_call(turn, a_request("雨"))
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(a_closed_call(opened),)))
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(an_opened_call(turn, a_request("雨"), turn_id="missing"),)))
    await stored(store, opened)
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(opened,)))
    assert len(await store.calls(turn.id)) == 1


# ---- requests ----------------------------------------------------------------------------------


async def test_a_long_session_is_rebuilt_to_the_byte(store: Store) -> None:
    """200 calls that each extend the last one: every request comes back part for part."""
    turn = await a_stored_turn(store)
    messages: list[str] = ["系统 system"]
    sent: dict[str, WireRequest] = {}
    outlines: dict[str, list[dict[str, object]]] = {}
    for n in range(200):
        messages.append(f"第 {n} 句 🏮 “quoted”")
        request = a_request(*messages, f"data block {n}")
        outline: list[dict[str, object]] = [{"message": text} for text in messages]
        opened = an_opened_call(turn, request, n=n, outline=outline)
        await stored(store, opened)
        sent[opened.id], outlines[opened.id] = request, outline
    for call_id, request in sent.items():
        rebuilt = await store.request(call_id)
        assert rebuilt == request
        assert rebuilt is not None
        assert rebuilt.body == request.body
    calls = await store.calls(turn.id)
    assert {call.id: list(call.outline) for call in calls} == outlines
    assert [call.request_bytes for call in calls] == [len(wire.body) for wire in sent.values()]
    assert await store.request("missing") is None


async def test_any_change_of_a_request_comes_back(store: Store) -> None:
    """Shorter, longer, changed in front, with equal parts, without parts: nothing is confused."""
    turn = await a_stored_turn(store)
    requests = [
        a_request("一", "二", "三"),
        a_request("一"),
        a_request("一", "二", "三", "四"),
        a_request("零", "二", "三", "四"),
        a_request("一", "二", tools='[{"name":"draft_write"}]'),
        a_request("同", "同", "同"),
        a_request("同", "同"),
        WireRequest((b'{"all":1}',), ("head",)),
        WireRequest((b"\x00\xff", b"", b"\x00\xff"), ("head", "message", "message")),
        WireRequest((b"\x00\xff", b"", b"\x00\xff"), ("head", "message", "tail")),
        WireRequest((), ()),
        a_request("一", "二", "三"),
    ]
    ids: list[str] = []
    for request in requests:
        opened = an_opened_call(turn, request)
        await stored(store, opened)
        ids.append(opened.id)
    assert [await store.request(call_id) for call_id in ids] == requests


async def test_the_latest_calls_are_told_by_project_and_purpose(store: Store) -> None:
    """The newest first, whichever turn made them, as many as are asked for; with `before` those
    that were opened earlier, and none before a call that is not there."""
    turn, other = await a_stored_turn(store), await a_stored_turn(store)
    project = turn.project_id
    assert await store.latest_calls(project, "story") == []
    first = an_opened_call(turn, a_request("一"))
    scribe = an_opened_call(turn, a_request("记"), purpose="scribe")
    elsewhere = an_opened_call(other, a_request("别处"))
    second = an_opened_call(turn, a_request("一", "二"), n=1)
    for opened in (first, scribe, elsewhere, second):
        await stored(store, opened)

    async def told(purpose: str, limit: int = 1, before: str | None = None) -> list[str]:
        return [call.id for call in await store.latest_calls(project, purpose, limit, before)]

    assert await told("story") == [second.id]
    assert await told("story", 9) == [second.id, first.id]
    assert await told("story", 9, second.id) == [first.id]
    assert await told("story", 9, first.id) == []
    assert await told("story", 9, "no such call") == []
    assert await told("scribe", 9) == [scribe.id]
    assert await told("plan", 9) == []


# ---- replies -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        Reply(),
        Reply(text="nul \0 🏮 \u2028"),
        Reply(thinking=Thinking("", extra={"blocks": [{"signature": "=="}]})),
        Reply(calls=(ToolCall("", "ask", ""), ToolCall("b", "draft_edit", "{not json"))),
        Reply(usage=Usage(cached=0), finish="", flags=("a", "b")),
    ],
)
async def test_every_reply_survives(store: Store, reply: Reply) -> None:
    """Empty, odd and broken replies come back as they were received."""
    turn = await a_stored_turn(store)
    opened = an_opened_call(turn, a_request("雨"))
    await stored(store, opened, a_closed_call(opened, reply=reply))
    (call,) = await store.calls(turn.id)
    assert call.reply == reply
