"""Playing line by line on a terminal: the greeting, a prompt, commands that begin with a slash."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from huaben.cli.failing import line_of
from huaben.cli.prompting import read_line
from huaben.cli.speaking import one_line, printable, shortened, tell, voice
from huaben.cli.turns import Answers, Player, chosen, numbered, problem
from huaben.domain.turnview import AskView
from huaben.errors import HuabenError
from huaben.services.rehearsing import next_cue
from huaben.services.viewing import TurnShown, show_path

if TYPE_CHECKING:
    from rich.console import Console

Act = Callable[["Conversation", str], Awaitable[None]]


@dataclass(slots=True)
class Conversation:
    """One sitting. `box` holds words that went back to the user and stand in the next prompt;
    `asked` is the turn whose question is open."""

    player: Player
    console: Console
    box: str = ""
    asked: TurnShown | None = None
    over: bool = False
    _none: Answers = field(default_factory=Answers)

    async def hold(self) -> None:
        """Play until the user leaves (Ctrl-D, `/quit`; Ctrl-C at the prompt ends the program)."""
        await self._show_end()
        await self._guarded(lambda _: self.settle(), "")
        while not self.over:
            await self._guarded(lambda _: self._show_cue(), "")
            prefill, self.box = self.box, ""
            line = await read_line(voice().say("prompt.sign"), prefill)
            if line is None:
                return
            await self._take(line)

    async def settle(self) -> None:
        """Bring what was left, or what a finished turn lets go on, to its end."""
        shown = await self.player.settle(self._none)
        if shown is None:
            shown = await self.player.unfinished()
            self.show_text(shown.partial or shown.view.draft.text if shown else "")
        self.took(shown)

    async def _take(self, line: str) -> None:
        words = line.strip()
        if not words:
            return
        if words.startswith("/") and not words.startswith("//"):
            name, _, rest = words[1:].partition(" ")
            act = COMMANDS.get(name.lower())
            if act is None:
                tell(voice().say("prompt.unknown", name=shortened(name, 30)), "yellow")
            else:
                await self._guarded(lambda text: act(self, text), rest.strip())
            return
        await self._guarded(self._say, words.removeprefix("/") if words[0] == "/" else words)

    async def _say(self, words: str) -> None:
        ask = self._open_ask()
        if self.asked is not None and ask is not None:
            turn_id = self.asked.turn.id
            self.took(await self.player.answer(turn_id, chosen(ask, words), self._none))
        else:
            self.took(await self.player.say(words, self._none))

    def _open_ask(self) -> AskView | None:
        return self.asked.ask if self.asked is not None else None

    async def _guarded(self, act: Callable[[str], Awaitable[None]], text: str) -> None:
        """A refusal is told and the sitting goes on; the words are not lost."""
        try:
            await act(text)
        except HuabenError as error:
            tell(line_of(error), "red")
            self.box = self.box or text

    def took(self, shown: TurnShown | None) -> None:
        """What a turn came to: a question, an unfinished turn, or nothing to say."""
        self.asked = shown if shown is not None and shown.status == "waiting" else None
        if shown is None:
            return
        if shown.status == "waiting" and shown.ask is not None:
            self._show_ask(shown.ask)
            return
        found = problem(shown)
        if found is not None:
            tell(line_of(found), "yellow")
            key = f"next.{shown.status}"
            if voice().knows(key):
                tell(voice().say(key), "dim")

    def _show_ask(self, ask: AskView) -> None:
        self.console.out(f"\n{printable(ask.question)}", highlight=False, style="bold")
        for line in numbered(ask.options):
            self.console.out(f"  {line}", highlight=False)
        tell(voice().say("prompt.ask"), "dim")

    async def _show_end(self) -> None:
        """Where the story stands: its title, and the last text."""
        house = self.player.studio.house
        story, entries, more = await show_path(house, self.player.project.id, limit=1)
        title, number = one_line(story.project.title), entries[-1].number
        key = "screen.continues" if number or more else "screen.begins"
        self.console.out(voice().say(key, title=title, n=number), style="bold", highlight=False)
        tell(voice().say("prompt.hint"), "dim")
        self.show_text(entries[-1].text.text)

    async def _show_cue(self) -> None:
        """What leads on in a rehearsal, when the next words are the user's own to find."""
        if self.asked is not None or self.box:
            return
        cue = await next_cue(self.player.studio.house, self.player.project.id)
        if cue:
            tell(voice().say("prompt.cue", cue=cue), "dim")

    def show_text(self, text: str) -> None:
        if text:
            self.console.out(f"\n{printable(text)}\n", highlight=False)


# ---- commands ----------------------------------------------------------------------------------


async def _undo(sitting: Conversation, _: str) -> None:
    moved = await sitting.player.studio.undo(sitting.player.project.id)
    sitting.asked = None
    # Several lines cannot stand in a prompt of one; they are shown instead.
    if "\n" in moved.words:
        sitting.show_text(moved.words)
    else:
        sitting.box = moved.words
    tell(voice().say("did.undo" if moved.words else "did.undo_edit"), "dim")


async def _redo(sitting: Conversation, _: str) -> None:
    moved = await sitting.player.studio.redo(sitting.player.project.id)
    shown = await sitting.player.studio.show(moved.head.turn_id)
    sitting.show_text(shown.view.final.text if shown.view.final else shown.text.text)
    tell(voice().say("did.redo"), "dim")


async def _reroll(sitting: Conversation, text: str) -> None:
    head = (await sitting.player.story()).head.turn_id
    sitting.took(await sitting.player.reroll(head, text or None, Answers()))


async def _seal(sitting: Conversation, _: str) -> None:
    head = (await sitting.player.story()).head.turn_id
    await sitting.player.seal(head)
    tell(voice().say("did.seal"), "dim")
    await sitting.settle()


async def _discard(sitting: Conversation, _: str) -> None:
    head = (await sitting.player.story()).head.turn_id
    turn = await sitting.player.studio.discard(head)
    sitting.box = "" if "\n" in turn.user_text else turn.user_text
    tell(voice().say("did.discard"), "dim")
    await sitting.settle()


async def _resume(sitting: Conversation, _: str) -> None:
    head = (await sitting.player.story()).head.turn_id
    sitting.took(await sitting.player.resume(head, Answers()))


async def _stop(sitting: Conversation, _: str) -> None:
    story = await sitting.player.story()
    turn_id = story.active.id if story.active is not None else story.head.turn_id
    await sitting.player.studio.stop(turn_id)
    sitting.took(await sitting.player.studio.show(turn_id))


async def _help(sitting: Conversation, _: str) -> None:
    sitting.console.out(voice().say("prompt.help"), highlight=False)


async def _quit(sitting: Conversation, _: str) -> None:
    sitting.over = True


COMMANDS: Mapping[str, Act] = {
    "undo": _undo,
    "redo": _redo,
    "reroll": _reroll,
    "seal": _seal,
    "discard": _discard,
    "retry": _resume,
    "continue": _resume,
    "stop": _stop,
    "help": _help,
    "quit": _quit,
}
