"""The OpenAI-compatible dialect, which most endpoints speak, and the model that speaks it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

import httpx

from huaben.adapters.models.assembling import Assembler
from huaben.adapters.models.dialect import Dialect, Listener
from huaben.adapters.models.endpoint import Endpoint, open_client
from huaben.adapters.models.refusals import adapted
from huaben.adapters.models.wire import encode
from huaben.domain.connection import Connection
from huaben.ports import Clock

__all__ = ["OPENAI", "OpenAICompatible", "open_client"]


def _headers(connection: Connection) -> Mapping[str, str]:
    key = connection.api_key
    return {"authorization": f"Bearer {key.reveal()}"} if key else {}


def _listener(connection: Connection) -> Listener:
    return Assembler(connection.origin, connection.think_tag)


OPENAI: Final = Dialect("/chat/completions", "/models", _headers, encode, _listener, adapted)


class OpenAICompatible(Endpoint):
    """One OpenAI-compatible connection behind the `Model` port; see `Endpoint`."""

    def __init__(
        self,
        connection: Connection,
        *,
        client: httpx.AsyncClient,
        clock: Clock,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(connection, OPENAI, client=client, clock=clock, jitter=jitter)
