"""Chunks of a streamed reply to pieces and the finished reply; apart because it needs no network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from huaben.adapters.models.calls import CallTable
from huaben.adapters.models.refusals import error_in
from huaben.adapters.models.thinking import Kind, SurrogateMender, ThinkSplitter
from huaben.adapters.models.usage import merged, usage_in
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.messages import (
    ModelEvent,
    Reply,
    TextDelta,
    Thinking,
    ThinkingDelta,
    Usage,
)

_THOUGHT_FIELDS: Final = ("reasoning_content", "reasoning", "thinking")
"""All mean the same; the first one that says something is taken, for some servers send two."""

_BLOCK_FIELDS: Final = ("reasoning_details", "thinking_blocks")
"""Lists of thought blocks that must travel back as they came; read as text only where no other
field carries it."""

THINK_TAGS: Final = "think_tags"
PARTS: Final = "content_parts"
ORIGIN: Final = "origin"
"""The key of `extra` that names the model and host which thought and signatures belong to."""


class Assembler:
    """One reply while its chunks arrive. `feed` returns the pieces of a chunk, `close` what was held
    back; `reply` may be asked for at any time."""

    def __init__(self, origin: str = "", think_tag: str = "think") -> None:
        self._origin = origin
        self._splitter = ThinkSplitter(think_tag)
        self._text: list[str] = []
        self._thought: list[str] = []
        self._menders = {"text": SurrogateMender(), "thought": SurrogateMender()}
        self._extra: dict[str, Json] = {}
        self._carrier = ""
        self._flags: dict[str, None] = {}
        self._usage = Usage()
        self._model = ""
        self.calls = CallTable()
        self.finish: str | None = None

    @property
    def has_text(self) -> bool:
        return any(piece.strip() for piece in self._text)

    @property
    def ended(self) -> bool:
        """`[DONE]` is no chunk, so nothing in a chunk marks the end."""
        return False

    def error(self, payload: JsonObject) -> Json:
        return error_in(payload)

    def is_whole(self, *, done: bool) -> bool:
        """Text is complete if `[DONE]` came, calls if their arguments parse."""
        return self.calls.all_whole(blank_counts=done) if self.calls else done

    def flag(self, name: str) -> None:
        """Note an oddity for the trace."""
        self._flags[name] = None

    def feed(self, chunk: JsonObject) -> list[ModelEvent]:
        """The pieces that one chunk holds; `choices` may be absent, empty or several parts."""
        out: list[ModelEvent] = []
        choices = chunk.get("choices")
        if isinstance(choices, list):
            for choice in choices:
                # Only one answer was asked for: others than the first are not ours.
                if isinstance(choice, dict) and not choice.get("index"):
                    self._choice(choice, out)
        if "usage" in chunk or "timings" in chunk or "x_groq" in chunk or self.finish:
            usage = usage_in(chunk)
            if usage is not None:
                self._usage = merged(self._usage, usage)
        model = chunk.get("model")
        if isinstance(model, str) and model:
            self._model = model
        return out

    def close(self) -> list[ModelEvent]:
        """The pieces that were held back in case a tag or half a character would go on."""
        out: list[ModelEvent] = []
        self._sort(self._splitter.close(), out)
        for kind, mender in self._menders.items():
            self._say(kind, mender.close(), out)
        if self._splitter.inside:
            self.flag("thinking_unclosed")
        return out

    def reply(self, make_id: Callable[[int], str]) -> Reply:
        """Everything so far as one reply; `make_id` names calls that came without an id."""
        stamp = {ORIGIN: self._origin}
        calls = self.calls.finished(make_id, stamp)
        thought = "".join(self._thought)
        thinking = (
            Thinking(thought, self._carrier or _THOUGHT_FIELDS[0], {**self._extra, **stamp})
            if thought or self._extra
            else None
        )
        return Reply(
            text="".join(self._text),
            calls=calls,
            thinking=thinking,
            usage=self._usage,
            finish=self.finish,
            model=self._model,
            flags=tuple(self._flags),
        )

    # ---- one choice ----------------------------------------------------------------------------

    def _choice(self, choice: JsonObject, out: list[ModelEvent]) -> None:
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish:
            self.finish = finish
        delta = choice.get("delta")
        if not isinstance(delta, dict) or not delta:
            # A plain answer has `message`; some proxies end a stream by repeating all of it there.
            delta = choice.get("message")
            if not isinstance(delta, dict) or self._text or self._thought or self.calls:
                return
        if len(delta) > 1 or "content" not in delta:
            self._thoughts(delta, out)
        content = delta.get("content")
        if isinstance(content, str):
            if content:
                self._sort(self._splitter.feed(content), out)
        elif content is not None:
            self._parts(content, out)
        refusal = delta.get("refusal")
        if isinstance(refusal, str) and refusal:
            self.flag("refusal")
            self._sort(self._splitter.feed(refusal), out)
        self._calls(delta, out)

    def _calls(self, delta: JsonObject, out: list[ModelEvent]) -> None:
        fragments = delta.get("tool_calls")
        if isinstance(fragments, list) and fragments:
            out.extend(self.calls.take(fragments))
        elif isinstance(fragments, dict):
            out.extend(self.calls.take([fragments]))
        old_style = delta.get("function_call")
        if isinstance(old_style, dict):
            out.extend(self.calls.take([{"index": 0, "function": old_style}]))
        if self.calls.repeated:
            self.flag("call_repeated")

    def _thoughts(self, delta: JsonObject, out: list[ModelEvent]) -> None:
        said = ""
        for name in _THOUGHT_FIELDS:
            value = delta.get(name)
            if value and not said:
                said = _text_of(value)
                self._carrier = self._carrier or name
                if isinstance(value, list):
                    self._keep_blocks("thinking_blocks", value)
        for name in _BLOCK_FIELDS:
            blocks = delta.get(name)
            if isinstance(blocks, list) and blocks:
                self._keep_blocks(name, blocks)
                self._carrier = self._carrier or name
                said = said or _text_of(blocks)
        if delta.get("extra_content"):
            self._extra["extra_content"] = delta["extra_content"]
        self._say("thought", said, out)

    def _keep_blocks(self, name: str, blocks: list[Json]) -> None:
        kept = self._extra.setdefault(name, [])
        assert isinstance(kept, list)
        for block in blocks:
            if isinstance(block, dict):
                _join_block(kept, block)

    def _parts(self, content: Json, out: list[ModelEvent]) -> None:
        """Content as a list of parts (Mistral), thought among them."""
        for part in content if isinstance(content, list) else [content]:
            if isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
                self._carrier = self._carrier or PARTS
                self._say("thought", _text_of(part), out)
            elif text := _text_of(part):
                self._sort(self._splitter.feed(text), out)

    # ---- text and thought ----------------------------------------------------------------------

    def _sort(self, pieces: list[tuple[Kind, str]], out: list[ModelEvent]) -> None:
        for kind, text in pieces:
            if kind == "turned":
                # What was shown as text turns out to be thought: the finished reply says so.
                self._thought.extend(self._text)
                self._text.clear()
                self.flag("thinking_unopened")
                self._carrier = self._carrier or THINK_TAGS
                continue
            if kind == "thought":
                self._carrier = self._carrier or THINK_TAGS
            self._say(kind, text, out)

    def _say(self, kind: str, text: str, out: list[ModelEvent]) -> None:
        if text:
            text = self._menders[kind].feed(text)
        if not text:
            return
        if kind == "text":
            self._text.append(text)
            out.append(TextDelta(text))
        else:
            self._thought.append(text)
            out.append(ThinkingDelta(text))


def _text_of(value: Json) -> str:
    """The words in a thought or part, whatever wraps them; encrypted blocks have none."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_text_of(item) for item in value)
    if isinstance(value, dict):
        for name in ("text", "thinking", "summary", "reasoning", "content"):
            if value.get(name):
                return _text_of(value[name])
    return ""


def _join_block(kept: list[Json], block: JsonObject) -> None:
    """Add a block, or go on with the last one when it is the same block streamed on."""
    last = kept[-1] if kept else None
    if not isinstance(last, dict) or not _goes_on(last, block):
        kept.append(dict(block))
        return
    for name, value in block.items():
        known = last.get(name)
        if name in ("text", "thinking", "summary") and isinstance(value, str):
            last[name] = (known if isinstance(known, str) else "") + value
        elif value is not None:
            last[name] = value


def _goes_on(last: JsonObject, block: JsonObject) -> bool:
    """A signature closes a block, and encrypted data always comes whole."""
    same = all(block.get(name) in (None, last.get(name)) for name in ("type", "index", "id"))
    return same and "data" not in block and not last.get("signature")
