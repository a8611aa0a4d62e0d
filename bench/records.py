"""What the records of a long story take on disk, beside storing each request as it was sent.

Run: python bench/records.py [--turns 1000] [--calls 5]. A turn is a user message, five model calls that
each append a tool call and its result, streamed pieces and a sealed text of 800 characters. History is
compacted whenever it passes 150 turns. "Naive" is every request body plus every reply, uncompressed.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from huaben.adapters.db.store import open_store
from huaben.adapters.system import SystemClock, SystemIds
from huaben.domain.events import DraftChange, End, Final, Status, TextPiece, ToolEnd, ToolStart
from huaben.domain.messages import Reply, ToolCall, Usage, WireRequest
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.ports import CallClosed, CallOpened, Commit, Head, Store

WORDS = (
    "灯雨夜门桥河风雪茶酒剑书信影声路城山海云月星花树石火烟水人心手眼言笑泪梦旧新远近冷暖".strip()
)
CONFIG: Mapping[str, object] = {f"setting_{n}": {"value": n, "reason": "默认"} for n in range(60)}


def prose(chance: random.Random, characters: int) -> str:
    return "".join(chance.choice(WORDS) for _ in range(characters))


@dataclass(slots=True)
class Session:
    """A story as far as it has gone, and what storing it naively would take."""

    project: Project
    chance: random.Random
    system: str
    history: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    naive_bytes: int = 0

    def request(self, rest: Sequence[Mapping[str, object]]) -> WireRequest:
        messages = [{"role": "system", "content": self.system}, *self.history, *rest]
        parts = [b'{"model":"m","tools":[' + b'{"name":"tool"},' * 400 + b'],"messages":[']
        parts += [json.dumps(message, ensure_ascii=False).encode() + b"," for message in messages]
        shape: tuple[Literal["head", "message", "tail"], ...] = (
            "head",
            *("message" for _ in messages),
            "tail",
        )
        return WireRequest((*parts, b'],"stream":true}'), shape)

    def remember(self, user: str, text: str) -> None:
        self.history += [{"role": "user", "content": user}, {"role": "assistant", "content": text}]
        if len(self.history) > 300:
            summary = {"role": "user", "content": prose(self.chance, 1200)}
            self.history = [summary, *self.history[-100:]]


async def a_turn(store: Store, session: Session, ids: SystemIds, calls: int) -> None:
    project, chance = session.project, session.chance
    user, text = prose(chance, 40), prose(chance, 800)
    turn = Turn(
        ids.new(), project.id, "local", None, "turn", "b", 1, "2026-11-01T08:00:00.000Z",
        run="running", epoch=1, user_text=user, config=CONFIG,
    )  # fmt: skip
    await store.commit(Commit(rows=(turn, Head(project.id, turn.id))))
    data = prose(chance, 4000)
    rest: list[Mapping[str, object]] = [{"role": "user", "content": f"{data}\n\n{user}"}]
    for n in range(calls):
        await a_call(store, session, turn, rest, n, ids)
    for piece in range(20):
        part = text[piece * 40 : piece * 40 + 40]
        preview = DraftChange(0, "write", 0, part, preview=True, offset=piece * 40)
        await store.commit(Commit(events=((turn.id, preview),)))
    ended = replace(turn, run="ended", outcome="sealed", final_text=text)
    events = (DraftChange(1, "write", 0, text), Final(text, 1), Status("sealed"), End("sealed"))
    await store.commit(Commit(rows=(ended,), events=tuple((turn.id, event) for event in events)))
    await store.fold(turn.id)
    session.remember(user, text)


async def a_call(
    store: Store,
    session: Session,
    turn: Turn,
    rest: list[Mapping[str, object]],
    n: int,
    ids: SystemIds,
) -> None:
    """One call: opened, spoken, closed; its tool call and result are in the next one's request."""
    at = "2026-11-01T08:00:00.000Z"
    request = session.request(rest)
    outline = [{"zone": "history", "sources": ["turn"], "why": "kept"} for _ in request.parts[1:-1]]
    opened = CallOpened(
        ids.new(), turn.id, turn.project_id, "local", n, "story", "m", request, outline, at
    )
    await store.commit(Commit(rows=(opened,)))
    spoken, result = prose(session.chance, 60), prose(session.chance, 300)
    call = ToolCall(f"c{n}", "draft_search", json.dumps({"query": spoken}, ensure_ascii=False))
    reply = Reply(spoken, (call,), usage=Usage(9000, 80, 0, 8000), finish="tool_calls", model="m")
    usage = Usage(9000, 80, 0, 8000)
    events = (
        *(TextPiece(n, at, spoken[at : at + 10]) for at in range(0, 60, 10)),
        ToolStart(n, 0, call.id, call.name, call.arguments),
        ToolEnd(n, 0, call.id, call.name, True, result),
    )
    closed = CallClosed(opened.id, reply, "", usage, 400, at)
    await store.commit(Commit(rows=(closed,), events=tuple((turn.id, event) for event in events)))
    session.naive_bytes += len(request.body) + len((spoken + call.arguments).encode())
    rest += [
        {"role": "assistant", "content": spoken, "tool_calls": [{"arguments": call.arguments}]},
        {"role": "tool", "content": result},
    ]


async def measure(turns: int, calls: int) -> None:
    clock, ids = SystemClock(), SystemIds()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "data"
        store = open_store(root, clock=clock)
        chance = random.Random(20261101)
        project = Project(ids.new(), "local", "bench", "roleplay", "zh", "", config=CONFIG)
        await store.commit(Commit(rows=(project,)))
        session = Session(project, chance, prose(chance, 2500))
        began = time.monotonic()
        for _ in range(turns):
            await a_turn(store, session, ids, calls)
        seconds = time.monotonic() - began
        await store.close()
        stored = (root / "huaben.db").stat().st_size
    print(f"{turns} turns × {calls} calls, written in {seconds:.0f} s")
    print(f"naive  {session.naive_bytes / 1e6:9.1f} MB")
    print(f"stored {stored / 1e6:9.1f} MB   1 / {session.naive_bytes / stored:.0f}")
    print(f"a turn {stored / turns / 1e3:9.1f} kB")


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=1000)
    options.add_argument("--calls", type=int, default=5)
    chosen = options.parse_args()
    asyncio.run(measure(chosen.turns, chosen.calls))


if __name__ == "__main__":
    main()
