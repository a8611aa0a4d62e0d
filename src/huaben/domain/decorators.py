"""Decorator lines at the head of a lorebook entry (card V3); apart because lore obeys and cards strip them."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

CountName: TypeAlias = Literal[
    "activate_only_after",
    "activate_only_every",
    "depth",
    "instruct_depth",
    "reverse_depth",
    "reverse_instruct_depth",
    "scan_depth",
    "instruct_scan_depth",
    "is_greeting",
]
FlagName: TypeAlias = Literal[
    "keep_activate_after_match",
    "dont_activate_after_match",
    "ignore_on_max_context",
    "activate",
    "dont_activate",
]
ListName: TypeAlias = Literal["additional_keys", "exclude_keys"]
WordName: TypeAlias = Literal["role", "position", "is_user_icon", "disable_ui_prompt"]

COUNT_NAMES: frozenset[str] = frozenset(get_args(CountName))
FLAG_NAMES: frozenset[str] = frozenset(get_args(FlagName))
LIST_NAMES: frozenset[str] = frozenset(get_args(ListName))
WORD_NAMES: frozenset[str] = frozenset(get_args(WordName))

_CHOICES: dict[str, frozenset[str]] = {
    "role": frozenset({"assistant", "system", "user"}),
    "position": frozenset({"after_desc", "before_desc", "personality", "scenario"}),
    "disable_ui_prompt": frozenset({"post_history_instructions", "system_prompt"}),
}
_LINE = re.compile(r"(@{2,3})([^@\s]\S*)(?:\s+(.*))?")
_COUNT = re.compile(r"-?\d{1,9}")


@dataclass(frozen=True, slots=True)
class Decorator:
    """One decorator line: its name without the signs, and its values split at commas and trimmed."""

    name: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decorated:
    """An entry's content without its decorator lines, the decorators in force, and those not understood.

    Read a decorator by the method that fits its kind; each answers as if an absent one were not there.
    """

    content: str
    decorators: tuple[Decorator, ...] = ()
    ignored: tuple[Decorator, ...] = ()

    def has(self, name: FlagName) -> bool:
        """Whether a decorator without value is present."""
        return any(decorator.name == name for decorator in self.decorators)

    def count(self, name: CountName) -> int | None:
        """The number of a decorator, possibly negative."""
        return next((int(d.values[0]) for d in self.decorators if d.name == name), None)

    def word(self, name: WordName) -> str | None:
        """The one word or name a decorator carries."""
        return next((d.values[0] for d in self.decorators if d.name == name), None)

    def lists(self, name: ListName) -> tuple[tuple[str, ...], ...]:
        """The word lists of a decorator, in order; only `additional_keys` can have several."""
        return tuple(d.values for d in self.decorators if d.name == name)

    @property
    def forced(self) -> bool | None:
        """True with `@@activate`, which beats all; False with `@@dont_activate`; else None."""
        if self.has("activate"):
            return True
        return False if self.has("dont_activate") else None


def parse_decorators(content: str) -> Decorated:
    """Splits an entry's content into decorators and text (card specification V3, "Decorators").

    Decorator lines stand at the head, blank lines between them allowed; the first other line ends
    them. `@@@name` is a fallback, in force only when every line above it in its chain was ignored
    (unknown name or bad value). Of a repeated name the first
    counts; `additional_keys` may repeat, and each list must then be met. All decorator
    lines and the blank lines round them are taken out; content without any is returned as it is.
    """
    lines = content.split("\n")
    in_force: list[Decorator] = []
    ignored: list[Decorator] = []
    seen: set[str] = set()
    chain_is_met = True
    position = 0
    end = 0
    while position < len(lines):
        line = lines[position].strip()
        position += 1
        if not line:
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            break
        end = position
        decorator = _read(found[2], found[3] or "")
        is_fallback = found[1] == "@@@"
        if is_fallback and chain_is_met:
            continue
        chain_is_met = _is_understood(decorator)
        if not chain_is_met:
            ignored.append(decorator)
        elif decorator.name == "additional_keys" or decorator.name not in seen:
            seen.add(decorator.name)
            in_force.append(decorator)
    if end == 0:
        return Decorated(content)
    while end < len(lines) and not lines[end].strip():
        end += 1
    return Decorated("\n".join(lines[end:]), tuple(in_force), tuple(ignored))


def _read(name: str, value: str) -> Decorator:
    name = name.lower()
    # An icon's name may hold a comma.
    parts = [value] if name == "is_user_icon" else value.split(",")
    return Decorator(name, tuple(part.strip() for part in parts if part.strip()))


def _is_understood(decorator: Decorator) -> bool:
    """Whether the name is one of the specification's and the values are of its kind."""
    name, values = decorator.name, decorator.values
    if name in FLAG_NAMES:
        return True
    if name in LIST_NAMES:
        return bool(values)
    if len(values) != 1:
        return False
    if name in COUNT_NAMES:
        return _COUNT.fullmatch(values[0]) is not None
    return name in WORD_NAMES and values[0] in _CHOICES.get(name, values)
