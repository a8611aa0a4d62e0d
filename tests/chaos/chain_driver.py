"""The process that the chaos test of the post-turn chain kills: it plays a turn, or carries out what follows it,
and dies by its own hand right behind a commit or a recorded step that nobody has died behind before.

What has been died behind is noted in a file each, so that the next process goes further.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path

from huaben.adapters.db.opening import open_database
from huaben.adapters.db.store import SqlStore
from huaben.adapters.folder import DataFolder
from huaben.adapters.jobs.durable import DurableJobs
from huaben.adapters.jobs.journal import in_folder
from huaben.adapters.objects import FolderObjects
from huaben.adapters.system import SystemClock, SystemIds
from huaben.bootstrap import Lines
from huaben.domain.connection import Connection
from huaben.domain.events import ScribeChange
from huaben.ports import Action, Commit, Committed, Effect, Model, Stale, Step, Store, Work
from huaben.services import chores, founding, library, playing
from huaben.services.founding import Founding
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.shelf import Shelf
from tests.integration.aftermath.conftest import Fixed, Roles
from tests.integration.stage.conftest import CARD

SETTINGS: Mapping[str, Mapping[str, object]] = {
    "scribe": {"enabled": True},
    "compaction": {"keep": 0, "every": 1, "min_chars": 1},
    "memory": {"sources": ["diary", "tables", "store", "card"]},
}


@dataclass(frozen=True, slots=True)
class Fate:
    """Where this process may die."""

    folder: Path
    mortal: bool

    def behind(self, *what: object) -> None:
        """Die here, unless somebody did before."""
        mark = blake2b(repr(what).encode(), digest_size=8).hexdigest()
        died = self.folder / f"died-{mark}"
        if self.mortal and not died.exists():
            died.write_text(repr(what), "utf-8")
            os.kill(os.getpid(), signal.SIGKILL)


class MortalStore(SqlStore):
    """The library's store, behind each commit of which there is a death."""

    def __init__(self, root: Path, clock: SystemClock, fate: Fate) -> None:
        super().__init__(open_database(root, read_only=False), clock)
        self._fate = fate

    async def commit(self, commit: Commit) -> Committed | Stale:
        done = await super().commit(commit)
        self._fate.behind("commit", *_traits(commit))
        return done


def _traits(commit: Commit) -> list[str]:
    """What a commit is about; the same in every process that makes it."""
    rows = [row.key if isinstance(row, Effect) else type(row).__name__ for row in commit.rows]
    states = [event.state for _, event in commit.events if isinstance(event, ScribeChange)]
    return [*rows, *(event.kind for _, event in commit.events), *states]


class MortalJobs(DurableJobs):
    """The durable engine, behind each recorded step of which there is a death."""

    def __init__(self, store: Store, data: DataFolder, fate: Fate) -> None:
        super().__init__(store, in_folder(data.jobs_database))
        self._fate = fate

    def start(self, work: Work) -> None:
        super().start(partial(self._mortally, work))

    async def _mortally(self, work: Work, lane: str, seq: int, step: Step) -> None:
        async def mortal(name: str, action: Action) -> Mapping[str, object]:
            given = await step(name, action)
            self._fate.behind("step", name)
            return given

        await work(lane, seq, mortal)


def a_house(folder: Path, model: Model, fate: Fate) -> House:
    data = DataFolder(folder / "data")
    clock = SystemClock()
    store = MortalStore(data.root, clock, fate)
    return House(
        store=store,
        objects=FolderObjects(data.objects),
        clock=clock,
        ids=SystemIds(),
        models=Roles({"story": model}),
        scenarios=Fixed(SETTINGS),
        shelf=Shelf(store),
        jobs=MortalJobs(store, data, fate),
        owner="driver",
    )


async def play(house: House) -> None:
    """Play a turn to its seal; what follows it is due then, and not carried out."""
    company = Company(house)
    card = await library.import_card(house, json.dumps(CARD).encode(), "shen.json")
    project, _ = await founding.create_project(house, Founding(card_id=card.id))
    turn = await playing.post_turn(house, company, project.id, playing.Words("伞呢？"))
    await company.settled(turn.id)
    await company.close()


async def follow(house: House) -> None:
    """Carry out what is due."""
    await chores.begin(house)
    await house.jobs.idle()
    await house.jobs.close()


async def main(what: str, folder: Path, base_url: str) -> None:
    lines = Lines(SystemClock())
    model = lines.model(Connection("here", base_url, "scripted", retries=0), "native")
    house = a_house(folder, model, Fate(folder, what == "follow"))
    await (play(house) if what == "play" else follow(house))
    await house.store.close()
    await lines.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
