"""The company of running turns: starts what is due in each project, runs it, and records its end.

One task per running turn. A task holds nothing that the log does not: stopping, dying and resuming
all go through the store (`settle`), so a run can end at any moment.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from itertools import chain, repeat

from huaben.agent.act import Done, Ended, Ending, Revised, Sealed, Unsealed, Waiting
from huaben.agent.log import Superseded
from huaben.domain.events import Failed, ProjectEvent, Status
from huaben.domain.story import UNFINISHED, Tree, Turn
from huaben.domain.turnview import TurnView
from huaben.errors import Conflict, HuabenError, NoConnection, ProviderFailed
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Committed, Fence, Row, Stale, Visit
from huaben.services import settle
from huaben.services.aftermath.chain import follows
from huaben.services.context import Ready
from huaben.services.discussed import discussed
from huaben.services.discussing import ready_for
from huaben.services.house import House
from huaben.services.planning.scheduling import schedule
from huaben.services.sealing import sealed
from huaben.services.settle import Settled
from huaben.services.stories import Story, load_calls, load_story, load_view
from huaben.services.turnlog import Beat, DurableLog, to_its_end
from huaben.services.writing.ending import close_turn
from huaben.services.writing.restoring import commit_move

_log = logging.getLogger(__name__)

RECORD_AGAIN_S = (0.2, 1.0, 5.0, 15.0)
"""Pauses before an end that the store refused is recorded again; the last one repeats."""


class Company:
    """All turns that this process runs."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._beat = Beat(house.clock, house.flush_s)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._unrecorded: set[str] = set()
        self._chores: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> frozenset[str]:
        """The ids of the turns that run here."""
        return frozenset(self._running)

    @property
    def unrecorded(self) -> frozenset[str]:
        """Turns that are over but whose end the store refuses so far; it is tried again."""
        return frozenset(self._unrecorded)

    async def kick(self, project_id: str) -> None:
        """Start the next queued turn of a project if it is its time. The caller holds the
        project's lock."""
        story = await load_story(self._house, project_id)
        turn = await self._next(story)
        if turn is not None:
            started = await self._start(story, turn)
            self.run(started)

    def run(self, turn: Turn) -> None:
        """Run a turn that was committed as running, in a task of its own."""
        task = asyncio.create_task(self._perform(turn), name=f"turn {turn.id}")
        self._running[turn.id] = task
        task.add_done_callback(lambda _: self._running.pop(turn.id, None))

    async def cancel(self, turn_id: str) -> bool:
        """End the task of a turn and wait for it; False when it does not run here."""
        task = self._running.get(turn_id)
        if task is None:
            return False
        task.cancel()
        await asyncio.wait([task])
        return True

    async def settled(self, turn_id: str) -> None:
        """Wait until the turn's present run is over (tests and the command line)."""
        task = self._running.get(turn_id)
        if task is not None:
            await asyncio.wait([task])

    async def recover(self) -> None:
        """Look at what an earlier process left: a turn that had made no model call runs by itself,
        one that had, or that no model could answer now, is interrupted, a waiting one goes on waiting, queues go on where they may."""
        projects: list[str] = []
        for turn in await self._house.store.unended():
            if turn.project_id not in projects:
                projects.append(turn.project_id)
            if turn.run == "running":
                await self._recover_surely(turn)
        for project_id in projects:
            await self._go_on(project_id)

    async def close(self) -> None:
        """Stop all tasks without ending their turns: the next start finds them interrupted."""
        for task in (*self._running.values(), *self._chores):
            task.cancel()
        if self._running or self._chores:
            await asyncio.wait([*self._running.values(), *self._chores])

    # ---- starting ------------------------------------------------------------------------------

    async def _next(self, story: Story) -> Turn | None:
        """The turn that may start now: the first of the queue, unless a turn is at work or the
        queue pauses behind an unfinished one. What the user wants at once (a new variant) goes
        before words that wait."""
        if story.active is not None or not story.queued:
            return None
        ids = [node.id for node in story.queued]
        turns = await self._house.store.turns(ids)
        waiting = [turns[turn_id] for turn_id in ids if turn_id in turns]
        at_once = next((turn for turn in waiting if turn.at_once), None)
        if at_once is not None or story.head_node.outcome in UNFINISHED:
            return at_once
        return waiting[0] if waiting else None

    async def _start(self, story: Story, turn: Turn) -> Turn:
        """Commit the start: the turn takes its place behind the head and the head moves to it."""
        head = story.head
        started = replace(
            turn,
            parent=head.turn_id,
            depth=story.head_node.depth + 1,
            run="running",
            owner=self._house.owner,
            epoch=turn.epoch + 1,
            config=story.project.config,
        )
        plan = await schedule(self._house, story, started)
        placed = replace(story.tree[turn.id], parent=head.turn_id, run="running")
        tree = Tree([*(n for n in story.tree.nodes.values() if n.id != turn.id), placed])
        visits = [Visit(node, child) for node, child in tree.visits(turn.id).items()]
        done = await self._house.store.commit(
            Commit(
                expected={
                    ("turn", turn.id): turn.revision,
                    ("head", head.project_id): head.revision,
                },
                rows=(started, replace(head, turn_id=turn.id), *visits, *plan.rows),
                events=((turn.id, Status("running")), *plan.events),
                project_events=((turn.project_id, ProjectEvent("turn_began", turn.id)),),
                due=plan.due,
            )
        )
        if isinstance(done, Stale):
            raise Conflict("stale", f"The {done.kind} moved while the turn was to start.")
        return replace(started, revision=done.revisions[("turn", turn.id)])

    async def _recover_surely(self, turn: Turn) -> None:
        """One damaged turn must not keep all other stories out of reach."""
        try:
            await self._recover(turn)
        except HuabenError as error:
            _log.error("turn %s was not taken up: %s %s", turn.id, error.code, error.message)

    async def _recover(self, turn: Turn) -> None:
        async with self._house.lock(turn.project_id):
            if await load_calls(self._house, turn.id) or not self._has_model(turn):
                view = await load_view(self._house, turn.id)
                await self._record(turn, settle.interrupt(turn, view, self._house.now()))
                return
            again = replace(turn, owner=self._house.owner, epoch=turn.epoch + 1)
            done = await self._house.store.commit(
                Commit(expected={("turn", turn.id): turn.revision}, rows=(again,))
            )
            if isinstance(done, Committed):
                self.run(replace(again, revision=done.revisions[("turn", turn.id)]))

    def _has_model(self, turn: Turn) -> bool:
        try:
            self._house.models.for_role("story", scenario_of(turn.config).models.story)
        except NoConnection:
            return False
        return True

    # ---- running -------------------------------------------------------------------------------

    async def _perform(self, turn: Turn) -> None:
        """Run a turn and record its end, whatever it was: no turn is left running unowned."""
        try:
            ending = await self._run(turn)
        except Superseded:
            return  # a newer run owns the turn and its end
        except HuabenError as error:
            ending = Failed(error.code, error.message, error.hint)
        except Exception as error:  # noqa: BLE001 - the worker's boundary: a fault of ours ends a turn
            _log.exception("turn %s ended by a fault of the program", turn.id)
            ending = Failed("internal_error", f"The program failed: {type(error).__name__}.")
        await self._conclude(turn, ending)
        await self._go_on(turn.project_id)

    async def _run(self, turn: Turn) -> Ending | Failed:
        view = await load_view(self._house, turn.id)
        log = DurableLog(self._house.store, self._beat, turn.id, turn.epoch, view)
        try:
            return await self._play(turn, view, log)
        finally:
            # Also when it is stopped: what has arrived and was shown is not lost.
            await log.close()

    async def _play(self, turn: Turn, view: TurnView, log: DurableLog) -> Ending | Failed:
        """Run the performance; a failed call and a limit are endings like others."""
        limit_s: float | None = None
        try:
            ready = await self._prepared(turn, view)
            if isinstance(ready, Failed):
                return ready
            assert isinstance(ready, Ready)
            if follows(scenario_of(turn.config)):
                self._house.jobs.expect()  # so that what follows need not wait to begin
            limit_s = ready.act.limits.wall_s or None
            async with asyncio.timeout(limit_s):
                await log.commit(note for note in ready.notices if note not in view.notices)
                return await ready.perform(ready.act, log, ready.caller)
        except ProviderFailed as error:
            return Failed(
                error.code,
                error.message,
                error.hint,
                error.http_status,
                error.retryable,
                error.retry_after_s,
            )
        except TimeoutError:
            return Failed("limit_wall", f"The turn took longer than {limit_s:.0f} s.")

    async def _prepared(self, turn: Turn, view: TurnView) -> Ready | Failed:
        """What the turn needs. Its planner is set to work only now, so that it never stands before
        the reply."""
        try:
            return await ready_for(self._house, turn, view)
        finally:
            if scenario_of(turn.config).planner.enabled:
                self._house.jobs.nudge()

    async def _conclude(self, turn: Turn, ending: Ending | Failed) -> None:
        """Record the end. While the store refuses, the turn waits for it and says so in the log;
        should the process die first, the next one finds it interrupted."""
        for pause_s in chain(RECORD_AGAIN_S, repeat(RECORD_AGAIN_S[-1])):
            try:
                async with self._house.lock(turn.project_id):
                    view = await load_view(self._house, turn.id)
                    await self._record_ending(turn, view, ending)
                self._unrecorded.discard(turn.id)
                return
            except HuabenError as error:
                self._unrecorded.add(turn.id)
                _log.error("turn %s is not recorded yet: %s %s", turn.id, error.code, error.message)
                await self._house.clock.sleep(pause_s)

    async def _record_ending(self, turn: Turn, view: TurnView, ending: Ending | Failed) -> None:
        now = self._house.now()
        match ending:
            case Waiting():
                await self._wait(turn, ending)
                return
            case Sealed():
                settled = await sealed(self._house, turn, view)
            case Revised(revision=revision):
                settled = settle.revise(turn, view, revision, now)
            case Unsealed():
                settled = settle.leave_unsealed(turn, view, now)
            case Done(text=text):
                settled = discussed(turn, view, text, now)
            case Ended(code=code, message=message):
                settled = settle.fail(turn, view, Failed(code, message), now)
            case Failed():
                settled = settle.fail(turn, view, ending, now)
        if settled is None:
            settled = settle.fail(turn, view, Failed("no_draft", ""), now)
        await self._record(turn, settled)

    async def _go_on(self, project_id: str) -> None:
        try:
            async with self._house.lock(project_id):
                await self.kick(project_id)
        except HuabenError as error:
            _log.error("the queue of %s waits: %s %s", project_id, error.code, error.message)

    async def _wait(self, turn: Turn, ending: Waiting) -> None:
        waiting = replace(turn, run="waiting")
        await self._house.store.commit(
            Commit(
                fence=Fence(turn.id, turn.epoch),
                rows=(waiting,),
                events=tuple((turn.id, e) for e in (*ending.events, Status("waiting"))),
                project_events=((turn.project_id, ProjectEvent("turn_waiting", turn.id)),),
            )
        )

    async def _record(self, turn: Turn, settled: Settled) -> None:
        """Commit an ending and fold the log behind it; a manuscript gets its checkpoint first."""
        await close_turn(self._house, settled.turn)
        rows = await self.fallback(settled.turn)
        commit = replace(settled.commit(*rows), fence=Fence(turn.id, turn.epoch))
        try:
            done = await to_its_end(commit_move(self._house, commit))
        except Conflict:
            # A chapter was edited by hand since: then the head stays where the files are.
            done = await to_its_end(self._house.store.commit(replace(commit, rows=(settled.turn,))))
        if isinstance(done, Committed):
            self.concluded(turn.id)

    def concluded(self, turn_id: str) -> None:
        """Begin what follows the recorded end of a turn, beside whatever goes on: the jobs that it
        made due, and joining the pieces that it streamed."""
        self._house.jobs.nudge()
        self._chore(self._fold(turn_id))

    async def fallback(self, turn: Turn) -> list[Row]:
        """The head to write with an ending: a reroll that yielded nothing gives it back to the
        variant that it was made from."""
        if not turn.rerolls or turn.prose:
            return []
        head = await self._house.store.head(turn.project_id)
        if head is None or head.turn_id != turn.id:
            return []
        return [replace(head, turn_id=turn.rerolls)]

    async def _fold(self, turn_id: str) -> None:
        try:
            await self._house.store.fold(turn_id)
        except HuabenError as error:
            _log.warning("turn %s was not folded: %s", turn_id, error.code)

    def _chore(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
