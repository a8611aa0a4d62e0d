"""Keys in memory, with the behaviour of the real file."""

from __future__ import annotations

from collections.abc import Mapping

from huaben.domain.connection import Credentials


class MemorySecrets:
    """Implements `Secrets`."""

    def __init__(self) -> None:
        self._kept: dict[str, Credentials] = {}

    async def all(self) -> Mapping[str, Credentials]:
        return dict(self._kept)

    async def put(self, name: str, credentials: Credentials) -> None:
        if credentials.key or credentials.headers:
            self._kept[name] = credentials
        else:
            await self.drop(name)

    async def drop(self, name: str) -> None:
        self._kept.pop(name, None)
