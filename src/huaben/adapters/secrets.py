"""Keys in `secrets.toml`: a file that its owner alone can read, apart from the library so that no backup,
export or query can hold one.

It is meant to be edited by hand too: what the program does not know in it stays, only comments are
lost when the program writes. Written whole to a new file that takes the old one's place, so that a
crash leaves one of the two.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias, cast

from huaben.adapters.fullness import not_written
from huaben.domain.connection import Credentials, Secret
from huaben.errors import StorageFailed

Table: TypeAlias = Mapping[str, object]

MODE: Final = 0o600
_TABLE: Final = "connections"
_HEADING: Final = "# Keys of connections. Keep this file to yourself; it is part of no backup.\n\n"


class SecretsFile:
    """Implements `Secrets` on one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing = asyncio.Lock()

    async def all(self) -> Mapping[str, Credentials]:
        entries = _entries(await asyncio.to_thread(self._load))
        return {name: _credentials(entry) for name, entry in entries.items()}

    async def put(self, name: str, credentials: Credentials) -> None:
        entry: dict[str, object] = {}
        if credentials.key:
            entry["api_key"] = credentials.key.reveal()
        if credentials.headers:
            entry["headers"] = dict(credentials.headers)
        await self._change(name, entry)

    async def drop(self, name: str) -> None:
        await self._change(name, {})

    async def _change(self, name: str, entry: Mapping[str, object]) -> None:
        async with self._writing:
            tables = await asyncio.to_thread(self._load)
            entries = _entries(tables)
            if entry == entries.get(name, {}):
                return
            others = {known: value for known, value in entries.items() if known != name}
            changed = {**tables, _TABLE: {**others, **({name: entry} if entry else {})}}
            await asyncio.to_thread(self._save, changed)

    def _load(self) -> Table:
        try:
            if self._path.stat().st_mode & 0o077:
                self._path.chmod(MODE)  # somebody made it by hand, for all to read
            return cast("Table", tomllib.loads(self._path.read_text("utf-8")))
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as fault:
            # The fault is not quoted whole: a parser may quote what it read.
            raise StorageFailed(
                "secrets_unreadable",
                f"the keys in {self._path} cannot be read: {_told(fault)}",
                "Mend the file, or move it away and enter the keys again.",
            ) from None

    def _save(self, tables: Table) -> None:
        text = _HEADING + _toml(tables)
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A new file of this kind is readable by its owner alone from its first moment.
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=".secrets-")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).chmod(MODE)
                Path(name).replace(self._path)
            finally:
                Path(name).unlink(missing_ok=True)
        except OSError as fault:
            what = f"the keys cannot be kept in {self._path}"
            raise not_written(fault, "secrets_unwritable", what) from None


# ---- tables ----------------------------------------------------------------------------------------


def _table(value: object) -> Table | None:
    return cast("Table", value) if isinstance(value, dict) else None  # the keys of a TOML table


def _entries(tables: Table) -> dict[str, Table]:
    found = _table(tables.get(_TABLE)) or {}
    tabled = {name: _table(entry) for name, entry in found.items()}
    return {name: entry for name, entry in tabled.items() if entry is not None}


def _credentials(entry: Table) -> Credentials:
    key, headers = entry.get("api_key"), _table(entry.get("headers")) or {}
    return Credentials(
        Secret(key if isinstance(key, str) else ""),
        {name: value for name, value in headers.items() if isinstance(value, str)},
    )


def _toml(tables: Table, path: str = "") -> str:
    """Plain values first, then each table under its heading."""
    inner = {name: found for name, value in tables.items() if (found := _table(value)) is not None}
    plain = "".join(
        f"{_quoted(name)} = {_value(value)}\n"
        for name, value in tables.items()
        if name not in inner
    )
    text = f"[{path}]\n{plain}\n" if path and plain else plain
    for name, value in inner.items():
        text += _toml(value, f"{path}.{_quoted(name)}" if path else _quoted(name))
    return text


def _value(value: object) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in cast('list[object]', value))}]"
    # Whatever it is (a date, a table in a list), losing it would be worse than not writing.
    raise StorageFailed(
        "secrets_not_ours",
        f"secrets.toml holds a value of a kind ({type(value).__name__}) that would be lost",
        "Take it out of the file, or enter the key there by hand.",
    )


def _quoted(text: str) -> str:
    """A basic string: JSON's escapes, but for the one control character that JSON leaves as it is."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _told(fault: Exception) -> str:
    if isinstance(fault, tomllib.TOMLDecodeError):
        _, _, place = str(fault).rpartition("(")
        return f"not TOML ({place}" if place.endswith(")") else "not TOML"
    return (fault.strerror if isinstance(fault, OSError) else "") or type(fault).__name__
