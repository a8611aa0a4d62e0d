"""The wheel as it is built; apart because only an archive shows what an installed program lacks."""

from __future__ import annotations

import fnmatch
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]

DATA = (
    "huaben/py.typed",
    "huaben/prompt/templates/*/*.md",
    "huaben/prices.toml",
    "huaben/scenarios/*.toml",
    "huaben/rehearsal/*/*.toml",
    "huaben/rehearsal/*/*.json",
    "huaben/adapters/db/migrations/*.py",
    "huaben/web/static/app/index.html",
)
"""What the program reads besides its modules, or loads by path."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with a built page in it: a clone alone has none."""
    copy = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    page = copy / "src" / "huaben" / "web" / "static" / "app"
    page.mkdir(parents=True, exist_ok=True)
    (page / "index.html").write_text("<!doctype html><title>话本</title>", "utf-8")
    return copy


@pytest.fixture(scope="module")
def wheel(tree: Path) -> Path:
    """A wheel of that tree, built in this environment, with nothing fetched."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel"],
        cwd=tree,
        check=True,
        capture_output=True,
    )
    (built,) = (tree / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.mark.parametrize("pattern", DATA)
def test_the_wheel_holds_what_the_program_reads(pattern: str, names: list[str]) -> None:
    """An installed program finds its texts, scenarios, migrations and page."""
    assert fnmatch.filter(names, pattern) != []


def test_the_wheel_holds_the_whole_package(names: list[str], tree: Path) -> None:
    """What a clone runs, an installed program runs."""
    source = tree / "src"
    package = {p.relative_to(source).as_posix() for p in source.rglob("*") if p.is_file()}
    assert package - set(names) == set()


def test_the_wheel_holds_nothing_else(names: list[str]) -> None:
    """Tests, caches and benches stay at home."""
    strangers = [
        name
        for name in names
        if not name.startswith(("huaben/", "huaben-"))
        or "__pycache__" in name
        or Path(name).name.startswith(("test_", "conftest"))
    ]
    assert strangers == []


def test_the_wheel_brings_its_licence_and_its_command(wheel: Path) -> None:
    """The licence travels with the program, and `huaben` starts it."""
    with ZipFile(wheel) as archive:
        (licence,) = [name for name in archive.namelist() if name.endswith("licenses/LICENSE")]
        (entries,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
        assert "huaben = huaben.cli.main:main" in archive.read(entries).decode()


def test_an_installed_program_starts_and_knows_its_scenarios(wheel: Path, tmp_path: Path) -> None:
    """Away from its source the program runs, on the data that came with it."""
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    run = subprocess.run(
        [sys.executable, "-m", "huaben", "scenario", "list", "--data", str(tmp_path / "data")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        check=True,
        capture_output=True,
        text=True,
    )
    assert "stage" in run.stdout
