"""The application without a network, over a house in memory: for what happens before and at a route."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import httpx

from huaben.adapters.system import SystemClock
from huaben.bootstrap import Theatre
from huaben.config import Settings
from huaben.domain.connection import Connection, ToolProtocol
from huaben.domain.scenario import Scenario
from huaben.errors import BadInput, NoConnection, NotFound
from huaben.ports import Model, Store
from huaben.services.connecting import Switchboard
from huaben.services.connections import Connections
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.shelf import Shelf
from huaben.testing.clock import CountedIds
from huaben.testing.jobs import InlineJobs
from huaben.testing.models import ScriptedModel
from huaben.testing.objects import MemoryObjects
from huaben.testing.prober import ScriptedProber
from huaben.testing.secrets import MemorySecrets
from huaben.testing.store import MemoryStore
from huaben.web.app import create_app
from tests.integration.web.table import settings_for

ADDRESS = "http://127.0.0.1:8720"
NOWHERE = Path("nowhere")
"""A data folder that is never opened: the house is in memory."""


class OneModel:
    """The same model for every role, or none."""

    def __init__(self, model: Model | None) -> None:
        self._model = model

    def for_role(self, role: str, name: str = "") -> Model:
        if self._model is None:
            raise NoConnection("no_connection", "No model is connected.", "Set HUABEN_BASE_URL.")
        return self._model


class TwoScenarios:
    """A sound scenario and a broken file."""

    def named(self, name: str) -> Scenario:
        if name == "stage":
            return Scenario()
        if name == "坏":
            raise BadInput("bad_scenario", "坏.toml: limits.round: is not a field that is read")
        raise NotFound("scenario_not_found", f"There is no scenario {name}.")

    def names(self) -> list[str]:
        return ["stage", "坏"]


def theatre_in_memory(store: Store, model: Model | None) -> Theatre:
    house = House(
        store=store,
        objects=MemoryObjects(),
        clock=SystemClock(),
        ids=CountedIds(),
        models=OneModel(model),
        scenarios=TwoScenarios(),
        shelf=Shelf(store),
        jobs=InlineJobs(store),
        owner="test",
    )
    return Theatre(house, Company(house), _switchboard(model))


def _switchboard(model: Model | None) -> Switchboard:
    def opened(connection: Connection, protocol: ToolProtocol) -> Model:
        del connection, protocol  # there is one model
        return model or ScriptedModel([])

    return Switchboard(Connections([], opened), MemorySecrets(), ScriptedProber(), opened)


@asynccontextmanager
async def lobby(
    store: Store | None = None,
    *,
    model: Model | None = None,
    client: str = "127.0.0.1",
    theatre: Theatre | None = None,
    **more: object,
) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of the application with these settings. Unexpected errors are answered, not raised:
    what the server's own boundary does is what is tested."""
    settings: Settings = settings_for(NOWHERE, **{"port": 8720, **more})
    theatre = theatre or theatre_in_memory(store or MemoryStore(), model or ScriptedModel([]))
    app = create_app(settings, lambda _: nullcontext(theatre))
    transport = httpx.ASGITransport(app, client=(client, 50_000))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=ADDRESS, trust_env=False) as found,
    ):
        yield found
    await theatre.company.close()
