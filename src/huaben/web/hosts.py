"""Which names this server answers to; apart because it is a pure rule that keeps foreign pages out.

A page of another site may point its own name at this machine (DNS rebinding); the browser then sends
that name as `Host`. It may also post here under its own name, which the browser sends as `Origin`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TypeAlias

Server: TypeAlias = tuple[str, int | None] | None
"""The address and port at which a request arrived, as the server reports it."""

_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]\\?#,]+)(?::([0-9]{1,5}))?")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Authority:
    """A host name in lower case (an IPv6 address without brackets), and a port where one is named."""

    name: str
    port: int | None


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names of one server: what it is bound to, and what the user allowed besides. An allowed
    name without a port stands for every port."""

    bound: str
    allowed: tuple[Authority, ...] = ()

    @staticmethod
    def of(bound: str, allowed: Iterable[str]) -> Hosts:
        """Entries that are no host names allow nothing."""
        read = (parse_authority(entry) for entry in allowed)
        return Hosts(bound.lower(), tuple(entry for entry in read if entry is not None))

    def allows(self, host: str, server: Server, scheme: str = "http") -> bool:
        """Whether a `Host` header names this server."""
        asked = parse_authority(host)
        if asked is None:
            return False
        port = asked.port if asked.port is not None else _PORTS.get(scheme)
        if any(one.name == asked.name and one.port in (None, port) for one in self.allowed):
            return True
        if server is None or port != server[1]:
            return False
        return asked.name == self.bound or is_loopback(asked.name) or _same(asked.name, server[0])

    def allows_origin(self, origin: str, server: Server) -> bool:
        """Whether an `Origin` header names a page of this server. `null` never does."""
        scheme, found, host = origin.lower().partition("://")
        return bool(found) and scheme in _PORTS and self.allows(host, server, scheme)


def parse_authority(text: str) -> Authority | None:
    """A `host[:port]` text, or None for anything else."""
    found = _AUTHORITY.fullmatch(text.strip().lower())
    if found is None:
        return None
    name, port = found[1], found[2]
    if name.startswith("["):
        name = name[1:-1]
        if _address(name) is None:
            return None
    return Authority(name.removesuffix("."), int(port) if port else None)


def is_loopback(name: str) -> bool:
    """Whether a name or address means this machine to whoever uses it. No name is looked up: what a
    name server says is exactly what cannot be trusted here."""
    address = _address(name)
    return name == "localhost" if address is None else address.is_loopback


def _same(name: str, here: str) -> bool:
    """Whether a name is the very address at which the request arrived. A rebound name cannot be an
    address, so whoever types an address means it."""
    address = _address(name)
    return address is not None and address == _address(here)


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(name.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
