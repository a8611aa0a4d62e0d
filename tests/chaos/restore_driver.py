"""The process that the chaos test kills in the middle of a restore: it dies by itself before the n-th thing
that it does to the data folder, so that each place to die is met."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from huaben.bootstrap import open_vault
from huaben.config import load_settings

DEEDS = frozenset(
    {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "sqlite3.connect", "shutil.rmtree"}
)


async def restore(data: Path, archive: Path, deeds_left: int) -> None:
    left = deeds_left
    counting = False

    def watch(event: str, facts: tuple[object, ...]) -> None:
        nonlocal left
        if not counting or event not in DEEDS or str(data) not in str(facts[0]):
            return
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    async with open_vault(load_settings(data=data)) as vault:
        counting = True
        await vault.restore(archive)
        counting = False
    sys.stdout.write(str(deeds_left - left))


if __name__ == "__main__":
    asyncio.run(restore(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
