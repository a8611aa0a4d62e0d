"""One model call of a job as a step: within its time, tried again when the fault may pass, ended when the job
is cancelled; apart from what is asked because every node asks alike."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, TypeVar, cast

from huaben.domain.messages import ToolCall
from huaben.errors import HuabenError, ProviderFailed, StorageFailed
from huaben.planner.desk import Desk, Errand, Heard

WAITS_S: Final = (1.0, 4.0)
"""Before the second and the third attempt."""
MAX_WAIT_S: Final = 60.0
CANCELLED: Final = "cancelled"
TIMEOUT: Final = "timeout"
T = TypeVar("T")


class _Cancelled(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Answer:
    """A step's call: what was heard, or the code and message of what went wrong, with the time it took
    in all."""

    heard: Heard | None
    code: str = ""
    message: str = ""
    attempts: int = 1
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        heard = self.heard
        return 0 if heard is None else (heard.prompt or 0) + (heard.completion or 0)


async def ask(desk: Desk, errand: Errand, call_s: float, left_s: float) -> Mapping[str, object]:
    """The call's answer as the JSON object that its step records; `answered` reads it. One attempt may
    take `call_s` seconds, all of them `left_s`.

    Raises `StorageFailed`, which whoever runs the step tries again."""
    began = desk.clock.monotonic()
    attempt = 0
    while True:
        attempt += 1
        left = left_s - (desk.clock.monotonic() - began)
        try:
            heard = await _within(desk, min(call_s, left), desk.voices.call(errand))
            return _recorded(Answer(heard, attempts=attempt), desk, began)
        except _Cancelled:
            return _recorded(Answer(None, CANCELLED, "", attempt), desk, began)
        except StorageFailed:
            raise
        except HuabenError as fault:
            wait_s = _wait_s(fault, attempt)
            gone = desk.clock.monotonic() - began
            if wait_s is None or gone + wait_s >= left_s:
                failed = Answer(None, fault.code, fault.message, attempt)
                return _recorded(failed, desk, began)
            await _pause(desk, wait_s)


def answered(recorded: Mapping[str, object]) -> Answer:
    """The answer that a step recorded."""
    data = dict(recorded)
    heard = data.get("heard")
    attempts, seconds = cast("tuple[int, float]", (data["attempts"], data["seconds"]))
    if not isinstance(heard, Mapping):
        return Answer(None, str(data["code"]), str(data["message"]), attempts, seconds)
    said = dict(cast("Mapping[str, object]", heard))  # as `_recorded` gives it
    calls = cast("Sequence[Mapping[str, str]]", said.pop("calls"))
    made = tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in calls)
    whole = Heard(calls=made, **said)  # pyright: ignore[reportArgumentType] - the fields of one
    return Answer(whole, attempts=attempts, seconds=seconds)


def _recorded(answer: Answer, desk: Desk, began: float) -> Mapping[str, object]:
    heard = None if answer.heard is None else asdict(answer.heard)
    return {
        "heard": heard,
        "code": answer.code,
        "message": answer.message,
        "attempts": answer.attempts,
        "seconds": round(desk.clock.monotonic() - began, 3),
    }


def _wait_s(fault: HuabenError, attempt: int) -> float | None:
    """How long to wait before the next attempt; None for no more."""
    if not isinstance(fault, ProviderFailed) or attempt > len(WAITS_S):
        return None
    if fault.code == "reshaped":
        return 0.0  # the adapter has learnt the form that is wanted
    if not fault.retryable:
        return None
    return min(max(WAITS_S[attempt - 1], fault.retry_after_s or 0.0), MAX_WAIT_S)


async def _pause(desk: Desk, seconds: float) -> None:
    try:
        await _until_cancelled(desk, desk.clock.sleep(seconds))
    except _Cancelled:
        return  # the next attempt finds it out at once


async def _within(desk: Desk, seconds: float, work: Coroutine[None, None, T]) -> T:
    """The work's result. Raises `ProviderFailed` when it takes longer, `_Cancelled`."""
    doing = asyncio.create_task(work)
    if desk.cancelled.is_set() or seconds <= 0:
        doing.cancel()
        await asyncio.wait([doing])
        raise _Cancelled if desk.cancelled.is_set() else _late(0.0)
    timer = asyncio.create_task(desk.clock.sleep(seconds))
    stop = asyncio.create_task(_stopped(desk))
    try:
        await asyncio.wait([doing, timer, stop], return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        raise _Cancelled if desk.cancelled.is_set() else _late(seconds)
    finally:
        await _ended(doing, timer, stop)


async def _until_cancelled(desk: Desk, work: Coroutine[None, None, None]) -> None:
    doing = asyncio.create_task(work)
    stop = asyncio.create_task(_stopped(desk))
    try:
        await asyncio.wait([doing, stop], return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _ended(doing, stop)
    if desk.cancelled.is_set():
        raise _Cancelled


async def _stopped(desk: Desk) -> None:
    await desk.cancelled.wait()


async def _ended(*tasks: asyncio.Task[T] | asyncio.Task[None]) -> None:
    """Cancel what still runs and wait for its end, so that nothing is recorded behind our back."""
    running = [task for task in tasks if not task.done()]
    for task in running:
        task.cancel()
    if running:
        await asyncio.wait(running)


def _late(seconds: float) -> ProviderFailed:
    return ProviderFailed(TIMEOUT, f"No answer within {seconds:.0f} s.", retryable=True)
