"""A process that dies between any two steps of a change: afterwards the manuscript is whole, before or after.

The steps are found by the operations on files that the interpreter announces; the child process ends
itself, without any clean-up, just before the n-th of them.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from huaben.adapters.folder import DataFolder
from huaben.adapters.manuscripts.folder import FolderManuscripts
from huaben.domain.checkpoint import FileChange
from huaben.ports.manuscripts import Rewrite

PROJECT = "p1"
DIED, ENDED = 9, 0
BEFORE = {"a.md": "甲".encode(), "b.md": b"b", "c.md": b"c"}
AFTER = {"a.md": "甲改".encode(), "c.md": b"b", "d.md": b"new"}
MOST = 120
"""More operations than a change has."""

CHILD = """
import asyncio, os, sys
from pathlib import Path
from huaben.adapters.folder import DataFolder
from huaben.adapters.manuscripts.folder import FolderManuscripts
from tests.unit.adapters.manuscripts.test_dying import MOST, prepared, the_change

COUNTED = ("open", "os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod")

def die_after(root, last):
    seen = 0
    def count(event, facts):
        nonlocal seen
        if event in COUNTED and str(root) in str(facts[0]):
            seen += 1
            if seen > last:
                os._exit(9)
    return count

async def main(root, last, made):
    home = FolderManuscripts(prepared(root))
    change = await the_change(home)
    sys.addaudithook(die_after(root, last))
    await home.change(change)
    if made != "never":
        await home.settle(change, made=made == "made")

def run(root, last, made):
    # Each in a process of its own, as a hook that was added cannot be taken away.
    child = os.fork()
    if child == 0:
        asyncio.run(main(root, last, made))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

folder, made, first = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for last in range(first, MOST + 1):
    code = run(folder / str(last), last, made)
    print(code, flush=True)
    if code == 0:
        break
"""


async def the_change(home: FolderManuscripts) -> Rewrite:
    """One chapter changes, one is renamed over another, one is new, one goes."""
    now = (await home.take(PROJECT)).manifest
    after = {name: await home.keep(PROJECT, content) for name, content in AFTER.items()}
    names = sorted({*now, *after})
    steps = {n: FileChange(now.get(n), after.get(n)) for n in names if now.get(n) != after.get(n)}
    return Rewrite("c1", PROJECT, steps)


def contents(folder: DataFolder) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.manuscript(PROJECT).iterdir()}


def prepared(root: Path) -> DataFolder:
    folder = DataFolder(root)
    folder.manuscript(PROJECT).mkdir(parents=True)
    for name, content in BEFORE.items():
        (folder.manuscript(PROJECT) / name).write_bytes(content)
    return folder


def run_all(folder: Path, made: str, first: int = 0) -> list[int]:
    """How each child ended: the first dies before its first operation, the last comes to its end."""
    command = [sys.executable, "-c", CHILD, str(folder), made, str(first)]
    told = subprocess.run(command, check=True, timeout=120, stdout=subprocess.PIPE, text=True)
    return [int(line) for line in told.stdout.split()]


async def recovered(folder: DataFolder, *, made: bool) -> None:
    """What the next start does."""
    home = FolderManuscripts(folder)
    for change in await home.unsettled():
        await home.settle(change, made=made)
    assert await home.unsettled() == []
    assert [fault async for fault in home.audit(PROJECT, [])] == []


@pytest.mark.parametrize("made", ["made", "taken back"])
def test_death_at_any_step_leaves_a_whole_manuscript(tmp_path: Path, made: str) -> None:
    """While it was being made, the next start takes it back or finishes it, as the store says; while it
    was being settled, it settles it."""
    codes = run_all(tmp_path, made)
    assert codes == [*[DIED] * (len(codes) - 1), ENDED]
    assert len(codes) > 15
    for last in range(len(codes)):
        folder = DataFolder(tmp_path / str(last))
        asyncio.run(recovered(folder, made=made == "made"))
        found = contents(folder)
        assert found in (BEFORE, AFTER), f"after {last} operations"
        if made == "taken back":
            assert found == BEFORE, f"after {last} operations"
    assert contents(DataFolder(tmp_path / str(len(codes) - 1))) == (
        AFTER if made == "made" else BEFORE
    )


@pytest.mark.parametrize("made", [True, False])
def test_death_before_it_was_settled_can_go_either_way(tmp_path: Path, *, made: bool) -> None:
    """All is there to finish it and all to take it back."""
    assert run_all(tmp_path, "never", MOST) == [ENDED]
    folder = DataFolder(tmp_path / str(MOST))
    assert contents(folder) == AFTER
    asyncio.run(recovered(folder, made=made))
    assert contents(folder) == (AFTER if made else BEFORE)
