"""The walk that a stage and a writing desk share: a call of the model, its tools, the next call (`turn.md`
§3). Apart from both because what the tools work on is all that differs.

First run, resume, retry and the answer to an ask card are the same walk: what is recorded is taken from
the record, the rest is done. What has happened is in the log; nothing else is remembered between runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, groupby
from typing import Protocol, TypeAlias

from huaben.agent.act import Act, Ended, Ending
from huaben.agent.calling import CallStreamer
from huaben.agent.desk import Desk, Outcome
from huaben.agent.log import TurnLog
from huaben.domain.events import Notice
from huaben.domain.messages import (
    Assistant,
    Message,
    ModelRequest,
    Reply,
    ToolCall,
    ToolResult,
    User,
)
from huaben.domain.text import is_blank, utf16_len
from huaben.domain.turnview import ToolView

MAX_CALLS = 128
"""Calls of one reply that are carried out; the rest are dropped, and said to be."""

Batch: TypeAlias = Sequence[tuple[int, ToolCall]]
"""Calls of one reply that are carried out at once, each with its place in the reply."""


@dataclass(slots=True)
class Walk:
    """How far a turn has come; rebuilt from the record on every run."""

    act: Act
    log: TurnLog
    caller: CallStreamer
    messages: list[Message]
    rounds: int = 0
    output_tokens: int = 0
    retried_empty: bool = False
    failures: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])

    @classmethod
    def of(cls, act: Act, log: TurnLog, caller: CallStreamer) -> Walk:
        return cls(act, log, caller, list(act.prompt.messages))

    def took(self, call: ToolCall, outcome: Outcome) -> None:
        """The model gets the result of a call, which is durable now."""
        if not outcome.ok:
            self.failures[key_of(call)] = self.failures.get(key_of(call), 0) + 1
        self.messages.append(ToolResult(call.id, call.name, outcome.result))

    def stuck(self, calls: Batch, outcomes: Sequence[Outcome], kind: Kind) -> Ending | None:
        """The same failing write again and again ends the turn, with the error shown."""
        for (_, call), outcome in zip(calls, outcomes, strict=True):
            times = self.failures.get(key_of(call), 0)
            if not outcome.ok and kind(call) == "write" and times >= self.act.limits.same_failure:
                return Ended("repeated_failure", outcome.result)
        return None

    def went_on(self, reply: Reply) -> None:
        """A recorded last word after which the turn went on: the empty one was simply asked again, any
        other stands before the note that the user's Continue added."""
        if is_blank(reply.text):
            self.retried_empty = True
        else:
            self.messages.append(Assistant(reply.text, (), reply.thinking))

    async def ask_again(self, n: int) -> None:
        """An empty reply is asked for once more."""
        self.retried_empty = True
        await self.log.commit([Notice("empty_reply", call=n)])


Kind: TypeAlias = Callable[[ToolCall], str]


class Hands(Protocol):
    """What carries out the calls of a walk, and what it works on."""

    def desk(self) -> Desk:
        """The desk as the next call of the model finds it."""
        ...

    def kind(self, call: ToolCall) -> str:
        """The kind of the tool that is called; `unknown` where there is none."""
        ...

    def replay(self, call: ToolCall, seen: ToolView) -> None:
        """Take a recorded result instead of doing the call again."""
        ...

    async def execute(self, n: int, reply: Reply, calls: Batch) -> Ending | None:
        """Carry out calls that no record has, and record them."""
        ...

    def finished(self) -> Ending | None:
        """The ending that the calls of a reply have brought about."""
        ...

    async def last_word(self, n: int, reply: Reply) -> Ending | None:
        """What a reply ends the turn with whose calls are not carried out; None asks once more."""
        ...


async def play(walk: Walk, hands: Hands) -> Ending:
    """Walk the turn to its ending. Raises as a `Performance` does."""
    act = walk.act
    for n in count():
        if note := act.view.notes.get(n):
            # The user's Continue is a new grant of rounds and tokens.
            walk.messages.append(User(note))
            walk.rounds = walk.output_tokens = 0
            walk.retried_empty = False
        reply = await _hear(n, walk, hands)
        if reply.calls and walk.rounds < act.limits.rounds:
            walk.rounds += 1
            ending = await _carry_out(n, reply, walk, hands)
        else:
            ending = await _last_word(n, reply, walk, hands)
        if ending is None and not act.went_beyond(n):
            ending = _over_budget(walk)
        if ending is not None:
            return ending
    raise AssertionError("unreachable")  # count() does not end


async def _hear(n: int, walk: Walk, hands: Hands) -> Reply:
    act, log = walk.act, walk.log
    if n < len(act.recorded):
        reply = act.recorded[n]
    else:
        request = ModelRequest(
            tuple(walk.messages),
            act.prompt.tools,
            "none" if walk.rounds >= act.limits.rounds else "auto",
            act.sampling,
            act.prompt.stable,
            usual=act.usual,
        )
        reply = await walk.caller.call(n, request, hands.desk(), log)
        if len(reply.calls) > MAX_CALLS:
            dropped = len(reply.calls) - MAX_CALLS
            await log.commit([Notice("too_many_calls", f"{dropped} calls", call=n)])
    walk.output_tokens += reply.usage.completion or utf16_len(reply.text) // 2
    return replace(reply, calls=reply.calls[:MAX_CALLS])


async def _carry_out(n: int, reply: Reply, walk: Walk, hands: Hands) -> Ending | None:
    walk.messages.append(Assistant(reply.text, reply.calls, reply.thinking))
    recorded = {t.index: t for t in walk.act.view.tools if t.call == n and t.ok is not None}
    for batch in _batches(reply.calls, hands.kind):
        for index, call in batch:
            if index in recorded:
                hands.replay(call, recorded[index])
        fresh = [(index, call) for index, call in batch if index not in recorded]
        if fresh:
            ending = await hands.execute(n, reply, fresh)
            if ending is not None:
                return ending
    return hands.finished()


async def _last_word(n: int, reply: Reply, walk: Walk, hands: Hands) -> Ending | None:
    if not walk.act.went_beyond(n):
        return await hands.last_word(n, reply)
    hands.desk()  # with what was captured then
    walk.went_on(reply)
    return None


def _batches(calls: Sequence[ToolCall], kind: Kind) -> Iterator[Batch]:
    """Consecutive reads together, everything else one by one."""
    for reading, group in groupby(enumerate(calls), key=lambda one: kind(one[1]) == "read"):
        items = list(group)
        if reading:
            yield items
        else:
            yield from ([item] for item in items)


def _over_budget(walk: Walk) -> Ended | None:
    limit = walk.act.limits.output_tokens
    if limit and walk.output_tokens > limit:
        return Ended("limit_output_tokens", f"{walk.output_tokens} > {limit}")
    return None


def key_of(call: ToolCall) -> tuple[str, str]:
    """By what the same call is known again."""
    return (call.name, call.arguments.strip() or "{}")
