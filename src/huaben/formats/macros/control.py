"""Macros that act on the text around them, and the shape of what they enclose; apart as one family."""

from __future__ import annotations

from dataclasses import dataclass, replace

from huaben.formats.macros.parser import Block, Macro, Node, Shorthand, Text, shorthand, trim
from huaben.formats.macros.run import Call, Definition


def _chosen(_call: Call) -> str:
    return ""


CONTROL = {
    "if": Definition(_chosen, least=2, most=2, form="if"),  # the engine takes one branch itself
}


@dataclass(frozen=True, slots=True)
class Condition:
    """What an `if` asks: a variable, a macro by its bare name, or whether a text says yes."""

    negated: bool
    asked: Shorthand | str | Block


def condition(block: Block, start: int, end: int) -> Condition:
    """Reads the first argument of an `if`.

    `!` inverts only where the template writes it before something: what a macro says never
    inverts, and a lone `!` is a text.
    """
    negated = False
    if block and isinstance(first := block[0], Text) and first.text.startswith("!"):
        rest = trim((Text(first.text[1:]), *block[1:]))
        negated, block = bool(rest), rest or block
    if variable := shorthand(block, start, end):
        return Condition(negated, variable)
    if len(block) == 1 and isinstance(only := block[0], Text):
        return Condition(negated, only.text)
    return Condition(negated, block)


def branches(block: Block) -> tuple[Block, Block]:
    """Splits at the first `{{else}}` of this `if`; without one the second branch is empty."""
    for index, node in enumerate(block):
        if isinstance(node, Macro) and node.name == "else" and not node.closing:
            return block[:index], block[index + 1 :]
    return block, ()


def tidy(block: Block) -> Block:
    """Trims a body and takes the indentation of its first line that is not blank off every line.

    Only what the template writes is touched, never what a macro says.
    """
    depth = _indentation(block)
    if not depth:
        return trim(block)
    nodes: list[Node] = []
    for index, node in enumerate(block):
        if not isinstance(node, Text):
            nodes.append(node)
            continue
        lines = node.text.split("\n")
        kept = [lines[0] if index else _outdented(lines[0], depth)]
        kept += [_outdented(line, depth) for line in lines[1:]]
        nodes.append(replace(node, text="\n".join(kept)))
    return trim(tuple(nodes))


def _indentation(block: Block) -> int:
    """How many blanks stand before the first thing that is not blank, in its line."""
    blank = ""
    for node in block:
        if not isinstance(node, Text):
            break
        text = node.text.lstrip()
        blank += node.text[: len(node.text) - len(text)]
        if text:
            break
    return len(blank) - blank.rfind("\n") - 1


def _outdented(line: str, depth: int) -> str:
    blank = len(line) - len(line.lstrip(" \t\u3000"))
    return line[min(blank, depth) :]
