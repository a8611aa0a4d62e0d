"""Persona files: who the user is in the story; apart because their two shapes are a choice of the command
line's own, described in `huaben play --help`."""

from __future__ import annotations

from pathlib import Path

from huaben.cli.failing import Told
from huaben.cli.speaking import shortened, voice
from huaben.domain.jsonvalue import JsonFault, parse_json
from huaben.domain.project import Persona

MAX_NAME = 80
"""Characters. A longer first line is prose, not a name."""


def read_persona(path: Path) -> Persona:
    """A `.json` file is an object with `name` and `description`. Of any other text the first line is
    the name (a Markdown heading's marks are not part of it), the rest the description.

    Raises `Told` (`bad_persona`) saying what is wrong, `OSError` when it cannot be read."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise _refused(path, "persona.not_text") from None
    return _of_json(path, text) if path.suffix.lower() == ".json" else _of_text(path, text)


def _of_json(path: Path, text: str) -> Persona:
    value = parse_json(text)
    if isinstance(value, JsonFault):
        raise _refused(path, "persona.not_json")
    if not isinstance(value, dict):
        raise _refused(path, "persona.not_object")
    known = {"name": "", "description": ""}
    for key, found in value.items():
        if key not in known:
            raise _refused(path, "persona.unknown", field=shortened(key, 40))
        if not isinstance(found, str):
            raise _refused(path, "persona.not_string", field=key)
        known[key] = found.strip()
    return _checked(path, Persona(known["name"], known["description"]))


def _of_text(path: Path, text: str) -> Persona:
    first, _, rest = text.strip().partition("\n")
    return _checked(path, Persona(first.lstrip("#").strip(), rest.strip()))


def _checked(path: Path, persona: Persona) -> Persona:
    if not persona.name and not persona.description:
        raise _refused(path, "persona.empty")
    if len(persona.name) > MAX_NAME:
        raise _refused(path, "persona.long_name", limit=MAX_NAME)
    return persona


def _refused(path: Path, key: str, **facts: str | int) -> Told:
    return Told(
        "bad_persona", voice().say(key, path=str(path), **facts), voice().say("persona.hint")
    )
