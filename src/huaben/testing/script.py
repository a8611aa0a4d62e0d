"""What a scripted model says, piece by piece; apart because the port double and the loopback
endpoint perform the same scripts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from huaben.domain.messages import Usage

# ---- the pieces of a reply ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Say:
    """Text, streamed `chunk` characters at a time."""

    text: str
    chunk: int = 8


@dataclass(frozen=True, slots=True)
class Think:
    """Thought, streamed `chunk` characters at a time."""

    text: str
    chunk: int = 8


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; `arguments` is the string exactly as the model is to emit it. An empty `id` is
    filled with one that names the reply and the position."""

    name: str
    arguments: str = "{}"
    id: str = ""
    chunk: int = 16
    extra: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Status:
    """The request is refused with an HTTP status; first piece of a reply or none. `retry_after` is
    sent as the header, in seconds or as a date."""

    code: int
    retry_after: float | str | None = None
    body: str = '{"error":{"message":"scripted refusal"}}'


@dataclass(frozen=True, slots=True)
class Drop:
    """The stream dies here. `clean` ends the body in good order but without finish reason and
    `[DONE]`; otherwise the connection is torn."""

    clean: bool = False


@dataclass(frozen=True, slots=True)
class Stall:
    """Nothing more comes for that many seconds; None: until the double is released."""

    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """An error in the stream, after HTTP 200."""

    error: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes written to the stream as they are: any framing, any nonsense. Only the loopback
    endpoint speaks bytes."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Fail:
    """The call fails with this code. The endpoint refuses with `http_status` when nothing was said
    yet, else it sends an error line."""

    code: str
    message: str
    http_status: int | None = None
    retryable: bool = False


@dataclass(frozen=True, slots=True)
class Retry:
    """The adapter announces that it tries again. Only the port double announces by itself."""

    reason: str
    wait_s: float = 0.0


Unit: TypeAlias = Say | Think | Call | Status | Drop | Stall | ErrorLine | Raw | Fail | Retry


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """One reply. `finish` None lets the double choose (`tool_calls` or `stop`), `""` sends none.
    `done` False leaves out `[DONE]`. `stream` False answers with one plain JSON object. `usage`
    None counts characters, so that it is the same in every run."""

    units: tuple[Unit, ...]
    usage: Usage | None = None
    finish: str | None = None
    done: bool = True
    stream: bool = True
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as a scripted model sees it: the JSON that was sent."""

    body: Mapping[str, object]

    @staticmethod
    def read(body: bytes) -> Asked:
        value: object = json.loads(body)
        assert isinstance(value, dict), "a request is a JSON object"
        return Asked(cast("dict[str, object]", value))  # keys of a JSON object are strings

    @property
    def messages(self) -> list[dict[str, object]]:
        found = self.body.get("messages")
        assert isinstance(found, list), "a request has messages"
        return cast("list[dict[str, object]]", found)  # each message is a JSON object

    @property
    def last_text(self) -> str:
        """The content of the last message: the user's words or the latest tool result."""
        content = self.messages[-1].get("content")
        return content if isinstance(content, str) else ""

    @property
    def tool_names(self) -> list[str]:
        tools = cast("list[dict[str, dict[str, str]]]", self.body.get("tools", []))  # our encoding
        return [tool["function"]["name"] for tool in tools]


Step: TypeAlias = Unit | ScriptedReply
Script: TypeAlias = Sequence[Step] | Callable[[Asked], Step]


class OutOfScript(AssertionError):
    """The model was called more often than its script foresaw."""


EMPTY_PATCH = '{"patch": {}, "evidence": {}}'


def is_scribes(body: bytes) -> bool:
    """Whether the request asks for a patch of the ledger: only the scribe is told its form."""
    return b'\\"patch\\"' in body and b'\\"evidence\\"' in body


class Books:
    """What a double answers as the scribe, apart from its story: a script of its own, or that nothing
    has changed, as often as it is asked."""

    def __init__(self, script: Script | None) -> None:
        self._cues = None if script is None else Cues(script)

    def next(self, body: bytes) -> ScriptedReply:
        if self._cues is None:
            return ScriptedReply((Say(EMPTY_PATCH),))
        return self._cues.next(body)


class Cues:
    """Gives out the replies of a script one after the other."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.given = 0

    def next(self, body: bytes) -> ScriptedReply:
        """The next reply. Raises `OutOfScript` at the end of a list."""
        script = self._script
        if callable(script):
            step = script(Asked.read(body))
        elif self.given < len(script):
            step = script[self.given]
        else:
            raise OutOfScript(f"the script has {len(script)} replies and one more was asked for")
        self.given += 1
        return step if isinstance(step, ScriptedReply) else ScriptedReply((step,))


# ---- short forms for tests ---------------------------------------------------------------------


def say(text: str, *, chunk: int = 8) -> Say:
    return Say(text, chunk)


def think(text: str, *, chunk: int = 8) -> Think:
    return Think(text, chunk)


def call(tool: str, /, **arguments: object) -> Call:
    """A call with its arguments as compact JSON: `call("draft_write", version=0, content="雨")`."""
    return Call(tool, json.dumps(arguments, ensure_ascii=False, separators=(",", ":")))


def raw_call(tool: str, arguments: str) -> Call:
    """A call whose arguments are this very string, well formed or not."""
    return Call(tool, arguments)


def reply(*units: Unit, usage: Usage | None = None, finish: str | None = None) -> ScriptedReply:
    """Several pieces in one reply."""
    return ScriptedReply(units, usage=usage, finish=finish)


def fail(
    code: str = "provider_unavailable",
    message: str = "scripted failure",
    *,
    http_status: int | None = 503,
    retryable: bool = True,
) -> Fail:
    return Fail(code, message, http_status, retryable)


def stall(seconds: float | None = None) -> Stall:
    return Stall(seconds)


def drop() -> Drop:
    return Drop()


# ---- what both doubles derive from a reply -----------------------------------------------------


def pieces(text: str, size: int) -> list[str]:
    """`text` cut into pieces of `size` characters; `size` 0 leaves it whole."""
    if size <= 0 or not text:
        return [text]
    return [text[at : at + size] for at in range(0, len(text), size)]


def call_id(reply_number: int, position: int, unit: Call) -> str:
    return unit.id or f"call_{reply_number}_{position}"


def finish_of(scripted: ScriptedReply) -> str:
    if scripted.finish is not None:
        return scripted.finish
    return "tool_calls" if any(isinstance(unit, Call) for unit in scripted.units) else "stop"


def usage_of(scripted: ScriptedReply, body: bytes) -> Usage:
    """The scripted usage, or one that counts four bytes of the request and one character of the
    reply as a token."""
    if scripted.usage is not None:
        return scripted.usage
    spoken = sum(len(unit.text) for unit in scripted.units if isinstance(unit, Say | Think))
    called = sum(len(unit.arguments) for unit in scripted.units if isinstance(unit, Call))
    return Usage(prompt=len(body) // 4, completion=spoken + called)
