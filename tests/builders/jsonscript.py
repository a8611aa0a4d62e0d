"""A script as a model tells it that has no tool calls of its own: each reply one JSON object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from huaben.testing.script import (
    Asked,
    Call,
    Say,
    Script,
    ScriptedReply,
    Step,
    Unit,
)


def as_json(script: Script) -> Script:
    """The same replies by the JSON protocol; what is no speech and no call stays as it is."""
    if callable(script):
        return _asked_as_json(script)
    return [json_reply(step) for step in script]


def _asked_as_json(script: Callable[[Asked], Step]) -> Callable[[Asked], Step]:
    return lambda asked: json_reply(script(asked))


def json_reply(step: Step) -> Step:
    """One reply: all it says and calls as one object, in the place where it first speaks. An
    argument that is no JSON ends the object, as a cut reply would."""
    if not isinstance(step, ScriptedReply):
        step = ScriptedReply((step,))
    spoken = [unit for unit in step.units if isinstance(unit, Say | Call)]
    if not spoken:
        return step
    units: list[Unit] = []
    for unit in step.units:
        if unit is spoken[0]:
            units.append(Say(_object(spoken), 5))
        elif unit not in spoken:
            units.append(unit)
    return replace(step, units=tuple(units), finish="stop" if step.finish is None else step.finish)


def _object(spoken: list[Say | Call]) -> str:
    said = "".join(unit.text for unit in spoken if isinstance(unit, Say))
    calls = [unit for unit in spoken if isinstance(unit, Call)]
    text = "{" + (f'"say":{quoted(said)},' if said else "") + '"calls":['
    for number, unit in enumerate(calls):
        text += "," if number else ""
        text += f'{{"tool":"{unit.name}","arguments":{unit.arguments or "{}"}'
        if not unit.arguments.rstrip().endswith("}"):
            return text
        text += "}"
    return text + "]}"


def quoted(text: str) -> str:
    """A JSON string with as little escaped as there must be."""
    body = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{body}"'
