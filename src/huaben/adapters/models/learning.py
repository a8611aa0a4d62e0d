"""A model whose tools nobody has tested: function calling until it is refused, the JSON protocol from
then on; apart because neither the endpoint nor the protocol knows of the other."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Final

from huaben.adapters.models.endpoint import Endpoint
from huaben.adapters.models.jsontools import JsonTools
from huaben.domain.messages import ModelEvent, ModelRequest, WireRequest
from huaben.domain.project import Language
from huaben.errors import ProviderFailed

_TOOL_LIST: Final = b',"tools":['
"""How both dialects open the list of tools, in the part that opens the body. Inside a string the
quotes would be escaped, so nothing else can look like it."""


class LearningTools:
    """One endpoint behind the `Model` port that learns whether it takes tools.

    When it refuses them, `stream` raises `ProviderFailed` with the code `reshaped`, as `Endpoint`
    does: the same `ModelRequest` encoded again describes the tools in words (`JsonTools`), and so
    does every later one. `instructions` explain the JSON protocol in each language."""

    def __init__(self, endpoint: Endpoint, instructions: Mapping[Language, str]) -> None:
        self._endpoint = endpoint
        self._described = JsonTools(endpoint, instructions)
        self._refused = False

    @property
    def name(self) -> str:
        return self._endpoint.name

    @property
    def window(self) -> int | None:
        return self._endpoint.window

    @property
    def origin(self) -> str:
        return self._endpoint.origin

    @property
    def calls_tools(self) -> bool:
        return True

    def encode(self, request: ModelRequest) -> WireRequest:
        return (self._described if self._refused else self._endpoint).encode(request)

    async def stream(self, wire: WireRequest) -> AsyncGenerator[ModelEvent]:
        """As `Endpoint.stream`. What was encoded before the refusal of another turn is still read
        as it was put: the request itself tells which form it has."""
        native = _TOOL_LIST in wire.parts[0]
        asked = self._described if self._refused and not native else self._endpoint
        try:
            async with aclosing(asked.stream(wire)) as events:
                async for event in events:
                    yield event
        except ProviderFailed as failure:
            if failure.code != "tools_refused" or not native:
                raise
            self._refused = True
            raise _learnt(failure) from None


def _learnt(failure: ProviderFailed) -> ProviderFailed:
    return ProviderFailed(
        "reshaped",
        failure.message,
        "The tools are described in words next time.",
        http_status=failure.http_status,
        retryable=True,
    )
