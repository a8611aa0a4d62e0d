"""What every keeper of keys promises."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.secrets import SecretsFile
from huaben.domain.connection import Credentials, Secret
from huaben.ports import Secrets
from huaben.testing.secrets import MemorySecrets

Keeper: TypeAlias = Callable[[Path], Secrets]


def in_file(folder: Path) -> Secrets:
    return SecretsFile(folder / "secrets.toml")


def in_memory(folder: Path) -> Secrets:
    del folder  # nothing is written
    return MemorySecrets()


every_keeper = pytest.mark.parametrize("keeper", [in_file, in_memory])
KEY = Credentials(Secret("sk-0123456789"), {"x-team": "blue"})


@every_keeper
async def test_a_key_is_kept_under_its_name(keeper: Keeper, tmp_path: Path) -> None:
    """Put, replaced, dropped; other names are left alone."""
    secrets = keeper(tmp_path)
    assert await secrets.all() == {}
    await secrets.put("a", KEY)
    await secrets.put("本机.b", Credentials(Secret("other")))
    assert await secrets.all() == {"a": KEY, "本机.b": Credentials(Secret("other"))}
    await secrets.put("a", Credentials(Secret("new")))
    await secrets.drop("本机.b")
    await secrets.drop("never there")
    assert await secrets.all() == {"a": Credentials(Secret("new"))}


@every_keeper
async def test_no_secret_is_no_entry(keeper: Keeper, tmp_path: Path) -> None:
    """A connection without a key needs no place among the keys."""
    secrets = keeper(tmp_path)
    await secrets.put("a", KEY)
    await secrets.put("a", Credentials())
    assert await secrets.all() == {}


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@every_keeper
@given(name=NAMES, key=NAMES.filter(str.strip), header=NAMES)
async def test_any_name_and_key_come_back(
    keeper: Keeper,
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    key: str,
    header: str,
) -> None:
    """Quotes, dots, controls and any script."""
    secrets = keeper(tmp_path_factory.getbasetemp())
    kept = Credentials(Secret(key), {header: key})
    await secrets.put(name, kept)
    assert await secrets.all() == {name: kept}
    await secrets.drop(name)
