"""Spoken words taken into the draft, and the event that records any change of it; apart from the loops,
because each of them captures by the same rule (`turn.md` §4)."""

from __future__ import annotations

from huaben.agent.log import TurnLog
from huaben.domain.draft import Append, Applied, Draft, Replace, Restored, apply
from huaben.domain.events import Captured, DraftChange, DraftOp, Notice
from huaben.domain.text import is_blank, utf16_len


async def capture(
    n: int, text: str, base: Draft, log: TurnLog, *, tail: bool = False, separator: str = "\n\n"
) -> Draft | None:
    """Take what call `n` spoke into the draft: onto an empty sheet, or after `separator` behind what
    stands there. The draft afterwards; None, and a notice, when the draft refuses it."""
    fresh = is_blank(base.text)
    applied = apply(
        base,
        Replace(base.version, text, "capture")
        if fresh
        else Append(base.version, text, separator, "capture"),
    )
    if not isinstance(applied, Applied):
        await log.commit([Notice("capture_failed", type(applied).__name__, call=n)])
        return None
    op = "write" if fresh else "append"
    captured = Captured(n, applied.draft.version, op, utf16_len(text), tail)
    await log.commit([draft_change(base, applied, n), captured])
    return applied.draft


def draft_change(base: Draft, applied: Applied, call: int = -1) -> DraftChange:
    """The event that records a change of the draft."""
    restored = isinstance(applied.reason, Restored)
    op: DraftOp = "restore" if isinstance(applied.reason, Restored) else applied.reason
    spans = tuple({"start": s.start, "end": s.end, "text": s.text} for s in applied.spans)
    return DraftChange(
        applied.draft.version,
        op,
        base.version,
        text="" if spans else applied.draft.text,
        edits=spans,
        reason=str(applied.reason) if restored else "",
        call=call,
    )
