"""What every vault promises: all that is stored comes back, whichever database holds it."""

from __future__ import annotations

import asyncio
import json
import zipfile
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest
from sqlalchemy import inspect

from huaben.adapters.db import fulltext
from huaben.adapters.db.backup_archive import LIST
from huaben.adapters.db.backup_rows import DERIVED
from huaben.domain.events import Notice
from huaben.errors import Conflict, NotFound, StorageFailed
from huaben.ports import Commit, Page
from tests.builders.libraries import OWNER, Library, a_library
from tests.contract.conftest import POSTGRESQL
from tests.contract.samples import USER, a_turn

PNG = b"\x89PNG" + bytes(range(256)) * 40
Places = Callable[[str], str | Path]


@pytest.fixture(params=["sqlite", POSTGRESQL])
async def library(
    request: pytest.FixtureRequest, places: Places, tmp_path: Path
) -> AsyncGenerator[Library]:
    kind = str(request.param)
    folder = tmp_path / "资料 data"
    where = folder if kind == "sqlite" else places(kind)
    async with a_library(where, folder) as opened:
        yield opened


async def filled(library: Library) -> None:
    """Something of everything, in the database and beside it."""
    await library.tell("第一个故事：旧伞")
    await library.tell("A second story, with a lighthouse")
    await library.shelve(PNG)
    root = library.folder.root
    for name, text in {
        "projects/p1/manuscript/001 雨夜.md": "# 雨夜\n",
        "projects/p1/history/objects/ab": "x",
        "scenarios/我的.toml": 'extends = "stage"\n',
        "prices.toml": "",
        "secrets.toml": 'api_key = "sk-very-secret"\n',
        "huaben.toml": 'api_key = "sk-also-secret"\n',
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def listed(path: Path) -> dict[str, tuple[int, str]]:
    """The list of an archive by name, without what differs from run to run."""
    with zipfile.ZipFile(path) as archive:
        _, *lines = archive.read(LIST).splitlines()
    rows = [json.loads(line) for line in lines]
    return {name: (size, sha256) for name, size, sha256 in rows if name != "tables/effect.jsonl"}


def facts(path: Path) -> dict[str, object]:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(LIST).splitlines()[0])


# ---- there and back ----------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["sqlite", POSTGRESQL])
@pytest.mark.parametrize("target", ["sqlite", POSTGRESQL])
async def test_a_library_moves_whole_between_databases(
    source: str, target: str, places: Places, tmp_path: Path
) -> None:
    """Each row, object and file; what is derived is made anew, and the audit finds nothing."""
    here, there = tmp_path / "here", tmp_path / "there"
    archive = tmp_path / "b.zip"
    async with a_library(here if source == "sqlite" else places(source), here) as library:
        await filled(library)
        made = await library.vault.back_up(archive)
        assert (made.contents.projects, made.contents.turns) == (2, 2)
        assert (made.contents.cards, made.contents.lorebooks, made.contents.objects) == (1, 1, 1)
        assert (made.contents.files, made.contents.left_out) == (4, ())
    async with a_library(there if target == "sqlite" else places(target), there) as library:
        await library.tell("What was here before")
        restored = await library.vault.restore(archive)
        assert restored.contents == made.contents
        again = (await library.vault.back_up()).path
        assert listed(again) == listed(archive)
        assert await library.faults() == []
        assert [fault async for fault in library.objects.audit()] == []
        (project, _) = (await library.store.projects(USER, Page()))[0]
        found, _ = await library.store.search_story(project.id, "lighthouse", Page())
        assert len(found) == 2
        await library.tell("It goes on: 之后")
        assert await library.faults() == []
    assert not (there / "restoring").exists()


async def test_every_table_is_in_the_archive(library: Library, tmp_path: Path) -> None:
    """But for what the program makes anew; a table that is added later is not forgotten."""
    made = await library.vault.back_up(tmp_path / "b.zip")
    with library.place.reading() as connection:
        names = set(inspect(connection).get_table_names())
    stored = {name for name in names if not fulltext.is_known(name)}
    assert made.contents.tables.keys() == stored - DERIVED - {"alembic_version"}


