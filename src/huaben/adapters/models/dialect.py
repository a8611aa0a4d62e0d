"""What one family of endpoints speaks, as the endpoint model needs it; apart so that each dialect is
written without any I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from huaben.adapters.models.refusals import Refusal
from huaben.domain.connection import Connection
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.messages import ModelEvent, ModelRequest, Reply, WireRequest


class Listener(Protocol):
    """One reply while its chunks arrive. `feed` returns the pieces of a chunk, `close` what was held
    back; `reply` may be asked for at any time."""

    @property
    def finish(self) -> str | None:
        """The provider's word for why it ended, once it came."""
        ...

    @property
    def ended(self) -> bool:
        """Whether the dialect's own end mark came inside a chunk."""
        ...

    def error(self, payload: JsonObject) -> Json:
        """The error that a chunk reports, if any."""
        ...

    def feed(self, chunk: JsonObject) -> list[ModelEvent]: ...
    def close(self) -> list[ModelEvent]: ...
    def is_whole(self, *, done: bool) -> bool:
        """Whether a reply without a finish reason is complete; `done`: its end mark came."""
        ...

    def flag(self, name: str) -> None:
        """Note an oddity for the trace."""
        ...

    def reply(self, make_id: Callable[[int], str]) -> Reply:
        """Everything so far; `make_id` names calls that came without an id."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """`path` ends the address of a request and `models` that of the list of models, `headers` carry
    the key, `adapted` is the connection to ask through after a refusal (None: the refusal is about
    something else)."""

    path: str
    models: str
    headers: Callable[[Connection], Mapping[str, str]]
    encode: Callable[[ModelRequest, Connection], WireRequest]
    listener: Callable[[Connection], Listener]
    adapted: Callable[[Refusal, Connection], Connection | None]
