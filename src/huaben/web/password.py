"""The one password of a server that is open to others: checked in constant time and throttled;
apart because it keeps state (who has failed how often) that nothing else may touch."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from huaben.web.problems import Problem

FREE_TRIES = 5
LONGEST_WAIT_S = 300.0
REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class _Failures:
    count: int
    until: float


class Doorkeeper:
    """Lets in who knows the password, as HTTP Basic (with any user name) or as a Bearer token.

    After `FREE_TRIES` wrong passwords from one address each further one doubles the time for which
    nothing from there is checked, right or wrong. `now` gives seconds that never go back.
    """

    def __init__(self, password: str, now: Callable[[], float]) -> None:
        self._expected = _digest(password)
        self._now = now
        self._failures: OrderedDict[str, _Failures] = OrderedDict()

    def refuse(self, authorization: str | None, client: str) -> Problem | None:
        """The refusal for whoever does not give the password, or None."""
        if authorization is None:
            return _unauthorized("password_required", "This server asks for its password.")
        group = _group(client)
        wait = self._failures[group].until - self._now() if group in self._failures else 0.0
        if wait > 0:
            return _throttled(wait)
        given = _password_of(authorization)
        if given is not None and hmac.compare_digest(_digest(given), self._expected):
            self._failures.pop(group, None)
            return None
        self._note_failure(group)
        return _unauthorized("wrong_password", "That is not the password of this server.")

    def _note_failure(self, group: str) -> None:
        before = self._failures.pop(group, None)
        count = 1 + (before.count if before else 0)
        wait = min(2.0 ** (count - FREE_TRIES), LONGEST_WAIT_S) if count >= FREE_TRIES else 0.0
        self._failures[group] = _Failures(min(count, 64), self._now() + wait)
        while len(self._failures) > REMEMBERED:
            self._failures.popitem(last=False)


def _unauthorized(code: str, detail: str) -> Problem:
    headers = {"www-authenticate": 'Basic realm="Huaben", charset="UTF-8"'}
    hint = "Send it as HTTP Basic with any user name, or as a Bearer token."
    return Problem(401, code, detail, hint, headers=headers)


def _throttled(wait_s: float) -> Problem:
    seconds = math.ceil(wait_s)
    return Problem(
        429,
        "too_many_tries",
        "Too many wrong passwords came from your address.",
        f"Try again in {seconds} s.",
        facts={"retry_after_s": seconds},
        headers={"retry-after": str(seconds)},
    )


def _digest(text: str) -> bytes:
    """Of one length whatever the text, so that comparing tells nothing about it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _password_of(authorization: str) -> str | None:
    scheme, _, rest = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return rest.strip()
    if scheme.lower() != "basic":
        return None
    try:
        raw = base64.b64decode(rest.strip(), validate=True)
    except (binascii.Error, ValueError):
        return None
    try:
        pair = raw.decode("utf-8")
    except UnicodeDecodeError:
        pair = raw.decode("latin-1")
    # Only the first colon separates: a password may hold more of them.
    _, colon, password = pair.partition(":")
    return password if colon else None


def _group(client: str) -> str:
    """Who shares a count: one IPv4 address, or the IPv6 network that one customer is given."""
    try:
        address = ip_address(client.partition("%")[0])
    except ValueError:
        return client
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((address, 64), strict=False))
    return str(address)
