"""Archives that were damaged, forged or written by another program: refused by name before anything is
touched."""

from __future__ import annotations

import hashlib
import json
import re
import stat
import struct
import zipfile
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.db import backup_archive, engines, migrating, schema
from huaben.adapters.db.backup_archive import LIST, is_place, split, values
from huaben.adapters.db.backup_rows import lines, reflected
from huaben.errors import BadInput, HuabenError, NotFound
from huaben.ports import Page
from tests.builders.libraries import Library, a_library

Members = dict[str, bytes]


@pytest.fixture
async def library(tmp_path: Path) -> AsyncGenerator[Library]:
    async with a_library(tmp_path / "data", tmp_path / "data") as opened:
        await opened.tell("雨夜旧伞")
        await opened.shelve(b"picture")
        yield opened


async def a_backup(library: Library) -> Members:
    """The members of a sound archive, the list apart from them under its name."""
    path = (await library.vault.back_up()).path
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    path.unlink()
    return members


def facts_of(members: Members) -> dict[str, object]:
    return json.loads(members[LIST].splitlines()[0])


def relisted(members: Members, **facts: object) -> Members:
    """The same with a list that fits what is in it."""
    told = backup_archive.line({**facts_of(members), **facts})
    rows = [
        backup_archive.line([name, len(content), hashlib.sha256(content).hexdigest()])
        for name, content in members.items()
        if name != LIST
    ]
    return {**members, LIST: told + b"".join(rows)}


