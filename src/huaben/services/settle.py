"""How a turn comes to its end: from its log and an ending to the one commit that records it.

Pure but for the clock's text; every way to end (the model seals, the user seals or stops, a limit, a
failed provider, a dead process) is written here, so that all of them keep what was written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from huaben.agent.capturing import draft_change
from huaben.domain.continuing import appended
from huaben.domain.draft import Append, Applied, Draft, Replace, Restored, apply
from huaben.domain.events import (
    DraftChange,
    End,
    Failed,
    Final,
    ProjectEvent,
    Status,
    TurnEvent,
)
from huaben.domain.finaltext import final_text
from huaben.domain.story import Exchange, Outcome, Revision, Turn, status_of
from huaben.domain.text import is_blank
from huaben.domain.turnview import TurnView, replay
from huaben.ports import Commit, Due, Row
from huaben.services import amending, images
from huaben.services.aftermath.chain import due_after
from huaben.services.scripts_run import Arrived


@dataclass(frozen=True, slots=True)
class Settled:
    """A turn as it ends, and the events that say so."""

    turn: Turn
    events: tuple[TurnEvent, ...]
    due: tuple[Due, ...] = ()

    def commit(self, *more: Row) -> Commit:
        """The commit without expectations; the caller adds its fence or revision."""
        ended = ProjectEvent(
            "turn_ended",
            self.turn.id,
            {"status": status_of(self.turn.run, self.turn.outcome), "code": self.turn.code},
        )
        return Commit(
            rows=(self.turn, *more),
            events=tuple((self.turn.id, event) for event in self.events),
            project_events=((self.turn.project_id, ended),),
            due=self.due,
        )


def would_seal(view: TurnView, *, with_tail: bool = True) -> str:
    """The final text that `seal` would make of a turn before any script; blank without prose."""
    view = replay(keep_partial(view), view)
    if not with_tail and (shortened := _without_tail(view)):
        view = view.apply(shortened)
    text = view.draft.text
    return "" if is_blank(text) else final_text(text, view.spoken_after_draft())


def seal(
    turn: Turn,
    view: TurnView,
    now: str,
    *,
    with_tail: bool = True,
    arrived: Arrived | None = None,
) -> Settled | None:
    """The draft becomes the final text, with its format tail; None when there is no prose.

    A partial write becomes a version first. Without the tail, what was captured after explicit
    writes is left out. `arrived` is that text as the user's scripts leave it.
    """
    events: list[TurnEvent] = list(keep_partial(view))
    view = replay(events, view)
    if not with_tail and (shortened := _without_tail(view)):
        events.append(shortened)
        view = view.apply(shortened)
    draft = view.draft
    if is_blank(draft.text):
        return None
    text = final_text(draft.text, view.spoken_after_draft())
    if arrived is not None and not is_blank(arrived.text):
        text = arrived.text
        events += arrived.notices
    if text != draft.text:
        applied = apply(draft, Replace(draft.version, text, "finalize"))
        if isinstance(applied, Applied):
            events.append(draft_change(draft, applied))
            draft = applied.draft
    sealed = _ended(turn, view, "sealed", "", "", now)
    sealed = replace(sealed, final_text=draft.text, version=draft.version, prose=True)
    ordered = images.order(sealed, view)
    events += (Final(draft.text, draft.version), Status("sealed"), *ordered.events)
    due = due_after(sealed, view)
    if not due:  # else the end is for the last link of what follows to write
        events.append(End("sealed"))
    return Settled(sealed, tuple(events), (*due, *ordered.due, *amending.order(sealed, view)))


def revise(turn: Turn, view: TurnView, revision: Revision, now: str) -> Settled:
    """The turn's work was a change of an earlier final text."""
    revised = replace(_ended(turn, view, "revised", "", "", now), revises=revision, prose=True)
    final = Final(
        revision.text,
        revision.version,
        {"turn": revision.turn, "version": revision.version},
    )
    return Settled(revised, (final, Status("revised"), End("revised")))


