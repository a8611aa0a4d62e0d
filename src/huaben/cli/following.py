"""Watches one turn to the end of its log, with all that follows a sealed one, and past whatever keeps that
end from coming; apart from playing because waiting ends in four ways."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from huaben.cli.failing import Told
from huaben.cli.screens import Screen
from huaben.cli.speaking import tell, voice
from huaben.errors import Conflict
from huaben.services.aftermath.chain import lane_of
from huaben.studio import Studio

PATIENCE_S = 1.0


@dataclass(frozen=True, slots=True)
class Watch:
    """Watches a turn on a screen, and stops it."""

    studio: Studio
    screen: Screen
    turn_id: str
    left: asyncio.Event = field(default_factory=asyncio.Event)

    async def to_the_end(self, after: int) -> None:
        """Show the events from `after` on, up to the end or to an open question. Raises `Told`
        (`turn_not_recorded`) when there will be none, because the store refused it. What follows a
        sealed turn is waited for as long as it can come and the user wants to; what is due stays
        due."""
        waits = (self._show(after), self._unrecorded(), self._forsaken(), self.left.wait())
        tasks = [asyncio.ensure_future(wait) for wait in waits]
        shown, unrecorded, forsaken, _ = tasks
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            say = voice().say
            if shown.done():
                await shown
            elif unrecorded.done():
                raise Told("turn_not_recorded", say("turn.not_recorded"), say("fail.debug_hint"))
            elif forsaken.done():
                await forsaken
                tell(say("turn.forsaken"), "yellow")
            else:
                tell(say("turn.left"), "dim")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def stop(self) -> None:
        """Stop the turn; one that has ended already is left to what follows it."""
        try:
            await self.studio.stop(self.turn_id)
        except Conflict:
            self.left.set()

    async def _show(self, after: int) -> None:
        async for logged in self.studio.follow(self.turn_id, after):
            self.screen.event(logged, self.turn_id)

    async def _unrecorded(self) -> None:
        """Wait until the store has refused the turn's end: it may be refused for ever."""
        while self.turn_id not in self.studio.company.unrecorded:  # noqa: ASYNC110 - a store at fault tells nobody
            await asyncio.sleep(PATIENCE_S)

    async def _forsaken(self) -> None:
        """Wait until the turn is over and nothing will write the end of its log."""
        store = self.studio.house.store
        while True:
            await asyncio.sleep(PATIENCE_S)
            turn = await store.turn(self.turn_id)
            if turn is None:
                return
            if turn.run != "ended":
                continue
            if not await self._is_carried_out(lane_of(turn.project_id)):
                return
            if not await store.is_over(self.turn_id):
                return

    async def _is_carried_out(self, lane: str) -> bool:
        """Whether all that was due in a lane is done; not when something keeps jobs from running."""
        try:
            await self.studio.house.jobs.idle(lane)
        except Exception:  # noqa: BLE001 - the command line's boundary: whatever it is, it is logged where jobs run
            return False
        return True