def written(path: Path, members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


async def refused(library: Library, archive: Path, *, at_sight: bool = True) -> str:
    """The code of the refusal, also of a preview if at sight; the library is as it was, and nothing
    lies about."""
    before = library.folder.database.read_bytes()
    with pytest.raises(HuabenError) as why:
        await library.vault.restore(archive)
    if at_sight:
        with pytest.raises(HuabenError, match=re.escape(why.value.message)):
            await library.vault.look_into(archive)
    assert library.folder.database.read_bytes() == before
    assert not library.folder.restoring.exists()
    assert await library.vault.archives() == []
    return why.value.code


def without(members: Members, name: str) -> Members:
    return {known: content for known, content in members.items() if known != name}


def cut(members: Members) -> Members:
    name = next(name for name in members if name.startswith("objects/"))
    return {**members, name: members[name][:-1]}


def spoilt(members: Members) -> Members:
    name = next(name for name in members if name.startswith("objects/"))
    return {**members, name: b"X" + members[name][1:]}


def with_row(members: Members, table: str, row: object) -> Members:
    """One more row, counted and listed, so that only the row itself is wrong."""
    name = f"tables/{table}.jsonl"
    content = members[name] + backup_archive.line(row)
    tables = cast("dict[str, int]", facts_of(members)["tables"])  # as it was written
    counts = {**tables, table: tables[table] + 1}
    return relisted({**members, name: content}, tables=counts)


def changed_column(members: Members, table: str, column: str, value: object) -> Members:
    """The first row of a table with another value."""
    name = f"tables/{table}.jsonl"
    header, first, *rest = members[name].splitlines()
    row = json.loads(first)
    row[json.loads(header)["columns"].index(column)] = value
    content = b"\n".join([header, json.dumps(row, separators=(",", ":")).encode(), *rest]) + b"\n"
    return relisted({**members, name: content})


FORGERIES: dict[str, tuple[Callable[[Members], Members], str]] = {
    "without a list": (lambda m: without(m, LIST), "not_a_backup"),
    "of another program": (lambda m: relisted(m, program="other"), "not_a_backup"),
    "of a later format": (lambda m: relisted(m, format=2), "backup_newer"),
    "of a later schema": (lambda m: relisted(m, schema="9999"), "backup_newer"),
    "without its numbers": (lambda m: relisted(m, turns="many"), "backup_damaged"),
    "without its tables": (lambda m: relisted(m, tables=[]), "backup_damaged"),
    "a missing member": (lambda m: without(m, "tables/turn.jsonl"), "backup_damaged"),
    "a missing table": (
        lambda m: relisted(without(m, "tables/turn.jsonl")),
        "backup_damaged",
    ),
    "a member that is not listed": (lambda m: {**m, "objects/more": b"x"}, "backup_damaged"),
    "a member cut short": (cut, "backup_damaged"),
    "other bytes of the same length": (spoilt, "backup_damaged"),
    "a way out of the folder": (
        lambda m: relisted({**m, "projects/../../evil": b"x"}),
        "backup_damaged",
    ),
    "an absolute place": (lambda m: relisted({**m, "/etc/evil": b"x"}), "backup_damaged"),
    "a place on a drive": (lambda m: relisted({**m, "projects/c:evil": b"x"}), "backup_damaged"),
    "the file of keys": (lambda m: relisted({**m, "secrets.toml": b"x"}), "backup_damaged"),
    "an object under another name": (
        lambda m: relisted({**m, f"objects/ab/{'ab' * 32}": b"x"}),
        "backup_damaged",
    ),
    "a row of too few columns": (lambda m: with_row(m, "head", ["p"]), "backup_damaged"),
    "a row within a row": (lambda m: with_row(m, "head", [["p"], "t", 1]), "backup_damaged"),
    "a row that is an object": (lambda m: with_row(m, "head", {"a": 1}), "backup_damaged"),
    "rows that are not counted": (
        lambda m: relisted({**m, "tables/lane.jsonl": m["tables/lane.jsonl"] + b'["extra",1]\n'}),
        "backup_damaged",
    ),
    "a list without lines": (lambda m: {**m, LIST: b""}, "backup_damaged"),
    "a list of lists": (
        lambda m: {**m, LIST: m[LIST] + b'[["a"],1,"b"]\n'},
        "backup_damaged",
    ),
}


UNFIT: dict[str, Callable[[Members], Members]] = {
    "a table of no schema": lambda m: relisted(
        {**m, "tables/evil.jsonl": b'{"table":"evil","columns":["a"]}\n'}
    ),
    "a row that is there twice": lambda m: with_row(
        m, "head", json.loads(m["tables/head.jsonl"].splitlines()[1])
    ),
    "a row of a story that is not there": lambda m: with_row(m, "head", ["missing", "t", 1]),
    "a text where a number is due": lambda m: changed_column(m, "turn", "depth", "deep"),
    "bytes that are no base64": lambda m: changed_column(m, "turn", "config", "!!"),
    "nothing where something is due": lambda m: changed_column(m, "turn", "kind", None),
}


@pytest.mark.parametrize("forgery", UNFIT)
async def test_rows_that_do_not_fit_are_refused(
    library: Library, tmp_path: Path, forgery: str
) -> None:
    """Those that only a database can judge are tried beside the library."""
    archive = written(tmp_path / "b.zip", UNFIT[forgery](await a_backup(library)))
    assert await refused(library, archive, at_sight=False) == "backup_damaged"


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_forged_archive_is_refused(library: Library, tmp_path: Path, forgery: str) -> None:
    """By both verbs alike; nothing of the library changes, nothing is left about."""
    change, code = FORGERIES[forgery]
    archive = written(tmp_path / "b.zip", change(await a_backup(library)))
    assert await refused(library, archive) == code


async def test_what_is_no_zip_is_no_backup(library: Library, tmp_path: Path) -> None:
    """An empty file, another file, half an archive, none at all."""
    whole = written(tmp_path / "whole.zip", await a_backup(library)).read_bytes()
    path = tmp_path / "b.zip"
    for content in (b"", b"PK", "雨".encode() * 100, whole[: len(whole) // 2], whole[:-30]):
        path.write_bytes(content)
        assert await refused(library, path) == "not_a_backup"
    with pytest.raises(NotFound):
        await library.vault.look_into(tmp_path / "missing.zip")


async def test_a_bomb_is_refused_unread(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What would unpack to far more than a library does, or than the disk has room for."""
    monkeypatch.setattr(backup_archive, "FREE_BYTES", 1024 * 1024)
    members = {**await a_backup(library), "projects/bomb": bytes(40 * 1024 * 1024)}
    archive = written(tmp_path / "b.zip", relisted(members))
    assert archive.stat().st_size < 100_000
    assert await refused(library, archive) == "backup_too_large"
    plain = relisted(without(members, "projects/bomb"))
    promised = plain[LIST] + backup_archive.line(["projects/x", 2**60, "ab" * 32])
    huge = written(tmp_path / "h.zip", {**plain, LIST: promised, "projects/x": b""})
    assert await refused(library, huge) == "backup_damaged"


async def test_a_directory_without_end_is_refused_unread(library: Library, tmp_path: Path) -> None:
    """The end of the file names its size, in either of its two forms."""
    path = tmp_path / "b.zip"
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, 2**31, 0, 0)
    path.write_bytes(bytes(100) + end)
    assert await refused(library, path) == "backup_too_large"
    far = b"PK\x06\x06" + bytes(36) + struct.pack("<QQ", 2**40, 0)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    path.write_bytes(bytes(100) + far + bytes(20) + end)
    assert await refused(library, path) == "backup_too_large"


async def test_links_and_doubles_are_refused(library: Library, tmp_path: Path) -> None:
    """A member that points elsewhere, one that is there twice, one in a rare packing."""
    members = await a_backup(library)
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in relisted({**members, "projects/link": b"/etc/passwd"}).items():
            info = zipfile.ZipInfo(name)
            if name == "projects/link":
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, content)
    assert await refused(library, path) == "backup_damaged"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("README.txt", members["README.txt"])
    assert await refused(library, path) == "backup_damaged"
    assert await refused(library, written(path, members, zipfile.ZIP_BZIP2)) == "backup_damaged"


async def test_an_older_schema_is_brought_forward(library: Library, tmp_path: Path) -> None:
    """Rows that were written before later tables and columns were thought of."""
    project = (await library.store.projects("local", Page()))[0][0]
    tables = ("project", "segment", "turn", "head")
    engine = engines.sqlite_maker(tmp_path / "old.db")
    with engine.begin() as connection:
        migrating.upgrade(connection, "0001")
        connection.exec_driver_sql(f"ATTACH '{library.folder.database}' AS now")
        old = {table.name: table for table in reflected(connection, tables)}
        for name in tables:
            shared = ", ".join(column.name for column in old[name].columns)
            connection.exec_driver_sql(
                f"INSERT INTO {name} ({shared}) SELECT {shared} FROM now.{name}"
            )
        members = {
            f"tables/{name}.jsonl": b"".join(lines(connection, table))
            for name, table in old.items()
        }
    engine.dispose()
    counts = {name: members[f"tables/{name}.jsonl"].count(b"\n") - 1 for name in tables}
    sound = await a_backup(library)
    told = relisted({LIST: sound[LIST], **members}, schema="0001", tables=counts)
    await library.vault.restore(written(tmp_path / "b.zip", told))
    found = (await library.store.projects("local", Page()))[0]
    assert [one.title for one in found] == [project.title]
    assert schema.HEAD != "0001"
    assert not any("damaged" in fault for fault in await library.faults())
    found_words, _ = await library.store.search_story(project.id, "旧伞", Page())
    assert found_words


# ---- parts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sound"),
    [
        ("projects/p/manuscript/001 雨夜.md", True),
        ("projects/p/.hidden", True),
        ("scenarios/我的.toml", True),
        ("projects", False),
        ("projects/", False),
        ("projects//x", False),
        ("projects/./x", False),
        ("projects/x/..", False),
        ("projects/...", True),
        ("projects/x\\y", False),
        ("projects/x\ny", False),
        ("objects/AB/x", False),
        ("huaben.db", False),
        ("tables/turn.JSONL", False),
        ("projects/" + "x" * 1000, False),
    ],
)
def test_a_place_stays_within_its_folder(name: str, sound: bool) -> None:
    """Whatever a name tries."""
    assert is_place(name) is sound


@given(st.binary(), st.lists(st.integers(0, 40), max_size=6))
def test_lines_come_out_however_they_were_cut(data: bytes, cuts: list[int]) -> None:
    """Split in pieces, they are those of the whole."""
    pieces: list[bytes] = []
    rest = data
    for cut_at in cuts:
        pieces.append(rest[:cut_at])
        rest = rest[cut_at:]
    whole = data.split(b"\n")
    expected = whole if whole[-1] else whole[:-1]
    assert list(split([*pieces, rest])) == expected


plain = st.none() | st.booleans() | st.integers() | st.text()


@given(st.lists(plain, min_size=1, max_size=6))
def test_values_are_read_back_as_they_were_written(row: list[object]) -> None:
    """And only as many as are wanted."""
    text = backup_archive.line(row).rstrip(b"\n")
    assert values(text, len(row)) == row
    for wrong in (len(row) - 1, len(row) + 1):
        with pytest.raises(BadInput):
            values(text, wrong)
