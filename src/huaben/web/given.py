"""What a route is given: the open house and its company, the streams, and checked parameters; apart
so that no route reaches into the application's state by itself."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import Depends, Header, Path, Query, Request

from huaben.config import Settings
from huaben.ports import Page
from huaben.services.connecting import Switchboard
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.web.stream import Streams

MAX_WORDS = 200
MAX_NUMBER = 2**53
"""No log grows so long; a larger number would be one that no database holds."""


async def _house(request: Request) -> House:
    house: House = request.app.state.theatre.house
    return house


async def _company(request: Request) -> Company:
    company: Company = request.app.state.theatre.company
    return company


async def _board(request: Request) -> Switchboard:
    board: Switchboard = request.app.state.theatre.switchboard
    return board


async def _streams(request: Request) -> Streams:
    streams: Streams = request.app.state.streams
    return streams


async def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def _page(
    after: Annotated[str | None, Query(max_length=100)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Page:
    return Page(after, limit)


async def _named_page(
    after: Annotated[str | None, Query(max_length=100)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    q: Annotated[
        str, Query(max_length=MAX_WORDS, description="Words that are all in the name.")
    ] = "",
) -> Page:
    return Page(after, limit, q)


async def _seen(
    after: Annotated[
        int, Query(ge=0, le=MAX_NUMBER, description="The last number already seen.")
    ] = 0,
    last_event_id: Annotated[
        int | None, Header(ge=0, le=MAX_NUMBER, description="As `after`; wins.")
    ] = None,
) -> int:
    # A browser reconnects to the address that it began with, so its header is the newer word.
    return after if last_event_id is None else last_event_id


HouseGiven: TypeAlias = Annotated[House, Depends(_house)]
CompanyGiven: TypeAlias = Annotated[Company, Depends(_company)]
BoardGiven: TypeAlias = Annotated[Switchboard, Depends(_board)]
StreamsGiven: TypeAlias = Annotated[Streams, Depends(_streams)]
SettingsGiven: TypeAlias = Annotated[Settings, Depends(_settings)]
PageGiven: TypeAlias = Annotated[Page, Depends(_page)]
NamedPageGiven: TypeAlias = Annotated[Page, Depends(_named_page)]
Seen: TypeAlias = Annotated[int, Depends(_seen)]
Id: TypeAlias = Annotated[str, Path(max_length=100, pattern=r"^[0-9A-Za-z_.-]+$")]
