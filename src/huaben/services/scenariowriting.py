"""Writing scenarios of one's own, beside the shipped ones, which nobody changes: looked at with the origin of
each value, checked as they are typed, kept only when sound. Apart from turns, which only read them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from huaben.errors import BadInput, Conflict, NotFound, TooLarge
from huaben.formats.scenario import Fault, Resolved
from huaben.formats.scenario_text import MAX_BYTES, check_text, named

NAME: Final = re.compile(r"\w[\w +.-]{0,59}")
"""A name that is a file name on every system."""


class ScenarioTexts(Protocol):
    """The texts of scenarios: the shipped ones, and the user's own by name."""

    def shipped(self) -> Mapping[str, bytes]: ...
    def own(self, name: str) -> bytes | None: ...
    def write(self, name: str, text: bytes) -> None: ...
    def remove(self, name: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Looked:
    """A scenario as it is written. `hash` names its text; `resolved` is None where `faults` are."""

    name: str
    own: bool
    text: str
    hash: str
    resolved: Resolved | None
    faults: tuple[Fault, ...] = ()


def look_at(texts: ScenarioTexts, name: str) -> Looked:
    """Raises `NotFound`."""
    shipped = texts.shipped()
    data = shipped[name] if name in shipped else _own(texts, name)
    if data is None:
        raise NotFound("scenario_not_found", f"There is no scenario {name}.")
    return _looked(texts, name, data.decode("utf-8-sig", "replace"), own=name not in shipped)


def try_text(texts: ScenarioTexts, name: str, text: str) -> Looked:
    """What a text would be under that name; nothing is kept. Raises `TooLarge`."""
    _check_size(text)
    return _looked(texts, name, text, own=True)


def write(texts: ScenarioTexts, name: str, text: str, seen: str | None) -> Looked:
    """Keep a text as a scenario of the user's own. `seen` is the hash of the text that it takes the
    place of, None for a new one. Raises `BadInput` for a name that is none or is a shipped one's and
    for a text with faults, `Conflict("stale")` when another text is there."""
    if NAME.fullmatch(name) is None or name.endswith((".", " ")):
        raise BadInput(
            "bad_name",
            f"{name!r} is no name for a scenario.",
            "Use letters, digits, spaces and + . -, at most 60.",
        )
    if name in texts.shipped():
        raise BadInput("shipped_scenario", f"{name} is shipped.", "Copy it under another name.")
    looked = try_text(texts, name, text)
    if looked.faults:
        raise BadInput("bad_scenario", f"{name}: {'; '.join(map(str, looked.faults))}")
    _check_seen(texts, name, seen)
    texts.write(name, text.encode("utf-8", "replace"))
    return looked


def copy(texts: ScenarioTexts, name: str, new: str) -> Looked:
    """A scenario of the user's own that says the same as another. Raises as `look_at` and `write`."""
    return write(texts, new, named(look_at(texts, name).text, new), None)


def remove(texts: ScenarioTexts, name: str, seen: str) -> None:
    """Take a scenario of the user's own away. Stories go on with the settings that they have. Raises
    `NotFound`, `BadInput` for a shipped one, `Conflict("stale")`."""
    if name in texts.shipped():
        raise BadInput("shipped_scenario", f"{name} is shipped and stays.")
    if _own(texts, name) is None:
        raise NotFound("scenario_not_found", f"There is no scenario {name} of your own.")
    _check_seen(texts, name, seen)
    texts.remove(name)


def _looked(texts: ScenarioTexts, name: str, text: str, *, own: bool) -> Looked:
    found = check_text(text, name, texts.shipped())
    digest = _hash(text)
    if isinstance(found, Resolved):
        return Looked(name, own, text, digest, found)
    return Looked(name, own, text, digest, None, found)


def _own(texts: ScenarioTexts, name: str) -> bytes | None:
    return texts.own(name) if NAME.fullmatch(name) else None


def _check_seen(texts: ScenarioTexts, name: str, seen: str | None) -> None:
    there = _own(texts, name)
    now = None if there is None else _hash(there.decode("utf-8-sig", "replace"))
    if now != seen:
        raise Conflict("stale", f"The scenario {name} was changed meanwhile.", "Look at it again.")


def _check_size(text: str) -> None:
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        raise TooLarge("too_large", f"The text has {size:,} bytes, at most {MAX_BYTES:,}.")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
