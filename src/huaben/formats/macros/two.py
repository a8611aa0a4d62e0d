"""The second generation: a tree of macros, expanded inner first; apart from legacy, which reads by sweeps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from huaben.formats.macros.control import Condition, branches, condition, tidy
from huaben.formats.macros.names import NAMES, arity
from huaben.formats.macros.page import Page, allowance
from huaben.formats.macros.parser import (
    Block,
    Macro,
    Shorthand,
    Text,
    Tree,
    inner,
    parse,
)
from huaben.formats.macros.random import choices
from huaben.formats.macros.run import STEP_BYTES, Known, Outcome, Refused, Run, Template, digest
from huaben.formats.macros.scene import WarningCode
from huaben.formats.macros.variables import answer, is_true


@dataclass(frozen=True, slots=True)
class _Source:
    """A template that is being expanded. `key` tells its macros from those of other templates."""

    text: str
    key: str


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where the expansion stands: the template, the page it goes to, and how deep inside others."""

    source: _Source
    page: Page
    depth: int = 0

    def inside(self, page: Page) -> _Spot:
        return replace(self, page=page, depth=self.depth + 1)


class TwoExpander:
    """Expands templates for one run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._room = 0
        self._trees: dict[str, tuple[_Source, Tree]] = {}

    def expand(self, template: str) -> str:
        self._room = allowance(template, self._run.limits.max_bytes)
        source, tree = self._read(template)
        self._run.enter(source.key)
        page = Page(self._room)
        self._block(tree.block, _Spot(source, page))
        return page.text()

    def _read(self, template: str) -> tuple[_Source, Tree]:
        if template not in self._trees:
            tree = parse(template, arity)
            for head in tree.unclosed:
                self._run.warn("unclosed", head)
            self._trees[template] = _Source(template, digest(template)), tree
        return self._trees[template]

    def _block(self, block: Block, spot: _Spot) -> None:
        for node in block:
            match node:
                case Text():
                    spot.page.write(node.text)
                case Macro() | Shorthand():
                    self._node(node, spot)

    def _node(self, node: Macro | Shorthand, spot: _Spot) -> None:
        if spot.depth + node.height > self._run.depth:
            self._keep(node, spot, "too_deep")
        elif not self._run.spend(1):
            self._keep(node, spot)
        elif isinstance(node, Shorthand):
            self._say(node, self._variable(node, spot), spot)
        elif node.closing or node.name == "else":
            self._as_typed(node, spot)
        elif (known := NAMES.get(node.name)) is None:
            self._as_typed(node, spot, "unknown_macro")
        elif not known.definition.least <= _arguments(node) <= known.definition.most:
            self._as_typed(node, spot, "wrong_arguments")
        else:
            self._macro(node, known, spot)

    def _macro(self, node: Macro, known: Known, spot: _Spot) -> None:
        blocks = node.args
        if node.body is not None and known.definition.form != "if":
            blocks = (*blocks, node.body if node.keeps_space else tidy(node.body))
        match known.definition.form:
            case "if":
                self._if(node, spot)
                return
            case "trim" if not blocks:
                spot.page.trim()
                return
            case "comment":
                values = ("",) * len(blocks)
            case "choice":
                values = self._values(choices(blocks), spot)
            case "plain" | "trim":
                values = self._values(blocks, spot)
            case _:
                assert_never(known.definition.form)
        if isinstance(values, Refused):
            self._keep(node, spot)
        else:
            self._say(node, self._run.ask(known, values, _place(node, spot)), spot)

    def _if(self, node: Macro, spot: _Spot) -> None:
        """Writes one branch straight to the page, so that a `{{trim}}` in it reaches outside."""
        asked = condition(node.args[0], node.start, node.end)
        then, other = branches(node.args[1] if node.body is None else node.body)
        chosen = then if self._holds(asked, node, spot) else other
        if node.body is not None and not node.keeps_space:
            chosen = tidy(chosen)
        self._block(chosen, replace(spot, depth=spot.depth + 1))

    def _holds(self, asked: Condition, node: Macro, spot: _Spot) -> bool:
        match asked.asked:
            case Shorthand() as variable:
                text = self._spoken(node, self._variable(variable, spot), spot)
            case str() as word:
                text = self._bare(word, node, spot)
            case block:
                text = self._spoken(node, self._value(block, spot), spot)
        return is_true(text) != asked.negated

    def _bare(self, word: str, node: Macro, spot: _Spot) -> str:
        """What a condition in plain words says: the value of a macro of that name, or the words."""
        known = NAMES.get(word.lower())
        if known is None or known.definition.least > 0 or known.definition.form != "plain":
            return word
        return self._spoken(node, self._run.ask(known, (), _place(node, spot)), spot)

    def _spoken(self, node: Macro, outcome: Outcome, spot: _Spot) -> str:
        """An outcome as the text that a condition judges; what is refused says nothing."""
        match outcome:
            case str():
                return outcome
            case Refused():
                return ""
            case Template():
                page = Page(self._room)
                self._nested(node, outcome.text, spot.inside(page))
                return page.text()

    def _variable(self, node: Shorthand, spot: _Spot) -> Outcome:
        outcome = answer(self._run, node, lambda: self._value(node.value, spot))
        if isinstance(outcome, Refused):
            self._run.warn(outcome.code, spot.source.text[node.start : node.end])
        return outcome

    def _values(self, blocks: tuple[Block, ...], spot: _Spot) -> tuple[str, ...] | Refused:
        values: list[str] = []
        for block in blocks:
            value = self._value(block, spot)
            if isinstance(value, Refused):
                return value
            values.append(value)
        return tuple(values)

    def _value(self, block: Block, spot: _Spot) -> str | Refused:
        """An argument expanded, or refused whole if something in it was too large or too much."""
        overflows = self._run.overflows
        page = Page(self._room)
        self._block(block, spot.inside(page))
        text = page.text()
        self._run.spend(len(text) // STEP_BYTES)
        return text if self._run.overflows == overflows else Refused("too_large")

    def _say(self, node: Macro | Shorthand, outcome: Outcome, spot: _Spot) -> None:
        """Puts an outcome on the page, or leaves the macro as typed where there is no room."""
        if isinstance(outcome, Refused):
            self._keep(node, spot)
            return
        text = outcome if isinstance(outcome, str) else outcome.text
        if not spot.page.make_room(text, node.end - node.start):
            self._keep(node, spot, "too_large")
        elif isinstance(outcome, str):
            spot.page.write(text)
        else:
            self._nested(node, text, spot)

    def _nested(self, node: Macro | Shorthand, template: str, spot: _Spot) -> None:
        source, tree = self._read(template)
        if not self._run.enter(source.key):
            self._keep(node, spot, "cycle")
            return
        self._block(tree.block, _Spot(source, spot.page, spot.depth + 1))
        self._run.leave(source.key)

    def _keep(self, node: Macro | Shorthand, spot: _Spot, code: WarningCode | None = None) -> None:
        """Leaves a macro as typed, everything inside it too."""
        typed = spot.source.text[node.start : node.end]
        if code is not None:
            self._run.warn(code, typed)
        spot.page.write(typed)

    def _as_typed(
        self, node: Macro | Shorthand, spot: _Spot, code: WarningCode | None = None
    ) -> None:
        """Leaves a macro as typed, but expands the macros inside it."""
        text, cursor = spot.source.text, node.start
        if code is not None:
            self._run.warn(code, text[node.start : min(node.end, node.start + 80)])
        for child in inner(node):
            spot.page.write(text[cursor : child.start])
            self._node(child, replace(spot, depth=spot.depth + 1))
            cursor = child.end
        spot.page.write(text[cursor : node.end])


def _arguments(node: Macro) -> int:
    return len(node.args) + (node.body is not None)


def _place(node: Macro, spot: _Spot) -> str:
    return f"{spot.source.key}:{node.start}"
