"""The user's own texts that shape the system text: `SYSTEM.md`, `APPEND_SYSTEM.md` and `AGENTS.md`, for
every card and for one. Apart from the library, because they are written here and not imported."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, cast, get_args

from huaben.domain.project import Guidance
from huaben.domain.text import scrub
from huaben.errors import BadInput, NotFound
from huaben.ports import Commit, Key, Stale
from huaben.services.house import House
from huaben.services.stories import stale

GuidanceName: TypeAlias = Literal["SYSTEM.md", "APPEND_SYSTEM.md", "AGENTS.md"]
NAMES: Final = cast("tuple[GuidanceName, ...]", get_args(GuidanceName))  # the literal's own values
MAX_CHARS = 200_000


async def read_guidance(house: House, name: str, card_id: str = "") -> Guidance:
    """A text of the user's own, for every card or for one; an empty one with revision 0 where there
    is none. Raises `NotFound` for another name or a card that is not there, `BadInput` for a
    `SYSTEM.md` of a card."""
    await _check(house, name, card_id)
    for row in await house.store.guidance(house.user_id, card_id):
        if (row.card_id, row.name) == (card_id, name):
            return row
    return Guidance(house.user_id, card_id, name, "")


async def list_guidance(house: House, card_id: str = "") -> list[Guidance]:
    """The texts that hold for every card, then those of one, each name once; empty where there is
    none. Raises `NotFound`."""
    found = [await read_guidance(house, name) for name in NAMES]
    if card_id:
        found += [await read_guidance(house, name, card_id) for name in NAMES if name != NAMES[0]]
    return found


async def write_guidance(house: House, changed: Guidance) -> Guidance:
    """Puts a text in the place of the one with `changed.revision`; an empty text takes it out of
    force. Raises `Conflict("stale")` when it has changed meanwhile, otherwise as `read_guidance`,
    and `BadInput("too_long")`."""
    name, card_id = changed.name, changed.card_id
    await _check(house, name, card_id)
    if len(changed.text) > MAX_CHARS:
        raise BadInput("too_long", f"{name} may have {MAX_CHARS:,} characters.")
    row = Guidance(house.user_id, card_id, name, scrub(changed.text))
    key = f"{house.user_id}/{card_id}/{name}"
    expected: dict[Key, int] = {("guidance", key): changed.revision}
    done = await house.store.commit(Commit(expected=expected, rows=(row,)))
    if isinstance(done, Stale):
        raise stale(done)
    return await read_guidance(house, name, card_id)


async def _check(house: House, name: str, card_id: str) -> None:
    if name not in NAMES:
        known = ", ".join(NAMES)
        raise NotFound("guidance_not_found", f"There is no text {name}; there are {known}.")
    if not card_id:
        return
    if name == "SYSTEM.md":
        raise BadInput(
            "not_per_card", "SYSTEM.md holds for every card.", "A card may have APPEND_SYSTEM.md."
        )
    card = await house.store.card(card_id)
    if card is None or card.user_id != house.user_id or card.deleted:
        raise NotFound.of("card", card_id)
