"""What the user allows the page, wherever it is opened: the hosts that pictures may come from. Apart from
what a browser remembers by itself, because the server puts it into the policy of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from huaben.domain.project import Guidance
from huaben.errors import BadInput
from huaben.ports import Commit, Stale
from huaben.services.house import House
from huaben.services.stories import stale

_ROW: Final = "page.json"
MAX_HOSTS: Final = 50
_HOST: Final = re.compile(
    r"(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?"
)
"""A name with a dot in it that does not end in digits: no address, no machine of this network."""


@dataclass(frozen=True, slots=True)
class PageSettings:
    """`picture_hosts` are names in lower case, without scheme or port; pictures are fetched from them
    by HTTPS alone."""

    picture_hosts: tuple[str, ...] = ()
    revision: int = 0


async def read_page_settings(house: House) -> PageSettings:
    """What is allowed; nothing where nothing was set, or where what is stored cannot be read."""
    row = await _row(house)
    if row is None:
        return PageSettings()
    return PageSettings(tuple(_hosts_in(row.text)), row.revision)


async def write_page_settings(house: House, wanted: PageSettings) -> PageSettings:
    """Put settings in the place of those with `wanted.revision`. Raises `BadInput` (`bad_host`,
    `too_many_hosts`) and `Conflict("stale")`."""
    hosts = tuple(dict.fromkeys(_checked(host) for host in wanted.picture_hosts))
    if len(hosts) > MAX_HOSTS:
        raise BadInput("too_many_hosts", f"{len(hosts)} hosts, at most {MAX_HOSTS}.")
    text = json.dumps({"picture_hosts": hosts})
    row = Guidance(house.user_id, "", _ROW, text)
    key = ("guidance", f"{house.user_id}//{_ROW}")
    done = await house.store.commit(Commit(expected={key: wanted.revision}, rows=(row,)))
    if isinstance(done, Stale):
        raise stale(done)
    return await read_page_settings(house)


async def _row(house: House) -> Guidance | None:
    rows = await house.store.guidance(house.user_id, "")
    return next((row for row in rows if (row.card_id, row.name) == ("", _ROW)), None)


def _hosts_in(text: str) -> Iterable[str]:
    """Only what still has the form of a host: it goes into a policy."""
    try:
        stored: object = json.loads(text)
    except ValueError:
        return
    if not isinstance(stored, dict):
        return
    hosts = cast("dict[str, object]", stored).get("picture_hosts")  # keys of a JSON object
    for host in cast("list[object]", hosts) if isinstance(hosts, list) else ():
        if isinstance(host, str) and _HOST.fullmatch(host):
            yield host


def _checked(host: str) -> str:
    name = host.strip().lower().removeprefix("https://").partition("/")[0]
    if _HOST.fullmatch(name) is None:
        raise BadInput(
            "bad_host",
            f"{host[:100]!r} is not the name of a host.",
            "Give a name such as pictures.example.org, without port.",
        )
    return name
