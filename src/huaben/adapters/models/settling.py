"""What a request asks for under what a connection sets, before any dialect spells it; apart because it is the
same for all of them."""

from __future__ import annotations

from dataclasses import fields, replace

from huaben.domain.connection import Connection
from huaben.domain.messages import Assistant, ModelRequest, Sampling, WireRequest

PREFILL = "prefill"
"""How a beginning of the reply that is not sent is named among what was withheld."""


def settled(request: ModelRequest, connection: Connection) -> ModelRequest:
    """The request with the usual samplers where neither it nor the connection sets one, and with the
    beginning of the reply where the dialect takes it: as a last message of the model's."""
    if request.usual != Sampling():
        sampling = _over(request.sampling, connection.sampling, request.usual)
        request = replace(request, sampling=sampling, usual=Sampling())
    if takes_prefill(request, connection):
        request = replace(request, messages=(*request.messages, Assistant(request.prefill)))
    return request


def takes_prefill(request: ModelRequest, connection: Connection) -> bool:
    """Only Anthropic's dialect goes on from a last message of the model's, and only without tools;
    others would answer it."""
    able = connection.kind == "anthropic" and connection.prefills
    return able and bool(request.prefill.strip()) and not request.tools


def told(request: ModelRequest, wire: WireRequest, connection: Connection) -> WireRequest:
    """The wire form, naming a beginning that was not sent."""
    if not request.prefill.strip() or takes_prefill(request, connection):
        return wire
    return replace(wire, withheld=(*wire.withheld, PREFILL))


def _over(asked: Sampling, own: Sampling, usual: Sampling) -> Sampling:
    """What is asked for, else nothing where the connection has its own, else the usual."""
    empty = Sampling()
    chosen: dict[str, object] = {}
    for field in fields(Sampling):
        nothing: object = getattr(empty, field.name)
        value: object = getattr(asked, field.name)
        if value == nothing and getattr(own, field.name) == nothing:
            value = getattr(usual, field.name)
        chosen[field.name] = value
    return Sampling(**chosen)  # pyright: ignore[reportArgumentType] - each from the same field
