"""How the messages of a chat become turns of a session tree; apart from reading, which knows no turns.

A turn is the user's words and the reply. What a chat has besides is put so that nothing is lost and the
story reads on: a reply to nobody is a turn without words, several messages of the user are the words of
one turn, what is hidden or in quarantine is a turn that no model is sent, and words without a reply are a
turn that was interrupted and can be resumed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from huaben.formats.chats.values import Entry, Message, Quarantined, Variant

Fate: TypeAlias = Literal["told", "hidden", "quarantined", "recovered", "unanswered"]

JOINT: Final = "\n\n"
MAX_SHOWN_BYTES: Final = 4000
"""How much of a quarantined line a reader is shown; the whole stays with the file."""


@dataclass(frozen=True, slots=True)
class Row:
    """An entry that a turn was made of, by its place, and which of its variants."""

    place: int
    variant: int = 0


@dataclass(frozen=True, slots=True)
class Staged:
    """One turn to be. `n` counts from 0; `parent` and `beat` name others by their `n`, `beat` the first
    of the variants. A turn with `is_opening` is a root. `speaker` is who replies, `reply` the variant
    that the text is of. The story goes on from it where `goes_on`."""

    n: int
    parent: int | None
    beat: int
    is_opening: bool
    fate: Fate
    words: str
    text: str
    rows: tuple[Row, ...]
    speaker: str = ""
    reply: Variant | None = None
    goes_on: bool = True


@dataclass(frozen=True, slots=True)
class _Tip:
    """Where a chat has come to: a turn, and what the user has said since."""

    turn: int | None
    words: tuple[tuple[Message, int], ...] = ()


_START: Final = _Tip(None)


@dataclass(slots=True)
class Stage:
    """Makes turns of entries that come in their order, parents before children.

    What it keeps of an entry is where it led, not what it said.
    """

    _count: int = 0
    _tips: dict[str | None, _Tip] = field(default_factory=lambda: {None: _START})
    _silent: dict[str, None] = field(default_factory=dict[str, None])
    _beats: dict[str | None, int] = field(default_factory=dict[str | None, int])
    _opening: int | None = None
    _last: str | None = None

    def take(self, entry: Entry) -> Iterator[Staged]:
        """The turns that are certain with this entry."""
        tip = self._tips.get(entry.parent, _START)
        self._last = entry.id
        if entry.parent is not None:
            self._silent.pop(entry.parent, None)
        match entry:
            case Quarantined():
                yield from self._aside(entry, tip)
            case Message(hidden=True) | Message(role="system"):
                yield from self._hidden(entry, tip)
            case Message(role="user"):
                yield from self._say(entry, tip)
            case Message():
                yield from self._reply(entry, tip)

    def end(self) -> Iterator[Staged]:
        """The turns of words that nobody has answered."""
        for message_id in self._silent:
            tip = self._tips[message_id]
            yield from self._unanswered(tip.turn, tip.words, goes_on=True)
            self._tips[message_id] = _Tip(self._count - 1)
        if not self._count:
            yield self._empty_opening()

    def stands(self, message_id: str | None) -> int:
        """The turn at which the story stands after a message, or after the last one; after `end`."""
        turn = self._tips.get(message_id or self._last, _START).turn
        return 0 if turn is None else turn

    # ---- one entry each ------------------------------------------------------------------------

    def _say(self, message: Message, tip: _Tip) -> Iterator[Staged]:
        """The user's words wait for their reply; other tellings of them got none."""
        for n in range(len(message.variants)):
            if n != message.active:
                said = (*tip.words, (message, n))
                yield from self._unanswered(tip.turn, said, goes_on=False)
        self._tips[message.id] = _Tip(tip.turn, (*tip.words, (message, message.active)))
        self._silent[message.id] = None

    def _reply(self, message: Message, tip: _Tip) -> Iterator[Staged]:
        is_opening = tip.turn is None and not tip.words
        parent = None if is_opening else tip.turn
        if parent is None and not is_opening:
            yield from self._needed_opening()
            parent = self._opening
        key = None if is_opening else message.parent
        beat = self._beats.setdefault(key, self._count)
        words, said = _joined(tip.words)
        first = self._count
        for n, variant in enumerate(message.variants):
            yield self._next(
                Staged(
                    n=self._count,
                    parent=parent,
                    beat=beat,
                    is_opening=is_opening,
                    fate="told",
                    words=words,
                    text=variant.text,
                    rows=(*said, Row(message.place, n)),
                    speaker=message.name,
                    reply=variant,
                    goes_on=n == message.active,
                )
            )
        self._tips[message.id] = _Tip(first + message.active)

    def _hidden(self, message: Message, tip: _Tip) -> Iterator[Staged]:
        yield from self._needed_opening(tip)
        is_users = message.role == "user"
        first = self._count
        for n, variant in enumerate(message.variants):
            yield self._next(
                Staged(
                    n=self._count,
                    parent=tip.turn if tip.turn is not None else self._opening,
                    beat=first,
                    is_opening=False,
                    fate="hidden" if message.place else "recovered",
                    words=variant.text if is_users else "",
                    text="" if is_users else variant.text,
                    rows=(Row(message.place, n),) if message.place else (),
                    speaker=message.name,
                    reply=None if is_users else variant,
                    goes_on=n == message.active,
                )
            )
        self._follow(message.id, first + message.active, tip)

    def _aside(self, entry: Quarantined, tip: _Tip) -> Iterator[Staged]:
        yield from self._needed_opening(tip)
        parent = tip.turn if tip.turn is not None else self._opening
        text = entry.content[:MAX_SHOWN_BYTES].decode("utf-8", "replace")
        yield self._next(
            Staged(
                n=self._count,
                parent=parent,
                beat=self._count,
                is_opening=False,
                fate="quarantined",
                words="",
                text=text,
                rows=(Row(entry.place),),
            )
        )
        self._follow(entry.id, self._count - 1, tip)

    def _follow(self, entry_id: str, turn: int, tip: _Tip) -> None:
        """What was said before something hidden is answered after it."""
        self._tips[entry_id] = _Tip(turn, tip.words)
        if tip.words:
            self._silent[entry_id] = None

    def _unanswered(
        self, turn: int | None, said: tuple[tuple[Message, int], ...], *, goes_on: bool
    ) -> Iterator[Staged]:
        yield from self._needed_opening(_Tip(turn))
        words, rows = _joined(said)
        yield self._next(
            Staged(
                n=self._count,
                parent=turn if turn is not None else self._opening,
                beat=self._count,
                is_opening=False,
                fate="unanswered",
                words=words,
                text="",
                rows=rows,
                goes_on=goes_on,
            )
        )

    # ---- openings ------------------------------------------------------------------------------

    def _needed_opening(self, tip: _Tip = _START) -> Iterator[Staged]:
        """What begins otherwise than with the teller begins with an empty opening, once."""
        if tip.turn is None and self._opening is None:
            yield self._empty_opening()

    def _empty_opening(self) -> Staged:
        self._opening = self._count
        beat = self._beats.setdefault(None, self._count)
        return self._next(Staged(self._count, None, beat, True, "told", "", "", ()))

    def _next(self, staged: Staged) -> Staged:
        self._count += 1
        return staged


def _joined(said: Iterable[tuple[Message, int]]) -> tuple[str, tuple[Row, ...]]:
    """Several messages of the user as the words of one turn."""
    told = list(said)
    words = JOINT.join(message.variants[n].text for message, n in told)
    return words, tuple(Row(message.place, n) for message, n in told)


def staged(entries: Iterable[Entry]) -> tuple[list[Staged], Stage]:
    """All turns at once, and the stage that tells where each message led."""
    stage = Stage()
    turns = [turn for entry in entries for turn in stage.take(entry)]
    turns += stage.end()
    return turns, stage
