"""`huaben serve`: the web application."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option
from huaben.cli.speaking import voice

_say = voice().say


@command("serve")
@click.option("--host", metavar=_say("serve.host_name"), help=_say("serve.host"))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar=_say("serve.port_name"),
    help=_say("serve.port"),
)
@data_option
@click.option("--open", "open_browser", is_flag=True, help=_say("serve.open"))
@click.pass_obj
def serve(
    invocation: Invocation,
    host: str | None,
    port: int | None,
    data: Path | None,
    open_browser: bool,
) -> int:
    from huaben.config import load_settings
    from huaben.web import serving

    del invocation  # the server's log goes to standard error at any rate
    settings = load_settings(data=data, host=host, port=port)
    serving.log_to_stderr()
    serving.serve(settings, open_browser=open_browser, ready=_announce)
    return 0


def _announce(address: str) -> None:
    from huaben.cli.speaking import put

    put(_say("serve.ready", address=address))
    sys.stdout.flush()  # whoever waits for the line may read it through a pipe
