"""Lenient reading of one JSON object's fields, each repair noted.

Separate because every dialect is written by hand somewhere, and all are forgiven the same things.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.keytext import split_keys
from huaben.formats.notecodes import Why
from huaben.formats.report import Findings

Path: TypeAlias = tuple[str, ...]
TextKeys: TypeAlias = Literal["usual", "odd", "never"]

_TRUE = frozenset({"true", "1", "yes", "on"})
_FALSE = frozenset({"false", "0", "no", "off", ""})
_LARGEST = 2**53


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one object by our names; `paths` says where the dialect keeps each.

    A value of the wrong type is read as the nearest right one, or as the default, and noted as
    changed under `where`. An absent field or null is the default and no note. `text_keys` says what
    one text in place of a list of keys is: taken apart at its commas, as usual or oddly, or no key.
    """

    raw: JsonObject
    paths: Mapping[str, Path]
    where: str
    findings: Findings
    text_keys: TextKeys = "odd"

    def get(self, name: str) -> Json:
        """The value as it stands, None where there is none."""
        path = self.paths.get(name)
        if path is None:
            return None
        here: Json = self.raw
        for step in path:
            if not isinstance(here, dict):
                return None
            here = here.get(step)
        return here

    def text(self, name: str, default: str = "") -> str:
        """A string; a number is written out."""
        value = self.get(name)
        if value is None or isinstance(value, str):
            return default if value is None else value
        if isinstance(value, int | float) and not isinstance(value, bool):
            self.note(name, "number read as text")
            return str(value)
        self.note(name, "not a text")
        return default

    def flag(self, name: str, *, default: bool) -> bool:
        """A truth value; the usual words and numbers are understood."""
        value = self.tri(name)
        return default if value is None else value

    def tri(self, name: str) -> bool | None:
        """A truth value or None for "as the settings say"."""
        value = self.get(name)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            self.note(name, "number read as a truth value")
            return value != 0
        if isinstance(value, str):
            word = value.strip().lower()
            if word in _TRUE or word in _FALSE:
                self.note(name, "text read as a truth value")
                return None if word == "" else word in _TRUE
        self.note(name, "not a truth value")
        return None

    def number(self, name: str, default: float) -> float:
        """A finite number; numeric text is understood."""
        value = self.optional_number(name)
        return default if value is None else value

    def optional_number(self, name: str) -> float | None:
        """A finite number or None where none is given."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return max(-_LARGEST, min(_LARGEST, value))
        read = _number_of(value)
        self.note(name, "not a number" if read is None else "text read as a number")
        return read

    def whole(self, name: str, default: int) -> int:
        """A whole number, cut towards zero, at least 0."""
        value = self.optional_whole(name)
        return default if value is None else value

    def optional_whole(self, name: str) -> int | None:
        """A whole number of at least 0, or None where none is given."""
        value = self.optional_number(name)
        if value is None:
            return None
        if value < 0:
            self.note(name, "below 0")
        return max(0, int(value))

    def keys(self, name: str) -> tuple[str, ...]:
        """A list of keys."""
        value = self.get(name)
        if isinstance(value, str) and self.text_keys != "never":
            if value.strip() and self.text_keys == "odd":
                self.note(name, "text read as a list")
            return split_keys(value)
        return self.texts(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings; members of other types are left out, numbers written out."""
        value = self.get(name)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.note(name, "not a list")
            return ()
        found: list[str] = []
        for item in value:
            if isinstance(item, str):
                found.append(item)
            elif isinstance(item, int | float) and not isinstance(item, bool):
                self.note(name, "number read as text")
                found.append(str(item))
            elif item is not None:
                self.note(name, "member is not a text")
        return tuple(found)

    def note(self, name: str, why: Why) -> None:
        """Notes that a field was read as something else."""
        value = _shown(self.get(name))
        detail = f"{why}: {value}"
        self.findings.changed("read_otherwise", self.place(name), detail, why=why, value=value)

    def place(self, name: str) -> str:
        """Where a field stands, for a note."""
        return ".".join(filter(None, (self.where, *self.paths.get(name, (name,)))))


def _shown(value: Json) -> str:
    """The start of a plain value; of a list or object only its kind, which may be huge."""
    if isinstance(value, list | dict):
        return type(value).__name__
    return str(value)[:80]


def _number_of(value: Json) -> float | None:
    if isinstance(value, bool):
        return float(value)
    if not isinstance(value, str):
        return None
    try:
        read = float(value.strip())
    except ValueError:
        return None
    if not math.isfinite(read):
        return None
    return int(read) if read.is_integer() and abs(read) <= _LARGEST else read
