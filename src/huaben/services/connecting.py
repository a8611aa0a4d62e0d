"""Changing connections: keep, forget, test, find; each one commit, after which the connections are read
again. Keys go to the file of keys and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from huaben.domain.connection import (
    Capabilities,
    Connection,
    Credentials,
    Listing,
    Secret,
    StoredConnection,
)
from huaben.domain.providers import LOCAL, known
from huaben.errors import BadInput, Conflict, NotFound, ProviderFailed
from huaben.formats.connections import Settings, capabilities_to, connection_of, settings_of
from huaben.ports import Commit, Committed, Key, Prober, Row, Secrets, Stale
from huaben.services.connections import FOUND_HERE, Connections, Known, Opening, roles_in
from huaben.services.house import House

MAX_NAME: Final = 60
RESERVED: Final = frozenset({"environment", "providers", "find"})
"""Names that mean something else where connections are named."""


@dataclass(frozen=True, slots=True)
class Switchboard:
    """What connections are changed with. `open_model` shows whether one can be opened at all."""

    connections: Connections
    secrets: Secrets
    prober: Prober
    open_model: Opening


@dataclass(frozen=True, slots=True)
class Wish:
    """What a connection is to be. `settings` are fields of `formats.connections`; what is missing
    takes the provider's default. `key` and `headers` None stay as they are, empty ones go."""

    name: str
    settings: Settings
    roles: tuple[str, ...] = ()
    key: str | None = None
    headers: Mapping[str, str] | None = None


async def keep(house: House, board: Switchboard, wish: Wish, expected: int) -> Known:
    """Keep a connection, or change one whose revision is `expected` (0: there is none yet).

    Raises `BadInput` (`bad_name`, `address_missing`, `bad_address`, `key_in_address`, `bad_header`),
    `Conflict` (`connection_exists`, `connection_changed`). A role that it takes is taken from the
    others.
    """
    _check_name(board, wish.name)
    rows = {row.name: row for row in await house.store.connections(house.user_id)}
    before = (await board.secrets.all()).get(wish.name, Credentials())
    credentials = Credentials(
        before.key if wish.key is None else Secret(wish.key),
        before.headers if wish.headers is None else wish.headers,
    )
    settings = _with_address(wish)
    connection = connection_of(wish.name, settings, credentials.key, credentials.headers)
    _check(board, connection)
    kept = {**settings_of(connection), **({"roles": list(wish.roles)} if wish.roles else {})}
    row = _row(house, rows.get(wish.name), wish.name, kept=True, settings=kept)
    robbed = _without_roles(rows, wish)
    key = _key(house, wish.name)
    # A row that remembers a found connection is no connection that somebody made.
    known_before = rows.get(wish.name)
    if expected == 0 and known_before is not None and not known_before.kept:
        expected = known_before.revision
    await _commit(house, {key: expected}, row, *robbed)
    await board.secrets.put(wish.name, credentials)
    await refresh(house, board)
    return board.connections.named(wish.name)


async def forget(house: House, board: Switchboard, name: str, expected: int) -> None:
    """Let a kept connection and its key go; one that was found goes on being found. Raises
    `NotFound`, `Conflict("connection_changed")`."""
    rows = {row.name: row for row in await house.store.connections(house.user_id)}
    row = rows.get(name)
    if row is None or not row.kept:
        board.connections.named(name)
        raise Conflict(
            "connection_not_kept",
            f"The connection {name} was found, not kept; it is there as long as its key is.",
        )
    gone = replace(row, kept=False, settings={}, capabilities={})
    await _commit(house, {_key(house, name): expected}, gone)
    await board.secrets.drop(name)
    await refresh(house, board)


async def probe(house: House, board: Switchboard, name: str) -> Known:
    """Test a connection and remember what was found; of one that only draws, whether it lists its models.
    Raises `NotFound`."""
    one = board.connections.named(name)
    if one.draws_only:
        found = await _listed(house, board, one)
    else:
        found = await board.prober.probe(one.connection)
    await _remember(house, one.connection, found)
    await refresh(house, board)
    return board.connections.named(name)


async def _listed(house: House, board: Switchboard, one: Known) -> Capabilities:
    """A model that draws answers no questions, and a picture costs more than a test should."""
    try:
        listing = await board.prober.models(one.connection)
    except ProviderFailed as failure:
        # Who refuses to list may draw all the same.
        reached = None if failure.http_status in (404, 405) else False
        return Capabilities(house.now(), reachable=reached, failure=failure.message)
    return Capabilities(house.now(), reachable=True, models=listing.models)


async def list_models(board: Switchboard, name: str) -> Listing:
    """The models that a connection's endpoint lists. Raises `NotFound`, `ProviderFailed`."""
    return await board.prober.models(board.connections.named(name).connection)


