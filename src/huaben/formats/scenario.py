"""Scenario files (TOML or JSON) to validated values; strict, so that a slip of the pen is an error.

Rules: `performers.md` §4 of the design. The sections and their fields are read off the dataclasses
of `domain.scenario`; only ranges and choices that a type cannot say stand here.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Literal, TypeAlias, cast, get_args, get_origin, get_type_hints

from rapidfuzz import fuzz, process

from huaben.domain.scenario import Scenario
from huaben.formats import planning

Setting: TypeAlias = str | int | float | bool | tuple[str, ...]

_RANGES: Mapping[str, tuple[float, float]] = {
    "sampling.temperature": (-1, 5),
    "sampling.top_p": (-1, 1),
    "sampling.top_k": (0, 10_000),
    "sampling.min_p": (0, 1),
    "sampling.frequency_penalty": (-2, 2),
    "sampling.presence_penalty": (-2, 2),
    "sampling.repetition_penalty": (0, 5),
    "sampling.seed": (-1, 2**31 - 1),
    "sampling.max_tokens": (-1, 1_000_000),
    "lore.scan_depth": (0, 1000),
    "lore.max_entries": (0, 10_000),
    "lore.budget": (0, 1_000_000),
    "lore.index_chars": (0, 100_000),
    "lore.hybrid_limit": (0, 200),
    "lore.max_recursion_steps": (0, 100),
    "lore.min_activations": (0, 1000),
    "lore.min_activations_depth": (0, 1000),
    "scribe.wait_s": (0, 600),
    "memory.recall_s": (0, 60),
    "memory.max_chars": (0, 20_000),
    "compaction.every": (0, 10_000),
    "compaction.keep": (0, 1000),
    "compaction.min_chars": (0, 1_000_000),
    "compaction.window_percent": (1, 100),
    "showrunner.max_steps": (1, 12),
    "showrunner.output_tokens": (0, 1_000_000),
    "limits.rounds": (1, 20),
    "limits.output_tokens": (0, 10_000_000),
    "limits.wall_s": (0, 86_400),
    "limits.same_failure": (1, 20),
    **planning.RANGES,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a scenario file: `path` is the dotted field, `nearest` a known one."""

    path: str
    what: str
    nearest: str = ""

    def __str__(self) -> str:
        hint = f"; did you mean {self.nearest}?" if self.nearest else ""
        return f"{self.path}: {self.what}{hint}"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the value of a field comes from."""

    path: str
    value: Setting
    source: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """A scenario and, for every field, its value and the layer that set it."""

    scenario: Scenario
    origins: tuple[Origin, ...]


def read_scenario(data: bytes, *, json_form: bool = False) -> Mapping[str, object] | Fault:
    """The raw tables of a scenario file, or what is wrong with its syntax."""
    try:
        text = data.decode("utf-8-sig")
        raw: object = json.loads(text) if json_form else tomllib.loads(text)
    except (UnicodeDecodeError, json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        return Fault("(file)", f"cannot be read: {error}")
    except RecursionError:
        return Fault("(file)", "is nested too deeply")
    if not isinstance(raw, dict):
        return Fault("(file)", "must be a table of sections")
    return cast("Mapping[str, object]", raw)


def resolve(*layers: tuple[str, Mapping[str, object]]) -> Resolved | tuple[Fault, ...]:
    """Lay the tables over the defaults, later ones on top; each layer is `(its name, its tables)`.

    Returns every fault at once: unknown fields with the nearest known one, wrong types, values out
    of range.
    """
    known = {path: (kind, default) for path, kind, default in known_fields()}
    origins = {path: Origin(path, default, "default") for path, (_, default) in known.items()}
    faults: list[Fault] = []
    for source, tables in layers:
        for path, value in _flatten(tables):
            if path == "extends":
                continue
            if path not in known:
                faults.append(Fault(path, "is not a field that is read", _nearest(path, known)))
                continue
            fault = _check(path, known[path][0], value)
            if fault:
                faults.append(fault)
            else:
                origins[path] = Origin(path, _setting(value), source)
    if faults:
        return tuple(faults)
    scenario = scenario_of({o.path: o.value for o in origins.values()})
    at_odds = tuple(_contradictions(scenario))
    return at_odds or Resolved(scenario, tuple(origins.values()))


def _contradictions(scenario: Scenario) -> Iterator[Fault]:
    """Fields that are right each by itself and cannot hold together."""
    if scenario.governance == "enforce" and scenario.compaction.every == 0:
        yield Fault("governance", "enforce needs compaction: set compaction.every")
    if scenario.lore.placement == "decorate" and not scenario.planner.enabled:
        yield Fault("lore.placement", "decorate needs a planner: set planner.enabled")
    if scenario.performer.kind == "showrunner":
        yield from _undirected(scenario)
    for path, what, nearest in planning.planner_faults(
        scenario.planner, scenario.models.escalation
    ):
        yield Fault(path, what, nearest)


def _undirected(scenario: Scenario) -> Iterator[Fault]:
    """What a showrunner cannot go together with (`performers.md` §4)."""
    if scenario.lore.placement == "decorate":
        yield Fault("lore.placement", "decorate cannot go together with the showrunner")
    if scenario.showrunner.sees == "words+plan" and not scenario.planner.enabled:
        yield Fault("showrunner.sees", "words+plan needs a planner: set planner.enabled")


def _setting(value: object) -> Setting:
    """A checked value as settings are kept."""
    if isinstance(value, list):
        return tuple(cast("list[str]", value))
    return cast("Setting", value)


def scenario_of(values: Mapping[str, object]) -> Scenario:
    """The typed scenario of dotted fields, as `flat` gives them; missing ones take the default.
    Integers become numbers with a point where the field has one."""
    sections: dict[str, object] = {}
    for section in fields(Scenario):
        kind = _hints(Scenario)[section.name]
        if not is_dataclass(kind):
            sections[section.name] = values.get(section.name, section.default)
            continue
        hints = _hints(cast("type[object]", kind))
        chosen: dict[str, object] = {}
        for field in fields(kind):
            value = values.get(f"{section.name}.{field.name}", field.default)
            chosen[field.name] = _typed(hints[field.name], value)
        sections[section.name] = cast("type[object]", kind)(**chosen)
    return Scenario(**sections)  # pyright: ignore[reportArgumentType] - checked by `resolve`


def _typed(kind: object, value: object) -> object:
    """A value as its field has it: JSON knows neither tuples nor whole numbers with a point."""
    if kind is float:
        return float(cast("float", value))
    return tuple(cast("list[str]", value)) if isinstance(value, list) else value


def flat(scenario: Scenario) -> dict[str, Setting]:
    """The scenario as dotted fields, the form in which turns keep it."""
    values: dict[str, Setting] = {}
    for section in fields(Scenario):
        value: object = getattr(scenario, section.name)
        if is_dataclass(value):
            for field in fields(value):
                values[f"{section.name}.{field.name}"] = getattr(value, field.name)
        else:
            values[section.name] = cast("Setting", value)
    return values


@cache
def _hints(section: type[object]) -> Mapping[str, object]:
    """The types of a section's fields; working them out is slow, and every turn reads them."""
    return get_type_hints(section)


