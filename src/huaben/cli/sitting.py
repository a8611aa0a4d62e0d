"""One sitting at a project, in the terminal or by a script; apart from what opens the project, because a
story is played and a manuscript talked about in the same ways."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from huaben.cli.opening import Opened
    from huaben.cli.running import Signals
    from huaben.cli.screens import Screen
    from huaben.cli.turns import Player
    from huaben.studio import Studio


@dataclass(frozen=True, slots=True)
class Sitting:
    """What is to be said and how it is shown, as the command line has it."""

    says: tuple[str, ...]
    answers: tuple[str, ...]
    as_json: bool

    @property
    def scripted(self) -> bool:
        """Nobody is there to talk to, or everything that is to be said stands on the line."""
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
        return bool(self.says or self.answers) or self.as_json or not terminal

    async def hold(self, studio: Studio, opened: Opened, signals: Signals) -> None:
        """From the project as it was opened to the end of what is said."""
        from huaben.cli.turns import Player

        screen = self._screen(studio)
        head = await studio.house.store.head(opened.project.id)
        screen.opened(opened, head.turn_id if head else "")
        player = Player(studio, opened.project, screen, signals)
        if self.scripted:
            from huaben.cli.scripted import perform

            await perform(player, self.says, self.answers)
        else:
            await _converse(player)

    def _screen(self, studio: Studio) -> Screen:
        from huaben.cli.screens import JsonScreen, PlainScreen

        if self.as_json:
            return JsonScreen()
        if not sys.stdout.isatty():
            return PlainScreen()
        from huaben.cli.activity import Activity
        from huaben.cli.live import LiveScreen
        from huaben.cli.speaking import out

        console = out()
        return LiveScreen(console, Activity(console, studio.house.clock.monotonic))


async def _converse(player: Player) -> None:
    from huaben.cli.conversing import Conversation
    from huaben.cli.prompting import kept_terminal
    from huaben.cli.speaking import out

    with kept_terminal():
        await Conversation(player, out()).hold()
