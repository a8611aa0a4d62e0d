"""The record of what was passed on: a turn for each request, in a project that is nobody's story. Apart from
passing on because it is all that is written, and is written whether or not the caller waits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from huaben.domain.completions import Completion, text_of
from huaben.domain.events import (
    End,
    Notice,
    ProjectEvent,
    Status,
    TurnEvent,
    UsageReported,
)
from huaben.domain.events import (
    Final as FinalText,
)
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.messages import Reply, Usage, WireRequest
from huaben.domain.project import RECORD, Project
from huaben.domain.scenario import Entry, Scenario
from huaben.domain.story import Turn
from huaben.domain.text import looks_chinese
from huaben.errors import HuabenError
from huaben.formats.scenario import flat
from huaben.ports import Binned, CallClosed, CallOpened, Commit, Due, Fence, Head, Key, Row, Stale
from huaben.prompt.compiling import Compiled
from huaben.prompt.segments import Piece, Prompt, Segment
from huaben.services.house import House
from huaben.services.stories import stale

PURPOSE: Final = "precompiled"
"""What the calls of callers are called in traces and in what is spent."""
SCENARIO: Final = Scenario(name="precompiled", entry=Entry("precompiled"))


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request whose turn and call are stored as begun. `origin` is what a price is listed under."""

    turn: Turn
    call: CallOpened
    origin: str
    began: float


def record_id(user_id: str, key: str = "") -> str:
    """The id of a user's record; with a `key`, of a record of its own."""
    name = hashlib.sha256(f"{user_id}\n{key}".encode()).hexdigest()[:24]
    return RECORD + name


async def open_record(house: House, key: str, words: str, scenario: Scenario) -> Project:
    """The record of that key, which is made when it is not there; one in the trash comes back."""
    project_id = record_id(house.user_id, key)
    known = await house.store.project(project_id)
    if known is not None:
        if known.deleted:
            await house.store.commit(Commit(rows=(Binned("project", project_id, ""),)))
        return known
    project = Project(
        project_id,
        house.user_id,
        key or "/v1/chat/completions",
        "roleplay",
        "zh" if looks_chinese(words) else "en",
        house.now(),
        config=flat(scenario),
    )
    root = _root(house, project)
    await house.store.commit(  # of two who make it at once the first stands
        Commit({("project", project_id): 0}, rows=(project, root, Head(project_id, root.id)))
    )
    return await house.store.project(project_id) or project


def new_turn(house: House, project: Project, words: str, parent: str, depth: int) -> Turn:
    """A turn of a request, at work."""
    new_id = house.ids.new()
    return Turn(
        new_id,
        project.id,
        project.user_id,
        parent,
        "turn",
        new_id,
        depth,
        house.now(),
        run="running",
        user_text=words,
        owner=house.owner,
        epoch=1,
        config=project.config,
    )


@dataclass(frozen=True, slots=True)
class Opening:
    """What else the commit that begins a turn holds: its head, the planning that it makes due."""

    rows: tuple[Row, ...] = ()
    due: tuple[Due, ...] = ()
    events: tuple[tuple[str, TurnEvent], ...] = ()


NOTHING_ELSE: Final = Opening()


async def begin(
    house: House,
    turn: Turn,
    sent: tuple[str, str, WireRequest],
    outline: Sequence[Mapping[str, object]],
    more: Opening = NOTHING_ELSE,
) -> Recorded:
    """Store a turn with the request that is about to be sent: the connection's name, the model's
    origin and the bytes. Raises `Conflict` when its place was taken meanwhile."""
    name, origin, wire = sent
    call = CallOpened(
        house.ids.new(),
        turn.id,
        turn.project_id,
        turn.user_id,
        0,
        PURPOSE,
        name,
        wire,
        outline,
        turn.created_at,
    )
    # In one commit, so that whoever finds the turn after a crash finds that it was asked.
    expected: dict[Key, int] = {("turn", turn.id): 0}
    expected.update(
        {("head", row.project_id): row.revision for row in more.rows if isinstance(row, Head)}
    )
    done = await house.store.commit(
        Commit(
            expected,
            rows=(turn, call, *more.rows),
            events=((turn.id, Status("running")), *more.events),
            project_events=((turn.project_id, ProjectEvent("turn_began", turn.id)),),
            due=more.due,
        )
    )
    if isinstance(done, Stale):
        raise stale(done)
    return Recorded(turn, call, origin, house.clock.monotonic())


async def end(house: House, recorded: Recorded, reply: Reply, first_token_ms: int | None) -> None:
    """Store what was answered and what it took."""
    cost = house.prices.cost(recorded.origin, reply.usage)
    closed = CallClosed(recorded.call.id, reply, "", reply.usage, first_token_ms, house.now(), cost)
    usage = reply.usage
    reported = UsageReported(
        0,
        PURPOSE,
        reply.model or recorded.call.model,
        usage.prompt,
        usage.completion,
        usage.reasoning,
        usage.cached,
        usage.cache_written,
        None if cost is None else cost.micros,
        "" if cost is None else cost.currency,
    )
    told = [Notice("provider_oddity", flag, call=0) for flag in reply.flags]
    ended = replace(
        recorded.turn,
        run="ended",
        outcome="sealed",
        final_text=reply.text,
        version=1,
        prose=bool(reply.text),
        ended_at=house.now(),
    )
    events = (reported, *told, FinalText(reply.text, 1), Status("sealed"), End("sealed"))
    await _close(house, ended, closed, events)


async def fail(house: House, recorded: Recorded, failure: HuabenError) -> None:
    """Store why there is no answer."""
    closed = CallClosed(recorded.call.id, None, failure.message, Usage(), None, house.now())
    ended = replace(
        recorded.turn,
        run="ended",
        outcome="failed",
        code=failure.code,
        message=failure.message,
        ended_at=house.now(),
    )
    events = (Status("failed", failure.code, failure.message), End("failed"))
    await _close(house, ended, closed, events)


async def _close(house: House, turn: Turn, closed: CallClosed, events: Sequence[TurnEvent]) -> None:
    told = ProjectEvent("turn_ended", turn.id, {"status": turn.outcome, "code": turn.code})
    await house.store.commit(
        Commit(
            fence=Fence(turn.id, turn.epoch),
            rows=(turn, closed),
            events=tuple((turn.id, event) for event in events),
            project_events=((turn.project_id, told),),
        )
    )


def outline_of(asked: Completion, shown: Compiled) -> list[Mapping[str, object]]:
    """For each message whose it is, the caller's or a plan's; then what was not sent, and why."""
    said = [
        Segment("log", _speaker(one), (Piece("caller", text_of(one.get("content"))),))
        for one in asked.messages
    ]
    if shown.turn:
        said.append(Segment("tail", "user", shown.turn))
    return Prompt(tuple(said), left_out=shown.unsent).outline()


def _speaker(message: JsonObject) -> Literal["system", "user", "assistant"]:
    role = message.get("role")
    if role in ("system", "developer"):
        return "system"
    return "assistant" if role == "assistant" else "user"


def _root(house: House, project: Project) -> Turn:
    """The node without words that all turns of a record hang on."""
    new_id = house.ids.new()
    return Turn(
        new_id,
        project.id,
        project.user_id,
        None,
        "greeting",
        new_id,
        0,
        project.created_at,
        run="ended",
        outcome="sealed",
        version=1,
        prose=True,
        ended_at=project.created_at,
    )
