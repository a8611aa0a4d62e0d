"""A file that an import refused, taken once the user has said how; apart from the job, which is over by then."""

from __future__ import annotations

from huaben.errors import Conflict, NotFound
from huaben.ports import Commit, DueJob, Effect, Stale
from huaben.services import chats, importing
from huaben.services.house import House
from huaben.services.importing import Item

WITHOUT_CARD = "no_card_for_chat"


async def take_bare(house: House, job: DueJob, n: int) -> Item:
    """Bring in the chat of an import's file `n`, which no card here has the character of, with a card of the
    name alone; from then on the import tells of it as brought in. A second time gives the same.

    Raises `NotFound` for a file that the import does not have, `Conflict("has_its_card")` for one that was
    not refused for want of a card, and what importing a chat raises.
    """
    before = await importing.item_at(house, job, n)
    if before is None:
        raise NotFound.of("file", str(n))
    if before.fate != "refused" and before.kind == chats.KIND:
        return before
    if before.code != WITHOUT_CARD:
        raise Conflict("has_its_card", f"{before.file} was not refused for want of a card.")
    entry = (await importing.manifest(house, job))[n]
    taken = await importing.take_chat(house, n, entry, chats.Wish(bare=True))
    effect = Effect(importing.again_key(job, n), importing.result_of(taken))
    done = await house.store.commit(Commit(rows=(effect,)))
    # Whoever pressed at the same moment has written the same story down.
    return (await importing.item_at(house, job, n) or taken) if isinstance(done, Stale) else taken
