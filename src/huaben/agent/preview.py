"""Reading a write call while its arguments still arrive, so that prose can be shown as it comes.

An incremental scanner of one JSON object: only `version` (a number) and `content` (a string) at the
top level matter. Nothing is given out before the version has arrived.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

_STRING = json.JSONDecoder()
_MAX_UNSHOWN = 4096
_ESCAPES = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}


@dataclass(slots=True)
class ContentScanner:
    """Feed pieces of the argument string; each feed gives what is certain of `content`.

    Broken JSON stops the scan without an error: the call itself is judged when it is complete.
    """

    version: int | None = None
    _buffer: str = ""
    _at: int = 0
    _key: str = ""
    _state: str = "start"
    _out: str = ""

    def feed(self, piece: str) -> str:
        """Take a piece and return the part of `content` that it added."""
        self._buffer = self._buffer[self._at :] + piece
        self._at = 0
        self._out = ""
        while self._state != "broken" and self._at < len(self._buffer) and self._step():
            pass
        return self._out

    def _step(self) -> bool:
        """Take one token; False when more is needed."""
        if self._state == "content":
            return self._content()
        if self._state == "value":
            return self._value()
        char = self._buffer[self._at]
        if char.isspace() or char in ",:":
            self._at += 1
            if char == ":":
                self._state = "value"
            return True
        if char == "{" and self._state == "start":
            self._state, self._at = "key", self._at + 1
            return True
        if char == '"' and self._state == "key":
            return self._read_key()
        self._state = "broken"
        return False

    def _read_key(self) -> bool:
        try:
            self._key, self._at = _STRING.raw_decode(self._buffer, self._at)
        except json.JSONDecodeError:
            return False
        except (ValueError, RecursionError):
            self._state = "broken"
            return False
        return True

    def _value(self) -> bool:
        char = self._buffer[self._at]
        if char.isspace():
            self._at += 1
            return True
        if self._key == "content" and char == '"':
            self._state, self._at = "content", self._at + 1
            return True
        try:
            value, end = _STRING.raw_decode(self._buffer, self._at)
        except json.JSONDecodeError:
            # A value that is not shown is decoded anew with each piece, so it must stay small.
            if len(self._buffer) - self._at > _MAX_UNSHOWN:
                self._state = "broken"
            return False
        except (ValueError, RecursionError):
            # Nested too deeply or a number of absurd length: the call itself will be refused.
            self._state = "broken"
            return False
        if isinstance(value, int) and end == len(self._buffer):
            return False  # the number may go on in the next piece
        if self._key == "version":
            self.version = value if isinstance(value, int) and not isinstance(value, bool) else -1
        self._state, self._at = "key", end
        return True

    def _content(self) -> bool:
        quote = self._buffer.find('"', self._at)
        slash = self._buffer.find("\\", self._at)
        if slash >= 0 and (quote < 0 or slash < quote):
            self._take(slash)
            return self._escape()
        if quote >= 0:
            self._take(quote)
            self._state, self._at = "key", quote + 1
            return True
        self._take(len(self._buffer))
        return False

    def _take(self, end: int) -> None:
        self._out += self._buffer[self._at : end]
        self._at = end

    def _escape(self) -> bool:
        code = self._buffer[self._at + 1 : self._at + 2]
        if code == "":
            return False
        if code != "u":
            if code not in _ESCAPES:
                self._state = "broken"
                return False
            self._out += _ESCAPES[code]
            self._at += 2
            return True
        return self._unicode()

    def _unicode(self) -> bool:
        pair = self._buffer[self._at : self._at + 12]
        if len(pair) < 6:
            return False
        first = _unit(pair[2:6])
        if first is None:
            self._state = "broken"
            return False
        if not 0xD800 <= first < 0xDC00:
            self._out += chr(first) if not 0xDC00 <= first < 0xE000 else "\ufffd"
            self._at += 6
            return True
        if len(pair) < 12:
            return False
        second = _unit(pair[8:12]) if pair[6:8] == "\\u" else None
        if second is None or not 0xDC00 <= second < 0xE000:
            self._out += "\ufffd"
            self._at += 6
            return True
        self._out += chr(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        self._at += 12
        return True


def _unit(digits: str) -> int | None:
    try:
        return int(digits, 16)
    except ValueError:
        return None
