"""Options that several commands share; apart from what every command has, which must load faster."""

from __future__ import annotations

from pathlib import Path

import click

from huaben.cli.speaking import voice

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar=voice().say("help.dir"),
    help=voice().say("help.data"),
)
json_option = click.option("--json", "as_json", is_flag=True, help=voice().say("help.json"))


def existing_file(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse, as wrong usage, a file that is not there."""
    if value is not None:
        _check_file(ctx, param, value)
    return value


def existing_files(
    ctx: click.Context, param: click.Parameter, value: tuple[Path, ...]
) -> tuple[Path, ...]:
    """The same for an option that may be given several times."""
    for path in value:
        _check_file(ctx, param, path)
    return value


def _check_file(ctx: click.Context, param: click.Parameter, path: Path) -> None:
    if not path.is_file():
        raise click.BadParameter(voice().say("usage.no_file", path=str(path)), ctx, param)
