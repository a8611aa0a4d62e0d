"""The file of keys: private from its first moment, edited by hand, never quoted."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest

from huaben.adapters.secrets import SecretsFile
from huaben.domain.connection import Credentials, Secret
from huaben.errors import StorageFailed

KEY = Credentials(Secret("sk-0123456789"))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    """Mode 0600 when it is made, and again when somebody had made it for all to read."""
    path = tmp_path / "data" / "secrets.toml"
    await SecretsFile(path).put("a", KEY)
    assert mode(path) == 0o600
    assert mode(path.parent) == 0o700
    path.chmod(0o644)
    assert await SecretsFile(path).all() == {"a": KEY}
    assert mode(path) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secrets.toml"]


async def test_what_was_written_by_hand_stays(tmp_path: Path) -> None:
    """Only the entry of one connection is changed."""
    path = tmp_path / "secrets.toml"
    path.write_text(
        'note = "mine"\nlist = [1, 2.5, true, "x"]\n[connections.a]\napi_key = "old"\n'
        '[connections.a.headers]\nx = "y"\n[other."b c".deep]\nz = -1\n',
        "utf-8",
    )
    secrets = SecretsFile(path)
    assert (await secrets.all())["a"] == Credentials(Secret("old"), {"x": "y"})
    await secrets.put("new", KEY)
    assert tomllib.loads(path.read_text("utf-8")) == {
        "note": "mine",
        "list": [1, 2.5, True, "x"],
        "connections": {
            "a": {"api_key": "old", "headers": {"x": "y"}},
            "new": {"api_key": "sk-0123456789"},
        },
        "other": {"b c": {"deep": {"z": -1}}},
    }


async def test_what_would_be_lost_is_not_overwritten(tmp_path: Path) -> None:
    """A value that cannot be written again keeps the file as it is."""
    path = tmp_path / "secrets.toml"
    path.write_text("since = 2026-11-01\n")
    with pytest.raises(StorageFailed) as failed:
        await SecretsFile(path).put("a", KEY)
    assert failed.value.code == "secrets_not_ours"
    assert path.read_text() == "since = 2026-11-01\n"


@pytest.mark.parametrize(
    "text", ["[connections.a]\napi_key = sk-secret-9\n", "\udcff", "x = " + "[" * 9999]
)
async def test_a_broken_file_is_told_without_quoting_it(tmp_path: Path, text: str) -> None:
    """The place is named, a key is not."""
    path = tmp_path / "secrets.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(StorageFailed) as failed:
        await SecretsFile(path).all()
    assert failed.value.code == "secrets_unreadable"
    assert "sk-secret" not in failed.value.message
    assert failed.value.__cause__ is None
    with pytest.raises(StorageFailed):
        await SecretsFile(path).put("a", KEY)


async def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The old file stays."""
    path = tmp_path / "file" / "secrets.toml"
    path.parent.write_text("no folder")
    with pytest.raises(StorageFailed):
        await SecretsFile(path).put("a", KEY)


def test_credentials_never_print() -> None:
    """Neither key nor headers."""
    shown = repr(Credentials(Secret("sk-0123456789"), {"x-team": "blue"}))
    assert "0123" not in shown
    assert "blue" not in shown
