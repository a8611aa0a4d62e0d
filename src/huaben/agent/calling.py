"""One model call of a turn: recorded before it is sent, shown while it arrives, recorded when it is
complete. A call whose reply is on record is never made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, assert_never

from huaben.agent.desk import Desk
from huaben.agent.log import TurnLog
from huaben.agent.preview import ContentScanner
from huaben.domain.events import (
    DraftChange,
    Notice,
    TextPiece,
    ThinkingPiece,
    TurnEvent,
    UsageReported,
)
from huaben.domain.messages import (
    CallDelta,
    Finished,
    ModelRequest,
    Reply,
    Retrying,
    TextDelta,
    ThinkingDelta,
    Usage,
    WireRequest,
)
from huaben.domain.pricing import PriceTable
from huaben.domain.text import utf16_len
from huaben.errors import ProviderFailed
from huaben.ports import CallClosed, CallOpened, Clock, Ids, Model


class CallStreamer(Protocol):
    """Makes call number `n` of a turn and returns its complete reply."""

    async def call(self, n: int, request: ModelRequest, desk: Desk, log: TurnLog) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Billing:
    """Whose call it is, and for what."""

    turn_id: str
    project_id: str
    user_id: str
    purpose: str


class Caller:
    """Calls the model of one turn. `outline` describes the messages of the prompt."""

    def __init__(
        self,
        model: Model,
        clock: Clock,
        ids: Ids,
        billing: Billing,
        outline: Sequence[Mapping[str, object]],
        prices: PriceTable,
    ) -> None:
        self._model = model
        self._clock = clock
        self._ids = ids
        self._billing = billing
        self._outline = outline
        self._prices = prices

    async def call(self, n: int, request: ModelRequest, desk: Desk, log: TurnLog) -> Reply:
        """Raises `ProviderFailed` when the call failed for good; its record then says so.

        An endpoint that will not have the request in this form (`reshaped`) gets it once more in
        the form that the adapter has learnt, as a call of its own on the record.
        """
        try:
            return await self._call(n, request, desk, log)
        except ProviderFailed as failure:
            if failure.code != "reshaped":
                raise
            await log.commit([Notice("reshaped", failure.message, call=n)])
            return await self._call(n, request, desk, log)

    async def _call(self, n: int, request: ModelRequest, desk: Desk, log: TurnLog) -> Reply:
        opened = self._opened(n, request)
        await log.commit(_withheld(n, opened.request, log), (opened,))
        started, pieces = (
            self._clock.monotonic(),
            _Pieces(n, desk, forbidden=request.tool_choice == "none"),
        )
        first_ms: int | None = None
        try:
            async for event in self._model.stream(opened.request):
                if isinstance(event, Finished):
                    await self._close(n, opened, event.reply, first_ms, log)
                    return event.reply
                if isinstance(event, Retrying):
                    await log.commit([_retry_notice(n, event)])
                    continue
                if first_ms is None:
                    first_ms = round((self._clock.monotonic() - started) * 1000)
                for piece in pieces.take(event):
                    log.stream(piece)
            raise ProviderFailed(
                "cut_stream", "The endpoint ended its answer without finishing it.", retryable=True
            )
        except ProviderFailed as failure:
            closed = CallClosed(opened.id, None, failure.message, Usage(), first_ms, self._now())
            await log.commit(rows=(closed,))
            raise

    def _opened(self, n: int, request: ModelRequest) -> CallOpened:
        billing = self._billing
        return CallOpened(
            self._ids.new(),
            billing.turn_id,
            billing.project_id,
            billing.user_id,
            n,
            billing.purpose,
            self._model.name,
            self._model.encode(request),
            self._outline,
            self._now(),
        )

    async def _close(
        self, n: int, opened: CallOpened, reply: Reply, first_ms: int | None, log: TurnLog
    ) -> None:
        usage, cost = reply.usage, self._prices.cost(self._model.origin, reply.usage)
        closed = CallClosed(opened.id, reply, "", usage, first_ms, self._now(), cost)
        reported = UsageReported(
            n,
            opened.purpose,
            reply.model or opened.model,
            usage.prompt,
            usage.completion,
            usage.reasoning,
            usage.cached,
            usage.cache_written,
            None if cost is None else cost.micros,
            "" if cost is None else cost.currency,
        )
        events: list[TurnEvent] = [
            reported,
            *(Notice("provider_oddity", flag, call=n) for flag in reply.flags),
        ]
        if "thinking_unopened" in reply.flags:
            # What had streamed as speech turned out to be thought; the reply has the last word.
            events.insert(0, TextPiece(n, 0, reply.text))
            if reply.thinking is not None:
                events.insert(0, ThinkingPiece(n, 0, reply.thinking.text))
        await log.commit(events, (closed,))

    def _now(self) -> str:
        return self._clock.now().isoformat()


def _withheld(n: int, request: WireRequest, log: TurnLog) -> list[TurnEvent]:
    """Samplers that the connection does not accept are named, once a turn."""
    told = Notice("withheld", ", ".join(request.withheld), call=n)
    known = {(notice.code, notice.detail) for notice in log.view.notices}
    return [told] if request.withheld and (told.code, told.detail) not in known else []


def _retry_notice(n: int, event: Retrying) -> Notice:
    return Notice("retrying", f"{event.reason}; {event.wait_s:.1f} s", call=n)


class _Pieces:
    """Turns what a model says into the pieces of the log, with running offsets.

    The first write of a reply that names the current version is previewed while it arrives.
    """

    def __init__(self, call: int, desk: Desk, *, forbidden: bool) -> None:
        self._call = call
        self._desk = desk
        self._said = 0
        self._thought = 0
        self._shown = 0
        self._early = ""
        self._write: int | None = None
        self._scanner = ContentScanner()
        self._barred = forbidden or desk.over or desk.mode == "explore"

    def take(self, event: TextDelta | ThinkingDelta | CallDelta) -> Sequence[TurnEvent]:
        match event:
            case TextDelta(text=text):
                piece = TextPiece(self._call, self._said, text)
                self._said += utf16_len(text)
                return (piece,)
            case ThinkingDelta(text=text):
                thought = ThinkingPiece(self._call, self._thought, text)
                self._thought += utf16_len(text)
                return (thought,)
            case CallDelta():
                return self._preview(event)
            case _:
                assert_never(event)

    def _preview(self, event: CallDelta) -> Sequence[TurnEvent]:
        if event.name not in ("draft_write", "draft_append") or self._barred:
            return ()
        if self._write is None:
            self._write = event.index
        if event.index != self._write:
            return ()
        content = self._scanner.feed(event.arguments)
        version = self._scanner.version
        if version is None:
            self._early += content
            return ()
        if version != self._desk.draft.version:
            self._barred = True
            return ()
        text, self._early = self._early + content, ""
        if not text:
            return ()
        offset, self._shown = self._shown, self._shown + utf16_len(text)
        op = "append" if event.name == "draft_append" else "write"
        return (
            DraftChange(
                version, op, version, text=text, preview=True, offset=offset, call=self._call
            ),
        )
