"""The one quiet line that says what the model is doing, and what a turn came to; apart because it is drawn
over and over on the same line of a terminal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from huaben.cli.speaking import shortened, voice
from huaben.domain.events import Notice, ScribeChange, ThinkingPiece, ToolStart, TurnEvent
from huaben.domain.image import without_markers
from huaben.domain.jsonvalue import Json
from huaben.services.viewing import TurnShown

if TYPE_CHECKING:
    from rich.console import Console

TICK_S = 1.0
_ERASE = "\r\x1b[2K"
_SUBJECTS = ("query", "keyword", "ref", "question")
READS = frozenset({"lorebook_search", "lorebook_read", "lorebook_list", "card_read", "save_list"})
EDITS = frozenset({"draft_edit", "previous_draft_edit"})


class Activity:
    """A verb and the elapsed seconds, redrawn each second while nothing else is printed. On a
    terminal that cannot erase a line it stays silent."""

    def __init__(self, console: Console, monotonic: Callable[[], float]) -> None:
        self._console = console
        self._monotonic = monotonic
        self._mute = not console.is_terminal or console.is_dumb_terminal
        self._started = 0.0
        self._verb = ""
        self._drawn = False
        self._ticking: asyncio.Task[None] | None = None

    def start(self, verb: str) -> None:
        """A turn begins."""
        self._started = self._monotonic()
        self._ticking = asyncio.create_task(self._tick())
        self.show(verb)

    def stop(self) -> float:
        """The turn is over; returns the seconds that it took."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        self.hide()
        return self._monotonic() - self._started

    def show(self, verb: str) -> None:
        """Stand at the beginning of a line."""
        self._verb = verb
        self._draw()

    def hide(self) -> None:
        """Give the line back before anything is printed on it."""
        if self._drawn:
            self._write(_ERASE)
        self._drawn, self._verb = False, ""

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            self._draw()

    def _draw(self) -> None:
        if self._mute or not self._verb:
            return
        seconds = round(self._monotonic() - self._started)
        line = voice().say("doing.line", verb=self._verb, seconds=seconds)
        # A line that wraps cannot be erased; Han characters take two columns.
        fitting = _cut(line, self._console.width - 1)
        self._write(f"{_ERASE}\x1b[2m{fitting}\x1b[0m")
        self._drawn = True

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()


def doing(event: TurnEvent) -> str:
    """What the model is at, or the scribe, for an event that tells; nothing for the rest."""
    match event:
        case ThinkingPiece():
            return voice().say("doing.thinking")
        case ToolStart(name=name, arguments=arguments):
            key = f"doing.{name}"
            said = voice().say(key) if voice().knows(key) else shortened(name, 40)
            subject = _subject(arguments)
            return voice().say("doing.about", verb=said, what=subject) if subject else said
        case ScribeChange(state="running"):
            return voice().say("doing.scribe")
        case _:
            return ""


def lacking(event: TurnEvent) -> str:
    """What an event tells that the ledger lacks; nothing for the rest."""
    match event:
        case Notice(code="ledger_behind", detail=behind) if behind.isdigit():
            return voice().count("notice.ledger_behind", int(behind))
        case ScribeChange(state="failed", behind=behind, code=code):
            told = voice().count("notice.ledger_behind", behind)
            return voice().say("notice.scribe_failed", code=code, told=told)
        case _:
            return ""


def quiet_summary(shown: TurnShown, elapsed_s: float) -> str:
    """What a turn took: looked up, changed, seconds, characters."""
    tools = [tool for tool in shown.view.tools if tool.ok]
    reads = sum(tool.name in READS for tool in tools)
    edits = sum(tool.name in EDITS for tool in tools)
    view = shown.view
    text = without_markers(view.final.text if view.final else view.draft.text)
    counts = [
        voice().count("summary.reads", reads) if reads else "",
        voice().count("summary.edits", edits) if edits else "",
        voice().say("summary.seconds", n=round(elapsed_s)),
        voice().count("summary.chars", len(text)) if text else "",
    ]
    return " · ".join(part for part in counts if part)


def _subject(arguments: str) -> str:
    """What a look-up is about; nothing where the arguments do not tell."""
    try:
        value: Json = json.loads(arguments)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    for name in _SUBJECTS:
        found = value.get(name)
        if isinstance(found, str) and found.strip():
            return shortened(found, 40)
    return ""


def _cut(line: str, columns: int) -> str:
    from rich.cells import cell_len, set_cell_size

    return line if cell_len(line) <= columns else set_cell_size(line, max(columns, 1))