async def test_a_restore_is_undone_by_restoring_what_it_put_away(library: Library) -> None:
    """The present library is backed up first, in the vault's own folder."""
    await library.tell("旧")
    old = (await library.vault.back_up()).path
    _, turn = await library.tell("新的一拍")
    restored = await library.vault.restore(old)
    assert await library.store.turn(turn.id) is None
    assert [one.kind for one in await library.vault.archives()] == ["made", "before_restore"]
    await library.vault.restore(restored.before)
    assert await library.store.turn(turn.id) is not None
    assert await library.faults() == []


async def test_files_go_with_the_library(library: Library) -> None:
    """Those that the archive has not are put away, those that it has come back as they were."""
    await filled(library)
    archive = (await library.vault.back_up()).path
    root = library.folder.root
    (root / "projects/p1/manuscript/001 雨夜.md").write_text("changed")
    (root / "projects/p2").mkdir()
    (root / "scenarios/我的.toml").unlink()
    (root / "prices.toml").unlink()
    await library.vault.restore(archive)
    assert (root / "projects/p1/manuscript/001 雨夜.md").read_text("utf-8") == "# 雨夜\n"
    assert not (root / "projects/p2").exists()
    assert (root / "scenarios/我的.toml").exists()
    assert (root / "prices.toml").exists()
    assert (root / "secrets.toml").read_text() == 'api_key = "sk-very-secret"\n'


async def test_a_damaged_object_is_mended_by_a_restore(library: Library) -> None:
    """And is named, not kept, in a backup that is made of it."""
    name = await library.shelve(PNG)
    good = (await library.vault.back_up()).path
    path = library.folder.objects / name[:2] / name
    path.write_bytes(b"spoilt")
    bad = await library.vault.back_up()
    assert bad.contents.left_out == (f"objects/{name[:2]}/{name}",)
    assert bad.contents.objects == 0
    await library.vault.restore(good)
    assert await library.objects.get(name) == PNG


# ---- making one --------------------------------------------------------------------------------


async def test_no_key_is_in_a_backup(library: Library, tmp_path: Path) -> None:
    """Neither the file of keys nor the settings, which may hold one."""
    await filled(library)
    archive = (await library.vault.back_up(tmp_path / "b.zip")).path
    with zipfile.ZipFile(archive) as unpacked:
        assert not any("secret" in name or "huaben.toml" in name for name in unpacked.namelist())
        assert not any(b"-secret" in unpacked.read(name) for name in unpacked.namelist())
        assert b"secrets.toml" in unpacked.read("README.txt")
    assert archive.stat().st_mode & 0o777 == 0o600


async def test_a_backup_is_of_one_moment_while_turns_go_on(library: Library) -> None:
    """What is written meanwhile is in it whole or not at all."""
    _, turn = await library.tell("雨")

    async def write() -> None:
        for number in range(60):
            await library.store.commit(Commit(events=((turn.id, Notice("n", str(number))),)))
            await library.tell(f"更多 {number}") if number % 20 == 0 else None

    writing = asyncio.create_task(write())
    await asyncio.sleep(0.01)
    archives = [(await library.vault.back_up()).path for _ in range(2)]
    await writing
    for archive in archives:
        await library.vault.restore(archive)
        assert await library.faults() == []


async def test_the_last_backup_is_remembered(library: Library, tmp_path: Path) -> None:
    """Wherever it was written; what a restore puts away is none."""
    assert await library.vault.last() is None
    _, turn = await library.tell("雨")
    made = await library.vault.back_up(tmp_path / "elsewhere.zip")
    last = await library.vault.last()
    assert last is not None
    assert (last.file, last.bytes, last.last_turn) == (str(made.path), made.bytes, turn.id)
    await library.tell("灯")
    await library.vault.restore(made.path)
    assert await library.vault.last() == last
    assert [one.kind for one in await library.vault.archives()] == ["before_restore"]


