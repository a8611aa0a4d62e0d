"""Keys taken out of anything that may be shown or logged; apart so that no path can forget it."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import Final
from urllib.parse import parse_qsl, quote, urlsplit

from huaben.domain.connection import Connection

HIDDEN: Final = "[redacted]"
_SHORTEST_KEY: Final = 4
_SHORTEST_HEADER: Final = 8
"""Shorter values are no secrets and would blot out ordinary words."""

_PATTERNS: Final = (
    re.compile(r"(?i)([\"']?(?:proxy-)?authorization[\"']?\s*[:=]\s*)[\"']?[^\"'\r\n,}]+"),
    re.compile(r"(?i)(\b(?:bearer|basic)\s+)(?=\S*[\d=])[\w.~+/=*-]{4,}"),
    re.compile(r"(?i)([\"']?\b(?:x-)?api[-_ ]?key[\"']?\s*[:=]\s*)[\"']?[^\s\"',}&]+"),
    re.compile(r"(?i)([?&](?:key|token|access_token|sig)=)[^\s&\"']+"),
    re.compile(r"()\b(?:sk|pk|gsk|xai|hf|nvapi|r8)[-_][\w*.-]{6,}"),
    re.compile(r"()\bAIza[\w*-]{10,}"),
)


class Redactor:
    """Hides the key of one connection, its other headers' values and its address's secrets, in any
    spelling, and whatever else looks like a key (endpoints quote keys back, whole or starred)."""

    def __init__(self, connection: Connection) -> None:
        values = sorted(_secrets(connection), key=len, reverse=True)
        spelled = "|".join(re.escape(value) for value in values)
        # What is echoed may have been folded on the way: a key in capitals still tells the key.
        self._known = re.compile(spelled, re.IGNORECASE) if values else None

    def __call__(self, text: str) -> str:
        if self._known is not None:
            text = self._known.sub(HIDDEN, text)
        for pattern in _PATTERNS:
            text = pattern.sub(rf"\g<1>{HIDDEN}", text)
        return text

    def excerpt(self, text: str, max_chars: int = 300) -> str:
        """One redacted line of at most `max_chars` characters. Redacted first, cut second: half a
        key is a key too."""
        line = " ".join(self(text).split())
        return line if len(line) <= max_chars else line[: max_chars - 1] + "…"


def _secrets(connection: Connection) -> set[str]:
    address = urlsplit(connection.base_url)
    keys = {
        connection.api_key.reveal(),
        address.password or "",
        *(value for name, value in parse_qsl(address.query) if name != "api-version"),
    }
    found = {key for key in keys if len(key) >= _SHORTEST_KEY}
    found |= {value for value in connection.headers.values() if len(value) >= _SHORTEST_HEADER}
    spelled: set[str] = set()
    for value in found:
        spelled |= {value, quote(value, safe=""), b64encode(value.encode()).decode()}
    return spelled
