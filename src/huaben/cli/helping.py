"""The outside of a command: its help in both languages, and the options that every command has; apart
because it is loaded for `--help` too, and must be light."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from unicodedata import east_asian_width

import click

from huaben.cli.speaking import voice

_HEADINGS = {"Options": "help.options_heading", "Commands": "help.commands_heading"}


@dataclass(slots=True)
class Invocation:
    """One run of the program. `debug` becomes true while its command line is read."""

    debug: bool = False


class _Formatter(click.HelpFormatter):
    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or voice().say("help.usage"))

    def write_heading(self, heading: str) -> None:
        key = _HEADINGS.get(heading)
        self.write(f"{voice().say(key) if key else heading}\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """As click does it, but in columns of a terminal, where a Han character takes two."""
        listed = list(rows)
        column = min(max(columns(first) for first, _ in listed), col_max) + col_spacing
        indent = " " * (self.current_indent + column)
        for first, second in listed:
            self.write(" " * self.current_indent + first)
            gap = column - columns(first)
            self.write(" " * gap if gap > 0 else f"\n{indent}")
            lines = click.wrap_text(second, max(self.width - len(indent), 20)).splitlines()
            self.write(f"\n{indent}".join(lines) + "\n")


def columns(text: str) -> int:
    """How wide a text stands on a terminal."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


class _Context(click.Context):
    formatter_class = _Formatter


class SpokenCommand(click.Command):
    """A command that explains itself in the user's language."""

    context_class = _Context


class SpokenGroup(click.Group):
    """A group of commands that explains itself in the user's language."""

    context_class = _Context


def command(name: str) -> Callable[[Callable[..., int]], SpokenCommand]:
    """Make a command; its texts are `{name}.help` and `{name}.short`, it returns its exit code."""

    def made(work: Callable[..., int]) -> SpokenCommand:
        key = name.replace(" ", "_")
        command = click.command(
            name.split()[-1],
            cls=SpokenCommand,
            help=voice().say(f"{key}.help"),
            short_help=voice().say(f"{key}.short"),
            options_metavar=voice().say("help.options"),
            add_help_option=False,
        )(work)
        command.params += shared_options()
        return command

    return made


def shared_options() -> list[click.Parameter]:
    """`--debug` may stand before the command or after it."""
    return [
        click.Option(
            ["--debug"],
            is_flag=True,
            expose_value=False,
            callback=_take_debug,
            help=voice().say("help.debug"),
        ),
        click.Option(
            ["--help"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_help,
            help=voice().say("help.help"),
        ),
    ]


def _take_debug(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    del param  # click hands it over
    invocation = ctx.find_object(Invocation)
    if value and invocation is not None:
        invocation.debug = True


def _show_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    del param  # click hands it over
    if value and not ctx.resilient_parsing:
        click.echo(ctx.get_help())
        ctx.exit()
