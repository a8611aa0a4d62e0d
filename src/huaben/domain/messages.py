"""What passes between a performance and a model, apart from any provider's spelling of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model made it. `arguments` stays the string that was received; only the loop
    parses it. `id` is the provider's, or one made up by the adapter when none came. `extra` holds
    what the provider wants back with the call (thought signatures)."""

    id: str
    name: str
    arguments: str
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Thinking:
    """Thought text of a reply, never prose. `carrier` names where the provider put it
    (`reasoning_content`, `reasoning`, `think_tags` …), `extra` what must travel back verbatim."""

    text: str
    carrier: str = "reasoning_content"
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class System:
    text: str


@dataclass(frozen=True, slots=True)
class User:
    text: str


@dataclass(frozen=True, slots=True)
class Assistant:
    """A reply. In a past turn it carries the final text alone; inside the running turn also its
    calls and thinking."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    thinking: Thinking | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    call_id: str
    name: str
    text: str


Message: TypeAlias = System | User | Assistant | ToolResult


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One entry of the tool list. `parameters` is a JSON schema; the order of its keys is part of
    the bytes that must stay the same for a whole session."""

    name: str
    description: str
    parameters: Mapping[str, object]


ToolChoice: TypeAlias = Literal["auto", "none"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampler settings; None leaves the field out of the request."""

    temperature: float | None = None
    top_p: float | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    max_tokens: int | None = None
    reasoning_effort: str | None = None
    top_k: int | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a model is asked. The first `stable` messages are sent again by the session's next turn,
    so that a provider which wants to be told may cache them. With `answer`, a JSON schema, the
    reply is to be one JSON value of that schema. `usual` holds samplers that both `sampling` and the
    connection's own go before; `prefill` begins the reply where a dialect takes that, and is named
    as withheld where it does not."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: ToolChoice = "auto"
    sampling: Sampling = Sampling()
    stable: int = 0
    answer: Mapping[str, object] | None = None
    usual: Sampling = Sampling()
    prefill: str = ""


PartShape: TypeAlias = Literal["head", "message", "mark", "tail"]


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request in the bytes that are sent: the body is the concatenation of `parts`.

    The first part opens the body and holds the tool list, then one part per message, the last part
    closes the body. So two requests of one session share their first parts, and storing parts by
    hash stores each message once. `shape[i]` says what part i is; a `mark` tells the provider where
    to cache and belongs to no message, so that it may move without changing one. `withheld` names
    the samplers that were asked for and are not sent."""

    parts: tuple[bytes, ...]
    shape: tuple[PartShape, ...]
    withheld: tuple[str, ...] = ()

    @property
    def body(self) -> bytes:
        return b"".join(self.parts)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider reported them; None where it said nothing. `prompt` counts what was
    read from a cache and written to one, `completion` what was thought. `billed_micros` is what the
    provider says that the call cost, in millionths of a US dollar."""

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None
    cache_written: int | None = None
    billed_micros: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished model call. `finish` is the provider's word, kept for the trace only: whether the
    reply calls tools is decided by `calls`. `flags` name oddities (`no_finish_reason` …)."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    thinking: Thinking | None = None
    usage: Usage = Usage()
    finish: str | None = None
    model: str = ""
    flags: tuple[str, ...] = ()


# ---- what a model says while it speaks -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of the arguments of call number `index` (position in the final `Reply.calls`).
    `name` may be empty until it is known."""

    index: int
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """Nothing has been received yet and the adapter tries again after `wait_s` seconds."""

    attempt: int
    wait_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class Finished:
    reply: Reply


ModelEvent: TypeAlias = TextDelta | ThinkingDelta | CallDelta | Retrying | Finished
