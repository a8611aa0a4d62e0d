"""A prober that answers as a test has told it to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from huaben.domain.connection import Capabilities, Connection, Listing
from huaben.errors import ProviderFailed


@dataclass(slots=True)
class ScriptedProber:
    """Implements `Prober`. `found` are the capabilities by the name of the connection, `near` the
    models of servers on this machine by their name; `asked` lists who was asked for what."""

    found: Mapping[str, Capabilities] = field(default_factory=dict[str, Capabilities])
    near: Mapping[str, str] = field(default_factory=dict[str, str])
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    async def models(self, connection: Connection) -> Listing:
        self.asked.append(("models", connection.name))
        if connection.name not in self.found:
            raise ProviderFailed("connection_failed", f"{connection.name} cannot be reached")
        return Listing(self.found[connection.name].models)

    async def probe(self, connection: Connection) -> Capabilities:
        self.asked.append(("probe", connection.name))
        gone = Capabilities("2026-11-01", reachable=False, failure="cannot be reached")
        return self.found.get(connection.name, gone)

    async def find(self, candidates: Sequence[Connection]) -> list[Connection]:
        self.asked += (("find", candidate.name) for candidate in candidates)
        return [
            replace(candidate, model=self.near[candidate.name])
            for candidate in candidates
            if candidate.name in self.near
        ]
