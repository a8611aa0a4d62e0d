"""Anthropic's Messages API as a dialect, and the model that speaks it; other providers offer the same
dialect beside the usual one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import httpx

from huaben.adapters.models import refusals
from huaben.adapters.models.anthropic_listening import AnthropicListener
from huaben.adapters.models.anthropic_wire import encode
from huaben.adapters.models.dialect import Dialect, Listener
from huaben.adapters.models.endpoint import Endpoint
from huaben.adapters.models.refusals import Refusal
from huaben.domain.connection import Connection
from huaben.ports import Clock

VERSION: Final = "2023-06-01"
_ONE_OF_TWO: Final = re.compile(r"(?i)temperature.+top_p.+cannot both")


def _headers(connection: Connection) -> Mapping[str, str]:
    key = connection.api_key
    return {"anthropic-version": VERSION, **({"x-api-key": key.reveal()} if key else {})}


def _listener(connection: Connection) -> Listener:
    return AnthropicListener(connection.origin)


def _adapted(refusal: Refusal, connection: Connection) -> Connection | None:
    """What newer models no longer take: two samplers at once, or any; a schema they do not know."""
    if refusal.status not in (400, 422, None):
        return None
    if _ONE_OF_TWO.search(refusal.text) and "top_p" in connection.accepts:
        return replace(connection, accepts=connection.accepts - {"top_p"})
    if "output_config.format" in refusal.text and connection.schema_option:
        return replace(connection, schema_option=False)
    return refusals.adapted(refusal, connection)


ANTHROPIC: Final = Dialect("/v1/messages", "/v1/models", _headers, encode, _listener, _adapted)


class Anthropic(Endpoint):
    """One connection that speaks Anthropic's dialect, behind the `Model` port; see `Endpoint`."""

    def __init__(
        self,
        connection: Connection,
        *,
        client: httpx.AsyncClient,
        clock: Clock,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(connection, ANTHROPIC, client=client, clock=clock, jitter=jitter)
