"""How the two models of a showrunner's turn write on its log: apart from the walk because here only what is
shown is decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from huaben.agent.log import TurnLog
from huaben.domain.events import DraftChange, TextPiece, TurnEvent
from huaben.domain.turnview import TurnView
from huaben.ports import Row

_STOPS: Final = "。！？…!?.～"
_CLOSERS: Final = "”’」』\"')）】》*_~ \t\r\n"


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a whole sentence, closing quotation marks and brackets aside."""
    return text.rstrip(_CLOSERS).endswith(tuple(_STOPS))


@dataclass(frozen=True, slots=True)
class QuietLog:
    """The log as the control model's calls write on it: what it says is no prose and is not shown."""

    log: TurnLog

    @property
    def view(self) -> TurnView:
        return self.log.view

    async def commit(self, events: Iterable[TurnEvent] = (), rows: tuple[Row, ...] = ()) -> None:
        await self.log.commit([one for one in events if not isinstance(one, TextPiece)], rows)

    def stream(self, piece: TurnEvent) -> None:
        if not isinstance(piece, TextPiece):
            self.log.stream(piece)


@dataclass(frozen=True, slots=True)
class SheetLog:
    """The log as a segment's call writes on it: what arrives is shown as the text it will become, so that
    a stop keeps it there."""

    call: int
    log: TurnLog

    @property
    def view(self) -> TurnView:
        return self.log.view

    async def commit(self, events: Iterable[TurnEvent] = (), rows: tuple[Row, ...] = ()) -> None:
        await self.log.commit([self._shown(one) for one in events], rows)

    def stream(self, piece: TurnEvent) -> None:
        self.log.stream(self._shown(piece))

    def _shown(self, event: TurnEvent) -> TurnEvent:
        if not isinstance(event, TextPiece):
            return event
        draft = self.log.view.draft
        op = "append" if draft.text else "write"
        return DraftChange(
            draft.version,
            op,
            draft.version,
            text=event.text,
            preview=True,
            offset=event.offset,
            call=self.call,
        )
