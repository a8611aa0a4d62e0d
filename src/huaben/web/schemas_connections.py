"""What requests and answers about connections hold; apart from `schemas` because each room of the
interface is read alone. A key goes in and never comes out."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from huaben.web.bodies import Asked
from huaben.web.schemas import Told

Role = Literal["story", "control", "scribe", "planner", "escalation", "image"]
Sampler = Literal[
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
]


class SamplingGiven(Asked):
    """Samplers that hold where a scenario sets none; those that are left out are the provider's."""

    temperature: float | None = Field(default=None, ge=0, le=5)
    top_p: float | None = Field(default=None, ge=0, le=1)
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)
    presence_penalty: float | None = Field(default=None, ge=-2, le=2)
    seed: int | None = None
    stop: list[str] = Field(default_factory=list, max_length=16)
    max_tokens: int | None = Field(default=None, gt=0)
    reasoning_effort: str | None = Field(default=None, max_length=20)
    top_k: int | None = Field(default=None, ge=0)
    min_p: float | None = Field(default=None, ge=0, le=1)
    repetition_penalty: float | None = Field(default=None, ge=0, le=5)
    extra: dict[str, JsonValue] = Field(default_factory=dict)


class ConnectionGiven(Asked):
    """What is left out takes the provider's default, which is known by the address, or by the name
    where there is no address. `api_key` and `headers` null stay as they are, empty ones go."""

    base_url: str = Field(default="", max_length=2000)
    model: str = Field(default="", max_length=300)
    api_key: str | None = Field(default=None, max_length=4000)
    headers: dict[str, str] | None = Field(default=None, max_length=50)
    kind: Literal["openai", "anthropic", "gemini"] | None = None
    tools: Literal["auto", "native", "json", "none"] | None = None
    window: int | None = Field(default=None, gt=0)
    roles: list[Role] = Field(default_factory=list)
    sampling: SamplingGiven | None = None
    accepts: list[Sampler] | None = None
    alternation: Literal["as_is", "merge", "semi", "strict"] | None = None
    thinking: Literal["auto", "never", "kept", "demanded"] | None = None


class ConnectionWanted(ConnectionGiven):
    name: str = Field(min_length=1, max_length=60)


class ConnectionChanged(ConnectionGiven):
    """`revision` is the one that was seen; 0 where the library keeps nothing of it yet."""

    revision: int = Field(ge=0)


# ---- answers ---------------------------------------------------------------------------------------


class CapabilitiesTold(Told):
    """What a test found; null where it could not be found out."""

    tested_at: str
    reachable: bool | None
    streams: bool | None
    calls_tools: bool | None
    reasons: bool | None
    reports_usage: bool | None
    reports_cache: bool | None
    json_schema: bool | None
    json_text: bool | None
    first_token_ms: int | None
    failure: str


class PriceTold(Told):
    """Per million tokens; `as_of` says when it was looked up."""

    currency: str
    prompt: float
    cached: float | None
    cache_written: float | None
    completion: float
    as_of: str


class ConnectionTold(Told):
    """`source`: `environment` (the program's settings), `kept` (the user's own), `key` (a provider's
    key was found), `here` (a server on this machine was found). `usable`: a model is chosen.
    `tools_in_force` is how its model calls tools, `own_key` whether this program keeps its key.
    Of `headers` only the names are told. `models` are those of the last test."""

    name: str
    source: Literal["environment", "kept", "key", "here"]
    kind: str
    base_url: str
    model: str
    window: int | None
    tools: str
    tools_in_force: str
    usable: bool
    has_key: bool
    own_key: bool
    headers: list[str]
    roles: list[str]
    sampling: dict[str, JsonValue]
    accepts: list[str]
    capabilities: CapabilitiesTold | None
    models: list[str]
    price: PriceTold | None
    revision: int


class ProviderTold(Told):
    """A provider whose address is known; `variables` are where its key is looked for."""

    name: str
    title: str
    base_url: str
    kind: str
    model: str
    variables: list[str]


class ModelTold(Told):
    name: str
    window: int | None


# ---- usage -----------------------------------------------------------------------------------------


class CostTold(Told):
    amount: float
    currency: str


class SpentTold(Told):
    """The calls of one turn with one purpose to one connection in one currency."""

    turn: str
    purpose: str
    model: str
    calls: int
    prompt: int
    completion: int
    reasoning: int
    cached: int
    cache_written: int
    cost: CostTold | None


class SumTold(Told):
    """`unpriced` calls have no known cost and add nothing to `costs`."""

    calls: int
    prompt: int
    completion: int
    reasoning: int
    cached: int
    cache_written: int
    unpriced: int
    costs: list[CostTold]


class UsageTold(Told):
    items: list[SpentTold]
    purposes: dict[str, SumTold]
    total: SumTold
