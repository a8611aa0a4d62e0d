"""The precompiled entry: a caller's finished messages passed on, recorded, counted and limited; apart from playing
because nothing is assembled here and nothing follows a reply.

Whoever leaves changes nothing: what was asked for is heard to its end and recorded.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Final, assert_never

from huaben.domain.budget import estimate_tokens
from huaben.domain.completions import Completion, CompletionFault, read_completion
from huaben.domain.completions_spelled import error_event
from huaben.domain.messages import Finished, Reply
from huaben.errors import BadInput, HuabenError, NoConnection, ProviderFailed
from huaben.ports import Clock, Content, Passage
from huaben.services.house import House
from huaben.services.precompiled_errors import TooMany, error_of
from huaben.services.precompiled_plan import NO_PLAN, Wish, check, place_of, placed
from huaben.services.precompiled_record import (
    Recorded,
    begin,
    end,
    fail,
    outline_of,
)

MINUTE_S: Final = 60.0
RECORD_AGAIN_S: Final = (0.5, 2.0, 8.0)
"""How long a refusing store is waited for before an end is given up: the next start finds the turn
interrupted."""
_log = logging.getLogger("huaben.precompiled")


class Allowance:
    """How much may be asked for in a minute: `requests`, and `tokens` of replies; 0 sets no limit."""

    def __init__(self, clock: Clock, requests: int = 0, tokens: int = 0) -> None:
        self._clock = clock
        self._requests = requests
        self._tokens = tokens
        self._asked: deque[float] = deque()
        self._told: deque[tuple[float, int]] = deque()

    def take(self) -> None:
        """Count a request. Raises `TooMany`, which is not counted."""
        now = self._clock.monotonic()
        while self._asked and self._asked[0] <= now - MINUTE_S:
            self._asked.popleft()
        while self._told and self._told[0][0] <= now - MINUTE_S:
            self._told.popleft()
        if self._requests and len(self._asked) >= self._requests:
            raise _too_many("requests", self._requests, self._asked[0] + MINUTE_S - now)
        if self._tokens and sum(tokens for _, tokens in self._told) >= self._tokens:
            raise _too_many("tokens of replies", self._tokens, self._told[0][0] + MINUTE_S - now)
        self._asked.append(now)

    def spend(self, reply: Reply) -> None:
        """Count what a reply took: as reported, else as estimated."""
        reported = reply.usage.completion
        tokens = estimate_tokens(reply.text) if reported is None else reported
        self._told.append((self._clock.monotonic(), tokens))


def _too_many(what: str, limit: int, wait_s: float) -> TooMany:
    seconds = max(1, math.ceil(wait_s))
    return TooMany(f"More than {limit} {what} in a minute.", seconds)


@dataclass(slots=True)
class Relay:
    """An answer on its way to whoever asked. `turn_id` finds its trace, `planned` is the project whose
    plan it belongs to, empty for none."""

    turn_id: str
    streams: bool
    planned: str = ""
    _pieces: asyncio.Queue[bytes | HuabenError | None] = field(
        default_factory=asyncio.Queue[bytes | HuabenError | None]
    )
    _begun: list[bytes] = field(default_factory=list[bytes])

    async def begin(self) -> None:
        """Wait for the first of the answer. Raises the failure of one that never began."""
        first = await self._pieces.get()
        if isinstance(first, HuabenError):
            raise first
        self._begun = [] if first is None else [first]
        if first is None:
            self._pieces.put_nowait(None)

    async def pieces(self) -> AsyncGenerator[bytes]:
        """The answer as it comes; a failure in the middle of a stream is told in its own form."""
        for piece in self._begun:
            yield piece
        while (piece := await self._pieces.get()) is not None:
            yield error_event(error_of(piece)) if isinstance(piece, HuabenError) else piece

    def put(self, piece: bytes | HuabenError | None) -> None:
        """None ends the answer."""
        self._pieces.put_nowait(piece)


@dataclass(slots=True)
class Desk:
    """Passes on what callers ask for. `close` gives up what is under way, which the next start finds
    interrupted."""

    house: House
    allowance: Allowance
    _under_way: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    def models(self) -> list[str]:
        """Every name of a model that is answered to."""
        return [] if self.house.passages is None else self.house.passages.ids()

    async def ask(self, body: bytes, wish: Wish = NO_PLAN) -> Relay:
        """Pass a request on, and set the planner to work that is wished for. Raises `BadInput` for what is none, `NotFound` for an unknown model,
        `NoConnection`, `TooMany`, and `ProviderFailed` for an answer that never began."""
        asked = read_completion(body)
        if isinstance(asked, CompletionFault):
            raise BadInput("bad_request", f"The request: {asked.detail}.", param=asked.param)
        check(wish)
        passage = self.passage(asked.model)
        passage.wire(asked)  # what cannot be sent is refused before anything is counted
        self.allowance.take()
        recorded, planned = await self._begun(asked, passage, wish)
        relay = Relay(recorded.turn.id, asked.streams, planned)
        task = asyncio.create_task(self._carry(asked, passage, recorded, relay))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            await relay.begin()
        except HuabenError as failure:
            failure.facts["turn"] = relay.turn_id  # also of what failed there is a trace
            raise
        return relay

    async def close(self) -> None:
        for task in self._under_way:
            task.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way)

    def passage(self, model_id: str) -> Passage:
        """The way to the model of that name. Raises `NotFound`, `NoConnection`."""
        if self.house.passages is None:
            raise NoConnection("no_connection", "No model is connected.")
        return self.house.passages.passage(model_id)

    async def _begun(self, asked: Completion, passage: Passage, wish: Wish) -> tuple[Recorded, str]:
        """The request stored as begun, and the project of its plan."""
        house = self.house
        async with house.lock(place_of(house, wish)):
            place = await placed(house, asked, wish)
            wire = passage.wire(asked, place.shown.turn_text)
            sent = (passage.name, passage.origin, wire)
            outline = outline_of(asked, place.shown)
            recorded = await begin(house, place.turn, sent, outline, place.more)
        if place.more.due:
            house.jobs.nudge()
        return recorded, place.planned

    # ---- under way -----------------------------------------------------------------------------

    async def _carry(
        self, asked: Completion, passage: Passage, recorded: Recorded, relay: Relay
    ) -> None:
        """Hear an answer to its end, hand on each piece, and record it before the last."""
        try:
            await self._heard(asked, passage, recorded, relay)
        except HuabenError as failure:
            await self._failed(recorded, relay, failure)
        except Exception as fault:  # noqa: BLE001 - the worker's boundary: a fault of ours ends a turn
            _log.exception("turn %s ended by a fault of the program", recorded.turn.id)
            told = f"The program failed: {type(fault).__name__}."
            await self._failed(recorded, relay, ProviderFailed("internal_error", told))
        finally:
            relay.put(None)

    async def _heard(
        self, asked: Completion, passage: Passage, recorded: Recorded, relay: Relay
    ) -> None:
        first_token_ms: int | None = None
        wire, reply_id = recorded.call.request, f"chatcmpl-{recorded.turn.id}"
        async for piece in passage.forward(asked, wire, reply_id):
            match piece:
                case bytes():
                    relay.put(piece)
                case Content():
                    waited_s = self.house.clock.monotonic() - recorded.began
                    first_token_ms = round(waited_s * 1000)
                case Finished(reply=reply):
                    self.allowance.spend(reply)
                    await self._surely(partial(end, self.house, recorded, reply, first_token_ms))
                case _:
                    assert_never(piece)

    async def _failed(self, recorded: Recorded, relay: Relay, failure: HuabenError) -> None:
        await self._surely(partial(fail, self.house, recorded, failure))
        relay.put(failure)

    async def _surely(self, write: Callable[[], Coroutine[None, None, None]]) -> None:
        """Write an end; while the store refuses it is tried again."""
        for pause_s in RECORD_AGAIN_S:
            try:
                await write()
                return
            except HuabenError as error:
                _log.error("an answer is not recorded yet: %s %s", error.code, error.message)
                await self.house.clock.sleep(pause_s)
