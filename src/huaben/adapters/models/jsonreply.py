"""A reply that is one JSON object, read while it arrives; apart from the model around it because it is a
grammar of its own.

What is meant: `{"say": "…", "calls": [{"tool": "…", "arguments": {…}}]}`. What is read besides: prose
or a code fence around the object, several objects, `name`, `parameters` or a `function` object in a
call, one call without a list, arguments as a string, commas too many or too few. Nothing is repaired:
arguments pass as they were written, and an object that breaks off becomes a call that cannot run, so
that the model is told and nothing of it becomes prose.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from huaben.adapters.models.thinking import SurrogateMender
from huaben.domain.messages import CallDelta, TextDelta

Reading: TypeAlias = Generator[None, str, None]
Finding: TypeAlias = Generator[None, str, str]
Piece: TypeAlias = TextDelta | CallDelta

_END: Final = ""
_BLANK: Final = " \t\r\n"
_TOOL: Final = ("tool", "name")
_ARGUMENTS: Final = ("arguments", "parameters", "args", "input")
_CALLS: Final = ("calls", "tool_calls")
_FIRST: Final = frozenset({"say", *_CALLS, *_TOOL, *_ARGUMENTS, "function", "id", "type"})
"""A key that an object of ours may begin with; any other object is prose."""
_FENCE: Final = re.compile(r"[ \t]*(?:`{1,3}\w*[ \t]*)?")
_DEEPEST: Final = 2
_ESCAPES: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


@dataclass(slots=True)
class ReadCall:
    """A call as far as it has arrived. `position` is given once its name is known or it is over;
    `depth` counts the objects that it is wrapped in."""

    name: str = ""
    arguments: list[str] = field(default_factory=list[str])
    position: int | None = None
    depth: int = 0

    @property
    def text(self) -> str:
        return "".join(self.arguments)


class ReplyScanner:
    """Feed the text of a reply, `close` it at its end. What was given out as pieces adds up to
    `text` and `calls`; `flags` name the first thing that was odd."""

    def __init__(self) -> None:
        self.calls: list[ReadCall] = []
        self.flags: list[str] = []
        self._said: list[str] = []
        self._out: list[Piece] = []
        self._mender = SurrogateMender()
        self._held = ""
        self._joint = ""
        self._char = " "
        self._reading = self._reply()
        next(self._reading)

    @property
    def text(self) -> str:
        return "".join(self._said)

    def feed(self, text: str) -> list[Piece]:
        for char in text:
            self._reading.send(char)
        return self._taken()

    def close(self) -> list[Piece]:
        with suppress(StopIteration):
            self._reading.send(_END)
        self._speak(self._mender.close())
        return self._taken()

    # ---- what is given out ---------------------------------------------------------------------

    def _taken(self) -> list[Piece]:
        out, self._out = self._out, []
        return out

    def _speak(self, text: str) -> None:
        if not text:
            return
        self._said.append(text)
        last = self._out[-1] if self._out else None
        if isinstance(last, TextDelta):
            self._out[-1] = TextDelta(last.text + text)
        else:
            self._out.append(TextDelta(text))

    def _argue(self, call: ReadCall, piece: str) -> None:
        call.arguments.append(piece)
        if call.position is None:
            return
        last = self._out[-1] if self._out else None
        if isinstance(last, CallDelta) and last.index == call.position:
            self._out[-1] = CallDelta(last.index, call.name, last.arguments + piece)
        else:
            self._out.append(CallDelta(call.position, call.name, piece))

    def _place(self, call: ReadCall) -> None:
        """Give a call its place, with the arguments that came before its name."""
        if call.position is None:
            call.position = len(self.calls)
            self.calls.append(call)
            self._out.append(CallDelta(call.position, call.name, call.text))

    def _flag(self, name: str) -> None:
        if not self.flags:
            self.flags.append(name)

    # ---- characters ----------------------------------------------------------------------------

    def _next(self) -> Reading:
        if self._char == _END:
            return
        self._char = yield

    def _at(self, chars: str) -> bool:
        """Whether the present character is one of these. (A comparison would be taken to hold after
        the next character came.)"""
        return bool(self._char) and self._char in chars

    def _skip_blank(self) -> Reading:
        while self._at(_BLANK):
            yield from self._next()

    # ---- prose around the object ---------------------------------------------------------------

    def _reply(self) -> Reading:
        yield from self._next()
        while self._char:
            if not self._at("{["):
                self._prose(self._char)
                yield from self._next()
                continue
            opened = [self._char]
            key = yield from self._opening(opened)
            if key:
                self._held = ""
                self._joint = "\n\n" if self._said else ""
                yield from self._object(key) if key in _FIRST else self._break("".join(opened))
                yield from self._leave()
            else:
                for char in opened:
                    self._prose(char)
        if self._held.strip(_BLANK + "`"):
            self._say(self._held)

    def _prose(self, char: str) -> None:
        """Words outside any object are said; blank space and a fence are held back, because they
        may belong to an object that follows."""
        self._held += char
        line = self._held.rpartition("\n")[2]
        if char == "\n" or _FENCE.fullmatch(line):
            return
        held, self._held = self._held, ""
        self._say(held if self._said and not self._joint else held.lstrip(_BLANK))

    def _say(self, text: str) -> None:
        joint, self._joint = self._joint, ""
        self._speak(self._mender.feed(joint + text) if text else "")

    def _opening(self, opened: list[str]) -> Finding:
        """The first key of what may be an object of ours, or nothing; `opened` is what was read. A
        key in the wrong quotes comes back in them."""

        def step() -> Reading:
            yield from self._next()
            while self._at(_BLANK):
                opened.append(self._char)
                yield from self._next()

        yield from step()
        if opened[0] == "[":
            if not self._at("{"):
                return ""
            opened.append("{")
            yield from step()
        quote = self._char
        if not self._at("\"'"):
            return ""
        key = ""
        while True:
            opened.append(self._char)
            yield from self._next()
            if not self._char or self._at(quote):
                break
            key += self._char
            if not any(known.startswith(key) for known in _FIRST):
                return ""
        if not self._char and key:
            self._flag("json_cut")
            opened.clear()
            return ""
        opened.append(self._char)
        yield from self._next()
        return "" if key not in _FIRST else key if quote == '"' else f"'{key}'"

    def _leave(self) -> Reading:
        """Pass the fence behind an object."""
        while self._at(_BLANK + "`]"):
            yield from self._next()
        if self._said:
            self._joint = "\n\n"

    # ---- the object ----------------------------------------------------------------------------

    def _object(self, key: str) -> Reading:
        """The rest of an object whose first key has been read."""
        bare = ReadCall()
        while True:
            yield from self._value_of(key, bare)
            key = yield from self._following()
            if not key:
                break
        if bare.name or bare.arguments:
            self._place(bare)

    def _following(self) -> Finding:
        """The next key of an object; nothing at its end, which is passed, or where it breaks."""
        yield from self._skip_blank()
        while self._at(","):
            yield from self._next()
            yield from self._skip_blank()
        if self._at("}"):
            yield from self._next()
            return ""
        if self._at('"'):
            key = yield from self._string()
            return key or " "
        yield from self._break()
        return ""

    def _value_of(self, key: str, bare: ReadCall) -> Reading:
        yield from self._skip_blank()
        if not self._at(":"):
            yield from self._break()
            return
        yield from self._next()
        yield from self._skip_blank()
        if key == "say" and self._at('"'):
            yield from self._speech()
        elif key in _CALLS and self._at("["):
            yield from self._list()
        elif key in _CALLS and self._at("{"):
            yield from self._call(ReadCall())
        elif key not in ("say", *_CALLS):
            yield from self._member(key, bare)
        else:
            yield from self._pass(None)

    def _list(self) -> Reading:
        yield from self._next()
        while self._char:
            yield from self._skip_blank()
            if self._at("{"):
                yield from self._call(ReadCall())
            elif self._at(","):
                yield from self._next()
            elif self._at("]"):
                yield from self._next()
                return
            else:
                yield from self._break()

    def _call(self, call: ReadCall) -> Reading:
        yield from self._next()
        while True:
            key = yield from self._following()
            if not key:
                break
            yield from self._skip_blank()
            if self._at(":"):
                yield from self._next()
                yield from self._skip_blank()
                yield from self._member(key, call)
        if call.name or call.arguments:
            self._place(call)

    def _member(self, key: str, call: ReadCall) -> Reading:
        if key in (*_TOOL, "function") and self._at('"'):
            call.name = yield from self._string()
            self._place(call)
        elif key == "function" and self._at("{") and call.depth < _DEEPEST:
            call.depth += 1
            yield from self._call(call)
        elif key in _ARGUMENTS and self._at('"'):
            yield from self._quoted(call)
        elif key in _ARGUMENTS:
            yield from self._pass(call)
        else:
            yield from self._pass(None)

    def _break(self, rest: str = "") -> Reading:
        """What cannot be read goes to the model as a call that cannot run."""
        if not self._char:
            self._flag("json_cut")
            return
        self._flag("json_broken")
        while self._char:
            rest += self._char
            yield from self._next()
        self._place(ReadCall(arguments=[rest]))

    # ---- values --------------------------------------------------------------------------------

    def _pass(self, call: ReadCall | None) -> Reading:
        """Any value, as it was written; to a call or to nobody. A missing one is `null`."""
        if self._at("n") and call is not None:
            call = None  # null: no arguments
        depth, quoted, escaped = 0, False, False
        while self._char:
            char = self._char
            if quoted:
                quoted, escaped = escaped or char != '"', not escaped and char == "\\"
            elif char == '"':
                quoted = True
            elif char in "{[":
                depth += 1
            elif char in "}]":
                depth -= 1
            if depth < 0 or (not depth and not quoted and char in ","):
                return
            if call is not None:
                self._argue(call, char)
            yield from self._next()
            if not depth and not quoted and char in '}]"':
                return
        self._flag("json_cut")

    def _quoted(self, call: ReadCall) -> Reading:
        """Arguments that were written as a string."""
        mender = SurrogateMender()
        yield from self._next()
        while self._char and not self._at('"'):
            char = yield from self._letter()
            if piece := mender.feed(char):
                self._argue(call, piece)
        yield from self._next()

    def _speech(self) -> Reading:
        yield from self._next()
        while self._char and not self._at('"'):
            char = yield from self._letter()
            self._say(char)
        if not self._char:
            self._flag("json_cut")
        yield from self._next()

    def _string(self) -> Finding:
        found = ""
        yield from self._next()
        while self._char and not self._at('"'):
            found += yield from self._letter()
        yield from self._next()
        return found

    def _letter(self) -> Finding:
        """One character of a string; half of a pair stays half until its other half comes."""
        char = self._char
        yield from self._next()
        if char != "\\" or not self._char:
            return char
        code = self._char
        yield from self._next()
        if code != "u":
            return _ESCAPES.get(code, code)
        digits = ""
        while len(digits) < 4 and self._char and self._char in "0123456789abcdefABCDEF":
            digits += self._char
            yield from self._next()
        return chr(int(digits, 16)) if len(digits) == 4 else digits
