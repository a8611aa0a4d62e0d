"""Which names the server answers to (X10: DNS rebinding, requests of foreign pages)."""

from __future__ import annotations

import pytest

from huaben.web.hosts import Authority, Hosts, Server, is_loopback, parse_authority

HERE: Server = ("127.0.0.1", 8720)
LOCAL = Hosts.of("127.0.0.1", ())


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8720", "localhost:8720", "LocalHost:8720", "localhost.:8720", "[::1]:8720",
     "127.0.0.2:8720"],
)  # fmt: skip
def test_names_of_this_machine_are_answered_to(host: str) -> None:
    """Whatever means loopback, at the port of the server, is the server."""
    assert LOCAL.allows(host, HERE)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8720",
        "evil.example",
        "127.0.0.1.evil.example:8720",
        "localhost.evil.example:8720",
        "localhost:9000",
        "localhost",
        "user@localhost:8720",
        "localhost:8720/",
        "localhost:8720, evil.example",
        "localhost:",
        "localhost:999999",
        "",
        "[::1",
        "[nonsense]:8720",
        "192.168.1.5:8720",
        "故事.example:8720",
    ],
)
def test_foreign_and_malformed_names_are_not(host: str) -> None:
    """A rebound name, another port, and what is no host at all are refused."""
    assert not LOCAL.allows(host, HERE)


def test_the_address_at_which_a_request_arrived_is_answered_to() -> None:
    """A server on all addresses is reached by each of them, but by no name it was not told."""
    open_to_all = Hosts.of("0.0.0.0", ())
    arrived: Server = ("192.168.1.5", 8720)
    assert open_to_all.allows("192.168.1.5:8720", arrived)
    assert open_to_all.allows("192.168.1.5:8720", ("::ffff:192.168.1.5", 8720))
    assert not open_to_all.allows("192.168.1.6:8720", arrived)
    assert not open_to_all.allows("mypc.example:8720", arrived)


def test_the_name_that_it_is_bound_to_is_answered_to() -> None:
    """`--host` with a name makes that name its own."""
    assert Hosts.of("Stories.example", ()).allows("stories.example:8720", ("10.0.0.1", 8720))


@pytest.mark.parametrize(
    ("allowed", "host", "answered"),
    [
        ("stories.example", "stories.example", True),
        ("stories.example", "stories.example:8443", True),
        ("stories.example:8443", "stories.example:8443", True),
        ("stories.example:8443", "stories.example:8720", False),
        ("stories.example", "more.stories.example", False),
        ("https://stories.example/", "stories.example", False),
        ("*", "evil.example", False),
    ],
)
def test_allowed_names_are_taken_as_they_are_written(
    allowed: str, host: str, answered: bool
) -> None:
    """A name stands for every port, a name with a port for that one; there are no wildcards."""
    assert Hosts.of("127.0.0.1", [allowed]).allows(host, HERE) is answered


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("http://localhost:8720", True),
        ("http://127.0.0.1:8720", True),
        ("http://localhost:3000", False),
        ("http://localhost", False),
        ("https://evil.example", False),
        ("null", False),
        ("", False),
        ("file://", False),
        ("moz-extension://localhost:8720", False),
    ],
)
def test_only_pages_of_this_server_are_its_own(origin: str, own: bool) -> None:
    """A page on another port of this machine is as foreign as one from elsewhere."""
    assert LOCAL.allows_origin(origin, HERE) is own


def test_a_page_behind_a_proxy_is_its_own() -> None:
    """The name of the proxy is allowed as a host and so as an origin, with either scheme."""
    hosts = Hosts.of("127.0.0.1", ["stories.example"])
    assert hosts.allows_origin("https://stories.example", HERE)


def test_an_authority_is_read_without_its_decoration() -> None:
    """Case, a trailing dot and brackets do not matter; anything else is no authority."""
    assert parse_authority("Stories.Example.:80") == Authority("stories.example", 80)
    assert parse_authority("[::1]") == Authority("::1", None)
    assert parse_authority("a b") is None


@pytest.mark.parametrize(
    ("name", "loopback"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.168.1.5", False),
        ("mypc", False),
    ],
)
def test_loopback_is_told_without_asking_anybody(name: str, loopback: bool) -> None:
    """No name server is asked: only addresses and `localhost` are known."""
    assert is_loopback(name) is loopback
