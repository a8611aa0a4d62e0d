"""A performance without a conversation: words and answers from the command line, or lines that another
program or a file brings on standard input, one after the other."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from huaben.cli.failing import Told
from huaben.cli.prompting import read_piped
from huaben.cli.speaking import one_line, shortened, tell, voice
from huaben.cli.turns import Answers, Player, chosen, problem
from huaben.services.viewing import TurnShown


async def perform(player: Player, says: Sequence[str], answers: Sequence[str]) -> None:
    """Say what stands on the command line; else each line of standard input, unless that is a
    terminal. Raises as `_recite` and `_follow_pipe` do."""
    if says or answers or sys.stdin.isatty():
        await _recite(player, says, answers)
    else:
        await _follow_pipe(player)


async def _recite(player: Player, says: Sequence[str], answers: Sequence[str]) -> None:
    """Bring what was left to its end, then say each line. Raises the first `problem` of a turn: what
    comes after it would be said into another story than was meant."""
    ready = Answers(answers)
    _check(await player.settle(ready), unsaid=len(says))
    if answers and not says and len(ready) == len(answers):
        say = voice().say
        raise Told("no_open_ask", say("ask.none"), say("ask.none_hint"))
    for number, text in enumerate(says, 1):
        _check(await player.say(text, ready), unsaid=len(says) - number)
    if ready:
        tell(voice().count("script.unused", len(ready)), "dim")


async def _follow_pipe(player: Player) -> None:
    """Bring what was left to its end, then say each line that is not blank until the input ends; a line
    after a question answers it, by its words or the number of an option. Raises the first other
    `problem` of a turn, before the next line is read, and for a question that is left open at the end.

    `//` begins a line that begins with a slash; a command is refused, since it would be said as prose.
    """
    shown = await player.settle(Answers())
    while (line := await read_piped()) is not None:
        words = line.strip()
        if not words:
            continue
        if words.startswith("/") and not words.startswith("//"):
            name = shortened(one_line(words), 30)
            raise Told("command_piped", voice().say("script.command", name=name))
        words = words.removeprefix("/") if words[0] == "/" else words
        if shown is not None and shown.status == "waiting" and shown.ask is not None:
            shown = await player.answer(shown.turn.id, chosen(shown.ask, words), Answers())
        else:
            _check(shown, unsaid=1)
            shown = await player.say(words, Answers())
    _check(shown, unsaid=0)


def _check(shown: TurnShown | None, *, unsaid: int) -> None:
    found = problem(shown) if shown is not None else None
    if found is None:
        return
    if unsaid:
        tell(voice().count("script.unsaid", unsaid))
    raise found
