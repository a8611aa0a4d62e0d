"""`huaben import` of many files and `huaben jobs`, as a user runs them."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from huaben import Studio
from huaben.cli.importing import FEW
from huaben.ports import Page
from tests.builders import cards
from tests.integration.cli.program import WAIT_S, Program

COUNT = FEW + 30


def many(program: Program) -> str:
    """A folder of cards, one of them unreadable."""
    for n in range(COUNT - 1):
        card = cards.as_json(cards.v2({"name": f"卡 {n}", "first_mes": "在。"}))
        program.file(f"箱/{n:03d}.json", card)
    return str(Path(program.file("箱/坏.json", "{")).parent)


async def cards_in(data: Path) -> list[str]:
    async with Studio.open(data) as studio:
        await studio.house.jobs.idle()
        found, _ = await studio.house.store.cards("local", Page(limit=200))
        return sorted(card.name for card in found)


def test_a_folder_of_many_files_is_imported_as_one_job(program: Program) -> None:
    """Each file is reported in its order, the bad one with its reason; the job is listed."""
    program.lang = "zh"
    run = program.run("import", many(program), "--json")
    assert run.code == 1
    told = run.of("import")
    assert len(told) == COUNT
    assert [one["ok"] for one in told] == [True] * (COUNT - 1) + [False]
    assert told[-1]["code"] == "corrupt"
    assert told[0]["name"] == "卡 0"
    assert run.lines[-1]["files"] == COUNT
    (job,) = program.run("jobs", "--json").lines
    assert isinstance(job["job"], dict)
    assert (job["job"]["done"], job["job"]["total"]) == (COUNT, COUNT)
    listed = program.run("jobs")
    assert f"收文件  {COUNT}/{COUNT}  做完了" in listed.out
    again = program.run("import", str(program.home / "箱"))
    assert again.out.count("已经在库里") == COUNT - 1


def wait_until_due(library: Path) -> None:
    """Until the import's files are all stored and its job is due."""
    address = f"{library.absolute().as_uri()}?mode=ro"
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as reader:
            if reader.execute("SELECT lane FROM due").fetchone() is not None:
                return
        time.sleep(0.02)
    raise AssertionError("no import became due")


def test_an_import_of_many_that_was_interrupted_goes_on(program: Program) -> None:
    """Ctrl-C says what becomes of the rest; the next start takes it in, each card once."""
    running = program.start("import", many(program))
    wait_until_due(program.data / "huaben.db")
    running.send(signal.SIGINT)
    run = running.end()
    assert run.code == 130
    assert "goes on when Huaben starts next" in run.err
    assert asyncio.run(cards_in(program.data)) == sorted(f"卡 {n}" for n in range(COUNT - 1))


def test_a_library_without_jobs_says_so(program: Program) -> None:
    """Nothing is not an error."""
    program.run("import", program.card)
    run = program.run("jobs")
    assert (run.code, run.out) == (0, "There were no background jobs yet.\n")
    assert program.run("jobs", "--json").out == ""
