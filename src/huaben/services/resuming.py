"""What a turn that goes on must take back, add and close first; pure, from its log and its calls."""

from __future__ import annotations

from collections.abc import Sequence

from huaben.domain.events import DraftChange, Notice, TextPiece, ThinkingPiece, TurnEvent
from huaben.domain.messages import Usage
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.ports import CallClosed, CallRecord, Row
from huaben.prompt.texts import phrase, phrases


def cleared(view: TurnView, calls: Sequence[CallRecord]) -> list[TurnEvent]:
    """Take back what an unfinished call has shown: it is made again from its start."""
    done = {call.n for call in calls if call.reply is not None}
    events: list[TurnEvent] = []
    if view.preview is not None:
        version = view.draft.version
        events.append(DraftChange(version, "retract", version, call=view.preview.call))
    events += (TextPiece(n, 0, "") for n, text in view.spoken.items() if n not in done and text)
    events += (
        ThinkingPiece(n, 0, "") for n, text in view.thinking.items() if n not in done and text
    )
    return events


def note(
    project: Project, turn: Turn, view: TurnView, calls: Sequence[CallRecord]
) -> list[TurnEvent]:
    """What the model is told when the user's Continue goes beyond the record. A turn that was cut
    off from outside needs nothing: its next call is simply made."""
    done = sum(1 for call in calls if call.reply is not None)
    cut_off = turn.outcome == "interrupted" or (turn.outcome == "failed" and not _by_rule(turn))
    if cut_off or (done == 0 and not view.draft.text):
        return []
    if project.mode == "writing":
        text = phrases(project.language, "writing_phrases")["continue_note"]
    else:
        text = phrase(project.language, "continue_note", version=view.draft.version)
    return [Notice("continue", text, call=done)]


def _by_rule(turn: Turn) -> bool:
    """Whether the turn failed by a rule of ours and not by its provider."""
    return turn.code in ("no_draft", "no_reply", "repeated_failure") or turn.code.startswith(
        "limit_"
    )


def cut_calls(now: str, calls: Sequence[CallRecord], why: str) -> list[Row]:
    return [
        CallClosed(call.id, None, why, Usage(), call.first_token_ms, now)
        for call in calls
        if call.state == "open"
    ]
