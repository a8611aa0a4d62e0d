"""The `actor` performer: one generation, whose words are the prose (`performers.md` §2). Its turn is stored
like any other: first run, resume, retry and the user's Continue are the same walk over the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from huaben.agent.act import Act, Ended, Ending, Sealed, Unsealed
from huaben.agent.calling import CallStreamer
from huaben.agent.capturing import capture
from huaben.agent.desk import Desk
from huaben.agent.log import TurnLog
from huaben.domain.draft import Draft
from huaben.domain.events import Notice
from huaben.domain.messages import Assistant, Message, ModelRequest, Reply, User
from huaben.domain.text import is_blank
from huaben.prompt.texts import phrase

_ENDS = '。！？…”』」.!?"’)）】*~～—\n'
"""What a passage may end with; after anything else it goes on in the same sentence."""


@dataclass(slots=True)
class _Walk:
    messages: list[Message]
    retried_empty: bool = False
    goes_on: bool = False


async def perform(act: Act, log: TurnLog, caller: CallStreamer) -> Ending:
    """Let the model speak and take what it says. An empty reply is asked for once more. A
    `Performance`."""
    walk = _Walk(list(act.prompt.messages))
    for n in count():
        if n in act.view.notes:
            _go_on(act, log.view.draft, walk)
        reply = await _hear(n, act, walk, log, caller)
        if n + 1 < len(act.recorded) or n + 1 in act.view.notes:
            walk.retried_empty = is_blank(reply.text)
            continue
        if not is_blank(reply.text):
            return await _taken(n, reply, walk, log)
        if walk.retried_empty:
            return _without_words(log.view.draft)
        walk.retried_empty = True
        await log.commit([Notice("empty_reply", call=n)])
    raise AssertionError("unreachable")  # count() does not end


def _go_on(act: Act, draft: Draft, walk: _Walk) -> None:
    """The user's Continue: the model is shown what stands there and asked to finish it."""
    walk.retried_empty = False
    if is_blank(draft.text):
        return
    walk.goes_on = True
    walk.messages += [
        Assistant(draft.text),
        User(phrase(act.sources.language, "actor_continue")),
    ]


async def _hear(n: int, act: Act, walk: _Walk, log: TurnLog, caller: CallStreamer) -> Reply:
    if n < len(act.recorded):
        return act.recorded[n]
    request = ModelRequest(
        tuple(walk.messages),
        sampling=act.sampling,
        stable=act.prompt.stable,
        usual=act.usual,
        prefill="" if walk.goes_on else act.prefill,
    )
    return await caller.call(n, request, Desk(draft=log.view.draft), log)


async def _taken(n: int, reply: Reply, walk: _Walk, log: TurnLog) -> Ending:
    if any(captured.call == n for captured in log.view.captured):
        return Sealed()
    draft = log.view.draft
    whole = not walk.goes_on or draft.text.endswith(tuple(_ENDS))
    taken = await capture(n, reply.text, draft, log, separator="\n\n" if whole else "")
    return _without_words(draft) if taken is None else Sealed()


def _without_words(draft: Draft) -> Ending:
    return Ended("no_draft", "") if is_blank(draft.text) else Unsealed()