async def test_a_file_that_is_there_is_not_written_over(library: Library, tmp_path: Path) -> None:
    """Unless it is said; a folder that is missing is told, and nothing is left behind."""
    target = tmp_path / "b.zip"
    target.write_text("mine")
    with pytest.raises(Conflict) as there:
        await library.vault.back_up(target)
    assert there.value.code == "file_exists"
    assert target.read_text() == "mine"
    await library.vault.back_up(target, replace=True)
    assert zipfile.is_zipfile(target)
    with pytest.raises(StorageFailed):
        await library.vault.back_up(tmp_path / "missing" / "b.zip")
    assert unfinished(tmp_path) == []


def unfinished(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.endswith(".part")]


async def test_one_thing_at_a_time(library: Library, tmp_path: Path) -> None:
    """A second backup or restore is told to wait; afterwards there is room again."""
    await library.tell("雨")
    first = asyncio.create_task(library.vault.back_up(tmp_path / "a.zip"))
    await asyncio.sleep(0)
    with pytest.raises(Conflict) as busy:
        await library.vault.back_up(tmp_path / "b.zip")
    assert busy.value.code == "vault_busy"
    await first
    await library.vault.back_up(tmp_path / "b.zip")


async def test_a_backup_that_nobody_waits_for_leaves_nothing(library: Library) -> None:
    """Cancelled in the middle, it gives its place up."""
    await library.tell("雨")
    making = asyncio.create_task(library.vault.back_up())
    for _ in range(2):  # its thread has begun, and nobody can have been told that it is over
        await asyncio.sleep(0)
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    assert unfinished(library.folder.backups) == []
    await library.vault.back_up()


# ---- before a restore --------------------------------------------------------------------------


async def test_a_preview_tells_what_would_be_put_away(library: Library) -> None:
    """Projects that the archive has not, turns that it lacks of those that it has, and the rest by
    number; what lies in the trash is not mourned."""
    project, first = await library.tell("在册的故事")
    archive = (await library.vault.back_up()).path
    later = a_turn(project, parent=first.id, run="ended", outcome="sealed")
    await library.commit(later)
    new, _ = await library.tell("新的故事")
    await library.shelve(PNG)
    preview = await library.vault.look_into(archive)
    assert preview.contents.projects == 1
    assert [(one.title, one.turns) for one in preview.newer.projects] == [(new.title, 1)]
    assert [(one.title, one.turns) for one in preview.newer.turns] == [(project.title, 1)]
    assert (preview.newer.cards, preview.newer.lorebooks) == (1, 1)
    assert await library.store.turn(later.id) is not None


async def test_what_arrives_is_kept_until_it_is_let_go(library: Library, tmp_path: Path) -> None:
    """Of another library's files nothing is let go; a start clears what was left."""
    made = await library.vault.back_up(tmp_path / "b.zip")

    async def pieces() -> AsyncGenerator[bytes]:
        yield made.path.read_bytes()

    received = await library.vault.receive(pieces())
    assert (await library.vault.look_into(received)).contents == made.contents
    await library.vault.let_go(made.path)
    assert made.path.exists()
    await library.vault.let_go(received)
    left = await library.vault.receive(pieces())
    await library.vault.recover()
    assert not received.exists()
    assert not left.exists()
    with pytest.raises(NotFound):
        library.vault.place("../secrets.toml")


async def test_a_restore_waits_for_no_turn(library: Library) -> None:
    """While one runs here it is refused, and nothing is prepared."""
    archive = (await library.vault.back_up()).path
    project, turn = await library.tell("雨")
    running = a_turn(project, parent=turn.id, run="running", owner=OWNER)
    await library.commit(running)
    with pytest.raises(Conflict) as refused:
        await library.vault.restore(archive)
    assert refused.value.code == "turn_running"
    assert await library.store.turn(running.id) is not None
    assert not library.folder.restoring.exists()
