"""What the user allows the page, and what becomes of it in the page's own policy."""

from __future__ import annotations

import pytest

from tests.integration.web.lobby import lobby
from tests.integration.web.table import problem

PATH = "/api/settings/page"


async def test_allowed_hosts_are_told_and_enter_the_policy() -> None:
    """A host is kept by its name alone, once; the next document allows its pictures by HTTPS."""
    async with lobby() as client:
        assert (await client.get(PATH)).json() == {"picture_hosts": [], "revision": 0}
        wanted = ["https://Pictures.Example.org/a.png", "pictures.example.org", "画.example"]
        refused = await client.put(PATH, json={"picture_hosts": wanted, "revision": 0})
        assert (problem(refused)[0], problem(refused)[1].code) == (422, "bad_host")
        body = {"picture_hosts": wanted[:2], "revision": 0}
        told = (await client.put(PATH, json=body)).json()
        assert told == {"picture_hosts": ["pictures.example.org"], "revision": 1}
        assert (await client.get(PATH)).json() == told
        page = await client.get("/")
        if page.status_code == 200:
            policy = page.headers["content-security-policy"]
            assert "img-src 'self' blob: https://pictures.example.org;" in policy
            assert 'name="picture-hosts" content="pictures.example.org"' in page.text


async def test_settings_that_changed_meanwhile_are_not_overwritten() -> None:
    """Two pages that change the settings at once: the second is told."""
    async with lobby() as client:
        body = {"picture_hosts": ["a.example"], "revision": 0}
        assert (await client.put(PATH, json=body)).status_code == 200
        status, refused = problem(await client.put(PATH, json=body))
        assert (status, refused.code) == (409, "stale")


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1",
        "192.168.0.10",
        "[::1]",
        "a.example:8080",
        "*",
        "*.example.org",
        "a.example; script-src *",
        "a example.org",
        "a.example'",
        "-a.example",
        "",
        "x" * 64 + ".example",
    ],
)
async def test_what_is_no_name_of_a_host_is_refused(host: str) -> None:
    """No address, no wildcard, nothing that could say more in a policy than a name."""
    async with lobby() as client:
        answer = await client.put(PATH, json={"picture_hosts": [host], "revision": 0})
        assert problem(answer)[1].code == "bad_host"
