"""`huaben verify`: looks at everything that is stored and names each fault; changes nothing."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FAILED, FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option
from huaben.cli.speaking import err, one_line, put, tell, voice

if TYPE_CHECKING:
    from huaben.services.house import House

_say = voice().say


@command("verify")
@data_option
@click.pass_obj
def verify(invocation: Invocation, data: Path | None) -> int:
    from huaben.cli.running import run

    return run(lambda _: _verify(data), debug=invocation.debug)


async def _verify(data: Path | None) -> int:
    from huaben.cli.activity import Activity
    from huaben.config import load_settings
    from huaben.studio import Studio

    settings = load_settings(data=data)
    found = 0
    activity = Activity(err(), time.monotonic)
    async with Studio.open(settings=settings, read_only=True) as studio:
        activity.start(_say("verify.doing"))
        async for fault in faults(studio.house):
            activity.hide()
            put(one_line(fault))
            activity.show(_say("verify.doing"))
            found += 1
        activity.stop()
    if found:
        tell(voice().count("verify.faults", found), "red")
        return FAILED
    put(_say("verify.whole"))
    return FINE


async def faults(house: House) -> AsyncIterator[str]:
    """Each fault in one sentence: of rows, trees, logs and calls, then of objects and manuscripts."""
    from huaben.services.writing.ending import audit

    async for fault in house.store.audit():
        yield fault
    async for fault in house.objects.audit():
        yield fault
    async for fault in audit(house):
        yield fault
