"""The only place that knows the adapters: settings in, a running house out."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from huaben import __version__
from huaben.adapters.db.backup import SqlVault
from huaben.adapters.db.backup_writing import Place
from huaben.adapters.db.store import open_store
from huaben.adapters.folder import DataFolder
from huaben.adapters.installation import installation_at
from huaben.adapters.jobs.durable import DurableJobs
from huaben.adapters.jobs.journal import Journal, in_folder, on_server
from huaben.adapters.manuscripts.folder import FolderManuscripts
from huaben.adapters.models.rehearsal.drawing import RehearsalImages
from huaben.adapters.models.rehearsal.engine import Rehearsal
from huaben.adapters.models.rehearsal.wire import NAME as REHEARSAL
from huaben.adapters.objects import FolderObjects
from huaben.adapters.probing import EndpointProber
from huaben.adapters.scenariofolder import ScenarioFolder
from huaben.adapters.secrets import SecretsFile
from huaben.adapters.system import SystemClock, SystemIds
from huaben.config import EASEL, Settings
from huaben.domain.connection import Connection, ToolProtocol
from huaben.domain.pricing import PriceTable
from huaben.domain.project import Language
from huaben.domain.scenario import Scenario
from huaben.errors import BadInput, NotFound
from huaben.formats.prices import read_prices
from huaben.formats.scenario import Fault, Resolved, read_scenario, resolve
from huaben.ports import Clock, Images, Model, Passage
from huaben.ports.installation import Installation
from huaben.ports.vault import Vault
from huaben.prompt import texts
from huaben.services import chores
from huaben.services.connecting import Switchboard
from huaben.services.connections import Connections, Painting, Source
from huaben.services.house import House, Models
from huaben.services.performing import Company
from huaben.services.precompiled_models import Gateway
from huaben.services.shelf import Shelf
from huaben.services.writing.ending import recover as recover_manuscripts

if TYPE_CHECKING:
    from huaben.adapters.models.opening import Opener


@dataclass(frozen=True, slots=True)
class Theatre:
    """A house, the company that plays in it, and what its connections are changed with."""

    house: House
    company: Company
    switchboard: Switchboard


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
        lines = Lines(clock)
        stack.push_async_callback(lines.close)
        board = _switchboard(settings, lines, folder, clock)
        place = Place(folder, settings.database_url, ids.new(), __version__)
        vault = SqlVault(store, place, clock, ids)
        if not read_only:
            await vault.recover()
        house = House(
            store=store,
            objects=FolderObjects(folder.objects),
            clock=clock,
            ids=ids,
            models=models or board.connections,
            scenarios=ScenarioFiles(folder.scenarios),
            scenario_texts=ScenarioFolder(folder.scenarios),
            shelf=Shelf(store),
            jobs=DurableJobs(store, _journal(settings, folder)),
            owner=place.owner,
            prices=read_price_files(folder.prices),
            manuscripts=FolderManuscripts(folder),
            vault=vault,
            painters=board.connections,
            passages=Gateway(board.connections, lines.passage, lines.model, clock, settings.timed),
        )
        await board.connections.refresh(store, board.secrets, house.user_id)
        company = Company(house)
        if not read_only:
            await recover_manuscripts(house)
            await company.recover()
            await chores.begin(house)
        stack.push_async_callback(company.close)
        stack.push_async_callback(house.jobs.close)
        yield Theatre(house, company, board)


def old_installation(folder: Path) -> Installation:
    """The data of another program in a folder of this machine; nothing of it is changed. Raises
    `BadInput` (`no_installation`, `several_users`)."""
    return installation_at(folder)


@asynccontextmanager
async def open_vault(settings: Settings) -> AsyncGenerator[Vault]:
    """Open the data folder for a restore and nothing else: no turn and no job of the library that is
    to go is taken up first. Raises `DataFolderInUse`."""
    folder, clock = DataFolder(settings.data), SystemClock()
    store = open_store(settings.database_url or folder.root, clock=clock)
    try:
        place = Place(folder, settings.database_url, version=__version__)
        vault = SqlVault(store, place, clock, SystemIds())
        await vault.recover()
        yield vault
    finally:
        await store.close()


def _journal(settings: Settings, folder: DataFolder) -> Journal:
    """Where the job engine keeps its records: in the library's server or beside its file."""
    if settings.database_url:
        return on_server(settings.database_url, folder.root)
    return in_folder(folder.jobs_database)


