"""Restoring a backup under a running program: a preview first, then on the user's word all or nothing.

Apart from backing up, because here the house itself is put on other foundations: jobs are cut short and
taken up again from what is restored, and whatever memory held is read anew.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterable
from pathlib import Path

from huaben.errors import Conflict, NotFound
from huaben.ports.vault import Preview, ProjectAside, Restored
from huaben.services import chores
from huaben.services.backup import contents_json, vault_of
from huaben.services.connecting import Switchboard
from huaben.services.house import House
from huaben.services.offers import Offer
from huaben.services.performing import Company
from huaben.services.writing.ending import recover as recover_manuscripts


async def offer_received(house: House, pieces: AsyncIterable[bytes]) -> tuple[str, Preview]:
    """Take an archive that arrives and look into it: the token that restores it, and what that would
    do. Raises as `Vault.look_into`; one that cannot be restored is not kept."""
    received = await vault_of(house).receive(pieces)
    return await _offer(house, received, received=True)


async def offer_kept(house: House, name: str) -> tuple[str, Preview]:
    """The same for an archive in the library's own folder. Raises `NotFound`."""
    return await _offer(house, vault_of(house).place(name), received=False)


async def _offer(house: House, archive: Path, *, received: bool) -> tuple[str, Preview]:
    vault = vault_of(house)
    try:
        preview = await vault.look_into(archive)
    except BaseException:
        if received:
            await vault.let_go(archive)
        raise
    token = secrets.token_urlsafe(16)
    for gone in house.offers.put(Offer(token, archive, received)):
        if gone.received:
            await vault.let_go(gone.archive)
    return token, preview


async def withdraw(house: House, token: str) -> None:
    """Let an offer go. One that is not there is gone already."""
    offer = house.offers.take(token)
    if offer is not None and offer.received:
        await vault_of(house).let_go(offer.archive)


async def restore(house: House, company: Company, board: Switchboard, token: str) -> Restored:
    """Put the library of an offer in the place of the present one, which is backed up first. Turns
    that the backup was made in the middle of are then interrupted, as after a crash.

    Raises `NotFound("no_such_offer")`, `Conflict("turn_running")`, otherwise as `Vault.restore`; the
    offer stands until it was restored."""
    offer = house.offers.take(token)
    if offer is None:
        raise NotFound(
            "no_such_offer",
            "There is no restore with that token.",
            "Look into the backup again; a preview gives another.",
        )
    try:
        restored = await _exchange(house, company, board, offer.archive)
    except BaseException:
        house.offers.put(offer)
        raise
    if offer.received:
        await vault_of(house).let_go(offer.archive)
    return restored


async def _exchange(house: House, company: Company, board: Switchboard, archive: Path) -> Restored:
    if company.running:
        raise Conflict(
            "turn_running", "A turn is running.", "Wait for its end or stop it, then restore."
        )
    # A job's outcome must not meet the job that has its number in the other library.
    await house.jobs.close()
    try:
        restored = await vault_of(house).restore(archive)
        house.shelf.forget()
        await board.connections.refresh(house.store, board.secrets, house.user_id)
        await recover_manuscripts(house)
        await company.recover()
    finally:
        await chores.begin(house)
    return restored


# ---- as clients see it -------------------------------------------------------------------------


def preview_json(preview: Preview) -> dict[str, object]:
    newer = preview.newer
    return {
        "contents": contents_json(preview.contents),
        "newer": {
            "projects": [_aside(one) for one in newer.projects],
            "turns": [_aside(one) for one in newer.turns],
            "cards": newer.cards,
            "lorebooks": newer.lorebooks,
        },
    }


def restored_json(restored: Restored) -> dict[str, object]:
    return {"contents": contents_json(restored.contents), "before": restored.before.name}


def _aside(project: ProjectAside) -> dict[str, object]:
    return {"id": project.id, "title": project.title, "turns": project.turns}
