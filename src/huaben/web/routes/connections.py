"""Connections: seen, kept, forgotten, tested, found. Nothing is asked of any endpoint unless a request
says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Path, Query
from starlette.responses import JSONResponse, Response

from huaben.domain.providers import LOCAL, PROVIDERS, Provider
from huaben.formats.connections import settings_of
from huaben.services import connecting
from huaben.services.connecting import Wish
from huaben.services.connections import Known
from huaben.services.house import House
from huaben.web import schemas, shapes
from huaben.web.given import BoardGiven, HouseGiven
from huaben.web.schemas_connections import (
    ConnectionChanged,
    ConnectionGiven,
    ConnectionTold,
    ConnectionWanted,
    ModelTold,
    ProviderTold,
)

router = APIRouter(prefix="/api/connections", tags=["connections"])

Name: TypeAlias = Annotated[str, Path(max_length=60)]
_SECRET = ("api_key", "headers", "roles", "name", "revision")


@router.get("", response_model=schemas.PageOf[ConnectionTold])
async def list_connections(house: HouseGiven, board: BoardGiven) -> JSONResponse:
    """All connections, in the order in which one is taken for a role that nobody gave away."""
    return JSONResponse(_page(house, board.connections.known))


@router.post("", status_code=201, response_model=ConnectionTold)
async def add(house: HouseGiven, board: BoardGiven, wanted: ConnectionWanted) -> JSONResponse:
    """Keep a connection. Its key goes into a file of its own and is never told again."""
    one = await connecting.keep(house, board, _wish(wanted.name, wanted), 0)
    return JSONResponse(_told(house, one), 201)


@router.get("/providers", response_model=schemas.PageOf[ProviderTold])
async def list_providers() -> JSONResponse:
    """Providers and local servers whose address is known."""
    return JSONResponse(shapes.page((*PROVIDERS, *LOCAL), None, _provider))


@router.post("/find", response_model=schemas.PageOf[ConnectionTold])
async def find(house: HouseGiven, board: BoardGiven) -> JSONResponse:
    """Look for model servers on this machine, on their usual ports, and keep the new ones."""
    return JSONResponse(_page(house, await connecting.find(house, board)))


@router.get("/{name}", response_model=ConnectionTold)
async def show(house: HouseGiven, board: BoardGiven, name: Name) -> JSONResponse:
    """A connection with what the last test found."""
    return JSONResponse(_told(house, board.connections.named(name)))


@router.put("/{name}", response_model=ConnectionTold)
async def change(
    house: HouseGiven, board: BoardGiven, name: Name, given: ConnectionChanged
) -> JSONResponse:
    """Change a connection, or keep one that was found. What is left out takes its default."""
    one = await connecting.keep(house, board, _wish(name, given), given.revision)
    return JSONResponse(_told(house, one))


@router.delete("/{name}", status_code=204)
async def forget(
    house: HouseGiven, board: BoardGiven, name: Name, revision: Annotated[int, Query(ge=0)]
) -> Response:
    """Let a kept connection and its key go."""
    await connecting.forget(house, board, name, revision)
    return Response(status_code=204)


@router.post("/{name}/test", response_model=ConnectionTold)
async def try_out(house: HouseGiven, board: BoardGiven, name: Name) -> JSONResponse:
    """Find out what it can do, by a handful of small calls that its provider may charge for."""
    return JSONResponse(_told(house, await connecting.probe(house, board, name)))


@router.get("/{name}/models", response_model=schemas.PageOf[ModelTold])
async def list_models(board: BoardGiven, name: Name) -> JSONResponse:
    """The models that its endpoint lists now, with their windows where it tells them."""
    listing = await connecting.list_models(board, name)
    items = [{"name": one, "window": listing.windows.get(one)} for one in listing.models]
    return JSONResponse({"items": items, "next": None})


# ---- in and out ------------------------------------------------------------------------------------


def _wish(name: str, given: ConnectionGiven) -> Wish:
    sampling = given.sampling.model_dump(exclude_none=True) if given.sampling else {}
    plain: Mapping[str, object] = given.model_dump(exclude_none=True, exclude={"sampling"})
    settings = {field: value for field, value in plain.items() if field not in _SECRET}
    return Wish(
        name,
        {**settings, **({"sampling": sampling} if sampling else {})},
        tuple(given.roles),
        given.api_key,
        given.headers,
    )


def _page(house: House, known: tuple[Known, ...] | list[Known]) -> dict[str, object]:
    return {"items": [_told(house, one) for one in known], "next": None}


def _told(house: House, one: Known) -> dict[str, object]:
    connection, found = one.connection, asdict(one.capabilities)
    models = found.pop("models")
    found.pop("window")
    price = house.prices.price(connection.origin)
    return {
        "name": one.name,
        "source": one.source,
        "kind": connection.kind,
        "base_url": connection.base_url,
        "model": connection.model,
        "window": one.window,
        "tools": connection.tools,
        "tools_in_force": one.protocol,
        "usable": one.usable,
        "has_key": bool(connection.api_key),
        "own_key": one.own_key,
        "headers": sorted(connection.headers),
        "roles": list(one.roles),
        "sampling": settings_of(connection).get("sampling", {}),
        "accepts": sorted(connection.accepts),
        "capabilities": found if one.capabilities.tested_at else None,
        "models": list(models),
        "price": None if price is None else _price(asdict(price)),
        "revision": one.revision,
    }


def _price(price: Mapping[str, object]) -> dict[str, object]:
    told = ("currency", "prompt", "cached", "cache_written", "completion", "as_of")
    return {name: price[name] for name in told}


def _provider(one: Provider) -> dict[str, object]:
    return {
        "name": one.name,
        "title": one.title,
        "base_url": one.base_url,
        "kind": one.kind,
        "model": one.model,
        "variables": list(one.variables),
    }
