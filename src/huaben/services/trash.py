"""The trash: cards, lorebooks and projects lie there for thirty days, can be taken back whole, and
then go for good. Apart from the verbs of each, because deletion is the same for all."""

from __future__ import annotations

from datetime import timedelta
from typing import cast

from huaben.domain.libraryitem import ITEM_KINDS
from huaben.domain.times import stamp
from huaben.errors import Conflict, NotFound
from huaben.ports import (
    Binned,
    Commit,
    Due,
    DueJob,
    Key,
    Page,
    Purged,
    Stale,
    Step,
    Thing,
    TrashKind,
)
from huaben.services import playing
from huaben.services.house import House
from huaben.services.performing import Company
from huaben.services.stories import load_story, stale
from huaben.services.writing.ending import forget_manuscripts

KIND = "empty_trash"
LANE = "house/upkeep"
KEPT_DAYS = 30
AT_ONCE = 100


async def discard(house: House, kind: TrashKind, thing_id: str) -> None:
    """Put a card, a lorebook or a resting project into the trash. Raises `NotFound`, also for what
    is there already. Stories that use a card or lorebook keep it."""
    thing = await _load(house, kind, thing_id)
    if thing.deleted_at:
        raise NotFound.of(kind, thing_id)
    await _move(house, thing, stamp(house.clock.now()))


async def discard_project(house: House, company: Company, project_id: str) -> None:
    """Put a project into the trash. A turn that runs is stopped and what it wrote is kept; those
    that wait for their place are taken back."""
    story = await load_story(house, project_id)
    unended = [*story.queued, *([story.active] if story.active else [])]
    # The queue first, so that its next does not start when the running one stops.
    for node in unended:
        if node.run != "waiting":
            await _stop(house, company, node.id)
    async with house.lock(project_id):
        await discard(house, "project", project_id)


async def restore(house: House, kind: TrashKind, thing_id: str) -> Thing:
    """Take a thing back from the trash, as it was. Raises `NotFound` for what does not lie there."""
    thing = await _load(house, kind, thing_id)
    if not thing.deleted_at:
        raise NotFound("not_in_trash", f"The {kind} {thing.name} does not lie in the trash.")
    await _move(house, thing, "")
    return thing


async def list_trash(house: House, page: Page) -> tuple[list[Thing], str | None]:
    """What the user has in the trash, latest first."""
    return await house.store.trash(house.user_id, page)


async def _stop(house: House, company: Company, turn_id: str) -> None:
    try:
        await playing.stop(house, company, turn_id)
    except Conflict:
        return  # it ended by itself


async def _load(house: House, kind: TrashKind, thing_id: str) -> Thing:
    thing = await house.store.thing(kind, thing_id)
    if thing is None or thing.user_id != house.user_id:
        raise NotFound.of(kind, thing_id)
    return thing


async def _move(house: House, thing: Thing, at: str) -> None:
    expected: dict[Key, int] = {(thing.kind, thing.id): thing.revision}
    moved = Binned(thing.kind, thing.id, at)
    done = await house.store.commit(Commit(expected=expected, rows=(moved,)))
    if isinstance(done, Stale):
        raise stale(done)


# ---- emptying ----------------------------------------------------------------------------------


async def make_due(house: House) -> None:
    """Make the emptying of the trash due if something has lain there for its time."""
    before = stamp(house.clock.now() - timedelta(days=KEPT_DAYS))
    found, _ = await house.store.trash(None, Page(limit=1), before)
    if found and not await house.store.due(LANE):
        await house.store.commit(Commit(due=(Due(LANE, KIND, {"before": before}),)))


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """The kind `empty_trash`: what was there before the moment goes, projects first, for what they
    name stays as long as they do."""
    before = str(job.payload["before"])
    for kinds in (("project",), ("card", "lorebook", "save", *ITEM_KINDS)):
        after: str | None = None
        while True:
            page = Page(after, AT_ONCE)
            given = await step(
                f"{kinds[0]} after {after}",
                lambda page=page, kinds=kinds: _purge(house, kinds, page, before),
            )
            after = cast("str | None", given["next"])  # as `_purge` gives it
            if after is None:
                break
    return "done"


async def empty(house: House, seen: str) -> int:
    """Let all go for good that the user put into the trash up to the moment `seen`, at once; what a
    story still names stays as long as the story does. Gives how many things went."""
    gone = 0
    for kinds in (("project",), ("card", "lorebook", "save", *ITEM_KINDS)):
        after: str | None = None
        while True:
            found, after = await house.store.trash(house.user_id, Page(after, AT_ONCE))
            wanted = [one for one in found if one.kind in kinds and one.deleted_at <= seen]
            if wanted:
                rows = tuple(Purged(one.kind, one.id) for one in wanted)
                await house.store.commit(Commit(rows=rows))
                projects = [one.id for one in wanted if one.kind == "project"]
                await forget_manuscripts(house, projects)
                gone += len(wanted)
            if after is None:
                break
    return gone


async def contents(house: House, project_id: str) -> tuple[int, int]:
    """How many turns and saves would go with a project of the trash. Raises `NotFound`."""
    thing = await _load(house, "project", project_id)
    nodes = await house.store.skeleton(thing.id)
    saves, after = 0, None
    while True:
        found, after = await house.store.saves(thing.id, Page(after, 200))
        saves += len(found)
        if after is None:
            return sum(node.kind == "turn" for node in nodes), saves


async def _purge(
    house: House, kinds: tuple[str, ...], page: Page, before: str
) -> dict[str, object]:
    """Purge those of one page; gives where the next begins."""
    found, following = await house.store.trash(None, page, before)
    gone = tuple(Purged(one.kind, one.id) for one in found if one.kind in kinds)
    if gone:
        await house.store.commit(Commit(rows=gone))
        await forget_manuscripts(house, [one.id for one in gone if one.kind == "project"])
    return {"next": following, "purged": len(gone)}
