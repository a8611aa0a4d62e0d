"""The rehearsal behind the model port: its pieces, its pace, and what it is not asked to be."""

from __future__ import annotations

import asyncio
import json

import pytest

from huaben.adapters.models.rehearsal.engine import PACE_S, Rehearsal
from huaben.adapters.models.rehearsal.script import LANGUAGES, load_story
from huaben.domain.messages import (
    Assistant,
    CallDelta,
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    Reply,
    System,
    TextDelta,
    ThinkingDelta,
    ToolChoice,
    ToolResult,
    ToolSpec,
    User,
)
from huaben.domain.project import Language
from huaben.testing.clock import ManualClock

TOOLS = tuple(
    ToolSpec(name, "", {"type": "object"})
    for name in (
        "draft_write",
        "draft_append",
        "draft_read",
        "draft_edit",
        "draft_seal",
        "ask",
        "lorebook_search",
        "lorebook_read",
    )
)


def asked(language: Language, words: str, *more: Message, tools: tuple[ToolSpec, ...] = TOOLS,
          choice: ToolChoice = "auto") -> ModelRequest:  # fmt: skip
    story = load_story(language)
    tail = f"{story.language_title}\n…\n\n{words}"
    return ModelRequest((System(f"…{story.marker}…"), User(tail), *more), tools, choice)


async def heard(request: ModelRequest) -> list[ModelEvent]:
    model = Rehearsal(ManualClock(), pace_s=0)
    return [event async for event in model.stream(model.encode(request))]


async def reply_to(request: ModelRequest) -> Reply:
    last = (await heard(request))[-1]
    assert isinstance(last, Finished)
    return last.reply


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_pieces_make_the_reply(language: Language) -> None:
    """Joined, they are its thinking, its text and the arguments of its calls; none is long."""
    cue = load_story(language).turns[0].cue
    first = await reply_to(asked(language, cue))
    result = ToolResult(first.calls[0].id, "lorebook_search", '{"hits":[]}')
    events = await heard(asked(language, cue, Assistant("", first.calls), result))
    last = events[-1]
    assert isinstance(last, Finished)
    arguments = "".join(e.arguments for e in events if isinstance(e, CallDelta))
    assert arguments == last.reply.calls[0].arguments
    assert list(json.loads(arguments)) == ["version", "content"]
    assert max(len(e.arguments) for e in events if isinstance(e, CallDelta)) <= 12
    thought = await heard(asked(language, cue))
    assert first.thinking is not None
    assert "".join(e.text for e in thought if isinstance(e, ThinkingDelta)) == first.thinking.text


async def test_pieces_arrive_at_a_readers_pace() -> None:
    """So many seconds apart, by the clock that it was given."""
    clock = ManualClock()
    model = Rehearsal(clock)
    wire = model.encode(asked("zh", "我掏出手机。"))
    arrived: list[ModelEvent] = []

    async def listen() -> None:
        arrived.extend([event async for event in model.stream(wire)])

    task = asyncio.create_task(listen())
    while not task.done():
        await clock.advance(PACE_S)
    texts = [event for event in arrived if isinstance(event, TextDelta)]
    assert len(texts) > 5
    assert clock.monotonic() == pytest.approx(PACE_S * len(texts), abs=PACE_S)


async def test_the_same_request_gives_the_same_reply() -> None:
    """Whatever it was asked before."""
    model = Rehearsal(ManualClock(), pace_s=0)
    wire = model.encode(asked("en", load_story("en").turns[0].cue))
    once = [event async for event in model.stream(wire)]
    again = [event async for event in model.stream(wire)]
    assert once == again == await heard(asked("en", load_story("en").turns[0].cue))


@pytest.mark.parametrize(
    ("request_", "language"),
    [
        (ModelRequest((System("一位说书人"), User("【语言】\n…\n\nHello")), TOOLS), "zh"),
        (ModelRequest((System("A storyteller"), User("【Language】\n…\n\n你好")), TOOLS), "en"),
        (ModelRequest((User("写一段前情提要。"),)), "zh"),
        (ModelRequest((User("Summarise the story so far."),)), "en"),
        (ModelRequest(()), "en"),
    ],
)
async def test_what_it_has_no_lines_for_gets_an_honest_sentence(
    request_: ModelRequest, language: Language
) -> None:
    """Another card, or another purpose."""
    reply = await reply_to(request_)
    assert reply.text == load_story(language).lines.other
    assert reply.calls == ()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_without_tools_it_tells_its_story(language: Language) -> None:
    """A performer without a draft sheet gets the prose itself."""
    reply = await reply_to(asked(language, "…", tools=()))
    assert reply.text not in ("", load_story(language).lines.other)
    assert reply.calls == ()


async def test_a_stale_write_is_made_again_on_the_sheet_as_it_stands() -> None:
    """Once; after that it goes on."""
    cue = load_story("zh").turns[0].cue
    talk: list[Message] = []
    for results in ('{"hits":[]}', '{"ok":false,"error":"…","version":4}'):
        reply = await reply_to(asked("zh", cue, *talk))
        talk += [Assistant(reply.text, reply.calls)]
        talk += [ToolResult(call.id, call.name, results) for call in reply.calls]
    again = await reply_to(asked("zh", cue, *talk))
    assert [call.name for call in again.calls] == ["draft_write"]
    assert json.loads(again.calls[0].arguments)["version"] == 4


async def test_a_tool_that_is_not_offered_is_not_called() -> None:
    """Without a lorebook it does not look anything up; without a question it takes the first way."""
    few = tuple(tool for tool in TOOLS if tool.name in ("draft_write", "draft_seal"))
    reply = await reply_to(asked("zh", load_story("zh").turns[0].cue, tools=few))
    assert [call.name for call in reply.calls] == ["draft_write"]
