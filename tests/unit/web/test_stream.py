"""Logs as streams that can be taken up anywhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from huaben.domain.events import End, Notice, ProjectEvent, Status, TextPiece, TurnEvent
from huaben.domain.project import Project
from huaben.domain.story import Outcome, Turn
from huaben.ports import Commit, Committed, LoggedEvent
from huaben.testing.store import MemoryStore
from huaben.web.stream import (
    BATCH,
    Streams,
    StreamsClosed,
    follow_project,
    follow_turn,
    turn_event,
)
from tests.builders.waiting import AWHILE_S

PROJECT = Project("p1", "local", "渡口", "roleplay", "zh", "2026-11-01T08:00:00Z")
TURN = Turn("t1", "p1", "local", None, "turn", "t1", 1, "2026-11-01T08:00:00Z", run="running")


class Log:
    """A turn in a store, and the stream that follows it."""

    def __init__(self, keep_alive_s: float = 15.0) -> None:
        self.store = MemoryStore()
        self.streams = Streams(keep_alive_s)
        self._turn = TURN

    async def write(self, *events: TurnEvent, outcome: Outcome | None = None) -> None:
        """Append events; with an outcome the turn ends, without one it runs."""
        turn = replace(self._turn, run="ended" if outcome else "running", outcome=outcome)
        self._turn = turn
        done = await self.store.commit(
            Commit(rows=(PROJECT, turn), events=tuple((turn.id, event) for event in events))
        )
        assert isinstance(done, Committed)

    async def follow(self, after: int = 0) -> AsyncIterator[bytes]:
        begun = await self.store.events(TURN.id, after, BATCH)
        return follow_turn(self.store, self.streams, TURN.id, after, begun)

    async def rest(self, after: int = 0) -> list[tuple[int, str]]:
        """The events of a stream that comes to its end by itself."""
        async with asyncio.timeout(AWHILE_S):
            return told(b"".join([chunk async for chunk in await self.follow(after)]))


def told(stream: bytes) -> list[tuple[int, str]]:
    """The number and kind of each event."""
    blocks = [block.split("\n") for block in stream.decode().split("\n\n")]
    return [
        (int(lines[0].removeprefix("id: ")), lines[1].removeprefix("event: "))
        for lines in blocks
        if lines[0].startswith("id: ")
    ]


async def next_event(stream: AsyncIterator[bytes]) -> list[tuple[int, str]]:
    """The next events, passing over comments."""
    async with asyncio.timeout(AWHILE_S):
        async for chunk in stream:
            if found := told(chunk):
                return found
    return []


async def waiting(streams: Streams, count: int = 1) -> None:
    """Let others run until so many streams wait."""
    for _ in range(1000):
        if streams.waiting == count:
            return
        await asyncio.sleep(0)
    raise AssertionError(f"{streams.waiting} streams wait, not {count}")


def test_an_event_is_one_block_whatever_it_holds() -> None:
    """Line breaks of any kind stay inside the JSON; half an emoji does not break the stream."""
    text = "雨\r\n\n\rid: 7\u2028\ud83d"
    block = turn_event(LoggedEvent(3, 1, "", TextPiece(0, 0, text))).decode()
    lines = block.split("\n")
    assert lines[:2] == ["id: 3", "event: text"]
    assert lines[3:] == ["", ""]
    assert "\r" not in block
    data = json.loads(lines[2].removeprefix("data: "))
    assert data["text"] == text.replace("\ud83d", "\ufffd")


async def test_a_stream_closes_at_the_end_of_the_run() -> None:
    """All that was logged, then the stream is over."""
    log = Log()
    await log.write(Status("running"), TextPiece(0, 0, "雨"), Status("sealed"))
    await log.write(End("sealed"), outcome="sealed")
    assert await log.rest() == [(1, "status"), (2, "text"), (3, "status"), (4, "end")]
    assert await log.rest(after=2) == [(3, "status"), (4, "end")]
    assert await log.rest(after=4) == []
    assert await log.rest(after=99) == []


async def test_a_stream_passes_the_end_of_an_earlier_run() -> None:
    """A resumed turn goes on in the same stream: only the newest run's end closes it."""
    log = Log()
    await log.write(Status("running"), End("failed"), outcome="failed")
    await log.write(Status("running"))
    stream = await log.follow()
    assert await next_event(stream) == [(1, "status"), (2, "end"), (3, "status")]
    await log.write(Status("sealed"), End("sealed"), outcome="sealed")
    assert await next_event(stream) == [(4, "status"), (5, "end")]
    assert [chunk async for chunk in stream] == []


