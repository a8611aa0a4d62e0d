"""Replaying a turn's log: from anywhere, folded or live, the same view."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.draft import Append, Applied, Draft, Edit, Pair, Write, apply
from huaben.domain.events import (
    DraftChange,
    Status,
    TextPiece,
    ThinkingPiece,
    TurnEvent,
    from_data,
    is_delta,
    to_data,
)
from huaben.domain.text import scrub, utf16_len
from huaben.domain.turnview import TurnView, replay

texts = st.text(min_size=1, max_size=20).map(scrub)


@st.composite
def streams(draw: st.DrawFn) -> list[TurnEvent]:
    """The pieces of one call's speech, thought or write, with running offsets."""
    call = draw(st.integers(0, 3))
    pieces = draw(st.lists(texts, min_size=1, max_size=6))
    offsets = [0, *accumulate(utf16_len(piece) for piece in pieces)]
    match draw(st.sampled_from(("text", "thinking", "draft"))):
        case "text":
            return [TextPiece(call, at, p) for at, p in zip(offsets, pieces, strict=False)]
        case "thinking":
            return [ThinkingPiece(call, at, p) for at, p in zip(offsets, pieces, strict=False)]
        case _:
            return [
                DraftChange(0, "write", 0, text=p, preview=True, offset=at, call=call)
                for at, p in zip(offsets, pieces, strict=False)
            ]


@given(st.lists(streams(), max_size=5), st.data())
def test_a_client_may_come_back_at_any_event(
    logs: list[list[TurnEvent]], data: st.DataObject
) -> None:
    """Seeing some pieces twice, as after a fold or a reconnect, changes nothing."""
    log = [event for stream in logs for event in stream]
    whole = replay(log)
    left = data.draw(st.integers(0, len(log)))
    start = left
    while 0 < start < len(log) and is_delta(log[start]) and _continues(log[start - 1], log[start]):
        start -= 1
    assert replay(log[start:], replay(log[:left])) == whole


def _continues(former: TurnEvent, later: TurnEvent) -> bool:
    same = type(former) is type(later) and getattr(former, "call", 0) == getattr(later, "call", 0)
    return same and getattr(later, "offset", 0) > 0


@given(st.lists(st.tuples(st.sampled_from(("write", "append", "edit")), texts), max_size=8))
def test_the_log_replays_to_the_draft(changes: list[tuple[str, str]]) -> None:
    """Whatever was written, appended and edited, replaying its events gives the same versions."""
    from huaben.agent.capturing import draft_change

    draft, view = Draft(0, ""), TurnView()
    for kind, text in changes:
        change = (
            Write(draft.version, text)
            if kind == "write"
            else Append(draft.version, text)
            if kind == "append"
            else Edit(draft.version, (Pair(draft.text[:5], text),))
        )
        done = apply(draft, change)
        if isinstance(done, Applied) and done.draft.version != draft.version:
            event = draft_change(draft, done, 0)
            view = view.apply(from_data(event.kind, to_data(event)))
            draft = done.draft
        assert view.draft == draft


def test_running_again_clears_the_error_and_opens_the_log() -> None:
    """A resumed turn begins a new epoch of the same log."""
    view = replay([Status("failed", "cut_stream", "gone"), Status("running")])
    assert (view.status, view.error, view.ended) == ("running", None, False)
