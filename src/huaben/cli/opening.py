"""From the words of a command line to a project: which card, and whether its story goes on or begins;
apart from playing because it happens once, before the first turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from huaben.cli.failing import Told
from huaben.cli.speaking import one_line, voice
from huaben.domain.project import Language, Persona, Project, StoredCard
from huaben.formats.scenario import flat
from huaben.ports import Page
from huaben.services import library, rehearsing
from huaben.services.house import House
from huaben.studio import Studio

ID_PREFIX = 6
"""Characters of an id that are enough to mean it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What `play` was asked for; None and empty mean: not said."""

    card: str
    lorebooks: tuple[Path, ...] = ()
    persona: Persona | None = None
    scenario: str | None = None
    new: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """The project to play. `ignored` names options that hold only for a new story and differ from
    what this one was begun with; `report` is that of a card that was brought in just now."""

    project: Project
    fresh: bool
    ignored: tuple[str, ...] = ()
    imported: library.Imported | None = None


async def open_project(studio: Studio, wish: Wish, max_mb: int) -> Opened:
    """The latest project with the same card (by the hash of its bytes), or a new one; `rehearsal`
    (`rehearsal-zh`, `rehearsal-en`) names the story that ships with the program. Raises `Told` for
    a card that is neither a file nor in the library, `BadInput` for a file that is none."""
    card_id, imported = await _find_card(studio.house, wish.card, max_mb)
    books = tuple([await _bring_book(studio.house, path, max_mb) for path in wish.lorebooks])
    fresh_card = imported if imported is not None and not imported.already else None
    latest = None
    if not wish.new:
        latest = await studio.house.store.latest_project(studio.house.user_id, card_id)
    if latest is not None:
        return Opened(latest, False, _ignored(studio.house, latest, wish, books), fresh_card)
    shipped = rehearsal_named(wish.card)
    project = await studio.create_project(
        card=card_id,
        title=rehearsing.TITLES[shipped] if shipped else "",
        lorebooks=books,
        persona=wish.persona,
        scenario=wish.scenario or (rehearsing.SCENARIO if shipped else "stage"),
    )
    return Opened(project, True, imported=fresh_card)


def rehearsal_named(card: str) -> Language | None:
    """The language of the rehearsal that these words name, by default that of the messages; None
    for any other card. A file of that name comes first."""
    name, _, language = card.strip().casefold().partition("-")
    if name != rehearsing.SCENARIO or Path(card).is_file():
        return None
    languages: dict[str, Language] = {"": voice().language, "zh": "zh", "en": "en"}
    return languages.get(language)


def _ignored(house: House, project: Project, wish: Wish, books: tuple[str, ...]) -> tuple[str, ...]:
    differing: list[str] = []
    if books and books != project.lorebook_ids:
        differing.append("--lorebook")
    if wish.persona is not None and wish.persona != project.persona:
        differing.append("--persona")
    if wish.scenario and flat(house.scenarios.named(wish.scenario)) != dict(project.config):
        differing.append("--scenario")
    return tuple(differing)


# ---- files -------------------------------------------------------------------------------------


async def read_file(path: Path, max_mb: int) -> bytes:
    """The bytes of a file. Raises `Told` (`too_large`) before reading what is over the limit,
    `OSError` when it cannot be read."""
    return await asyncio.to_thread(_read, path, max_mb)


def _read(path: Path, max_mb: int) -> bytes:
    size = path.stat().st_size
    if size > max_mb * 1024 * 1024:
        megabytes = round(size / (1024 * 1024))
        raise Told(
            "too_large",
            voice().say("fail.too_large", path=str(path), size=megabytes, limit=max_mb),
            voice().say("fail.too_large_hint"),
        )
    return path.read_bytes()


async def _bring_book(house: House, path: Path, max_mb: int) -> str:
    data = await read_file(path, max_mb)
    return (await library.import_lorebook(house, data, path.name)).id


# ---- cards -------------------------------------------------------------------------------------


async def _find_card(house: House, named: str, max_mb: int) -> tuple[str, library.Imported | None]:
    shipped = await asyncio.to_thread(rehearsal_named, named)
    if shipped is not None:
        return await rehearsing.ensure_rehearsal(house, shipped), None
    path = Path(named)
    if await asyncio.to_thread(path.is_file):
        imported = await library.import_card(house, await read_file(path, max_mb), path.name)
        return imported.id, imported
    found = [card async for card in all_cards(house) if _is_meant(card, named)]
    exact = [card for card in found if card.id == named]
    if len(exact or found) == 1:
        return (exact or found)[0].id, None
    say = voice().say
    if found:
        listed = "; ".join(f"{card.id} ({card.filename})" for card in found[:8])
        message = say("card.ambiguous", name=one_line(named), cards=listed)
        raise Told("ambiguous_card", message, say("card.ambiguous_hint"))
    message = say("card.missing", name=one_line(named))
    raise Told("card_not_found", message, say("card.missing_hint"))


async def all_cards(house: House) -> AsyncIterator[StoredCard]:
    """Every card of the library, from the newest to the oldest."""
    after: str | None = None
    while True:
        cards, after = await house.store.cards(house.user_id, Page(after, 200))
        for card in cards:
            yield card
        if after is None:
            return


def _is_meant(card: StoredCard, named: str) -> bool:
    by_id = len(named) >= ID_PREFIX and card.id.startswith(named.lower())
    return by_id or card.name.casefold() == named.strip().casefold()