class Lines:
    """What all connections run over. Made when it is first needed: loading an HTTP client takes longer
    than everything else at start-up."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._opener: Opener | None = None

    def opener(self) -> Opener:
        if self._opener is None:
            from huaben.adapters.models.opening import Opener

            languages: tuple[Language, ...] = ("zh", "en")
            explained: dict[Language, str] = {
                one: texts.shipped(one, "jsontools") for one in languages
            }
            self._opener = Opener(self._clock, explained)
        return self._opener

    def model(self, connection: Connection, protocol: ToolProtocol) -> Model:
        return self.opener().model(connection, protocol)

    def images(self, connection: Connection) -> Images:
        from huaben.adapters.images import EndpointImages

        return EndpointImages(connection, client=self.opener().client, clock=self._clock)

    def passage(self, connection: Connection) -> Passage:
        from huaben.adapters.models.passing import Passing

        return Passing(connection, client=self.opener().client, clock=self._clock)

    async def close(self) -> None:
        if self._opener is not None:
            await self._opener.close()


def _switchboard(settings: Settings, lines: Lines, folder: DataFolder, clock: Clock) -> Switchboard:
    """The connections of the environment, and what the user's own are changed with. A project that
    names the rehearsal gets it, whatever is connected; no other one ever does."""
    given: list[tuple[Source, Connection]] = [("key", found) for found in settings.found]
    if settings.connection is not None:
        given.insert(0, ("environment", settings.connection))
    if settings.easel is not None:
        given.append(("environment", settings.easel))
    embedded = {REHEARSAL: Rehearsal(clock)}
    painting = Painting(lines.images, {REHEARSAL: RehearsalImages()}, EASEL)
    connections = Connections(
        given, lines.model, embedded, common=settings.timed, painting=painting
    )
    prober = EndpointProber(lines.opener, clock)
    return Switchboard(connections, SecretsFile(folder.secrets), prober, lines.model)


def read_price_files(own: Path) -> PriceTable:
    """The user's own prices before the shipped ones. Raises `BadInput` naming every fault."""
    tables: list[PriceTable] = []
    for file in (own, files("huaben") / "prices.toml"):
        if not file.is_file():
            continue
        read = read_prices(file.read_bytes())
        if not isinstance(read, PriceTable):
            faults = "; ".join(str(fault) for fault in read)
            raise BadInput("bad_prices", f"{file.name}: {faults}")
        tables.append(read)
    return PriceTable(tuple(price for table in tables for price in table.prices))


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
    found = judge_scenario(data, source, json_form=json_form)
    if isinstance(found, Resolved):
        return found
    faults = "; ".join(str(fault) for fault in found)
    raise BadInput("bad_scenario", f"{source}: {faults}")


def judge_scenario(
    data: bytes, source: str, *, json_form: bool = False
) -> Resolved | tuple[Fault, ...]:
    """A scenario file over what it extends, or every fault of it: also what cannot hold together with
    a value that stands beneath."""
    tables = read_scenario(data, json_form=json_form)
    if isinstance(tables, Fault):
        return (tables,)
    base = tables.get("extends", "stage")
    shipped = _shipped()
    if not isinstance(base, str) or base not in shipped:
        return (Fault("extends", f"must be one of {', '.join(shipped)}, not {base!r}"),)
    under = read_scenario(shipped[base])
    assert not isinstance(under, Fault)
    return resolve((f"{base} (shipped)", under), (source, tables))


def _shipped() -> dict[str, bytes]:
    """The shipped scenarios by name."""
    folder = files("huaben") / "scenarios"
    return {
        entry.name.removesuffix(".toml"): entry.read_bytes()
        for entry in sorted(folder.iterdir(), key=lambda e: e.name)
        if entry.name.endswith(".toml")
    }
