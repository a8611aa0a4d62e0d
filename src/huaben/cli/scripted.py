"""A scripted performance: words and answers from the command line, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from huaben.cli.failing import Told
from huaben.cli.speaking import tell, voice
from huaben.cli.turns import Answers, Player, problem
from huaben.services.viewing import TurnShown


async def perform(player: Player, says: Sequence[str], answers: Sequence[str]) -> None:
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


def _check(shown: TurnShown | None, *, unsaid: int) -> None:
    found = problem(shown) if shown is not None else None
    if found is None:
        return
    if unsaid:
        tell(voice().count("script.unsaid", unsaid))
    raise found
