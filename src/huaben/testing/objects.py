"""Content-addressed bytes kept in memory."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator


class MemoryObjects:
    """Implements `Objects`. `contents` may be looked at, and spoilt to test what is then said."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    async def put(self, content: bytes) -> str:
        name = hashlib.sha256(content).hexdigest()
        self.contents.setdefault(name, bytes(content))
        return name

    async def get(self, sha256: str) -> bytes | None:
        return self.contents.get(sha256)

    async def has(self, sha256: str) -> bool:
        return sha256 in self.contents

    async def audit(self) -> AsyncIterator[str]:
        for name, content in sorted(self.contents.items()):
            if hashlib.sha256(content).hexdigest() != name:
                yield f"object {name} does not hold what it is named for"
