"""The program's front door: which commands there are; each is loaded when it is called, so that `--help`
starts at once."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NoReturn

import click

from huaben import __version__
from huaben.cli.failing import guarded
from huaben.cli.helping import Invocation, SpokenGroup, shared_options
from huaben.cli.speaking import prepare_streams, voice

COMMANDS: Mapping[str, str] = {
    "play": "play.play",
    "write": "writing.write",
    "serve": "serve.serve",
    "import": "importing.import_files",
    "move": "moving.move",
    "export": "exporting.export",
    "list": "listing.list_things",
    "chapters": "chapters.chapters",
    "checkpoints": "chapters.checkpoints",
    "replace": "replacing.replace",
    "check": "checking.check",
    "lorebook": "lore.lorebook",
    "guidance": "guidance.guidance",
    "wear": "presets.wear",
    "note": "authors_note.note",
    "scripts": "scripts.scripts",
    "trash": "trash.trash",
    "saves": "saves.saves",
    "jobs": "jobs.jobs",
    "search": "search.search",
    "summary": "summary.summary",
    "ledger": "ledger.ledger",
    "memory": "memory.memory",
    "recompute": "recompute.recompute",
    "amendments": "amendments.amendments",
    "inspect": "inspecting.inspect",
    "verify": "verifying.verify",
    "backup": "backup.backup",
    "restore": "backup_restoring.restore",
    "scenario": "scenarios.scenario",
    "doctor": "doctor.doctor",
}
"""Each command with the file that it stands in and its name there."""


class _Program(SpokenGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _load(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands out of the words alone: none is loaded to be listed."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, voice().say(f"{name}.short")) for name in COMMANDS])


def _load(name: str) -> click.Command | None:
    """The command of that name, out of its own file."""
    if name not in COMMANDS:
        return None
    file, _, attribute = COMMANDS[name].partition(".")
    found: object = getattr(import_module(f"huaben.cli.{file}"), attribute)
    assert isinstance(found, click.Command)
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