def append(turn: Turn, view: TurnView, made: Settled, before: Draft, now: str) -> Settled:
    """A continuation is sealed: what `seal` made of it is appended to the text that was in force, by a
    revision (pins 8)."""
    assert turn.revises is not None, "a continuation names what it goes on from"
    changes = tuple(e for e in made.events if not isinstance(e, Final | Status | End))
    text = appended(before.text, made.turn.final_text)
    revision = Revision(turn.revises.turn, before.version + 1, text)
    revised = revise(turn, replay(changes, view), revision, now)
    kept = tuple(due for due in made.due if due.kind in (images.KIND, amending.KIND))
    return replace(revised, events=(*changes, *revised.events), due=kept)


def leave_unsealed(turn: Turn, view: TurnView, now: str) -> Settled:
    """The model stopped without sealing; the draft stays for the user to decide."""
    return _settled(turn, view, "unsealed", "not_sealed", "", now)


def stop(turn: Turn, view: TurnView, now: str) -> Settled:
    """The user stopped it: what had arrived is kept as a version."""
    events = list(keep_partial(view))
    return _settled(turn, replay(events, view), "stopped", "stopped", "", now, events)


def fail(turn: Turn, view: TurnView, failure: Failed, now: str) -> Settled:
    """A provider or a limit ended it, or nothing was produced; an unfinished write stays a preview,
    which Retry drops and Seal keeps."""
    return _settled(turn, view, "failed", failure.code, failure.message, now, [failure])


def interrupt(turn: Turn, view: TurnView, now: str) -> Settled:
    """The process that ran it died, with its draft as last flushed."""
    return _settled(turn, view, "interrupted", "process_ended", "", now)


def discard(turn: Turn, view: TurnView, now: str) -> Settled:
    """The user gave it up; its log stays, its words go back to the box."""
    return _settled(turn, view, "discarded", "discarded", "", now)


def keep_partial(view: TurnView) -> Iterable[DraftChange]:
    """The change that turns what had arrived of an unfinished write into a version; with an empty
    draft, what the unfinished reply had spoken."""
    draft = view.draft
    if view.preview is not None and not is_blank(view.preview.content):
        content = view.preview.content
        change = (
            Append(draft.version, content, reason="partial")
            if view.preview.op == "append"
            else Replace(draft.version, content, "partial")
        )
    elif is_blank(draft.text) and (spoken := view.last_spoken):
        change = Replace(draft.version, spoken, "partial")
    else:
        return ()
    applied = apply(draft, change)
    if not isinstance(applied, Applied) or applied.draft.version == draft.version:
        return ()
    call = view.preview.call if view.preview else max(view.spoken, default=-1)
    return (draft_change(draft, applied, call),)


def has_prose(view: TurnView) -> bool:
    """Whether anything of the turn could be kept."""
    return not is_blank(view.draft.text) or not is_blank(view.partial or view.last_spoken)


def _without_tail(view: TurnView) -> DraftChange | None:
    tail = next((c for c in reversed(view.captured) if c.tail), None)
    if tail is None or tail.version != view.draft.version:
        return None
    before = view.version(tail.version - 1)
    if before is None:
        return None
    restored = Replace(view.draft.version, before.text, Restored(before.version))
    applied = apply(view.draft, restored)
    return draft_change(view.draft, applied) if isinstance(applied, Applied) else None


def _settled(
    turn: Turn,
    view: TurnView,
    outcome: Outcome,
    code: str,
    message: str,
    now: str,
    before: Iterable[TurnEvent] = (),
) -> Settled:
    ended = _ended(turn, view, outcome, code, message, now)
    return Settled(ended, (*before, Status(outcome, code, message), End(outcome)))


def _ended(turn: Turn, view: TurnView, outcome: Outcome, code: str, message: str, now: str) -> Turn:
    return replace(
        turn,
        run="ended",
        outcome=outcome,
        code=code,
        message=message,
        asked=exchanges(view),
        prose=has_prose(view),
        version=view.draft.version,
        ended_at=now,
    )


def exchanges(view: TurnView) -> tuple[Exchange, ...]:
    """The answered questions of a turn."""
    return tuple(Exchange(one.question, one.answer) for one in view.asks if one.answer is not None)


def restored(draft: Draft, view: TurnView, version: int) -> DraftChange | None:
    """The change that puts an earlier version of the draft back; None for an unknown version or
    one whose text already stands."""
    earlier = view.version(version)
    if earlier is None:
        return None
    change = Replace(draft.version, earlier.text, Restored(version))
    applied = apply(draft, change)
    if not isinstance(applied, Applied) or applied.draft.version == draft.version:
        return None
    return draft_change(draft, applied)
