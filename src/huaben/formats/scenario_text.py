"""A scenario file as people write it: what is wrong with a text, and what may stand in one. Apart from reading,
which must only know whether a file is sound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args, get_origin

from huaben.formats.scenario import (
    Fault,
    Resolved,
    Setting,
    known_fields,
    range_of,
    read_scenario,
    resolve,
)

FieldKind: TypeAlias = Literal["choice", "text", "flag", "whole", "number", "list"]
MAX_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Field:
    """A field that may stand in a scenario file. `choices` of a choice, or of each member of a list;
    `low` and `high` of a number."""

    path: str
    kind: FieldKind
    default: Setting
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def scenario_fields() -> tuple[Field, ...]:
    """Every field, section by section, but the name, which is that of the file."""
    return tuple(_field(*known) for known in known_fields() if known[0] != "name")


def check_text(text: str, name: str, shipped: Mapping[str, bytes]) -> Resolved | tuple[Fault, ...]:
    """The scenario in a TOML text of that name, laid over the shipped one that it extends
    (`stage` where it does not say), or every fault in it."""
    tables = read_scenario(text.encode("utf-8", "replace"))
    if isinstance(tables, Fault):
        return (tables,)
    faults = _misnamed(tables, name)
    base = tables.get("extends", "stage")
    if not isinstance(base, str) or base not in shipped:
        return (*faults, Fault("extends", f"must be one of {', '.join(shipped)}"))
    under = read_scenario(shipped[base])
    if isinstance(under, Fault):
        return (*faults, under)
    found = resolve((f"{base} (shipped)", under), (name, tables))
    return found if isinstance(found, Resolved) and not faults else (*faults, *_faults(found))


def named(text: str, name: str) -> str:
    """The text with that name in it: in place of another, or at its head."""
    line = f'name = "{name}"'
    lines = text.splitlines()
    for at, one in enumerate(lines):
        if one.lstrip().startswith("["):
            break
        if one.partition("=")[0].strip() == "name":
            return "\n".join([*lines[:at], line, *lines[at + 1 :]]) + "\n"
    return "\n".join([line, *lines]) + "\n"


def _misnamed(tables: Mapping[str, object], name: str) -> tuple[Fault, ...]:
    if tables.get("name") == name:
        return ()
    return (Fault("name", f'must be "{name}", as the scenario is called'),)


def _faults(found: Resolved | tuple[Fault, ...]) -> tuple[Fault, ...]:
    return () if isinstance(found, Resolved) else found


def _field(path: str, kind: object, default: Setting) -> Field:
    if get_origin(kind) is tuple:
        return Field(path, "list", default, _choices(get_args(kind)[0]))
    if get_origin(kind) is Literal:
        return Field(path, "choice", default, _choices(kind))
    if kind is bool:
        return Field(path, "flag", default)
    if kind is str:
        return Field(path, "text", default)
    low, high = range_of(path)
    return Field(path, "whole" if kind is int else "number", default, (), low, high)


def _choices(kind: object) -> tuple[str, ...]:
    return tuple(str(one) for one in get_args(kind)) if get_origin(kind) is Literal else ()