def known_fields() -> Iterator[tuple[str, object, Setting]]:
    """Every field with its dotted path, its type and its default, section by section."""
    hints = _hints(Scenario)
    for section in fields(Scenario):
        kind = hints[section.name]
        if not is_dataclass(kind):
            yield section.name, kind, cast("Setting", section.default)
            continue
        for field in fields(kind):
            yield (
                f"{section.name}.{field.name}",
                _hints(cast("type[object]", kind))[field.name],
                cast("Setting", field.default),
            )


def _flatten(tables: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in tables.items():
        if isinstance(value, Mapping):
            inner = cast("Mapping[str, object]", value)
            if not inner:
                yield from (() if name in _sections() else ((name, inner),))
            for key, item in inner.items():
                yield f"{name}.{key}", item
        else:
            yield name, value


def range_of(path: str) -> tuple[float, float]:
    """The least and the greatest number that a field may have."""
    return _RANGES[path]


def _sections() -> set[str]:
    return {field.name for field in fields(Scenario)}


def _nearest(path: str, known: Mapping[str, object]) -> str:
    found = process.extractOne(path, list(known), scorer=fuzz.ratio, score_cutoff=55)
    return found[0] if found else ""


def _check(path: str, kind: object, value: object) -> Fault | None:
    if get_origin(kind) is Literal:
        choices = [str(choice) for choice in get_args(kind)]
        if value in choices:
            return None
        return Fault(path, f"must be one of {', '.join(choices)}, not {value!r}")
    if get_origin(kind) is tuple:
        return _check_list(path, get_args(kind)[0], value)
    if kind is str:
        return None if isinstance(value, str) else Fault(path, "must be a text")
    if kind is bool:
        return None if isinstance(value, bool) else Fault(path, "must be true or false")
    whole = kind is int
    fits = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
    if not fits:
        return Fault(path, "must be a whole number" if whole else "must be a number")
    low, high = _RANGES[path]
    number = cast("float", value)
    if not low <= number <= high:
        return Fault(path, f"must lie between {low:g} and {high:g}, not {number:g}")
    return None


def _check_list(path: str, kind: object, value: object) -> Fault | None:
    if not isinstance(value, list):
        return Fault(path, "must be a list")
    members = cast("list[object]", value)
    for member in members:
        fault = _check(path, kind, member)
        if fault is not None:
            return fault
    if len(set(map(str, members))) < len(members):
        return Fault(path, "names something twice")
    return None
