"""The draft as it grows on a terminal. A terminal takes back nothing that it has shown, so prose is printed
as it arrives, a change of an earlier sentence is said in the activity line, and where what stands on the
screen is no longer the final text, that is printed whole at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from huaben.cli.activity import Activity, doing, lacking, quiet_summary
from huaben.cli.opening import Opened
from huaben.cli.screens import final_text
from huaben.cli.speaking import printable, voice
from huaben.domain.events import Final, Notice
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.formats.illustrations import as_words
from huaben.ports import LoggedEvent
from huaben.services.viewing import TurnShown

if TYPE_CHECKING:
    from rich.console import Console

TOLD: Mapping[str, str] = {
    "retrying": "notice.retrying",
    "connection_fallback": "notice.connection_fallback",
    "performer_fallback": "notice.performer_fallback",
    "withheld": "notice.withheld",
    "planner_broken": "notice.planner_broken",
    "plan_unreadable": "notice.plan_unreadable",
    "control_failed": "notice.control_failed",
    "segment_failed": "notice.segment_failed",
    "script_off": "notice.script_off",
    "memory_late": "notice.memory_late",
    "memory_failed": "notice.memory_failed",
    "memory_asks": "notice.memory_asks",
    "memory_refused": "notice.memory_refused",
    "remembering_failed": "notice.remembering_failed",
    "saves_failed": "notice.saves_failed",
    "summary_failed": "notice.summary_failed",
    "recap_failed": "notice.recap_failed",
    "scripts_emptied": "notice.scripts_emptied",
}
"""Notices that are said while a turn runs; the others are in its trace."""


class LiveScreen:
    """Shows turns on a terminal. One `Activity` line stands below the prose while the model works."""

    def __init__(self, console: Console, activity: Activity) -> None:
        self._console = console
        self._activity = activity
        self._view = TurnView()
        self._shown = ""
        self._spoken = False
        self._changed = False
        self._turn_id = ""
        self._at_line_start = True
        self._owed = False
        self._elapsed_s: float | None = None

    def opened(self, opened: Opened, head: str) -> None:
        pass

    def begun(self, turn: Turn, view: TurnView) -> None:
        if turn.id != self._turn_id:
            self._turn_id, self._shown = turn.id, ""
            self._spoken = self._changed = False
        self._view, self._elapsed_s = view, None
        self._grow()  # what an earlier run had written is not on this screen yet
        self._new_line()
        self._activity.start(voice().say("doing.waiting"))

    def event(self, logged: LoggedEvent, turn_id: str) -> None:
        self._view = self._view.apply(logged.event)
        self._grow()
        busy = doing(logged.event)
        if busy:
            self._new_line()
            self._activity.show(busy)
        if isinstance(logged.event, Notice) and logged.event.code in TOLD:
            self._say(voice().say(TOLD[logged.event.code], what=logged.event.detail))
        if told := lacking(logged.event):
            self._say(told)
        if isinstance(logged.event, Final):
            self._deliver(logged.event.text)
            self._activity.start("")  # what follows takes a while, and says so itself

    def over(self, shown: TurnShown) -> None:
        if self._elapsed_s is None:
            self._deliver(final_text(shown))
        self._activity.stop()
        self._new_line()
        if shown.status != "waiting":
            self._say(f"{quiet_summary(shown, self._elapsed_s or 0.0)}\n")

    # ---- prose ---------------------------------------------------------------------------------

    def _grow(self) -> None:
        """Print what the draft has grown by; a draft that is no longer what was shown is marked."""
        target, spoken = self._target()
        before, was_spoken = self._shown, self._spoken
        self._shown, self._spoken = target, spoken
        if target.startswith(before):
            self._prose(target[len(before) :])
        elif self._view.preview is not None or spoken or was_spoken:
            # Another text begins: the model writes anew, or had only thought aloud before.
            self._new_line()
            self._prose(f"\n\n{target}")
            self._changed = False
        else:
            self._changed = True

    def _target(self) -> tuple[str, bool]:
        """The draft as it would read now; before there is one, what the model says."""
        view = self._view
        if view.partial is not None:
            return as_words(view.partial), False
        if view.draft.text:
            return as_words(view.draft.text), False
        return view.last_spoken, True

    def _deliver(self, final: str) -> None:
        """The prose is done: what took it so long, and whatever of it does not stand there yet."""
        self._elapsed_s = self._activity.stop()
        self._new_line()
        final = as_words(final)  # a terminal shows no pictures
        if final and final.strip() != self._shown.strip():
            self._complete(final)
        elif final and self._changed:
            self._print_whole(final)

    def _complete(self, final: str) -> None:
        if final.startswith(self._shown) and self._shown and not self._changed:
            self._prose(final[len(self._shown) :])
            self._new_line()
        else:
            self._print_whole(final)

    def _print_whole(self, final: str) -> None:
        if self._shown:
            self._say(f"— {voice().say('screen.final')} —")
        self._prose(final)
        self._new_line()

    def _prose(self, text: str) -> None:
        if not text:
            return
        self._activity.hide()
        # The line end that was printed early is the first one of this piece.
        piece = text.removeprefix("\n") if self._owed else text
        self._console.out(printable(piece), end="", highlight=False)
        self._console.file.flush()
        self._at_line_start, self._owed = text.endswith("\n"), False

    def _new_line(self) -> None:
        if not self._at_line_start:
            self._console.out("")
            self._at_line_start = self._owed = True

    def _say(self, sentence: str) -> None:
        self._activity.hide()
        self._new_line()
        self._console.out(printable(sentence), style="dim", highlight=False)
