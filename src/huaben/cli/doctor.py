"""`huaben doctor`: looks for models on this machine and finds out what each connection can do."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FAILED, FINE
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import err, one_line, put, put_json, shortened, tell, voice

if TYPE_CHECKING:
    from huaben.domain.connection import Capabilities
    from huaben.services.connections import Known

_say = voice().say
SIGNS: Mapping[bool | None, str] = {True: "✓", False: "✗", None: "?"}


@command("doctor")
@click.argument("names", nargs=-1, metavar=_say("doctor.names"))
@json_option
@data_option
@click.pass_obj
def doctor(invocation: Invocation, names: tuple[str, ...], as_json: bool, data: Path | None) -> int:
    from huaben.cli.running import run

    return run(lambda _: _examine(names, as_json, data), debug=invocation.debug)


async def _examine(names: tuple[str, ...], as_json: bool, data: Path | None) -> int:
    from huaben.cli.activity import Activity
    from huaben.config import load_settings
    from huaben.services.doctor import examine
    from huaben.studio import Studio

    activity = Activity(err(), time.monotonic)
    told: list[Known] = []
    async with Studio.open(settings=load_settings(data=data)) as studio:
        activity.start(_say("doctor.doing"))
        try:
            async for one in examine(studio.house, studio.theatre.switchboard, names):
                activity.hide()
                put_json(known_json(one)) if as_json else _show(one)
                activity.show(_say("doctor.doing"))
                told.append(one)
        finally:
            activity.stop()
    if not told:
        tell(_say("doctor.none"), "yellow")
    return FINE if told and all(_is_well(one) for one in told) else FAILED


def _is_well(one: Known) -> bool:
    return one.usable and one.capabilities.reachable is True and not one.capabilities.failure


def _show(one: Known) -> None:
    connection, found = one.connection, one.capabilities
    model = connection.model or _say("doctor.no_model")
    put(one_line(f"{one.name} · {model} · {connection.base_url}"), "bold")
    put("  " + "  ".join(f"{SIGNS[value]} {name}" for name, value in _ticks(found)))
    facts = [_protocol(one)] if found.streams is not None else []
    if one.window is not None:
        facts.append(_say("doctor.window", n=one.window))
    if found.first_token_ms is not None:
        facts.append(_say("doctor.first_token", n=found.first_token_ms))
    if facts:
        put(f"  {' · '.join(facts)}")
    if found.failure:
        put(f"  {one_line(found.failure)}", "red")
    if found.models and not one.usable:
        put(f"  {_say('doctor.models', names=shortened(', '.join(found.models), 300))}")


def _ticks(found: Capabilities) -> list[tuple[str, bool | None]]:
    schema = found.json_schema or (found.json_text if found.json_text else found.json_schema)
    return [
        (_say("doctor.reachable"), found.reachable),
        (_say("doctor.streams"), found.streams),
        (_say("doctor.tools"), found.calls_tools),
        (_say("doctor.json"), schema),
        (_say("doctor.thinks"), found.reasons),
        (_say("doctor.usage"), found.reports_usage),
        (_say("doctor.cache"), found.reports_cache),
    ]


def _protocol(one: Known) -> str:
    match one.protocol:
        case "native":
            return _say("doctor.native")
        case "json":
            return _say("doctor.by_json")
        case "none":
            return _say("doctor.without")


def known_json(one: Known) -> Mapping[str, object]:
    """A connection after its test, without anything secret."""
    connection = one.connection
    return {
        "name": one.name,
        "source": one.source,
        "kind": connection.kind,
        "base_url": connection.base_url,
        "model": connection.model,
        "window": one.window,
        "tools": one.protocol,
        "has_key": bool(connection.api_key),
        **asdict(one.capabilities),
        "models": list(one.capabilities.models),
    }
