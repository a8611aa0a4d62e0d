"""Lenient reading of the fields that chat files share; apart because every dialect is forgiven the same."""

from collections.abc import Mapping

from huaben.domain.jsonvalue import Json, JsonObject

_TRUE = frozenset({"true", "1", "yes"})


def text_of(value: Json) -> str:
    """A text; a number is written out, anything else is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def first_text(raw: Mapping[str, Json], *names: str) -> str:
    """The first field of these that has any text."""
    return next((text for name in names if (text := text_of(raw.get(name)))), "")


def truth_of(value: Json) -> bool:
    """A claim; words and numbers are understood."""
    if isinstance(value, str):
        return value.strip().lower() in _TRUE
    return value is True or (isinstance(value, int | float) and value != 0)


def object_of(value: Json) -> JsonObject:
    """An object; anything else is an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Json) -> list[Json]:
    """A list; anything else is an empty one."""
    return value if isinstance(value, list) else []


def objects_of(value: Json) -> list[JsonObject]:
    """The objects of a list, whatever else is in it."""
    return [item for item in list_of(value) if isinstance(item, dict)]


def without(raw: Mapping[str, Json], *names: str) -> JsonObject:
    """The other fields."""
    return {name: value for name, value in raw.items() if name not in names}
