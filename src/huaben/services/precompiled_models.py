"""Which connection a caller's request goes to, by the name of its model; apart from the roles of a story because
here the caller chooses, and every name that is listed must be one that is answered to."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import TypeAlias

from huaben.domain.completions import HOUSE_MODEL, Completion, CompletionFault
from huaben.domain.completions_carried import carried
from huaben.domain.completions_spelled import Spelling
from huaben.domain.connection import Connection
from huaben.domain.messages import Finished, Retrying, WireRequest
from huaben.errors import BadInput, NotFound
from huaben.ports import Clock, Content, Model, Passage, Passed
from huaben.services.connections import Connections, Known, Opening, Setting

Way: TypeAlias = Callable[[Connection], Passage]
"""Opens a connection of the chat-completions form for a caller's own requests."""


class Gateway:
    """The connections as callers name them (`house.Passages`): `huaben` for whoever plays the story
    role, `connection/model`, or the plain name of a model that a connection has."""

    def __init__(
        self,
        connections: Connections,
        open_way: Way,
        open_model: Opening,
        clock: Clock,
        common: Setting = lambda connection: connection,
    ) -> None:
        self._connections = connections
        self._open_way = open_way
        self._open_model = open_model
        self._clock = clock
        self._common = common

    def ids(self) -> list[str]:
        """Every name that is answered to, the house's own first."""
        usable = self._usable()
        own = [HOUSE_MODEL] if usable else []
        qualified = [f"{one.name}/{one.connection.model}" for one in usable]
        plain = [one.connection.model for one in usable]
        embedded = sorted(self._connections.embedded)
        return list(dict.fromkeys([*own, *qualified, *plain, *embedded]))

    def passage(self, model_id: str) -> Passage:
        """The way to the model of that name. A connection that is named takes any model of its
        endpoint. Raises `NoConnection`, `NotFound`."""
        if model_id in self._connections.embedded:
            return Carrying(self._connections.for_role("story", model_id), self._clock)
        usable = self._usable()
        if model_id == HOUSE_MODEL:
            storyteller = self._connections.for_role("story").name
            return self._opened(self._connections.named(storyteller))
        for one in usable:
            if model_id in (one.connection.model, one.name):
                return self._opened(one)
        name, _, model = model_id.partition("/")
        for one in usable:
            if one.name == name and model:
                return self._opened(one, model)
        raise NotFound(
            "model_not_found",
            f"There is no model {model_id}.",
            "GET /v1/models lists those that there are.",
        )

    def _usable(self) -> list[Known]:
        """Those that speak; one that only draws does not."""
        known = self._connections.known
        return [one for one in known if one.usable and one.roles != ("image",)]

    def _opened(self, known: Known, model: str = "") -> Passage:
        connection = replace(
            self._common(known.connection), model=model or known.connection.model, retries=0
        )
        if connection.kind == "anthropic":
            return Carrying(self._open_model(connection, "native"), self._clock)
        return self._open_way(connection)


class Carrying:
    """Implements `Passage` over a model of another form: what a caller sends is put into that form
    where all of it can be, and the reply is put back."""

    def __init__(self, model: Model, clock: Clock) -> None:
        self._model = model
        self._clock = clock

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def origin(self) -> str:
        return self._model.origin

    def wire(self, asked: Completion, tail: str = "") -> WireRequest:
        request = carried(asked, tail)
        if isinstance(request, CompletionFault):
            raise BadInput("not_carried", request.detail, param=request.param)
        wire = self._model.encode(request)
        if wire.withheld:
            param = wire.withheld[0]
            raise BadInput("not_carried", f"{self.name} does not take {param}", param=param)
        return wire

    async def forward(
        self, asked: Completion, wire: WireRequest, reply_id: str
    ) -> AsyncGenerator[Passed]:
        spelling = Spelling(reply_id, int(self._clock.now().timestamp()), asked.model)
        begun = False
        async for event in self._model.stream(wire):
            if isinstance(event, Retrying):
                continue
            if not begun:
                begun = True
                yield Content()
                if asked.streams:
                    yield spelling.opening()
            if asked.streams and (piece := spelling.chunk(event, usage=asked.wants_usage)):
                yield piece
            if isinstance(event, Finished):
                if not asked.streams:
                    yield spelling.whole(event.reply)
                yield event