async def test_what_follows_an_end_is_told_before_the_stream_closes() -> None:
    """A draft that the user put back after the end is part of what a late reader sees."""
    log = Log()
    await log.write(Status("stopped"), End("stopped"), outcome="stopped")
    await log.write(Notice("draft_restored"), outcome="stopped")
    assert await log.rest() == [(1, "status"), (2, "end"), (3, "notice")]


async def test_a_stream_waits_for_what_comes() -> None:
    """New events arrive as they are committed, in one piece per commit."""
    log = Log()
    await log.write(Status("running"))
    stream = await log.follow()
    assert await next_event(stream) == [(1, "status")]
    reading = asyncio.create_task(next_event(stream))
    await waiting(log.streams)
    await log.write(TextPiece(0, 0, "雨"), TextPiece(0, 1, "夜"))
    assert await reading == [(2, "text"), (3, "text")]


async def test_a_quiet_stream_is_kept_alive() -> None:
    """A comment from time to time, so that nothing on the way takes the line for dead."""
    log = Log(keep_alive_s=0.01)
    await log.write(Status("running"))
    stream = await log.follow()
    chunks = [await anext(stream) for _ in range(4)]
    assert chunks[0] == b"retry: 2000\n\n"
    assert chunks[2:] == [b": still here\n\n"] * 2


async def test_a_long_log_is_read_in_parts() -> None:
    """More events than one batch holds all arrive, once each and in order."""
    log = Log()
    await log.write(*(TextPiece(0, n, "字") for n in range(2 * BATCH + 1)))
    await log.write(End("sealed"), outcome="sealed")
    numbers = [number for number, _ in await log.rest()]
    assert numbers == list(range(1, 2 * BATCH + 3))


async def test_closing_ends_every_stream() -> None:
    """A server that stops ends its streams itself, those that wait and those that would."""
    log = Log()
    await log.write(Status("running"))
    readers = [asyncio.create_task(log.rest()) for _ in range(3)]
    await waiting(log.streams, 3)
    log.streams.close()
    assert [await reader for reader in readers] == [[(1, "status")]] * 3
    assert await log.rest() == [(1, "status")]
    with pytest.raises(StreamsClosed):
        await log.streams.changed(log.store, TURN.id, 1)


async def test_a_reader_who_leaves_leaves_nothing_behind() -> None:
    """S10: a cancelled stream stops waiting; the log is untouched."""
    log = Log()
    await log.write(Status("running"))
    reader = asyncio.create_task(log.rest())
    await waiting(log.streams)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert log.streams.waiting == 0
    assert [logged.seq for logged in await log.store.events(TURN.id)] == [1]


async def test_a_project_is_followed_for_as_long_as_somebody_listens() -> None:
    """Turns and moves in their order, with what they tell beside the turn."""
    store, streams = MemoryStore(), Streams()
    await store.commit(
        Commit(
            rows=(PROJECT,),
            project_events=(
                ("p1", ProjectEvent("turn_began", "t1")),
                ("p1", ProjectEvent("turn_ended", "t1", {"status": "sealed", "code": ""})),
            ),
        )
    )
    stream = follow_project(store, streams, "p1", 0, await store.project_events("p1", 0, BATCH))
    assert await anext(stream) == b"retry: 2000\n\n"
    block = (await anext(stream)).decode()
    assert told(block.encode()) == [(1, "turn_began"), (2, "turn_ended")]
    assert '{"turn":"t1","status":"sealed","code":""}' in block
    reading = asyncio.create_task(next_event(stream))
    await waiting(streams)
    await store.commit(Commit(project_events=(("p1", ProjectEvent("head_moved", "t0")),)))
    assert await reading == [(3, "head_moved")]
