"""Arguments of a tool call from the string the model sent, checked against the tool's own schema.

Malformed arguments are returned to the model and execute nothing; nothing is repaired
(`providers.md` §3). Only the part of JSON Schema that our tools use is known here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias, cast

from huaben.domain.project import Language
from huaben.domain.text import scrub
from huaben.prompt.texts import phrase

Arguments: TypeAlias = Mapping[str, object]
MAX_BRACKETS = 5000
"""No call of ours needs more; beyond it a parser that recurses is at risk."""
_NAMES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "array": list,
    "object": dict,
}


def parse(language: Language, schema: Arguments, raw: str) -> Arguments | str:
    """The arguments, or a sentence for the model saying what does not fit. `""` is `{}`."""
    if raw.count("{") + raw.count("[") > MAX_BRACKETS:
        return phrase(language, "bad_json", detail="nested too deeply")
    try:
        value: object = json.loads(raw) if raw.strip() else {}
    except (ValueError, RecursionError) as error:
        return phrase(language, "bad_json", detail=str(error))
    if not isinstance(value, dict):
        return phrase(language, "bad_json", detail="not an object")
    given = cast("dict[str, object]", _clean(cast("dict[str, object]", value)))
    properties = cast("Mapping[str, Arguments]", schema["properties"])
    if not properties:
        return {}  # some gateways pad the object of a tool that takes nothing
    given = {k: v for k, v in given.items() if v is not None or k in _required(schema)}
    fault = _check_object(language, schema, given)
    return phrase(language, "bad_arguments", detail=fault) if fault else given


def _clean(value: object) -> object:
    """The value with every text fit to be stored and sent back: a model can escape half a
    character. Depth is bounded by what the parser took."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, list):
        return [_clean(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        return {scrub(name): _clean(item) for name, item in members.items()}
    return value


def _required(schema: Arguments) -> list[str]:
    return cast("list[str]", schema.get("required", []))


def _check_object(language: Language, schema: Arguments, value: Arguments) -> str:
    properties = cast("Mapping[str, Arguments]", schema["properties"])
    for name in value:
        if name not in properties:
            return phrase(language, "unknown_argument", name=name)
    for name in _required(schema):
        if name not in value:
            return phrase(language, "missing_argument", name=name)
    for name, item in value.items():
        fault = _check(language, name, properties[name], item)
        if fault:
            return fault
    return ""


def _check(language: Language, name: str, schema: Arguments, value: object) -> str:
    kind = cast("str", schema["type"])
    if not isinstance(value, _NAMES[kind]) or isinstance(value, bool):
        return phrase(language, "wrong_type", name=name, kind=kind)
    if "enum" in schema and value not in cast("list[object]", schema["enum"]):
        choices = " | ".join(cast("list[str]", schema["enum"]))
        return phrase(language, "wrong_type", name=name, kind=choices)
    if kind == "integer":
        return _check_range(language, name, schema, cast("int", value))
    if kind == "array":
        return _check_array(language, name, schema, cast("list[object]", value))
    if kind == "object":
        return _check_object(language, schema, cast("Arguments", value))
    return ""


def _check_range(language: Language, name: str, schema: Arguments, value: int) -> str:
    low = cast("int", schema.get("minimum", 0))
    high = cast("int | None", schema.get("maximum"))
    if value < low or (high is not None and value > high):
        return phrase(language, "out_of_range", name=name, low=low, high=high or "∞")
    return ""


def _check_array(language: Language, name: str, schema: Arguments, value: list[object]) -> str:
    low = cast("int", schema.get("minItems", 0))
    high = cast("int | None", schema.get("maxItems"))
    if len(value) < low or (high is not None and len(value) > high):
        return phrase(language, "too_many", name=name, low=low, high=high or "∞")
    items = cast("Arguments", schema["items"])
    for item in value:
        fault = _check(language, name, items, item)
        if fault:
            return fault
    return ""
