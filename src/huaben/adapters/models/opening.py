"""From a connection to the model behind the port: which dialect, which tool protocol, one client for
all; apart so that neither bootstrap nor the prober decides it a second time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

import httpx

from huaben.adapters.models.anthropic import Anthropic
from huaben.adapters.models.endpoint import Endpoint, open_client
from huaben.adapters.models.jsontools import JsonTools
from huaben.adapters.models.learning import LearningTools
from huaben.adapters.models.openai_compatible import OpenAICompatible
from huaben.domain.connection import Connection, ToolProtocol
from huaben.domain.project import Language
from huaben.ports import Clock, Model


class Opener:
    """Opens models on one shared client. `instructions` explain the JSON protocol to a model."""

    def __init__(self, clock: Clock, instructions: Mapping[Language, str]) -> None:
        self.client: httpx.AsyncClient = open_client()
        self._clock = clock
        self._instructions = instructions

    def model(self, connection: Connection, protocol: ToolProtocol) -> Model:
        """The model that speaks this protocol; function calling that nobody asked for by name
        (`auto`) gives way to JSON where it is refused. Raises `BadInput` for an address or a key
        that cannot be sent."""
        told = replace(connection, tools=protocol)
        match protocol:
            case "json":
                return self.described(told)
            case "native" if connection.tools == "auto":
                return LearningTools(self.endpoint(told), self._instructions)
            case "native" | "none":
                return self.endpoint(told)
        assert_never(protocol)

    def described(self, connection: Connection) -> JsonTools:
        """The endpoint with tools by the JSON protocol."""
        return JsonTools(self.endpoint(connection), self._instructions)

    def endpoint(self, connection: Connection) -> Endpoint:
        """The bare endpoint in its dialect."""
        match connection.kind:
            case "anthropic":
                return Anthropic(connection, client=self.client, clock=self._clock)
            case "openai" | "gemini":
                return OpenAICompatible(connection, client=self.client, clock=self._clock)
        assert_never(connection.kind)

    async def close(self) -> None:
        await self.client.aclose()
