"""Template text to a tree of macros in one linear pass; apart because the tree is the same whatever a name means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, cast

from huaben.formats.macros.scene import Scope

Arity: TypeAlias = tuple[int, int]
"""Fewest and most arguments of a macro."""

Operator: TypeAlias = Literal[
    "", "=", "++", "--", "+=", "-=", "||", "??", "||=", "??=", "==", "!=", ">", ">=", "<", "<="
]


@dataclass(frozen=True, slots=True)
class Text:
    """Literal text, escaped braces already resolved."""

    text: str


@dataclass(frozen=True, slots=True)
class Macro:
    """`{{name::args}}` at `start … end` of the source, in code points.

    `name` is lower-case, "" if the head cannot be read. `body` is what stands between `{{name}}`
    and `{{/name}}`. `height` is 1 plus that of the tallest macro inside.
    """

    name: str
    args: tuple[Block, ...]
    start: int
    end: int
    height: int = 1
    closing: bool = False
    keeps_space: bool = False
    body: Block | None = None


@dataclass(frozen=True, slots=True)
class Shorthand:
    """`{{.variable operator value}}`: a variable read or written in place."""

    scope: Scope
    variable: str
    operator: Operator
    value: Block
    start: int
    end: int
    height: int = 1


Node: TypeAlias = "Text | Macro | Shorthand"
Block: TypeAlias = "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Tree:
    """A whole template. `unclosed` are the heads of macros that never end, kept as text."""

    block: Block
    unclosed: tuple[str, ...]


def parse(source: str, arity: Callable[[str], Arity | None]) -> Tree:
    """Reads a template in time linear in its length, however deep it nests. Never fails.

    `arity` tells how many arguments a name takes, None if nothing has that name: it decides which
    `{{name}}` a `{{/name}}` closes.
    """
    return _Reader(source, arity).read()


def inner(node: Macro | Shorthand) -> Iterator[Macro | Shorthand]:
    """The macros directly inside a macro, in source order."""
    blocks = (node.value,) if isinstance(node, Shorthand) else (*node.args, node.body or ())
    for block in blocks:
        for child in block:
            if not isinstance(child, Text):
                yield child


def trim(block: Block) -> Block:
    """Drops white space at both ends as it stands in the source; what macros yield is not touched."""
    nodes = list(block)
    if nodes and isinstance(first := nodes[0], Text):
        nodes[0] = Text(first.text.lstrip())
    if nodes and isinstance(last := nodes[-1], Text):
        nodes[-1] = Text(last.text.rstrip())
    return tuple(node for node in nodes if not isinstance(node, Text) or node.text)


_SHORTHAND = re.compile(
    r"([.$])([^\W\d_](?:[\w-]*[^\W_])?)\s*"
    r"(?:(\+\+|--)\Z|(\|\|=|\?\?=|\|\||\?\?|\+=|-=|==|!=|>=|<=|=|>|<)\s*|\Z)"
)


def shorthand(block: Block, start: int, end: int) -> Shorthand | None:
    """Reads a block as `.name operator value`, None if it is no such thing.

    Names follow SillyTavern (letter, then letters, digits, `_`, `-`, ending in neither mark), with
    letters of any script.
    """
    block = trim(block)
    if not block or not isinstance(first := block[0], Text):
        return None
    found = _SHORTHAND.match(first.text)
    if found is None:
        return None
    sigil, variable, step, operator = cast(
        "tuple[str, str, str | None, str | None]",
        found.groups(),  # the groups of the pattern above
    )
    rest = trim((Text(first.text[found.end() :]), *block[1:]))
    if rest and operator is None:
        return None
    return Shorthand(
        scope="local" if sigil == "." else "global",
        variable=variable,
        operator=cast("Operator", step or operator or ""),  # the pattern admits nothing else
        value=rest,
        start=start,
        end=end,
        height=1 + _tallest(rest),
    )


def _tallest(block: Block) -> int:
    return max((0 if isinstance(node, Text) else node.height for node in block), default=0)


_TAGS = {
    "user": "user",
    "bot": "char",
    "char": "char",
    "group": "group",
    "charifnotgroup": "charifnotgroup",
}

_TOKEN = re.compile(
    r"\\\{\\\{|\\\}\\\}|\{\{|\}\}|::|<(user|bot|char|group|charifnotgroup)>",
    re.IGNORECASE | re.ASCII,  # ASCII: a long s must not pass for an s
)
_HEAD = re.compile(
    r"""\{\{\s*+(?:
        (?P<endcomment>/\s*+//)(?=\s*+\}\})
      | (?P<comment>//)
      | (?P<flags>(?:[!?~>#/]\s*+)*+)
        (?: (?P<shorthand>(?=[.$][^\W\d_]))
          | (?P<clock>time_)(?=utc[+-]\d)
          | (?P<name>[^\W\d_][\w-]*+) (?P<separator> \s*+::? | (?=\s*+\}\}) | \s++ )? )
    )""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Head:
    kind: Literal["macro", "shorthand", "unread"]
    name: str = ""
    arguments: Literal["none", "one", "list"] = "one"
    closing: bool = False
    keeps_space: bool = False


@dataclass(slots=True)
class _Frame:
    """A macro whose end has not been seen yet; the outermost frame is the template itself."""

    head: _Head
    start: int
    body_start: int
    args: list[list[Node]] = field(default_factory=lambda: [[]])


class _Reader:
    """One pass over one source: a stack of open macros, no recursion."""

    def __init__(self, source: str, arity: Callable[[str], Arity | None]) -> None:
        self._source = source
        self._arity = arity
        self._frames = [_Frame(_Head("unread"), 0, 0)]
        self._cursor = 0

    def read(self) -> Tree:
        at = 0
        while found := _TOKEN.search(self._source, at):
            match found.group():
                case "{{":
                    at = self._open(found.start())
                case "}}":
                    at = self._close(found)
                case "::":
                    at = self._separate(found)
                case r"\{\{" | r"\}\}":
                    at = found.end()
                case _:
                    at = self._tag(found)
        return self._finish()

    def _open(self, start: int) -> int:
        found = _HEAD.match(self._source, start)
        if found is None:
            return start + 1  # `{{{char}}` is a brace and a macro
        self._flush(start)
        self._frames.append(_Frame(_head(found), start, found.end()))
        self._cursor = found.end()
        return found.end()

    def _close(self, found: re.Match[str]) -> int:
        if len(self._frames) > 1:
            self._flush(found.start())
            node = self._node(self._frames.pop(), found.end())
            self._frames[-1].args[-1].append(node)
            self._cursor = found.end()
        return found.end()

    def _separate(self, found: re.Match[str]) -> int:
        frame = self._frames[-1]
        if frame.head.arguments == "list":
            self._flush(found.start())
            frame.args.append([])
            self._cursor = found.end()
        return found.end()

    def _tag(self, found: re.Match[str]) -> int:
        self._flush(found.start())
        name = _TAGS[str(found[1]).lower()]
        self._frames[-1].args[-1].append(Macro(name, (), found.start(), found.end()))
        self._cursor = found.end()
        return found.end()

    def _finish(self) -> Tree:
        self._flush(len(self._source))
        nodes: list[Node] = []
        heads: list[str] = []
        for frame in self._frames:
            head = self._source[frame.start : frame.body_start]
            if head:
                heads.append(head)
                nodes.append(Text(_unescaped(head)))
            for index, arg in enumerate(frame.args):
                if index:
                    nodes.append(Text("::"))
                nodes.extend(arg)
        return Tree(self._paired(nodes), tuple(heads))

    def _flush(self, upto: int) -> None:
        if text := self._source[self._cursor : upto]:
            self._frames[-1].args[-1].append(Text(_unescaped(text)))

    def _node(self, frame: _Frame, end: int) -> Macro | Shorthand:
        blocks = tuple(trim(self._paired(arg)) for arg in frame.args)
        head = frame.head
        if head.kind == "shorthand" and (read := shorthand(blocks[0], frame.start, end)):
            return read
        if head.arguments == "none" or (head.name == "//" and not blocks[0]):
            blocks = ()
        height = 1 + max((_tallest(block) for block in blocks), default=0)
        return Macro(head.name, blocks, frame.start, end, height, head.closing, head.keeps_space)

    def _paired(self, nodes: list[Node]) -> Block:
        """Folds `{{name}} … {{/name}}` into one node with a body.

        A closing tag takes the nearest open macro of its name that has room for one more argument,
        else the nearest of that name at all: such a pair is then left as typed.
        """
        out: list[Node] = []
        waiting: _Waiting = {}
        for node in nodes:
            if not isinstance(node, Macro) or (arity := self._arity(node.name)) is None:
                out.append(node)
            elif not node.closing:
                roomy = arity[0] <= len(node.args) + 1 <= arity[1]
                waiting.setdefault((node.name, roomy), []).append((len(out), node))
                out.append(node)
            elif node.args or (opened := _opener(out, waiting, node.name)) is None:
                out.append(node)
            else:
                at, opener = opened
                out[at:] = [_scoped(opener, tuple(out[at + 1 :]), node.end)]
        return tuple(out)


_Waiting: TypeAlias = dict[tuple[str, bool], list[tuple[int, Macro]]]


def _opener(out: list[Node], waiting: _Waiting, name: str) -> tuple[int, Macro] | None:
    """Where in `out` the macro stands that a closing tag closes. Macros that were folded into a
    body meanwhile are dropped on the way."""
    for roomy in (True, False):
        candidates = waiting.get((name, roomy), [])
        while candidates:
            at, macro = candidates.pop()
            if at < len(out) and out[at] is macro:
                return at, macro
    return None


def _scoped(opener: Macro, body: Block, end: int) -> Macro:
    height = max(opener.height, 1 + _tallest(body))
    return replace(opener, body=body, end=end, height=height)


def _head(found: re.Match[str]) -> _Head:
    if found["endcomment"]:
        return _Head("macro", "//", "none", closing=True)
    if found["comment"]:
        return _Head("macro", "//")
    flags = str(found["flags"])
    closing, keeps_space = "/" in flags, "#" in flags
    if found["clock"]:
        return _Head("macro", "time", "one", closing, keeps_space)
    if found["name"] is None:
        return _Head("unread" if closing else "shorthand")
    separator = found["separator"]
    if separator is None:
        return _Head("unread")
    marks = str(separator).strip()
    arguments: Literal["none", "one", "list"] = "one"
    if marks == "::":
        arguments = "list"
    elif separator == "":
        arguments = "none"
    return _Head("macro", str(found["name"]).lower(), arguments, closing, keeps_space)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return text.replace("\\{\\{", "{{").replace("\\}\\}", "}}")
