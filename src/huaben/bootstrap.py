"""The only place that knows the adapters: settings in, a running house out."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from huaben.adapters.db.store import open_store
from huaben.adapters.folder import DataFolder
from huaben.adapters.jobs.durable import DurableJobs
from huaben.adapters.jobs.journal import Journal, in_folder, on_server
from huaben.adapters.models.rehearsal.engine import Rehearsal
from huaben.adapters.models.rehearsal.wire import NAME as REHEARSAL
from huaben.adapters.objects import FolderObjects
from huaben.adapters.system import SystemClock, SystemIds
from huaben.config import Settings
from huaben.domain.connection import Connection
from huaben.domain.scenario import Scenario
from huaben.errors import BadInput, NoConnection, NotFound
from huaben.formats.scenario import Fault, Resolved, read_scenario, resolve
from huaben.ports import Clock, Model
from huaben.services import chores
from huaben.services.house import House, Models
from huaben.services.performing import Company
from huaben.services.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Theatre:
    """A house and the company that plays in it."""

    house: House
    company: Company


@asynccontextmanager
async def build(
    settings: Settings, *, models: Models | None = None, read_only: bool = False
) -> AsyncGenerator[Theatre]:
    """Open the data folder and bring up everything; what an earlier process left is taken up.

    `models` replaces the configured connections (tests, rehearsals). Raises `DataFolderInUse`.
    """
    async with AsyncExitStack() as stack:
        folder = DataFolder(settings.data)
        clock, ids = SystemClock(), SystemIds()
        where = settings.database_url or folder.root
        store = open_store(where, clock=clock, read_only=read_only)
        stack.push_async_callback(store.close)
        connections = Connections(settings.connection, clock)
        stack.push_async_callback(connections.close)
        house = House(
            store=store,
            objects=FolderObjects(folder.objects),
            clock=clock,
            ids=ids,
            models=models or connections,
            scenarios=ScenarioFiles(folder.scenarios),
            shelf=Shelf(store),
            jobs=DurableJobs(store, _journal(settings, folder)),
            owner=ids.new(),
        )
        company = Company(house)
        if not read_only:
            await company.recover()
            await chores.begin(house)
        stack.push_async_callback(company.close)
        stack.push_async_callback(house.jobs.close)
        yield Theatre(house, company)


def _journal(settings: Settings, folder: DataFolder) -> Journal:
    """Where the job engine keeps its records: in the library's server or beside its file."""
    if settings.database_url:
        return on_server(settings.database_url, folder.root)
    return in_folder(folder.jobs_database)


class Connections:
    """The configured connection for every role; its client is made when it is first needed. A
    project that names the rehearsal gets it, whatever is connected; no other one ever does."""

    def __init__(self, connection: Connection | None, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._model: Model | None = None
        self._rehearsal = Rehearsal(clock)
        self._closing = AsyncExitStack()

    def for_role(self, role: str, name: str = "") -> Model:
        if name == REHEARSAL:
            return self._rehearsal
        if self._connection is None:
            raise NoConnection(
                "no_connection",
                "No model is connected.",
                "Set HUABEN_BASE_URL, HUABEN_MODEL and, where needed, HUABEN_API_KEY,"
                " or play the rehearsal.",
            )
        if name not in ("", self._connection.name):
            raise NoConnection(
                "unknown_connection", f"The scenario names the connection {name} for {role}."
            )
        if self._model is None:
            self._model = self._open(self._connection)
        return self._model

    def _open(self, connection: Connection) -> Model:
        # Loading an HTTP client takes longer than everything else at start-up.
        from huaben.adapters.models.openai_compatible import OpenAICompatible, open_client

        client = open_client()
        self._closing.push_async_callback(client.aclose)
        return OpenAICompatible(connection, client=client, clock=self._clock)

    async def close(self) -> None:
        await self._closing.aclose()


class ScenarioFiles:
    """Scenarios shipped with the package and the user's own files beside them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def named(self, name: str) -> Scenario:
        return self.resolved(name).scenario

    def resolved(self, name: str) -> Resolved:
        """The scenario with the origin of every value."""
        own = self._folder / f"{name}.toml"
        shipped = _shipped()
        if name in shipped:
            return check_scenario(shipped[name], f"{name} (shipped)")
        if name in self.names():
            return check_scenario(own.read_bytes(), own.name)
        known = ", ".join(self.names())
        raise NotFound("scenario_not_found", f"There is no scenario {name}; there are: {known}.")

    def names(self) -> list[str]:
        own = sorted(path.stem for path in self._folder.glob("*.toml"))
        return [*_shipped(), *(name for name in own if name not in _shipped())]


def check_scenario(data: bytes, source: str, *, json_form: bool = False) -> Resolved:
    """Resolve a scenario file over what it extends. Raises `BadInput` naming every fault."""
    tables = read_scenario(data, json_form=json_form)
    if isinstance(tables, Fault):
        raise BadInput("bad_scenario", f"{source}: {tables}")
    base = tables.get("extends", "stage")
    shipped = _shipped()
    if not isinstance(base, str) or base not in shipped:
        raise BadInput("bad_scenario", f"{source}: extends must be one of {', '.join(shipped)}")
    under = read_scenario(shipped[base])
    assert not isinstance(under, Fault)
    found = resolve((f"{base} (shipped)", under), (source, tables))
    if isinstance(found, Resolved):
        return found
    faults = "; ".join(str(fault) for fault in found)
    raise BadInput("bad_scenario", f"{source}: {faults}")


def _shipped() -> dict[str, bytes]:
    """The shipped scenarios by name."""
    folder = files("huaben") / "scenarios"
    return {
        entry.name.removesuffix(".toml"): entry.read_bytes()
        for entry in sorted(folder.iterdir(), key=lambda e: e.name)
        if entry.name.endswith(".toml")
    }
