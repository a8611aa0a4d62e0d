"""The password at the door (X08: passwords with odd characters, X10)."""

from __future__ import annotations

import base64

import pytest
from starlette.responses import Response

from huaben.web.password import FREE_TRIES, LONGEST_WAIT_S, REMEMBERED, Doorkeeper

PASSWORD = "雨夜:旧伞 & an old umbrella"


class Watch:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def basic(password: str, user: str = "anybody") -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def status(refusal: Response | None) -> int | None:
    return None if refusal is None else refusal.status_code


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def door(watch: Watch) -> Doorkeeper:
    return Doorkeeper(PASSWORD, watch)


@pytest.mark.parametrize(
    "authorization",
    [basic(PASSWORD), basic(PASSWORD, user=""), f"Bearer {PASSWORD}", f"bearer {PASSWORD}"],
)
def test_the_password_lets_in(door: Doorkeeper, authorization: str) -> None:
    """X08: with any user name, as Basic or Bearer, with colons and Chinese in it."""
    assert door.refuse(authorization, "10.0.0.1") is None


@pytest.mark.parametrize(
    "authorization",
    [
        basic("wrong"),
        basic(""),
        basic(PASSWORD[:-1]),
        "Basic not-base64!",
        "Basic " + base64.b64encode(b"no colon").decode(),
        "Basic " + base64.b64encode(b"user:\xff\xfe").decode(),
        "Digest username=x",
        "Bearer",
        "",
    ],
)
def test_anything_else_is_refused(door: Doorkeeper, authorization: str) -> None:
    """A wrong password and a header that cannot be read are the same to whoever sends them."""
    assert status(door.refuse(authorization, "10.0.0.1")) == 401


def test_who_brings_nothing_is_asked(door: Doorkeeper) -> None:
    """A browser without the password is told to ask for it, and that is no failure."""
    for _ in range(3 * FREE_TRIES):
        refusal = door.refuse(None, "10.0.0.1")
        assert refusal is not None
        assert refusal.headers["www-authenticate"].startswith("Basic")
    assert door.refuse(basic(PASSWORD), "10.0.0.1") is None


def test_guessing_is_throttled(door: Doorkeeper, watch: Watch) -> None:
    """After some wrong ones nothing is checked for a while, not even the right one; each further
    wrong one doubles the time, up to a limit."""
    for _ in range(FREE_TRIES):
        assert status(door.refuse(basic("guess"), "10.0.0.1")) == 401
    waits: list[float] = []
    for _ in range(12):
        refusal = door.refuse(basic(PASSWORD), "10.0.0.1")
        assert refusal is not None
        assert refusal.status_code == 429
        waits.append(float(refusal.headers["retry-after"]))
        watch.time += waits[-1]
        assert status(door.refuse(basic("guess"), "10.0.0.1")) == 401
    assert waits[:4] == [1, 2, 4, 8]
    assert waits[-1] == LONGEST_WAIT_S
    watch.time += LONGEST_WAIT_S
    assert door.refuse(basic(PASSWORD), "10.0.0.1") is None
    assert status(door.refuse(basic("guess"), "10.0.0.1")) == 401  # counted from the beginning


def test_others_are_not_throttled(door: Doorkeeper) -> None:
    """One who guesses does not keep the others out; one IPv6 network counts as one."""
    for host in range(FREE_TRIES):
        door.refuse(basic("guess"), f"2001:db8:0:1::{host + 1:x}")
    assert status(door.refuse(basic(PASSWORD), "2001:db8:0:1::ffff")) == 429
    assert door.refuse(basic(PASSWORD), "2001:db8:0:2::1") is None
    assert door.refuse(basic(PASSWORD), "10.0.0.1") is None


def test_a_crowd_of_guessers_fills_no_memory(door: Doorkeeper) -> None:
    """Only so many addresses are remembered; the oldest are forgotten."""
    for number in range(REMEMBERED + 10):
        for _ in range(FREE_TRIES if number == 0 else 1):
            door.refuse(basic("guess"), f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert door.refuse(basic(PASSWORD), "10.0.0.0") is None
