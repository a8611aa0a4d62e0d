"""How long `huaben --help` takes beside a bare interpreter; a ratio, so that it means the same on every
machine. Must: at most 10 bare starts, of which click alone takes seven: nothing else that is
large may be loaded for help."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

ROUNDS = 15
MUST = 10.0
BARE = ("-c", "pass")
STARTS = {
    "huaben --help": ("-m", "huaben", "--help"),
    "huaben play --help": ("-m", "huaben", "play", "--help"),
    "huaben --version": ("-m", "huaben", "--version"),
}


def seconds(arguments: tuple[str, ...]) -> float:
    """One start, from the call to the end of the process."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "HUABEN_LANG": "en"},
    )
    return time.perf_counter() - started


def main() -> int:
    """Print each ratio; 1 when one is over what it must be."""
    for arguments in (BARE, *STARTS.values()):
        seconds(arguments)  # compiles what was not compiled yet
    ratios: dict[str, list[float]] = {name: [] for name in STARTS}
    for _ in range(ROUNDS):
        # Side by side, so that whatever else the machine does weighs on both.
        bare = seconds(BARE)
        for name, arguments in STARTS.items():
            ratios[name].append(seconds(arguments) / bare)
    worst = 0.0
    for name, found in ratios.items():
        median = statistics.median(found)
        worst = max(worst, median)
        print(f"{name:<20} {median:4.1f} bare starts (must: <= {MUST:g})")
    return 1 if worst > MUST else 0


if __name__ == "__main__":
    sys.exit(main())
