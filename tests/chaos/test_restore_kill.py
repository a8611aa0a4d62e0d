"""`kill -9` in the middle of a restore: the library is the old one or the new one, whole, with the files
that belong to it."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from huaben.adapters.folder import DataFolder
from huaben.bootstrap import open_vault
from huaben.config import load_settings
from huaben.ports import Page
from tests import forking
from tests.builders.libraries import a_library
from tests.contract.samples import USER

DEATHS = int(os.environ.get("HUABEN_CHAOS_RUNS", "4"))
FILES = ("projects/p/manuscript/001.md", "scenarios/own.toml", "prices.toml")


async def make(data: Path, name: str) -> None:
    """A library whose rows and files all say whose they are."""
    async with a_library(data, data) as library:
        await library.tell(name)
        await library.shelve(name.encode())
        for file in FILES:
            path = data / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {name}\n", "utf-8")


async def archive_of(data: Path, target: Path) -> None:
    async with a_library(data, data) as library:
        await library.vault.back_up(target)


async def whose(data: Path) -> str:
    """Whose library it is, as a start finds it; all of it must agree."""
    async with open_vault(load_settings(data=data)):
        pass  # a start takes up what was left
    async with a_library(data, data) as library:
        assert await library.faults() == []
        assert [fault async for fault in library.objects.audit()] == []
        (project,) = (await library.store.projects(USER, Page()))[0]
    told = {(data / file).read_text("utf-8") for file in FILES}
    assert told == {f"# {project.title}\n"}
    assert not DataFolder(data).restoring.exists()
    return project.title


def die(data: Path, archive: Path, deeds: int) -> subprocess.CompletedProcess[str]:
    words = (str(data), str(archive), str(deeds))
    return forking.listen("tests.chaos.restore_driver", *words, timeout=120)


@pytest.mark.chaos
def test_a_restore_is_whole_wherever_it_dies(tmp_path: Path) -> None:
    """Before each of many of its deeds; both libraries are seen, and a last one goes through."""
    dice = random.Random(20261201)
    old, new, archive = tmp_path / "old", tmp_path / "new", tmp_path / "new.zip"
    asyncio.run(make(old, "旧的"))
    asyncio.run(make(new, "new"))
    asyncio.run(archive_of(new, archive))
    shutil.copytree(old, tmp_path / "whole")
    whole = die(tmp_path / "whole", archive, 1_000_000)
    assert whole.returncode == 0, whole.stderr
    assert asyncio.run(whose(tmp_path / "whole")) == "new"
    deeds = int(whole.stdout)
    found: set[str] = set()
    # The last deeds are those behind the decision: some of each half.
    chosen = [*range(deeds, 0, -max(1, deeds // (2 * DEATHS)))][: DEATHS // 2]
    chosen += [dice.randint(1, deeds) for _ in range(DEATHS - len(chosen))]
    for number, deed in enumerate(chosen):
        data = tmp_path / f"data{number}"
        shutil.copytree(old, data)
        dead = die(data, archive, deed)
        assert dead.returncode == -signal.SIGKILL, dead.stderr
        found.add(asyncio.run(whose(data)))
        shutil.rmtree(data)
    assert found == {"旧的", "new"}
