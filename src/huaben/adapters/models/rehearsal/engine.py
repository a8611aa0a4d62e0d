"""The rehearsal as a `Model`: deterministic, without a memory, and never out of the machine.

It reads only the request it is sent. Which purpose a request has is told by its own marks: the
story by the sentence that its card alone holds, the scribe's by how a turn is laid before it.
Everything else gets one honest sentence.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Final

from huaben.adapters.models.rehearsal.checking import checking_step
from huaben.adapters.models.rehearsal.directing import control_step, spoken
from huaben.adapters.models.rehearsal.entering import booking_in, entered
from huaben.adapters.models.rehearsal.errands import errand_step
from huaben.adapters.models.rehearsal.place import Past, hits, is_cue, path_of
from huaben.adapters.models.rehearsal.planning import planning_step
from huaben.adapters.models.rehearsal.script import Step, Story, Turn, load_story
from huaben.adapters.models.rehearsal.talk import Talk, story_of, talk_in, tongue_of
from huaben.adapters.models.rehearsal.telling import next_change, next_step
from huaben.adapters.models.rehearsal.wire import NAME, Heard, decode, encode
from huaben.adapters.models.rehearsal.writing import next_words, writing_step
from huaben.domain.budget import estimate_tokens
from huaben.domain.jsonvalue import dump_json
from huaben.domain.messages import (
    CallDelta,
    Finished,
    ModelEvent,
    ModelRequest,
    Reply,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    Usage,
    WireRequest,
)
from huaben.domain.project import Language
from huaben.ports import Clock

WINDOW: Final = 1_000_000
PACE_S: Final = 0.025
_PIECE: Final = 12
"""The width of a streamed piece: a Chinese character counts two, any other one."""


def next_cue(language: Language, history: Past) -> str:
    """The words that lead on from this history of words and final texts; empty after the end."""
    story = load_story(language)
    turn = story.turn_after(path_of(story, history)[-1])
    return turn.cue if turn else ""


class Rehearsal:
    """Implements `Model`. Pieces arrive `pace_s` apart (seconds by `clock`; 0: at once)."""

    def __init__(self, clock: Clock, *, pace_s: float = PACE_S) -> None:
        self._clock = clock
        self._pace_s = pace_s

    @property
    def name(self) -> str:
        return NAME

    @property
    def window(self) -> int:
        return WINDOW

    @property
    def origin(self) -> str:
        return f"{NAME}@here"

    @property
    def calls_tools(self) -> bool:
        return True

    def encode(self, request: ModelRequest) -> WireRequest:
        return encode(request)

    def cue(self, language: Language, history: Past) -> str:
        """The words that may be said next."""
        return next_cue(language, history)

    def desk_cue(self, language: Language, reports: Sequence[str]) -> str:
        """The words that may be said next about a manuscript, after these reports."""
        return next_words(language, reports)

    async def stream(self, wire: WireRequest) -> AsyncGenerator[ModelEvent]:
        """The pieces of the one reply that these bytes lead to, `Finished` last."""
        body = wire.body
        heard = decode(body)
        reply = _reply(heard, body)
        watched = booking_in(heard) is None
        for event in _pieces_of(reply):
            yield event
            await self._clock.sleep(self._pace_s if watched else 0.0)
        yield Finished(reply)


def _answer(heard: Heard, talk: Talk) -> Step:
    """What to say or do next."""
    beside = (
        checking_step(heard) or planning_step(heard) or control_step(heard) or errand_step(heard)
    )
    if beside is not None:
        return beside
    booking = booking_in(heard)
    if booking is not None:
        return Step(say=entered(booking))
    at_the_desk = writing_step(heard)
    if at_the_desk is not None:
        return at_the_desk
    story = story_of(talk)
    if story is None or not (heard.tools or talk.opened):
        return Step(say=(story or tongue_of(heard)).lines.other)
    path = path_of(story, talk.past)
    if not heard.tools:
        return spoken(_turn(story, path, talk.words), path, talk)
    if hits(talk.words, story.change):
        return next_change(story.changes, talk.rounds, story.lines)
    return next_step(_turn(story, path, talk.words), path, talk, heard.tools, story.lines)


def _turn(story: Story, path: tuple[str, ...], words: str) -> Turn:
    """The turn that the words lead to; beside the script a turn of one honest sentence."""
    turn = story.turn_after(path[-1])
    if turn is None:
        return _aside(story.lines.over)
    if is_cue(story, turn, words):
        return turn
    return _aside(story.lines.off_script.replace("{cue}", turn.cue))


def _aside(sentence: str) -> Turn:
    return Turn(after=(), cue="", keys=(), steps=(Step(say=sentence),))


def _reply(heard: Heard, body: bytes) -> Reply:
    talk = talk_in(heard)
    step = _answer(heard, talk)
    number = len(talk.rounds)
    calls = tuple(
        ToolCall(f"{NAME}-{number}-{index}", line.tool, dump_json(dict(line.arguments)))
        for index, line in enumerate(step.lines)
    )
    return Reply(
        text=step.say,
        calls=calls,
        thinking=Thinking(step.think) if step.think else None,
        usage=_usage(step, calls, body),
        finish="tool_calls" if calls else "stop",
        model=NAME,
    )


def _usage(step: Step, calls: tuple[ToolCall, ...], body: bytes) -> Usage:
    """Estimates, the same for the same bytes. Nothing is cached here and nothing is said of it."""
    written = "".join((step.think, step.say, *(call.name + call.arguments for call in calls)))
    return Usage(
        prompt=estimate_tokens(body.decode()),
        completion=estimate_tokens(written),
        reasoning=estimate_tokens(step.think) if step.think else None,
    )


def _pieces_of(reply: Reply) -> Iterator[ModelEvent]:
    if reply.thinking is not None:
        yield from (ThinkingDelta(piece) for piece in _pieces(reply.thinking.text))
    yield from (TextDelta(piece) for piece in _pieces(reply.text))
    for index, call in enumerate(reply.calls):
        yield from (CallDelta(index, call.name, piece) for piece in _pieces(call.arguments))


def _pieces(text: str) -> Iterator[str]:
    start = width = 0
    for at, char in enumerate(text):
        width += 1 if char.isascii() else 2
        if width >= _PIECE:
            yield text[start : at + 1]
            start, width = at + 1, 0
    if start < len(text):
        yield text[start:]
