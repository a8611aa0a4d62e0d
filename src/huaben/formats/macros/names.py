"""All macro names, whatever the case they are written in; apart so that the list has one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from huaben.formats.macros.card import CARD
from huaben.formats.macros.chat import CHAT
from huaben.formats.macros.control import CONTROL
from huaben.formats.macros.parser import Arity
from huaben.formats.macros.random import RANDOM
from huaben.formats.macros.run import Known
from huaben.formats.macros.state import STATE
from huaben.formats.macros.text import TEXT
from huaben.formats.macros.time import TIME
from huaben.formats.macros.variables import VARIABLES
from huaben.formats.macros.who import WHO

_FAMILIES = {**WHO, **CARD, **CHAT, **TIME, **VARIABLES, **RANDOM, **CONTROL, **TEXT, **STATE}

NAMES: Final[Mapping[str, Known]] = {
    name.lower(): Known(name, definition) for name, definition in _FAMILIES.items()
}
"""Known macros by their name in lower case."""


def arity(name: str) -> Arity | None:
    """Fewest and most arguments of a macro, None if there is no such name."""
    known = NAMES.get(name)
    return None if known is None else (known.definition.least, known.definition.most)
