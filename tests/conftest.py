"""The conditions that every test runs under; at the root because no test may run without them.

Nothing of the person's own set-up reaches a test, nothing of a test reaches the network, and where
everything is required a skipped test is a failed one.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Generator
from ipaddress import ip_address
from typing import TypeAlias

import pytest
from hypothesis import settings

KEPT = frozenset({"HUABEN_REQUIRE_ALL", "HUABEN_CHAOS_RUNS", "HUABEN_FUZZ"})
"""Variables of ours that are about the tests themselves."""


def is_personal(name: str) -> bool:
    """Whether a variable is somebody's own configuration: our settings, any provider's key, a proxy
    that would stand between a test and its server on loopback."""
    upper = name.upper()
    return (
        (upper.startswith("HUABEN_") and upper not in KEPT)
        or upper.endswith("_API_KEY")
        or upper in {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}
    )


for _name in [name for name in os.environ if is_personal(name)]:
    del os.environ[_name]
# Otherwise messages of the command line would come in whatever language the machine speaks.
os.environ["LC_ALL"] = "C.UTF-8"

# Two shared cores make any deadline a matter of luck; linear time is shown by counting instead.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("HUABEN_REQUIRE_ALL") == "1" else "local")


# ---- no network --------------------------------------------------------------------------------


class NetworkForbidden(RuntimeError):
    """A test tried to leave the machine. No OSError, so that no code takes it for a bad line."""


_CONNECTS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_LOOKUPS = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})
_Fact: TypeAlias = socket.socket | tuple[str, int] | str | bytes | None
"""What these events tell: the socket and its address (a path for a Unix socket), or a host."""


def stays_here(host: str | bytes | None) -> bool:
    """Whether reaching `host` keeps within the machine. No host at all means: this machine."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if not name or name == "localhost":
        return True
    try:
        return ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def is_address(host: str | bytes | None) -> bool:
    """Whether looking `host` up asks nobody, because it is an address already."""
    try:
        ip_address(host.partition("%")[0] if isinstance(host, str) else "")
    except ValueError:
        return False
    return True


def refuse_network(event: str, facts: tuple[_Fact, ...]) -> None:
    """An audit hook: it sees the connections of every library and cannot be patched away."""
    if event in _CONNECTS:
        address = facts[1]
        if isinstance(address, tuple) and not stays_here(address[0]):
            raise NetworkForbidden(f"a test connects to {address[0]}; use a server on loopback")
    elif event in _LOOKUPS:
        host = facts[0]
        if isinstance(host, str | bytes) and not stays_here(host) and not is_address(host):
            raise NetworkForbidden(f"a test looks up {host!r}; use a server on loopback")


def pytest_configure() -> None:
    sys.addaudithook(refuse_network)


# ---- nothing is skipped where everything is required -------------------------------------------


def required() -> bool:
    return os.environ.get("HUABEN_REQUIRE_ALL") == "1"


def refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    skipped = report.longrepr
    reason = skipped[2] if isinstance(skipped, tuple) else skipped
    report.outcome = "failed"
    report.longrepr = f"HUABEN_REQUIRE_ALL=1, but this was not run. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    # An expected failure is reported as skipped too, and is no skip.
    if required() and report.skipped and not hasattr(report, "wasxfail"):
        refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if required() and report.skipped:
        refuse_skip(report)
    return report
