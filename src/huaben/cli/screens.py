"""What is seen of a turn while it is played: as JSON lines, or as the finished prose alone; apart from the
playing so that the same turn can be watched in three ways."""

from __future__ import annotations

from typing import Protocol

from huaben.cli.activity import lacking
from huaben.cli.opening import Opened
from huaben.cli.speaking import put, put_json, tell
from huaben.domain.events import Final, to_data
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.formats.illustrations import as_words
from huaben.ports import LoggedEvent
from huaben.services.viewing import TurnShown, turn_json


class Screen(Protocol):
    """Watches one project's turns, one after the other."""

    def opened(self, opened: Opened, head: str) -> None:
        """A project is played; `head` is the node that it stands on."""
        ...

    def begun(self, turn: Turn, view: TurnView) -> None:
        """A turn is about to be followed; `view` is what was told of it before."""
        ...

    def event(self, logged: LoggedEvent, turn_id: str) -> None: ...

    def over(self, shown: TurnShown) -> None:
        """The turn has ended, or waits for an answer."""
        ...


class JsonScreen:
    """One JSON object per line: first the project, then each event as `{turn, seq, kind, …}`, and at
    the end of each turn the turn itself as the HTTP API gives it."""

    def opened(self, opened: Opened, head: str) -> None:
        project = opened.project
        put_json(
            {
                "kind": "project",
                "id": project.id,
                "title": project.title,
                "card_id": project.card_id,
                "language": project.language,
                "head": head,
                "new": opened.fresh,
            }
        )

    def begun(self, turn: Turn, view: TurnView) -> None:
        pass

    def event(self, logged: LoggedEvent, turn_id: str) -> None:
        event = logged.event
        put_json({"turn": turn_id, "seq": logged.seq, "kind": event.kind, **to_data(event)})

    def over(self, shown: TurnShown) -> None:
        put_json({"turn": shown.turn.id, **turn_json(shown)})


class PlainScreen:
    """Nothing but the final prose of each turn, as soon as it stands, for a pipe or a file; a blank
    line between turns. What the ledger lacks is said beside it."""

    def __init__(self) -> None:
        self._printed = 0
        self._delivered = False

    def opened(self, opened: Opened, head: str) -> None:
        pass

    def begun(self, turn: Turn, view: TurnView) -> None:
        self._delivered = False

    def event(self, logged: LoggedEvent, turn_id: str) -> None:
        if isinstance(logged.event, Final):
            self._deliver(logged.event.text)
        if told := lacking(logged.event):
            tell(told, "yellow")

    def over(self, shown: TurnShown) -> None:
        if not self._delivered:
            self._deliver(final_text(shown))

    def _deliver(self, text: str) -> None:
        self._delivered = True
        if text:
            told = as_words(text)  # a terminal shows no pictures
            put(f"\n{told}" if self._printed else told)
            self._printed += 1


def final_text(shown: TurnShown) -> str:
    """The prose that a finished turn delivered: its own, or the new text of the one it revised."""
    if shown.status not in ("sealed", "revised"):
        return ""
    return shown.view.final.text if shown.view.final else shown.text.text
