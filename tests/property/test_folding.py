"""Folding a log changes nothing that anybody can see: the promise of `domain.folding`."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.events import (
    DraftChange,
    DraftOp,
    End,
    Notice,
    Status,
    TextPiece,
    ThinkingPiece,
    TurnEvent,
    is_delta,
)
from huaben.domain.folding import fold
from huaben.domain.text import utf16_len
from huaben.domain.turnview import TurnView, replay

OPS: tuple[DraftOp, ...] = ("write", "append")
WORDS = st.text(alphabet="灯雨ab🏮\n", max_size=4)


@st.composite
def speech(draw: st.DrawFn, call: int) -> list[TurnEvent]:
    """A reply as it streams: thought and speech, sometimes mixed, sometimes begun anew."""
    ends = {"thinking": 0, "text": 0}
    events: list[TurnEvent] = []
    for _ in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(["thinking", "text", "text"]))
        text = draw(WORDS)
        if draw(st.integers(0, 9)) == 0:
            ends[kind] = 0  # a retry speaks from the beginning
        piece = ThinkingPiece if kind == "thinking" else TextPiece
        events.append(piece(call, ends[kind], text))
        ends[kind] += utf16_len(text)
    return events


@st.composite
def writing(draw: st.DrawFn, version: int) -> tuple[list[TurnEvent], int]:
    """A write with its preview: carried out, taken back, or cut off."""
    op = draw(st.sampled_from(OPS))
    events: list[TurnEvent] = []
    end = 0
    for _ in range(draw(st.integers(0, 5))):
        text = draw(WORDS)
        events.append(DraftChange(version, op, version, text, preview=True, offset=end))
        end += utf16_len(text)
        events += draw(st.sampled_from([[], [], [Notice("waiting")]]))
    match draw(st.sampled_from(["done", "refused", "cut off"])):
        case "done":
            return [*events, DraftChange(version + 1, op, version, draw(WORDS))], version + 1
        case "refused":
            return [*events, DraftChange(version, "retract", version)], version
        case _:
            return events, version


@st.composite
def logs(draw: st.DrawFn) -> list[TurnEvent]:
    """The log of a turn with several calls, perhaps interrupted and resumed."""
    events: list[TurnEvent] = [Status("running")]
    version = 0
    for call in range(draw(st.integers(0, 4))):
        events += draw(speech(call))
        written, version = draw(writing(version))
        events += written
        if draw(st.integers(0, 4)) == 0:
            events += [Status("interrupted"), End("interrupted"), Status("running")]
    return [*events, Status("sealed"), End("sealed")]


def folded(log: list[TurnEvent]) -> list[tuple[int, TurnEvent]]:
    numbered = list(enumerate(log, start=1))
    plan = fold(numbered)
    return [(seq, plan.joined.get(seq, event)) for seq, event in numbered if seq not in plan.gone]


@given(logs())
def test_a_reader_sees_the_same_wherever_it_left_off(log: list[TurnEvent]) -> None:
    """From the beginning or from any number in between: the folded log leads to the same view."""
    view = replay(log)
    rest = folded(log)
    for seen in range(len(log) + 1):
        before = replay(log[:seen], TurnView())
        assert replay([event for seq, event in rest if seq > seen], before) == view


@given(logs())
def test_folding_again_changes_nothing(log: list[TurnEvent]) -> None:
    """A folded log has nothing left to fold."""
    rest = folded(log)
    assert fold(rest).gone == ()
    assert fold(rest).joined == {}


@given(logs())
def test_what_was_no_piece_stays_as_it_was(log: list[TurnEvent]) -> None:
    """Changes, results and statuses keep their numbers and their contents, the last row first of
    all: readers know the log by its number."""
    rest = folded(log)
    kept = [(seq, event) for seq, event in rest if not is_delta(event)]
    assert kept == [(seq, e) for seq, e in enumerate(log, start=1) if not is_delta(e)]
    assert rest[-1][0] == len(log)


def test_a_stream_becomes_one_row() -> None:
    """What was flushed ten times a second is one row under the last number."""
    log: list[TurnEvent] = [Status("running")]
    log += [ThinkingPiece(0, n, "想") for n in range(50)]
    log += [TextPiece(0, n * 2, "🏮") for n in range(50)]
    log += [DraftChange(0, "write", 0, "灯", preview=True, offset=n) for n in range(50)]
    log += [DraftChange(1, "write", 0, "灯" * 50), End("sealed")]
    assert folded(log) == [
        (1, Status("running")),
        (51, ThinkingPiece(0, 0, "想" * 50)),
        (101, TextPiece(0, 0, "🏮" * 50)),
        (152, DraftChange(1, "write", 0, "灯" * 50)),
        (153, End("sealed")),
    ]


def test_an_open_preview_is_joined_and_kept() -> None:
    """The partial text of an interrupted write is still there after folding."""
    log: list[TurnEvent] = [
        DraftChange(0, "write", 0, "灯还", preview=True, offset=0),
        DraftChange(0, "write", 0, "亮着", preview=True, offset=2),
        End("interrupted"),
    ]
    assert folded(log) == [
        (2, DraftChange(0, "write", 0, "灯还亮着", preview=True, offset=0)),
        (3, End("interrupted")),
    ]


def test_a_gap_is_left_alone() -> None:
    """Pieces that do not meet are not joined: nothing is made up."""
    log: list[TurnEvent] = [TextPiece(0, 0, "ab"), TextPiece(0, 9, "c"), TextPiece(0, 10, "d")]
    assert folded(log) == [(1, TextPiece(0, 0, "ab")), (3, TextPiece(0, 9, "cd"))]
