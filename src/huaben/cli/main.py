"""The program's front door: which commands there are; each is loaded when it is called, so that `--help`
starts at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from huaben import __version__
from huaben.cli.failing import guarded
from huaben.cli.helping import Invocation, SpokenGroup, shared_options
from huaben.cli.speaking import prepare_streams, voice

COMMANDS = (
    "play",
    "serve",
    "import",
    "export",
    "list",
    "lorebook",
    "guidance",
    "trash",
    "saves",
    "jobs",
    "search",
    "inspect",
    "verify",
    "scenario",
    "doctor",
)


class _Program(SpokenGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _load(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands out of the words alone: none is loaded to be listed."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, voice().say(f"{name}.short")) for name in COMMANDS])


def _load(name: str) -> click.Command | None:  # noqa: C901 - one arm per command
    match name:
        case "play":
            from huaben.cli.play import play as found
        case "serve":
            from huaben.cli.serve import serve as found
        case "import":
            from huaben.cli.importing import import_files as found
        case "export":
            from huaben.cli.exporting import export as found
        case "list":
            from huaben.cli.listing import list_things as found
        case "lorebook":
            from huaben.cli.lore import lorebook as found
        case "guidance":
            from huaben.cli.guidance import guidance as found
        case "trash":
            from huaben.cli.trash import trash as found
        case "saves":
            from huaben.cli.saves import saves as found
        case "jobs":
            from huaben.cli.jobs import jobs as found
        case "search":
            from huaben.cli.search import search as found
        case "inspect":
            from huaben.cli.inspecting import inspect as found
        case "verify":
            from huaben.cli.verifying import verify as found
        case "scenario":
            from huaben.cli.scenarios import scenario as found
        case "doctor":
            from huaben.cli.doctor import doctor as found
        case _:
            return None
    return found


def _show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    del param  # click hands it over
    if value and not ctx.resilient_parsing:
        click.echo(f"huaben {__version__}")
        ctx.exit()


def program() -> click.Group:
    """The whole command line."""
    version = click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_version,
        help=voice().say("help.version"),
    )
    return _Program(
        name="huaben",
        help=voice().say("huaben.help"),
        params=[version, *shared_options()],
        options_metavar=voice().say("help.options"),
        subcommand_metavar=voice().say("help.command"),
        add_help_option=False,
    )


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and end the process with its exit code (see `failing.guarded`)."""
    prepare_streams()
    invocation = Invocation()
    given = list(sys.argv[1:] if arguments is None else arguments)

    def work() -> int:
        code: object = program().main(
            given, prog_name="huaben", standalone_mode=False, obj=invocation
        )
        return code if isinstance(code, int) else 0

    sys.exit(guarded(work, invocation))
