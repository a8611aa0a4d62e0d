"""Server-sent events to JSON payloads, whatever the framing; apart because framing knows no models.

Read by the event stream grammar of the HTML standard (§ 9.2.6): lines end in CR, LF or CRLF, a
leading BOM and comments are skipped, data lines of one event are joined by LF. Beyond it, as real
servers need: a data line that is whole by itself is handed out at once, events need no blank line
between them or at the end, bare JSON lines count as data, and a body that is one JSON document
instead of a stream is read as such.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, Literal, NoReturn, TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.errors import ProviderFailed

MAX_BYTES: Final = 32 * 1024 * 1024
"""The longest line, event or plain body that is read, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Data that is no JSON object. `broken`: it was meant to be one, so something said is lost."""

    text: str
    broken: bool


Payload: TypeAlias = JsonObject | Unread | Literal["done"]


class BodyDecoder:
    """A response body, stream or plain JSON: feed it bytes cut anywhere, `close` it at the end."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._decoder: _Events | _Document | None = None
        self._start = b""

    def feed(self, data: bytes) -> list[Payload]:
        """The payloads that these bytes complete. Raises `ProviderFailed` beyond `max_bytes`."""
        if self._decoder is not None:
            return self._decoder.feed(data)
        self._start += data
        first = self._start.removeprefix(_BOM).lstrip()
        if not first or _BOM.startswith(self._start):
            return []
        kind = _Document if first[:1] in (b"{", b"[") else _Events
        self._decoder = kind(self._max_bytes)
        return self._decoder.feed(self._start)

    def close(self) -> list[Payload]:
        """What was still open when the body ended."""
        return [] if self._decoder is None else self._decoder.close()


class _Events:
    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._line: list[bytes] = []
        self._line_size = 0
        self._after_cr = False
        self._first = True
        self._data: list[str] = []
        self._data_size = 0
        self._event = b""

    def feed(self, data: bytes) -> list[Payload]:
        if not data:
            return []
        if self._after_cr:
            self._after_cr = False
            if data[:1] == b"\n":
                data = data[1:]
        if b"\r" in data:
            self._after_cr = data.endswith(b"\r")
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        out: list[Payload] = []
        *lines, rest = data.split(b"\n")
        if lines and self._line:
            lines[0] = b"".join((*self._line, lines[0]))
            self._line.clear()
            self._line_size = 0
        for line in lines:
            self._take(line, out)
        if rest:
            self._hold(rest)
        return out

    def close(self) -> list[Payload]:
        out: list[Payload] = []
        if self._line:
            self._take(b"".join(self._line), out)
            self._line.clear()
        self._dispatch(out)
        return out

    def _hold(self, rest: bytes) -> None:
        self._line.append(rest)
        self._line_size += len(rest)
        if self._line_size > self._max_bytes:
            _too_large(self._max_bytes)

    def _take(self, line: bytes, out: list[Payload]) -> None:
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        if line.startswith(b"data:"):
            self._datum(line[5:], out)
        elif not line:
            self._dispatch(out)
        elif line.startswith(b"event:"):
            self._event = line[6:].strip()
        elif line.startswith(b"{") or line.strip() == b"[DONE]":
            self._datum(line, out)
        # Comments, other fields and noise: the grammar says to ignore them.

    def _datum(self, data: bytes, out: list[Payload]) -> None:
        text = data.decode("utf-8", "replace").removeprefix(" ")
        bare = text.strip()
        if bare == "[DONE]":
            self._dispatch(out)
            out.append("done")
        elif self._data:
            self._keep(text)
        elif bare:
            read = _read(bare)
            if isinstance(read, Unread):
                self._keep(text)
            else:
                out.extend(self._named(payload) for payload in read)

    def _keep(self, text: str) -> None:
        self._data.append(text)
        self._data_size += len(text)
        if self._data_size > self._max_bytes:
            _too_large(self._max_bytes)

    def _dispatch(self, out: list[Payload]) -> None:
        if self._data:
            lines, self._data, self._data_size = self._data, [], 0
            whole = _read("\n".join(lines))
            if isinstance(whole, Unread):
                # No blank line stood between events: each line has to speak for itself.
                for line in lines:
                    read = _read(line.strip())
                    out.extend(
                        self._named(payload)
                        for payload in ([read] if isinstance(read, Unread) else read)
                    )
            else:
                out.extend(self._named(payload) for payload in whole)
        self._event = b""

    def _named(self, payload: Payload) -> Payload:
        """An `event: error` is an error even if its data does not call itself one."""
        if self._event != b"error" or payload == "done":
            return payload
        if isinstance(payload, Unread):
            return {"error": payload.text}
        return payload if payload.get("error") else {"error": payload}


class _Document:
    """A body that is one JSON value; should it turn out to be lines after all, they are read so."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[Payload]:
        self._parts.append(data)
        self._size += len(data)
        if self._size > self._max_bytes:
            _too_large(self._max_bytes)
        return []

    def close(self) -> list[Payload]:
        body = b"".join(self._parts)
        whole = _read(body.removeprefix(_BOM).decode("utf-8", "replace").strip())
        if not isinstance(whole, Unread):
            return whole
        events = _Events(self._max_bytes)
        lines = events.feed(body) + events.close()
        return lines or [whole]


_BOM: Final = b"\xef\xbb\xbf"
# Raw line breaks inside strings are against RFC 8259, but some servers send them.
_JSON: Final = json.JSONDecoder(strict=False)


def _read(text: str) -> list[Payload] | Unread:
    """One JSON object, or an array of them."""
    try:
        value: Json = _JSON.decode(text)
    except (ValueError, RecursionError):
        return Unread(text, broken=text.startswith(("{", "[")))
    if isinstance(value, dict):
        return [value]
    if isinstance(value, list):
        return [item for item in value if isinstance(item, dict)]
    return Unread(text, broken=False)


def _too_large(max_bytes: int) -> NoReturn:
    raise ProviderFailed(
        "reply_too_large", f"the endpoint sent more than {max_bytes} bytes at once"
    )
