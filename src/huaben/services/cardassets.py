"""Pictures that came with a card, by the names that its texts call them by; apart from exporting, which hands
the files on without looking into them.

They are taken out of the card's file once, into objects: a page that shows five of them unpacks nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from huaben.domain.card import Card
from huaben.domain.image import picture_type
from huaben.domain.jsonvalue import Json
from huaben.errors import NotFound, StorageFailed
from huaben.formats import card as cards
from huaben.ports import Commit
from huaben.services.effects import Made, once
from huaben.services.exporting import card_file, picture_tag
from huaben.services.house import House

MAX_ASSETS: Final = 2000
_KEY: Final = "card-assets"


@dataclass(frozen=True, slots=True)
class AssetShown:
    """A picture of a card: its number, every name and address that texts may call it by, and the object
    that holds it."""

    number: int
    names: tuple[str, ...]
    media_type: str
    object_hash: str


async def card_assets(house: House, card_id: str) -> list[AssetShown]:
    """The pictures in a card's file, besides its own portrait; none for a file that is gone. Raises
    `NotFound`."""
    key = f"{_KEY}/{await picture_tag(house, card_id)}"
    known = await house.store.effect(key)
    if known is not None:
        return _listed(known.result)
    _, found = await card_file(house, card_id)
    if found is None:
        return []
    return _listed(await once(house, key, partial(_take_out, house, found)))


async def _take_out(house: House, file: cards.CardFile) -> Made:
    pictures = await asyncio.to_thread(lambda: list(_pictures(file)))
    told: list[Mapping[str, object]] = []
    for names, content, kind in pictures:
        kept = await house.objects.put(content)
        told.append({"names": names, "type": kind, "object": kept})
    return Commit(), {"assets": told}


async def asset_content(house: House, asset: AssetShown) -> bytes:
    """Raises `StorageFailed("object_missing")`."""
    content = await house.objects.get(asset.object_hash)
    if content is None:
        raise StorageFailed(
            "object_missing",
            f"A picture of the card lacks its object {asset.object_hash}.",
            "Restore a backup, or import the card again.",
        )
    return content


async def card_asset(house: House, card_id: str, number: int) -> AssetShown:
    """Raises `NotFound`."""
    assets = await card_assets(house, card_id)
    if number >= len(assets):
        raise NotFound.of("asset", str(number))
    return assets[number]


def _listed(made: Mapping[str, object]) -> list[AssetShown]:
    listed = cast("list[Mapping[str, object]]", made["assets"])  # as `_take_out` gives it
    return [_shown(number, one) for number, one in enumerate(listed)]


def _shown(number: int, told: Mapping[str, object]) -> AssetShown:
    names = cast("list[str]", told["names"])  # as they were written
    return AssetShown(number, tuple(names), str(told["type"]), str(told["object"]))


def _pictures(file: cards.CardFile) -> Iterator[tuple[list[str], bytes, str]]:
    """What can be shown, told by its bytes and not by its name."""
    called = _called(file)
    for asset in file.assets[:MAX_ASSETS]:
        content = asset.read()
        if not isinstance(content, bytes):
            continue
        kind = picture_type(content)
        if kind is not None:
            yield called[asset.path], content, kind


def _called(file: cards.CardFile) -> Mapping[str, list[str]]:
    """By path all that texts may call a file: its declared name, Risu's names for it, its address."""
    names: dict[str, dict[str, None]] = {one.path: {} for one in file.assets}
    for one in file.assets:
        if one.asset is not None and one.asset.name:
            names[one.path][one.asset.name] = None
    for name, uri in _named_by_risu(file.card):
        found = cards.find_asset(file.assets, uri)
        if found is not None:
            names[found.path][name] = None
    for one in file.assets:
        names[one.path] |= dict.fromkeys((one.path, one.stored_name))
    return {path: list(found) for path, found in names.items()}


def _named_by_risu(card: Card) -> Iterator[tuple[str, str]]:
    """`[name, address, …]` under `risuai.additionalAssets` and `.emotions`."""
    extension = card.extensions.get("risuai")
    if not isinstance(extension, dict):
        return
    for field in ("additionalAssets", "emotions"):
        listed = extension.get(field)
        for row in listed if isinstance(listed, list) else ():
            yield from _pair(row)


def _pair(row: Json) -> Iterator[tuple[str, str]]:
    if isinstance(row, list) and len(row) >= 2:
        name, uri = row[0], row[1]
        if isinstance(name, str) and isinstance(uri, str):
            yield name, uri
