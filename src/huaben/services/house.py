"""What every service works with: the ports of one running program and the locks of its projects."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakValueDictionary

from huaben.domain.pricing import PriceTable
from huaben.domain.scenario import Scenario
from huaben.ports import Clock, Ids, Images, Jobs, Model, Objects, Passage, Store
from huaben.ports.manuscripts import Manuscripts
from huaben.ports.vault import Vault
from huaben.services.gauge import Gauge
from huaben.services.offers import Offers
from huaben.services.rests import Rests
from huaben.services.scenariowriting import ScenarioTexts
from huaben.services.scripts_memory import ScriptMemory
from huaben.services.shelf import Shelf


class Models(Protocol):
    """The connections by role. Raises `NoConnection` when none serves the role."""

    def for_role(self, role: str, name: str = "") -> Model: ...


class Painters(Protocol):
    """The connections that draw: that of the name, else the one that was given the role `image`; None
    where there is none, for no other model can stand in for it."""

    def painter(self, name: str = "") -> Images | None: ...


class Passages(Protocol):
    """The ways to models by the names that callers use. Raises `NoConnection`, `NotFound`."""

    def ids(self) -> list[str]: ...
    def passage(self, model_id: str) -> Passage: ...


class Scenarios(Protocol):
    """The scenarios by name: the shipped ones and the user's own. Raises `NotFound` for an unknown
    name and `BadInput` for a file that does not validate."""

    def named(self, name: str) -> Scenario: ...
    def names(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class House:
    """The ports of one program. `owner` names this process on the turns that it runs. `user_id` is
    whose rows it sees until there are accounts."""

    store: Store
    objects: Objects
    clock: Clock
    ids: Ids
    models: Models
    scenarios: Scenarios
    shelf: Shelf
    jobs: Jobs
    owner: str
    user_id: str = "local"
    flush_s: float = 0.1
    gauge: Gauge = field(default_factory=Gauge)
    prices: PriceTable = field(default_factory=PriceTable)
    scripts: ScriptMemory = field(default_factory=ScriptMemory)
    manuscripts: Manuscripts | None = None
    vault: Vault | None = None
    offers: Offers = field(default_factory=Offers)
    rests: Rests = field(default_factory=Rests)
    painters: Painters | None = None
    passages: Passages | None = None
    scenario_texts: ScenarioTexts | None = None
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[str, asyncio.Lock]
    )

    def now(self) -> str:
        """The time as rows keep it."""
        return self.clock.now().isoformat()

    def lock(self, project_id: str) -> asyncio.Lock:
        """One lock per project, so that what this process does to a story is done in order. Between
        processes the revisions of the head decide."""
        lock = self._locks.get(project_id)
        if lock is None:
            lock = self._locks[project_id] = asyncio.Lock()
        return lock
