"""The texts of scenarios: those of the package, and the user's own as files in a folder of the data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from huaben.adapters.fullness import not_written


class ScenarioFolder:
    """One TOML file for each scenario of the user's own. Names have been checked by the caller."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def shipped(self) -> Mapping[str, bytes]:
        folder = files("huaben") / "scenarios"
        return {
            entry.name.removesuffix(".toml"): entry.read_bytes()
            for entry in sorted(folder.iterdir(), key=lambda one: one.name)
            if entry.name.endswith(".toml")
        }

    def own(self, name: str) -> bytes | None:
        try:
            return self._file(name).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, text: bytes) -> None:
        """All of the text or what was there before, whatever happens meanwhile."""
        half = self._folder / f".{name}.part"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with half.open("wb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            half.replace(self._file(name))
        except OSError as fault:
            half.unlink(missing_ok=True)
            what = f"the scenario {name} was not written"
            raise not_written(fault, "scenario_not_written", what) from fault

    def remove(self, name: str) -> None:
        self._file(name).unlink(missing_ok=True)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.toml"
