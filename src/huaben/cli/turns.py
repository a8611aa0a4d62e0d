"""Plays turns of one project to their end: what an earlier run left, words, answers; apart from the
screens that watch and from the two ways to give the words (a script, a conversation)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from huaben.cli.failing import Told, hint_of
from huaben.cli.following import Watch
from huaben.cli.running import Signals
from huaben.cli.screens import Screen
from huaben.cli.speaking import one_line, voice
from huaben.domain.project import Project
from huaben.domain.story import UNFINISHED
from huaben.domain.turnview import AskView, replay
from huaben.errors import HuabenError
from huaben.formats.scenario import scenario_of
from huaben.services import playing
from huaben.services.stories import Story, load_story, load_turn
from huaben.services.viewing import TurnShown
from huaben.studio import Studio

DONE = ("sealed", "revised", "done")
Answers = deque[str]
"""Answers that are ready before their questions, in order."""


@dataclass(frozen=True, slots=True)
class Player:
    """Plays one project of an open studio on a screen."""

    studio: Studio
    project: Project
    screen: Screen
    signals: Signals

    async def say(self, text: str, answers: Answers) -> TurnShown:
        """Say something and follow the turn to its end, or to a question without an answer."""
        words = playing.Words(text)
        studio = self.studio
        turn = await playing.post_turn(studio.house, studio.company, self.project.id, words)
        return await self.finish(turn.id, answers)

    async def finish(self, turn_id: str, answers: Answers) -> TurnShown:
        """Follow a turn from its first event to its end."""
        return await self._answered(await self._follow(turn_id, 0), answers)

    async def resume(self, turn_id: str, answers: Answers) -> TurnShown:
        """Go on with an unfinished turn; only what is new is shown."""
        seen = await self._seen(turn_id)
        await self.studio.resume(turn_id)
        return await self._answered(await self._follow(turn_id, seen), answers)

    async def answer(self, turn_id: str, text: str, answers: Answers) -> TurnShown:
        """Answer the open question of a turn; only what is new is shown."""
        seen = await self._seen(turn_id)
        await self.studio.answer(turn_id, text)
        return await self._answered(await self._follow(turn_id, seen), answers)

    async def reroll(self, turn_id: str, text: str | None, answers: Answers) -> TurnShown:
        """Another telling of a turn, with other words where there are any."""
        turn = await self.studio.reroll(turn_id, text)
        return await self.finish(turn.id, answers)

    async def seal(self, turn_id: str) -> TurnShown:
        """Seal an unfinished turn, and follow what comes behind it."""
        seen = await self._seen(turn_id)
        await self.studio.seal(turn_id)
        return await self._follow(turn_id, seen)

    async def settle(self, answers: Answers) -> TurnShown | None:
        """Bring what an earlier run left to its end: a turn that runs again by itself, one that was
        interrupted, an open question that has an answer, a queue. None when nothing was left; else
        the last turn, which may be unfinished still."""
        shown: TurnShown | None = None
        while True:
            story = await self.story()
            shown = await self._settle_one(story, answers) or shown
            if shown is None or shown.status not in DONE or not _left(await self.story()):
                return shown

    async def story(self) -> Story:
        return await load_story(self.studio.house, self.project.id)

    async def _settle_one(self, story: Story, answers: Answers) -> TurnShown | None:
        active, head = story.active, story.head_node
        if active is not None and active.run == "waiting":
            seen = await self._seen(active.id)
            return await self._answered(await self._follow(active.id, seen), answers)
        if active is not None:
            # It runs again by itself, unless no model can: that must be known before it is awaited.
            role = scenario_of(story.project.config).models.story
            self.studio.house.models.for_role("story", role)
            return await self.finish(active.id, answers)
        if head.outcome == "interrupted" and not story.tree.has_children(head.id):
            return await self.resume(head.id, answers)
        if not story.queued:
            return None
        if head.outcome in UNFINISHED:
            return await self.studio.show(head.id)
        return await self.finish(story.queued[0].id, answers)

    async def _answered(self, shown: TurnShown, answers: Answers) -> TurnShown:
        while shown.status == "waiting" and shown.ask is not None and answers:
            seen = await self._seen(shown.turn.id)
            await self.studio.answer(shown.turn.id, chosen(shown.ask, answers.popleft()))
            shown = await self._follow(shown.turn.id, seen)
        return shown

    async def _seen(self, turn_id: str) -> int:
        events = await self.studio.house.store.events(turn_id)
        return events[-1].seq if events else 0

    async def _follow(self, turn_id: str, after: int) -> TurnShown:
        studio = self.studio
        turn = await load_turn(studio.house, turn_id)
        before = await studio.house.store.events(turn_id)
        view = replay(logged.event for logged in before if logged.seq <= after)
        self.screen.begun(turn, view)
        watch = Watch(studio, self.screen, turn_id)
        with self.signals.stopping(watch.stop):
            await watch.to_the_end(after)
        await self.signals.stopped()
        shown = await studio.show(turn_id)
        self.screen.over(shown)
        return shown

    async def unfinished(self) -> TurnShown | None:
        """The turn that the story stands on, when it may still be resumed, sealed or discarded."""
        story = await self.story()
        if story.head_node.outcome not in UNFINISHED or story.tree.has_children(story.head.turn_id):
            return None
        return await self.studio.show(story.head.turn_id)


def _left(story: Story) -> bool:
    return story.active is not None or bool(story.queued)


def chosen(ask: AskView, text: str) -> str:
    """The answer that a reader's words mean: the words of an option, else the option of that number
    (from 1), else the words themselves."""
    words = text.strip()
    if words in ask.options or not words.isascii() or not words.isdigit():
        return words
    number = int(words)
    return ask.options[number - 1] if 1 <= number <= len(ask.options) else words


def numbered(options: Iterable[str]) -> list[str]:
    """The options as they are listed."""
    return [f"{number}. {one_line(option)}" for number, option in enumerate(options, 1)]


# ---- what is wrong with how a turn ended -------------------------------------------------------


def problem(shown: TurnShown) -> HuabenError | None:
    """Why a turn is not finished, as an error to show; None for a finished one."""
    say = voice().say
    turn, error = shown.turn, shown.view.error
    match shown.status:
        case "sealed" | "revised" | "done":
            return None
        case "waiting":
            return _question(shown.ask)
        case "failed":
            code = turn.code or "failed"
            known = voice().knows(f"why.{code}")
            said = say(f"why.{code}") if known else one_line(turn.message)
            hint = hint_of(code, error.hint if error else "") or say("turn.failed_hint")
            message = voice().join(say("turn.failed", what=said), _kept(shown))
            return Told(code, message, hint)
        case "unsealed":
            return Told("not_sealed", say("turn.unsealed"), say("turn.unsealed_hint"))
        case "stopped":
            message = voice().join(say("turn.stopped"), _kept(shown))
            return Told("stopped", message, say("turn.stopped_hint"))
        case _:
            return Told(shown.status, say("turn.other", status=say(f"status.{shown.status}")))


def _question(ask: AskView | None) -> Told:
    say = voice().say
    options = "; ".join(numbered(ask.options)) if ask else ""
    question = one_line(ask.question) if ask else ""
    message = say("ask.waiting", question=question, options=options)
    return Told("ask_open", message, say("ask.waiting_hint"))


def _kept(shown: TurnShown) -> str:
    draft = shown.view.draft.text or shown.partial or ""
    return voice().count("turn.kept", len(draft)) if draft else ""
