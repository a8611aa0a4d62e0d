"""What the engine needs of the world beside the store: models, bytes, time and names."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Protocol

from huaben.domain.messages import ModelEvent, ModelRequest, WireRequest


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
