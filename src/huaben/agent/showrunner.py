"""The `showrunner` performer: a control model directs, the story model writes one or several segments
(`performers.md` §3). Apart from the actor because two models take turns here, each from its own messages.

First run, resume, retry and Continue are one walk over the record: replies are found again by what they
were for and the number of their call, functions by the call that asked for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from huaben.agent.act import Act, Ended, Ending, Performance, Sealed
from huaben.agent.calling import CallStreamer
from huaben.agent.capturing import capture, draft_change
from huaben.agent.desk import Desk
from huaben.agent.log import TurnLog
from huaben.agent.showlog import QuietLog, SheetLog, ends_sentence
from huaben.agent.tools.arguments import Arguments, parse
from huaben.agent.tools.spoken import as_json
from huaben.domain.draft import Append, Applied, Draft, Write, apply
from huaben.domain.events import (
    DraftChange,
    Notice,
    ToolEnd,
    ToolStart,
    TurnEvent,
)
from huaben.domain.image import asked, marker, wished, without_markers
from huaben.domain.messages import (
    Assistant,
    Message,
    ModelRequest,
    Reply,
    Sampling,
    ToolCall,
    ToolResult,
    User,
)
from huaben.domain.scenario import ShowrunnerSection
from huaben.domain.text import is_blank, utf16_len
from huaben.domain.turnview import ToolView, TurnView
from huaben.errors import ProviderFailed
from huaben.prompt.segments import Prompt
from huaben.prompt.showrunner import Offered, functions, told

AMENDMENT: Final = "amendment"
"""In the effect of a function: the request for a lasting change that it accepted."""


@dataclass(frozen=True, slots=True)
class Direction:
    """What directs a turn: the control model's caller and first messages, the functions that exist, and
    what is already paid for, by purpose (`control`, `story`) and number of the call."""

    turn_id: str
    caller: CallStreamer
    prompt: Prompt
    offered: Offered
    section: ShowrunnerSection
    recorded: Mapping[tuple[str, int], Reply] = field(default_factory=dict[tuple[str, int], Reply])

    @property
    def steps(self) -> int:
        """How many functions may be called."""
        return self.section.max_steps + self.offered.amendments


@dataclass(frozen=True, slots=True)
class _Done:
    """What a function came to: `result` goes to the control model, `events` belong in its commit."""

    ok: bool
    result: str
    events: tuple[TurnEvent, ...] = ()
    effect: Mapping[str, object] | None = None
    over: bool = False


@dataclass(slots=True)
class _Walk:
    """How far the turn has come; rebuilt from the record on every run. `n` numbers the next call,
    `spent` counts the tokens of the segments, `output_tokens` those of all calls."""

    act: Act
    direction: Direction
    log: TurnLog
    story: CallStreamer
    messages: list[Message]
    n: int = 0
    steps: int = 0
    segments: int = 0
    spent: int = 0
    output_tokens: int = 0

    @property
    def left(self) -> int | None:
        """The tokens that further segments may have; None without a limit."""
        limit = self.direction.section.output_tokens
        return max(limit - self.spent, 0) if limit else None

    def told(self, key: str, **facts: str) -> str:
        return told(self.act.sources.language, key, **facts)


async def perform(act: Act, direction: Direction, log: TurnLog, caller: CallStreamer) -> Ending:
    """Walk the turn to its end with what there is. `caller` calls the story model. Raises
    `ProviderFailed` when nothing was written and the writer's call failed, `Superseded` when another run
    took over."""
    walk = _Walk(act, direction, log, caller, list(direction.prompt.messages))
    while walk.steps < direction.steps:
        reply = await _directed(walk)
        if reply is None or not reply.calls:
            break
        walk.messages.append(Assistant(reply.text, reply.calls, reply.thinking))
        if await _carry_out(walk.n - 1, reply, walk) or _over_budget(walk):
            break
    if walk.segments == 0:
        await _ordinary(walk)
    return Ended("no_draft", "") if _bare(log.view.draft) == "" else Sealed()


def at(direction: Direction) -> Performance:
    """The performance under this direction, as the company runs it."""

    async def performed(act: Act, log: TurnLog, caller: CallStreamer) -> Ending:
        return await perform(act, direction, log, caller)

    return performed


# ---- the control model ---------------------------------------------------------------------------


async def _directed(walk: _Walk) -> Reply | None:
    """The next word of the control model; None when it failed for good, which is said in the log."""
    n, log, direction = walk.n, walk.log, walk.direction
    if note := walk.act.view.notes.get(n):
        # The user's Continue is a new grant of steps and tokens.
        walk.messages.append(User(note))
        walk.steps = walk.spent = walk.output_tokens = 0
    walk.n += 1
    known = direction.recorded.get(("control", n))
    if known is None and any(
        one.code == "control_failed" and one.call == n for one in log.view.notices
    ):
        return None
    if known is None:
        request = ModelRequest(
            tuple(walk.messages), direction.prompt.tools, stable=direction.prompt.stable
        )
        try:
            known = await direction.caller.call(n, request, Desk(), QuietLog(log))
        except ProviderFailed as failure:
            await log.commit([Notice("control_failed", _said(failure), call=n)])
            return None
    walk.output_tokens += _tokens(known)
    return known


async def _carry_out(n: int, reply: Reply, walk: _Walk) -> bool:
    """Carry out the functions of a reply in order; True when the turn is over."""
    recorded = {t.index: t for t in walk.act.view.tools if t.call == n and t.ok is not None}
    for index, call in enumerate(reply.calls):
        if walk.steps >= walk.direction.steps:
            return True
        walk.steps += 1
        if index in recorded:
            done = _replayed(walk, recorded[index])
        else:
            start = ToolStart(n, index, call.id, call.name, call.arguments)
            await walk.log.commit([start])
            done = await _called(n, call, walk)
            end = ToolEnd(n, index, call.id, call.name, done.ok, done.result, done.effect)
            await walk.log.commit([*done.events, end])
        walk.messages.append(ToolResult(call.id, call.name, done.result))
        if done.over:
            return True
    return False


def _replayed(walk: _Walk, seen: ToolView) -> _Done:
    """Take a recorded result instead of doing the call again."""
    effect = seen.effect or {}
    if isinstance(written := effect.get("segment"), int):
        walk.n = written + 1
        used = effect.get("used")
        _count(walk, used if isinstance(used, int) else 0, written=seen.ok is True)
    return _Done(seen.ok is True, seen.result, over=effect.get("over") is True)


async def _called(n: int, call: ToolCall, walk: _Walk) -> _Done:
    """Carry out one function; a refusal is a result like any other."""
    language = walk.act.sources.language
    function = next((f for f in functions(walk.direction.offered) if f.name == call.name), None)
    if function is None:
        return _Done(ok=False, result=walk.told("unknown_function", name=call.name))
    arguments = parse(language, function.schema, call.arguments)
    if isinstance(arguments, str):
        return _Done(ok=False, result=arguments)
    match function.name:
        case "actor":
            return await _actor(n, arguments, walk)
        case "generate_image":
            return _picture(n, _text(arguments, "prompt"), _text(arguments, "caption"), walk)
        case "schedule_amendment":
            return _amendment(_text(arguments, "request"), walk)
        case _:
            return _over(walk)


def _over(walk: _Walk) -> _Done:
    if walk.segments == 0:
        return _Done(ok=False, result=walk.told("no_segment"))
    return _Done(ok=True, result=as_json({"over": True}), effect={"over": True}, over=True)


def _amendment(request: str, walk: _Walk) -> _Done:
    if is_blank(request):
        return _Done(ok=False, result=walk.told("blank_request"))
    if amendment_of(walk.log.view):
        return _Done(ok=False, result=walk.told("amended_already"))
    return _Done(ok=True, result=as_json({"accepted": True}), effect={AMENDMENT: request.strip()})


def amendment_of(view: TurnView) -> str:
    """The request for a lasting change that a turn accepted; "" if none."""
    effects: Iterable[Mapping[str, object]] = (tool.effect or {} for tool in view.tools if tool.ok)
    return next((str(effect[AMENDMENT]) for effect in effects if AMENDMENT in effect), "")


# ---- segments ------------------------------------------------------------------------------------


async def _actor(n: int, arguments: Arguments, walk: _Walk) -> _Done:
    """The next segment, and its picture where it ended on a visual beat."""
    if walk.left == 0:
        return _Done(ok=False, result=walk.told("no_tokens"))
    number = walk.n
    before = walk.log.view.draft
    try:
        reply = await _speak(walk, _text(arguments, "instruction"))
    except ProviderFailed as failure:
        if walk.segments == 0:
            raise
        return await _kept(number, failure, walk)
    used = _tokens(reply)
    written = not is_blank(reply.text) and await _taken(number, reply, before, walk)
    _count(walk, used, written=written)
    effect = {"segment": number, "used": used}
    if not written:
        return _Done(ok=False, result=walk.told("nothing_written"), effect=effect)
    left: Mapping[str, object] = {} if walk.left is None else {"tokens_left": walk.left}
    result = as_json({"text": reply.text, "tokens_used": used, **left})
    beat = _text(arguments, "visual_beat")
    pictured = bool(beat) and walk.direction.offered.images and ends_sentence(reply.text)
    events = _picture(n, beat, beat, walk).events if pictured else ()
    return _Done(ok=True, result=result, events=events, effect=effect)


async def _ordinary(walk: _Walk) -> None:
    """One generation as without a showrunner; an empty reply is asked for once more."""
    for _ in range(2):
        number, before = walk.n, walk.log.view.draft
        reply = await _speak(walk, "")
        if not is_blank(reply.text):
            await _taken(number, reply, before, walk)
            return
        await walk.log.commit([Notice("empty_reply", call=number)])


async def _speak(walk: _Walk, instruction: str) -> Reply:
    """What the writer says next, from the record or by a call."""
    number = walk.n
    walk.n += 1
    known = walk.direction.recorded.get(("story", number))
    if known is None:
        known = await walk.story.call(
            number, _request(walk, instruction), Desk(), SheetLog(number, walk.log)
        )
    walk.output_tokens += _tokens(known)
    return known


def _request(walk: _Walk, instruction: str) -> ModelRequest:
    """The prepared messages, then what stands so far and how to go on."""
    act, told_so_far = walk.act, _bare(walk.log.view.draft)
    messages = list(act.prompt.messages)
    if told_so_far:
        key = "next_directed" if instruction else "next"
        messages += [Assistant(told_so_far), User(walk.told(key, instruction=instruction))]
    elif instruction:
        messages.append(User(walk.told("first", instruction=instruction)))
    return ModelRequest(
        tuple(messages),
        sampling=_within(act.sampling, walk.left),
        stable=act.prompt.stable,
        usual=act.usual,
        prefill="" if told_so_far else act.prefill,
    )


def _within(sampling: Sampling, left: int | None) -> Sampling:
    """The sampling with no more output than the turn has left."""
    if left is None:
        return sampling
    most = left if sampling.max_tokens is None else min(left, sampling.max_tokens)
    return replace(sampling, max_tokens=max(most, 1))


async def _taken(number: int, reply: Reply, before: Draft, walk: _Walk) -> bool:
    """Take a segment into the text, once; False when the draft refuses it."""
    if any(captured.call == number for captured in walk.log.view.captured):
        return True
    broken_off = bool(before.text) and not (ends_sentence(before.text) or _pictured(before.text))
    separator = "" if broken_off else "\n\n"
    return await capture(number, reply.text, before, walk.log, separator=separator) is not None


async def _kept(number: int, failure: ProviderFailed, walk: _Walk) -> _Done:
    """A segment failed behind others: those stay, and the turn ends with them."""
    version = walk.log.view.draft.version
    events: list[TurnEvent] = [Notice("segment_failed", _said(failure), call=number)]
    if walk.log.view.preview is not None:
        events.insert(0, DraftChange(version, "retract", version, call=number))
    await walk.log.commit(events)
    return _Done(ok=False, result=_said(failure), effect={"over": True}, over=True)


def _count(walk: _Walk, used: int, *, written: bool) -> None:
    walk.spent += used
    walk.segments += written


# ---- pictures ------------------------------------------------------------------------------------


def _picture(n: int, prompt: str, caption: str, walk: _Walk) -> _Done:
    """A picture at the end of the text as it stands: its placeholder, and the wish for it."""
    view = walk.log.view
    wish = wished(walk.direction.turn_id, len(view.images), prompt, caption)
    placed = None if wish is None else _placed(view.draft, marker(wish.id, wish.caption))
    if wish is None or placed is None:
        return _Done(ok=False, result=walk.told("no_more_images"))
    events = (draft_change(view.draft, placed, n), asked(wish))
    return _Done(ok=True, result=as_json({"scheduled": True}), events=events)


def _placed(draft: Draft, line: str) -> Applied | None:
    change = Append(draft.version, line) if draft.text else Write(draft.version, line)
    made = apply(draft, change)
    return made if isinstance(made, Applied) else None


def _pictured(text: str) -> bool:
    """Whether a text ends with the placeholder of a picture."""
    last = text.rstrip().rsplit("\n", 1)[-1]
    return bool(last) and without_markers(last) == ""


def _bare(draft: Draft) -> str:
    """The text as a model reads it: pictures are for the reader."""
    return without_markers(draft.text).strip("\n")


# ---- small change --------------------------------------------------------------------------------


def _text(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    return value.strip() if isinstance(value, str) else ""


def _tokens(reply: Reply) -> int:
    return reply.usage.completion or utf16_len(reply.text) // 2


def _said(failure: ProviderFailed) -> str:
    return f"{failure.code}: {failure.message}"


def _over_budget(walk: _Walk) -> bool:
    limit = walk.act.limits.output_tokens
    return bool(limit) and walk.output_tokens > limit
