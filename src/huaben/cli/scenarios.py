"""`huaben scenario`: which scenarios there are, and what a file of one comes to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from huaben.cli.failing import FAILED, FINE
from huaben.cli.helping import SpokenGroup, command, shared_options
from huaben.cli.options import data_option, existing_file
from huaben.cli.speaking import one_line, printable, put, tell, voice

if TYPE_CHECKING:
    from huaben.formats.scenario import Fault, Resolved, Setting

_say = voice().say

KNOWN_FAULTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile("is not a field that is read"), "scenario.unknown_field"),
    (re.compile("must be a text"), "scenario.must_be_text"),
    (re.compile("must be true or false"), "scenario.must_be_bool"),
    (re.compile("must be a whole number"), "scenario.must_be_whole"),
    (re.compile("must be a number"), "scenario.must_be_number"),
    (re.compile("is nested too deeply"), "scenario.too_deep"),
    (re.compile("must be a table of sections"), "scenario.no_sections"),
    (
        re.compile(r"must lie between (?P<low>\S+) and (?P<high>\S+), not (?P<value>\S+)"),
        "scenario.out_of_range",
    ),
    (re.compile(r"must be one of (?P<known>.+), not (?P<value>.+)"), "scenario.not_a_choice"),
    (re.compile(r"cannot be read: (?P<what>.+)"), "scenario.unreadable"),
    (re.compile("must be a list"), "scenario.must_be_list"),
    (re.compile("names something twice"), "scenario.twice"),
    (re.compile(r"enforce needs compaction: set (?P<field>\S+)"), "scenario.enforce_alone"),
    (re.compile(r"decorate needs a planner: set (?P<field>\S+)"), "scenario.decorate_alone"),
    (re.compile("decorate cannot go together with the showrunner"), "scenario.decorate_directed"),
    (re.compile(r"words\+plan needs a planner: set (?P<field>\S+)"), "scenario.sees_alone"),
    (re.compile(r"auto needs an escalation model: set (?P<field>\S+)"), "scenario.auto_alone"),
    (re.compile(r"(?P<name>\{.*\}) is no variable"), "scenario.no_variable"),
    (re.compile(r"(?P<step>\S+) is not among (?P<field>\S+)"), "scenario.no_tool"),
    (re.compile(r"unknown step at (?P<at>.+)"), "scenario.graph_step"),
    (re.compile(r"twice at (?P<at>.+)"), "scenario.graph_twice"),
    (re.compile(r"unknown input at (?P<at>.+)"), "scenario.graph_input"),
    (re.compile(r"missing input at (?P<at>.+)"), "scenario.graph_missing"),
    (re.compile(r"last at (?P<at>.+)"), "scenario.graph_last"),
    (re.compile(r"cycle at (?P<at>.+)"), "scenario.graph_cycle"),
)
"""Faults with words of their own in both languages; others are quoted as they are."""


@click.group(
    "scenario",
    cls=SpokenGroup,
    help=_say("scenario.help"),
    short_help=_say("scenario.short"),
    options_metavar=_say("help.options"),
    subcommand_metavar=_say("help.command"),
    add_help_option=False,
    params=shared_options(),
)
def scenario() -> None:
    pass


@command("scenario check")
@click.argument(
    "file",
    type=click.Path(path_type=Path),
    metavar=_say("help.file"),
    callback=existing_file,
)
def check(file: Path) -> int:
    from huaben.bootstrap import judge_scenario
    from huaben.formats.scenario import Resolved

    json_form = file.suffix.lower() == ".json"
    found = judge_scenario(file.read_bytes(), file.name, json_form=json_form)
    if not isinstance(found, Resolved):
        for fault in found:
            put(f"{file.name}: {rendered(fault)}")
        tell(voice().count("scenario.faults", len(found)), "red")
        return FAILED
    _show(found)
    return FINE


@command("scenario list")
@data_option
def list_names(data: Path | None) -> int:
    from huaben.bootstrap import ScenarioFiles
    from huaben.config import load_settings
    from huaben.errors import BadInput

    files = ScenarioFiles(load_settings(data=data).data / "scenarios")
    for name in files.names():
        try:
            files.named(name)
        except BadInput as broken:
            put(_say("scenario.broken", name=name, what=one_line(broken.message)), "yellow")
        else:
            put(name)
    return FINE


scenario.add_command(check)
scenario.add_command(list_names)


def rendered(fault: Fault) -> str:
    """The field, what is wrong with it, and the nearest one that exists."""
    nearest = _say("scenario.nearest", name=fault.nearest) if fault.nearest else ""
    return one_line(f"{fault.path}: {voice().join(_said(fault.what), nearest)}")


def _said(what: str) -> str:
    for pattern, key in KNOWN_FAULTS:
        if found := pattern.fullmatch(what):
            return _say(key, **found.groupdict())
    return what


def _show(resolved: Resolved) -> None:
    rows = [(origin.path, _written(origin.value), origin.source) for origin in resolved.origins]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for path, value, source in rows:
        put(printable(f"{path:<{widths[0]}}  {value:<{widths[1]}}  {source}"))


def _written(value: Setting) -> str:
    """The value as a scenario file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else f"{value:g}"
