"""How one model endpoint is reached; apart from settings because adapters, doctor and page share it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NoReturn, TypeAlias
from urllib.parse import urlsplit

from huaben.domain.messages import Sampling

Alternation: TypeAlias = Literal["as_is", "merge", "semi", "strict"]
"""How message roles are arranged. `merge` joins neighbours of one role, `semi` also turns every
system message after the first block into a user message, `strict` also begins with a user message.
"""

ThinkingPolicy: TypeAlias = Literal["auto", "never", "kept", "demanded"]
"""When thought goes back to the provider. `kept`: on assistant messages with tool calls, where
there was any; `demanded`: the same, filled with an empty string where there was none."""

MaxTokensField: TypeAlias = Literal["max_tokens", "max_completion_tokens"]
RepetitionField: TypeAlias = Literal["repetition_penalty", "repeat_penalty"]

Kind: TypeAlias = Literal["openai", "anthropic", "gemini"]
"""Which dialect an endpoint speaks. `gemini` is Google's OpenAI-compatible endpoint."""

ToolProtocol: TypeAlias = Literal["native", "json", "none"]
"""How a model calls tools: by function calling, by a reply that is one JSON object, or not at all."""

SAMPLERS: Final = frozenset(
    {
        "temperature",
        "top_p",
        "frequency_penalty",
        "presence_penalty",
        "seed",
        "stop",
        "max_tokens",
        "reasoning_effort",
        "top_k",
        "min_p",
        "repetition_penalty",
        "extra",
    }
)
"""The names that `Connection.accepts` may hold: the fields of `Sampling`."""

_DEMANDS_THINKING: Final = ("deepseek.com",)


class Secret:
    """A text that neither prints, compares by chance of repr, pickles nor serialises.

    `reveal` is the only way to the value, so that every use of it can be found by name."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value.strip()

    def reveal(self) -> str:
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return "Secret(…)" if self._value else "Secret()"

    def __str__(self) -> str:
        return "…" if self._value else ""

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: object) -> Secret:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is never pickled")


@dataclass(frozen=True, slots=True)
class Credentials:
    """What opens a connection: its key, and headers that may be secret too."""

    key: Secret = field(default_factory=Secret)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds. `first_token_s` runs from the sent request to the first piece of text, thought or
    call, however much keep-alive comes before, for models may think in silence; from then on
    `idle_s` between any two chunks of bytes, keep-alive included; `settle_s` is how long after a
    finish reason usage and `[DONE]` are waited for, which some servers never send; `total_s` over
    everything, waits before retries included."""

    connect_s: float = 15.0
    first_token_s: float = 180.0
    idle_s: float = 90.0
    settle_s: float = 5.0
    total_s: float = 1800.0


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a test of a connection has found out; None where it could not be found out.

    `tested_at` is an ISO-8601 time, empty for a connection that was never tested. `window` is the
    context in tokens as the endpoint lists it. `json_schema`:
    replies keep to a schema that was sent; `json_text`: they keep to one that was described in
    words. `models` are the names that the endpoint lists. `failure` is what went wrong first,
    redacted."""

    tested_at: str = ""
    reachable: bool | None = None
    models: tuple[str, ...] = ()
    streams: bool | None = None
    calls_tools: bool | None = None
    reasons: bool | None = None
    reports_usage: bool | None = None
    reports_cache: bool | None = None
    json_schema: bool | None = None
    json_text: bool | None = None
    first_token_ms: int | None = None
    window: int | None = None
    failure: str = ""


UNTESTED: Final = Capabilities()


@dataclass(frozen=True, slots=True)
class Listing:
    """The models that an endpoint lists, with the window in tokens of those that it tells of."""

    models: tuple[str, ...] = ()
    windows: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class StoredConnection:
    """What the library keeps of a connection, never its key. `kept` ones are the user's own, with
    their `settings`; the others were found and are remembered for their `capabilities` alone."""

    user_id: str
    name: str
    kept: bool
    settings: Mapping[str, object]
    capabilities: Mapping[str, object]
    created_at: str
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Connection:
    """One endpoint with one model.

    `base_url` ends before `/chat/completions` or `/v1/messages`. `window` is the context in tokens
    where known. `sampling` holds the defaults that a request's own samplers override; only names in
    `accepts` are sent. `retries` counts the attempts after the first, made before any content
    arrived. `headers` may carry secrets and are treated as such. `usage_option` asks for usage
    inside the stream, `schema_option` sends the schema of an answer that is to keep to one.
    `think_tag` names the tag in which thought may stand inside the text."""

    name: str
    base_url: str
    model: str
    api_key: Secret = field(default_factory=Secret)
    window: int | None = None
    sampling: Sampling = field(default_factory=Sampling)
    accepts: frozenset[str] = SAMPLERS
    timeouts: Timeouts = Timeouts()
    retries: int = 2
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    alternation: Alternation = "as_is"
    thinking: ThinkingPolicy = "auto"
    max_tokens_field: MaxTokensField = "max_tokens"
    usage_option: bool = True
    think_tag: str = "think"
    kind: Kind = "openai"
    tools: Literal["auto"] | ToolProtocol = "auto"
    repetition_field: RepetitionField = "repetition_penalty"
    schema_option: bool = True
    prefills: bool = True
    """Whether a reply may be begun for the model, where the dialect knows that."""

    @property
    def host(self) -> str:
        """The host of `base_url`, empty where that is no address."""
        try:
            return urlsplit(self.base_url).hostname or ""
        except ValueError:
            return ""

    @property
    def origin(self) -> str:
        """What thought and signatures are bound to: they go back to no other model or host."""
        return f"{self.model}@{self.host}"

    @property
    def thinking_in_force(self) -> Literal["never", "kept", "demanded"]:
        """`auto` resolved by host. DeepSeek answers 400 when a thinking model's message with tool
        calls comes back without `reasoning_content`."""
        if self.thinking != "auto":
            return self.thinking
        demanding = any(
            self.host == host or self.host.endswith(f".{host}") for host in _DEMANDS_THINKING
        )
        return "demanded" if demanding else "kept"

    def tools_in_force(self, found: Capabilities = UNTESTED) -> ToolProtocol:
        """`auto` resolved by what a test found: function calling unless it is known not to work,
        then JSON where the model was seen to keep to it."""
        if self.tools != "auto":
            return self.tools
        if found.calls_tools is not False:
            return "native"
        return "json" if found.json_schema or found.json_text else "none"

    def withheld(self, sampling: Sampling) -> tuple[str, ...]:
        """The samplers that a request asks for and this connection does not accept, by name."""
        asked = (
            name
            for name in sorted(SAMPLERS)
            if getattr(sampling, name) not in (None, (), {}) and name not in self.accepts
        )
        return tuple(asked)