async def find(house: House, board: Switchboard) -> list[Known]:
    """Look for model servers on this machine and keep those that are new, last in the order of
    choice: found is not chosen."""
    taken = {one.connection.base_url.rstrip("/") for one in board.connections.known}
    names = {one.name for one in board.connections.known}
    candidates = [server.connection(Secret()) for server in LOCAL if server.base_url not in taken]
    found = await board.prober.find(candidates)
    rows = {row.name: row for row in await house.store.connections(house.user_id)}
    for connection in found:
        if connection.name not in names:
            settings = {**settings_of(connection), FOUND_HERE: True}
            row = _row(
                house, rows.get(connection.name), connection.name, kept=True, settings=settings
            )
            await house.store.commit(Commit(rows=(row,)))
    await refresh(house, board)
    return [one for one in board.connections.known if one.source == "here"]


async def refresh(house: House, board: Switchboard) -> None:
    """Read again what the user keeps."""
    await board.connections.refresh(house.store, board.secrets, house.user_id)


# ---- checks ----------------------------------------------------------------------------------------


def _check_name(board: Switchboard, name: str) -> None:
    reserved = (
        RESERVED
        | board.connections.embedded
        | {one.name for one in board.connections.known if one.source == "environment"}
    )
    # A name stands in addresses, where a slash and dots alone mean something else.
    readable = name.isprintable() and "/" not in name and bool(name.strip(" ."))
    if not readable or len(name) > MAX_NAME or name in reserved:
        raise BadInput(
            "bad_name",
            f"A connection cannot be named {name[:MAX_NAME]!r}.",
            f"Choose another name of at most {MAX_NAME} printable characters.",
        )


def _with_address(wish: Wish) -> Settings:
    if wish.settings.get("base_url"):
        return wish.settings
    provider = known(wish.name)
    if provider is None:
        raise BadInput(
            "address_missing",
            f"The connection {wish.name} needs an address.",
            "Give it a base_url, such as https://models.example/v1.",
        )
    model = wish.settings.get("model") or provider.model
    return {**wish.settings, "base_url": provider.base_url, "model": model}


def _check(board: Switchboard, connection: Connection) -> None:
    """An address must be one, and no place for a key: it is shown and stored with the rest."""
    try:
        address = urlsplit(connection.base_url)
        secret = bool(address.username or address.password) or any(
            name != "api-version" for name, _ in parse_qsl(address.query)
        )
    except ValueError:
        secret = False  # opening it says what is wrong
    if secret:
        raise BadInput(
            "key_in_address",
            f"The address of the connection {connection.name} holds a key or a password.",
            "Give it as the key, or in a header; those are kept apart.",
        )
    board.open_model(connection, "native")


# ---- rows ------------------------------------------------------------------------------------------


def _key(house: House, name: str) -> Key:
    return ("connection", f"{house.user_id}/{name}")


def _row(
    house: House, before: StoredConnection | None, name: str, *, kept: bool, settings: Settings
) -> StoredConnection:
    if before is None:
        return StoredConnection(house.user_id, name, kept, settings, {}, house.now())
    created = before.created_at if before.kept else house.now()
    return replace(before, kept=kept, settings=settings, created_at=created)


def _without_roles(rows: Mapping[str, StoredConnection], wish: Wish) -> list[Row]:
    robbed: list[Row] = []
    for row in rows.values():
        left = [role for role in roles_in(row.settings) if role not in wish.roles]
        if row.name != wish.name and row.kept and len(left) < len(roles_in(row.settings)):
            robbed.append(replace(row, settings={**row.settings, "roles": left}))
    return robbed


async def _remember(house: House, tested: Connection, found: Capabilities) -> None:
    rows = {row.name: row for row in await house.store.connections(house.user_id)}
    before = rows.get(tested.name) or StoredConnection(
        house.user_id, tested.name, False, {}, {}, house.now()
    )
    row = replace(before, capabilities=capabilities_to(found, tested.origin))
    done = await house.store.commit(
        Commit({_key(house, tested.name): before.revision}, rows=(row,))
    )
    if isinstance(done, Stale):
        # It was changed while it was tested: what was found is of something that is no more.
        raise _changed(tested.name)


async def _commit(house: House, expected: Mapping[Key, int], *rows: Row) -> None:
    done = await house.store.commit(Commit(expected, rows=rows))
    if isinstance(done, Committed):
        return
    name = done.id.partition("/")[2]
    if done.expected == 0:
        raise Conflict("connection_exists", f"There is a connection {name} already.")
    if done.actual == 0:
        raise NotFound("connection_not_found", f"There is no connection {name}.")
    raise _changed(name)


def _changed(name: str) -> Conflict:
    return Conflict(
        "connection_changed",
        f"The connection {name} was changed elsewhere.",
        "Look at it again, then change it.",
    )
