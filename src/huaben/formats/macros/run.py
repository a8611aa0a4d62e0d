"""What one expansion remembers while it runs, and how a macro is called; apart because both generations share it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, TypeAlias

from huaben.formats.macros.notebook import Notebook
from huaben.formats.macros.scene import Expansion, Limits, MacroWarning, Scene, WarningCode

MAX_WARNINGS = 100
MAX_DEPTH = 64
"""Deeper would strain the interpreter's own stack, whatever the limits say."""
STEP_BYTES = 1024
"""So many bytes produced cost one step."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text of the card or the settings, whose own macros are still to be expanded."""

    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The macro stays as typed, for this reason."""

    code: WarningCode


Outcome: TypeAlias = str | Template | Refused
"""What a macro says. A `str` is final: it is never read as a template."""


@dataclass(frozen=True, slots=True)
class Call:
    """One macro with its arguments expanded. `place` tells this occurrence from every other one:
    a digest of the template and the position in it."""

    name: str
    args: tuple[str, ...]
    place: str
    run: Run

    @property
    def scene(self) -> Scene:
        return self.run.scene


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name means: `handler` answers between `least` and `most` arguments.

    `volatile` says that the answer changes between builds of one session. `form` is how the
    arguments are read: `plain` one by one, `choice` as a list that may be written with commas,
    `comment` not at all; `if` and `trim` act on the text around them.
    """

    handler: Callable[[Call], Outcome]
    least: int = 0
    most: int = 0
    volatile: bool = False
    form: Literal["plain", "choice", "comment", "if", "trim"] = "plain"


@dataclass(frozen=True, slots=True)
class Known:
    """A definition and the name it is usually written with."""

    name: str
    definition: Definition


class Run:
    """The tallies of one expansion: steps left, variables, what is to be reported.

    `overflows` counts what was refused for its size or cost: an argument during which it grew is
    incomplete, and nothing may be made of it.
    """

    def __init__(self, scene: Scene, limits: Limits) -> None:
        self.scene = scene
        self.limits = limits
        self.depth = min(limits.depth, MAX_DEPTH)
        self.notebook = Notebook(scene.variables, limits.max_bytes)
        self.original_spent = False
        self.overflows = 0
        self._steps = limits.steps
        self._volatile: dict[str, None] = {}
        self._hidden: dict[str, None] = {}
        self._warnings: dict[MacroWarning, None] = {}
        self._entered: set[str] = set()

    def spend(self, steps: int) -> bool:
        """Takes `steps` from what is left; False, and nothing is left, if there are not so many."""
        self._steps = self._steps - steps if steps <= self._steps else -1
        if self._steps < 0:
            self.warn("too_many_steps", f"limit {self.limits.steps}")
        return self._steps >= 0

    def warn(self, code: WarningCode, detail: str) -> None:
        self.overflows += code in ("too_large", "too_many_steps")
        if len(self._warnings) < MAX_WARNINGS:
            self._warnings[MacroWarning(code, detail[:80])] = None

    def flag(self, name: str) -> None:
        """Notes that a macro in use changes between builds."""
        self._volatile[name] = None

    def hide_key(self, key: str) -> None:
        self._hidden[key] = None

    def enter(self, name: str) -> bool:
        """Notes that the text behind `name` is being expanded; False if it already is."""
        if name in self._entered:
            return False
        self._entered.add(name)
        return True

    def leave(self, name: str) -> None:
        self._entered.discard(name)

    def ask(self, known: Known, args: tuple[str, ...], place: str) -> Outcome:
        """Calls a macro whose arguments are in place, and counts and reports it."""
        definition = known.definition
        if not definition.least <= len(args) <= definition.most:
            return self._refused(Refused("wrong_arguments"), known.name)
        if not self.spend(0):  # what is left of the arguments is half expanded
            return Refused("too_many_steps")
        outcome = definition.handler(Call(known.name, args, place, self))
        if isinstance(outcome, Refused):
            return self._refused(outcome, known.name)
        if definition.volatile:
            self.flag(known.name)
        text = outcome if isinstance(outcome, str) else outcome.text
        if not self.spend(len(text) // STEP_BYTES):
            return Refused("too_many_steps")
        return outcome

    def result(self, text: str) -> Expansion:
        return Expansion(
            text=text,
            variables=self.notebook.variables(),
            volatile=tuple(self._volatile),
            warnings=tuple(self._warnings),
            hidden_keys=tuple(self._hidden),
        )

    def _refused(self, refused: Refused, name: str) -> Refused:
        self.warn(refused.code, name)
        return refused


def digest(text: str) -> str:
    """A short name for a text: equal texts have equal names, in every process."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
