"""How much of a request repeats the one before it in the session, and what ended the repetition; apart
from showing because the page, the trace and the command line all tell it.

A session is a project with one configuration and one version of its card; the request before is the
newest earlier one of the same purpose, whichever turn made it (`context.md` §1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from huaben.domain.messages import WireRequest
from huaben.ports import CallRecord
from huaben.prompt.breaks import Break, break_between, lasting
from huaben.services.house import House


@dataclass(frozen=True, slots=True)
class Sent:
    """A call with its request."""

    record: CallRecord
    request: WireRequest


@dataclass(frozen=True, slots=True)
class Shared:
    """What a request has in common with the one of the call `before`: its first `parts` of `of`
    (the head with the tool list, then one part per message), which take `size` bytes. `ended` says
    why it does not repeat all that it should; None when it does."""

    before: str
    parts: int
    of: int
    size: int
    ended: Break | None


async def sent_before(house: House, project_id: str, record: CallRecord) -> Sent | None:
    """The session's call before this one; None for the first."""
    for earlier in await house.store.latest_calls(project_id, record.purpose, 1, record.id):
        request = await house.store.request(earlier.id)
        return None if request is None else Sent(earlier, request)
    return None


def shared_head(before: Sent, now: Sent) -> Shared:
    """Compares two requests part by part. Marks, which tell a provider where to cache, are no part
    of what is repeated."""
    former, later = _parts(before.request), _parts(now.request)
    same = 0
    for one, other in zip(former, later, strict=False):
        if one != other:
            break
        same += 1
    size = sum(map(len, later[:same]))
    return Shared(before.record.id, same, len(later), size, _ended(before, now, same))


def shared_json(shared: Shared | None) -> Mapping[str, object] | None:
    if shared is None:
        return None
    return {
        "call": shared.before,
        "parts": shared.parts,
        "of": shared.of,
        "bytes": shared.size,
        "ended": None
        if shared.ended is None
        else {"code": shared.ended.code, "pieces": list(shared.ended.pieces)},
    }


def _ended(before: Sent, now: Sent, same: int) -> Break | None:
    if before.record.model != now.record.model and same == 0:
        return Break("model")  # the head names it, so nothing behind it can be compared
    told = break_between(before.record.outline, now.record.outline)
    if before.record.turn_id == now.record.turn_id:
        # Inside a turn all is repeated but the end that closes the body.
        if same >= len(_parts(before.request)) - 1:
            return None
    elif told is None and same >= _repeated(before, now):
        return None
    if told is not None:
        return told
    return Break("model" if before.record.model != now.record.model else "form")


def _repeated(before: Sent, now: Sent) -> int:
    """How many parts the next turn's request repeats. Where messages were joined for a provider,
    their number tells nothing beyond the head, and the outlines alone decide."""
    composed = sum("zone" in row for row in now.record.outline)
    joined = now.request.shape.count("message") < composed
    return 1 if joined else 1 + len(lasting(before.record.outline))


def _parts(request: WireRequest) -> Sequence[bytes]:
    pairs = zip(request.parts, request.shape, strict=True)
    return [part for part, shape in pairs if shape != "mark"]
