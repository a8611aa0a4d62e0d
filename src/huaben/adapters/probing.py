"""Asks an endpoint what it is and what it can do; apart from the models because a test wants to see what
goes wrong where a story wants it mended. Nothing here runs unless somebody asked for it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from huaben.domain.connection import Capabilities, Connection, Listing, Timeouts
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.messages import (
    Finished,
    ModelRequest,
    Reply,
    Retrying,
    Sampling,
    ToolSpec,
    User,
)
from huaben.errors import BadInput, ProviderFailed
from huaben.ports import Clock

if TYPE_CHECKING:
    # The HTTP client takes longer to load than everything else; whoever asks has loaded it.
    from huaben.adapters.models.endpoint import Endpoint
    from huaben.adapters.models.jsontools import JsonTools
    from huaben.adapters.models.opening import Opener

LIST_S: Final = 20.0
NEAR_S: Final = 2.0
"""How long a server on this machine may take to list its models."""
_PATIENCE: Final = Timeouts(connect_s=10, first_token_s=90, idle_s=30, settle_s=2, total_s=150)
_MOST: Final = Sampling(max_tokens=1024)
"""Room enough for a model that thinks before it answers."""
_RESHAPED: Final = 4
"""How often an endpoint may ask for another form of the same request."""

_TOOL: Final = ToolSpec(
    "remember_word",
    "Remembers one word.",
    {
        "type": "object",
        "properties": {"word": {"type": "string"}},
        "required": ["word"],
        "additionalProperties": False,
    },
)
_ANSWER: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {"colour": {"type": "string"}},
    "required": ["colour"],
    "additionalProperties": False,
}
_COUNT: Final = "Count from one to five, in words."
_CALL: Final = "Call the tool remember_word with the word: rain"
_COLOUR: Final = "Name one colour of the rainbow."

_WINDOWS: Final = (
    "context_length",
    "max_context_length",
    "context_window",
    "max_model_len",
    "max_input_tokens",
    "n_ctx",
)
"""Where endpoints tell of a model's window: OpenRouter and Moonshot, LM Studio and Mistral, Groq, vLLM,
Anthropic, llama.cpp."""
_NO_WRITERS: Final = ("embed", "rerank", "whisper", "tts", "bge-")


class EndpointProber:
    """Implements `Prober` over HTTP. `opener` gives the one that models are opened with; it is
    asked for late, because loading an HTTP client takes time."""

    def __init__(self, opener: Callable[[], Opener], clock: Clock) -> None:
        self._opener = opener
        self._clock = clock

    async def models(self, connection: Connection) -> Listing:
        endpoint = self._opener().endpoint(connection)
        return read_listing(await endpoint.listing(LIST_S), connection.name)

    async def find(self, candidates: Sequence[Connection]) -> list[Connection]:
        found = await asyncio.gather(*(self._near(candidate) for candidate in candidates))
        return [connection for connection in found if connection is not None]

    async def probe(self, connection: Connection) -> Capabilities:
        now = self._clock.now().isoformat()
        try:
            # Once more, because a server may have closed the connection that was kept for it.
            told = await self._test(replace(connection, retries=1, timeouts=_PATIENCE))
        except BadInput as unusable:
            return Capabilities(now, reachable=False, failure=unusable.message)
        return replace(told, tested_at=now)

    async def _near(self, candidate: Connection) -> Connection | None:
        near = replace(candidate, timeouts=replace(candidate.timeouts, connect_s=NEAR_S))
        try:
            raw = await self._opener().endpoint(near).listing(NEAR_S)
            listing = read_listing(raw, candidate.name)
        except ProviderFailed:
            return None  # nobody there, or somebody else
        model = chosen(listing.models)
        if not model:
            return None
        return replace(candidate, model=model, window=listing.windows.get(model))

    async def _test(self, connection: Connection) -> Capabilities:
        found = await self._listed(connection)
        if not connection.model:
            failure = found.failure or "no model is chosen"
            return replace(found, reachable=bool(found.models) or None, failure=failure)
        endpoint = self._opener().endpoint(connection)
        spoken = await self._hear(endpoint, ModelRequest((User(_COUNT),), sampling=_MOST))
        if spoken.reply is None:
            return replace(found, reachable=spoken.answered, failure=spoken.failure)
        found = replace(
            found,
            reachable=True,
            failure="",  # a provider that lists no models is none the worse for it
            streams=spoken.pieces > 1,
            first_token_ms=spoken.first_ms,
        )
        return await self._tried(endpoint, connection, found, spoken)

    async def _listed(self, connection: Connection) -> Capabilities:
        try:
            listing = await self.models(connection)
        except ProviderFailed as failure:
            return Capabilities(failure=failure.message)
        window = listing.windows.get(connection.model)
        return Capabilities(models=listing.models, window=window)

    async def _tried(
        self, endpoint: Endpoint, connection: Connection, found: Capabilities, spoken: _Heard
    ) -> Capabilities:
        """What the model does with a tool and with a schema; by words only where neither works."""
        calling = ModelRequest((User(_CALL),), (_TOOL,), sampling=_MOST)
        called = await self._hear(endpoint, calling)
        keeping = ModelRequest((User(_COLOUR),), sampling=_MOST, answer=_ANSWER)
        kept = await self._hear(endpoint, keeping)
        found = replace(
            found,
            calls_tools=_called(called),
            json_schema=None if kept.passing else _keeps(kept.reply),
        )
        if found.calls_tools is False and not found.json_schema:
            plain = replace(connection, schema_option=False)
            described = await self._hear(self._opener().described(plain), calling)
            found = replace(found, json_text=_called(described))
        return _seen(found, [one.reply for one in (spoken, called, kept) if one.reply])

    async def _hear(self, model: Endpoint | JsonTools, request: ModelRequest) -> _Heard:
        heard = await self._once(model, request)
        for _ in range(_RESHAPED):
            if heard.code != "reshaped":
                break
            heard = await self._once(model, request)
        return heard

    async def _once(self, model: Endpoint | JsonTools, request: ModelRequest) -> _Heard:
        heard, started = _Heard(), self._clock.monotonic()
        try:
            async with aclosing(model.stream(model.encode(request))) as events:
                async for event in events:
                    if isinstance(event, Finished):
                        heard.reply = event.reply
                    elif not isinstance(event, Retrying):
                        heard.pieces += 1
                        if heard.first_ms is None:
                            heard.first_ms = round((self._clock.monotonic() - started) * 1000)
        except ProviderFailed as failure:
            heard.code, heard.failure = failure.code, failure.message
            heard.answered = failure.http_status is not None
            heard.passing = failure.retryable
        return heard


@dataclass(slots=True)
class _Heard:
    """What one small call gave. `passing`: it failed in a way that says nothing about the model."""

    reply: Reply | None = None
    pieces: int = 0
    first_ms: int | None = None
    code: str = ""
    failure: str = ""
    answered: bool = False
    passing: bool = field(default=False)


def _called(heard: _Heard) -> bool | None:
    """Whether the tool was called; None when the question could not be put."""
    if heard.reply is None:
        return None if heard.passing else False
    return any(call.name == _TOOL.name for call in heard.reply.calls)


def _keeps(reply: Reply | None) -> bool:
    """Whether a reply is the object that the schema describes, though nothing was said of one."""
    try:
        value: object = json.loads(reply.text) if reply else None
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and set(cast("JsonObject", value)) == {"colour"}


def _seen(found: Capabilities, replies: Sequence[Reply]) -> Capabilities:
    return replace(
        found,
        reasons=any(reply.thinking is not None for reply in replies),
        reports_usage=any(reply.usage.prompt is not None for reply in replies),
        reports_cache=any(reply.usage.cached is not None for reply in replies),
    )


# ---- lists of models -------------------------------------------------------------------------------


def read_listing(answer: object, name: str) -> Listing:
    """The models in an answer, whatever wraps them. Raises `ProviderFailed` for one without any
    list: then it is no model endpoint that answered."""
    value = cast("Json", answer)  # it was parsed from JSON
    entries = value
    if isinstance(value, dict):
        entries = value.get("data") if "data" in value else value.get("models")
    if not isinstance(entries, list):
        raise ProviderFailed("not_an_endpoint", f"{name} did not answer with a list of models")
    models: dict[str, int | None] = {}
    for entry in entries:
        if isinstance(entry, str):
            models.setdefault(entry)
        elif isinstance(entry, dict):
            model = entry.get("id") or entry.get("name")
            if isinstance(model, str) and model:
                # Gemini's compatible endpoint puts the collection before the name.
                models.setdefault(model.removeprefix("models/"), _window(entry))
    windows = {model: window for model, window in models.items() if window is not None}
    return Listing(tuple(models), windows)


def chosen(models: Sequence[str]) -> str:
    """The first model that can write; empty when there is none."""
    for model in models:
        if not any(word in model.lower() for word in _NO_WRITERS):
            return model
    return ""


def _window(entry: JsonObject) -> int | None:
    meta = entry.get("meta")
    for place in (entry, meta if isinstance(meta, dict) else {}):
        for name in _WINDOWS:
            value = place.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
    return None
