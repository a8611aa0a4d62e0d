"""What the engine needs of the world beside the store: models, bytes, time and names."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeAlias

from huaben.domain.completions import Completion
from huaben.domain.connection import Capabilities, Connection, Credentials, Listing
from huaben.domain.messages import Finished, ModelEvent, ModelRequest, Usage, WireRequest


class Model(Protocol):
    """One connection with one model. `encode` is pure and byte-stable; `stream` sends exactly those
    bytes, yields pieces as they arrive and ends with `Finished`, or raises `ProviderFailed`."""

    @property
    def name(self) -> str: ...
    @property
    def window(self) -> int | None:
        """The context window in tokens, where it is known."""
        ...

    @property
    def origin(self) -> str:
        """Which model it is and where, as `model@host`: what thought is bound to and a price is
        listed under."""
        ...

    @property
    def calls_tools(self) -> bool:
        """Whether its replies can call tools, by whatever protocol."""
        ...

    def encode(self, request: ModelRequest) -> WireRequest: ...
    def stream(self, wire: WireRequest) -> AsyncIterator[ModelEvent]: ...


@dataclass(frozen=True, slots=True)
class Content:
    """The first sign of what is said; it is nothing to send on."""


Passed: TypeAlias = bytes | Content | Finished
"""A piece of what a caller is sent, in the form that it asked for."""


class Passage(Protocol):
    """One connection that a caller's own request is passed on to. `wire` is pure; `forward` sends
    exactly those bytes, yields what the caller is sent as it arrives, `Content` once before the first
    of it that says something, and `Finished` at the end, or raises `ProviderFailed` with the
    provider's own status. Nothing is sent twice."""

    @property
    def name(self) -> str: ...
    @property
    def origin(self) -> str:
        """As `Model.origin`."""
        ...

    def wire(self, asked: Completion, tail: str = "") -> WireRequest:
        """The bytes of the request; a `tail` is one more message of the user's. Raises `BadInput`
        naming the field (`param`) that this connection cannot be sent."""
        ...

    def forward(self, asked: Completion, wire: WireRequest, reply_id: str) -> AsyncIterator[Passed]:
        """`reply_id` names a reply that has no id of its own."""
        ...


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture whose bytes are of a type that can be shown (`image.PICTURE_TYPES`), and what it took as
    far as the endpoint says."""

    content: bytes
    media_type: str
    usage: Usage = field(default_factory=Usage)


class Images(Protocol):
    """One connection that draws pictures. `encode` is pure; `draw` sends exactly those bytes."""

    @property
    def name(self) -> str: ...
    @property
    def origin(self) -> str:
        """As of a `Model`."""
        ...

    def encode(self, prompt: str) -> WireRequest: ...

    async def draw(self, wire: WireRequest, hosts: Collection[str] = ()) -> Drawn:
        """One picture. An address that the endpoint gives for it is fetched only from the endpoint
        itself, or by HTTPS from one of these hosts. Raises `ProviderFailed`, also for what is no
        picture, too large or late, and with the code `reshaped` when the same prompt encoded again
        will be put differently."""
        ...


class Secrets(Protocol):
    """The keys of the user's connections, by the connection's name; outside the library and its
    backups. Raises `StorageFailed` when they cannot be read or written, without quoting them."""

    async def all(self) -> Mapping[str, Credentials]: ...
    async def put(self, name: str, credentials: Credentials) -> None: ...
    async def drop(self, name: str) -> None:
        """A name that is not there is dropped already."""
        ...


class Prober(Protocol):
    """Asks endpoints what they are; only ever because somebody wants to know."""

    async def models(self, connection: Connection) -> Listing:
        """What the endpoint lists. Raises `ProviderFailed`."""
        ...

    async def probe(self, connection: Connection) -> Capabilities:
        """Test a connection: a handful of small calls, which may cost money. Never raises for what
        an endpoint does."""
        ...

    async def find(self, candidates: Sequence[Connection]) -> list[Connection]:
        """Those that answer, each with a model of its list and that model's window."""
        ...


class Objects(Protocol):
    """Content-addressed bytes: named by their SHA-256, stored once, never changed."""

    async def put(self, content: bytes) -> str: ...
    async def get(self, sha256: str) -> bytes | None: ...
    async def has(self, sha256: str) -> bool:
        """Whether there is an object of that name, whatever its bytes are."""
        ...

    def audit(self) -> AsyncIterator[str]:
        """Every object whose bytes do not match its name."""
        ...


class Clock(Protocol):
    def now(self) -> datetime:
        """The time in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class Ids(Protocol):
    def new(self) -> str:
        """A UUIDv7 as text; of two made by one process the later sorts higher."""
        ...
