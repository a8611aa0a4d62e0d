"""A model call that no turn waits for: sent, recorded like any other, and never paid twice.

Apart from the calls of a turn because nothing of it is shown while it arrives. Its reply is recorded in
one commit with an effect key, so that whoever runs again reads it back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from huaben.domain.events import Notice, TurnEvent, UsageReported
from huaben.domain.messages import Finished, ModelRequest, Reply, Sampling, Usage, WireRequest
from huaben.errors import ProviderFailed
from huaben.ports import CallClosed, CallOpened, Commit, Committed, Effect, Model
from huaben.prompt.segments import Prompt
from huaben.services.house import House

TIME_LIMIT_S = 180.0


@dataclass(frozen=True, slots=True)
class Errand:
    """A call for something other than prose, on the account of a turn. `key` is the effect key of
    its reply; `purpose` names it in traces and in what is spent."""

    key: str
    turn_id: str
    project_id: str
    user_id: str
    purpose: str
    prompt: Prompt
    max_tokens: int | None = None


async def run_errand(house: House, model: Model, errand: Errand) -> str:
    """What the model said. Raises `ProviderFailed`, also when it took too long; that is recorded
    with the call. Of a reply that was cut at its length the text is what there is."""
    known = await house.store.effect(errand.key)
    if known is not None:
        return str(known.result["text"])
    try:
        return (await _sent(house, model, errand)).text
    except ProviderFailed as failure:
        if failure.code != "reshaped":  # the adapter has learnt the form that is wanted
            raise
        return (await _sent(house, model, errand)).text


async def _sent(house: House, model: Model, errand: Errand) -> Reply:
    prompt = errand.prompt
    request = ModelRequest(
        prompt.messages, (), "none", Sampling(max_tokens=errand.max_tokens), prompt.stable
    )
    opened = await _open(house, model, errand, model.encode(request))
    try:
        async with asyncio.timeout(TIME_LIMIT_S):
            reply = await _heard(model, opened.request)
    except TimeoutError:
        failure = ProviderFailed("timeout", f"No answer within {TIME_LIMIT_S:.0f} s.")
        await _close_failed(house, opened, failure)
        raise failure from None
    except ProviderFailed as failure:
        await _close_failed(house, opened, failure)
        raise
    await _close(house, model, errand, opened, reply)
    return reply


async def _heard(model: Model, request: WireRequest) -> Reply:
    async for event in model.stream(request):
        if isinstance(event, Finished):
            return event.reply
    raise ProviderFailed(
        "cut_stream", "The endpoint ended its answer without finishing it.", retryable=True
    )


async def _open(house: House, model: Model, errand: Errand, request: WireRequest) -> CallOpened:
    calls = await house.store.calls(errand.turn_id)
    opened = CallOpened(
        house.ids.new(),
        errand.turn_id,
        errand.project_id,
        errand.user_id,
        max((call.n for call in calls), default=-1) + 1,
        errand.purpose,
        model.name,
        request,
        errand.prompt.outline(),
        house.now(),
    )
    await house.store.commit(Commit(rows=(opened,)))
    return opened


async def _close_failed(house: House, opened: CallOpened, failure: ProviderFailed) -> None:
    closed = CallClosed(opened.id, None, failure.message, Usage(), None, house.now())
    await house.store.commit(Commit(rows=(closed,)))


async def _close(
    house: House, model: Model, errand: Errand, opened: CallOpened, reply: Reply
) -> None:
    usage, cost = reply.usage, house.prices.cost(model.origin, reply.usage)
    closed = CallClosed(opened.id, reply, "", usage, None, house.now(), cost)
    effect = Effect(errand.key, {"text": reply.text, "call": opened.id})
    reported = UsageReported(
        opened.n,
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
    events: Sequence[TurnEvent] = [
        reported,
        *(Notice("provider_oddity", flag, call=opened.n) for flag in reply.flags),
    ]
    done = await house.store.commit(
        Commit(rows=(closed, effect), events=tuple((errand.turn_id, event) for event in events))
    )
    if not isinstance(done, Committed):  # another run of the same job was first; its reply counts
        await house.store.commit(Commit(rows=(closed,)))
