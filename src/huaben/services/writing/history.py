"""The history of a manuscript as the user sees it: a timeline of checkpoints, named, made by hand,
compared."""

from __future__ import annotations

from huaben.domain.checkpoint import Changed, Snapshot, changed_of, difference
from huaben.domain.text import is_blank, scrub
from huaben.errors import BadInput, NotFound
from huaben.ports import CheckpointNamed, Commit
from huaben.services.house import House
from huaben.services.writing.recording import Made, notice, record
from huaben.services.writing.room import desk_lock, load_manuscript

MAX_NAME = 200


async def list_checkpoints(
    house: House, project_id: str, after: str | None, limit: int
) -> tuple[list[Snapshot], str | None]:
    """A page of the timeline, newest first, once edits by hand are noticed."""
    project = await load_manuscript(house, project_id)
    before = int(after) if after and after.isascii() and after.isdecimal() else None
    if before is None:
        async with desk_lock(house, project_id):
            await notice(house, project)
    found = await house.store.snapshots(project_id, before, limit)
    last = found[-1].checkpoint.number if found else 1
    return found, str(last) if last > 1 else None


async def load_checkpoint(house: House, project_id: str, checkpoint_id: str) -> Snapshot:
    """Raises `NotFound`, also for a checkpoint of another project."""
    await load_manuscript(house, project_id)
    found = await house.store.snapshot(checkpoint_id)
    if found is None or found.checkpoint.project_id != project_id:
        raise NotFound.of("checkpoint", checkpoint_id)
    return found


async def make_checkpoint(house: House, project_id: str, name: str = "") -> Snapshot:
    """A checkpoint asked for by hand; it may be equal to the last one. Raises `BadInput`."""
    project = await load_manuscript(house, project_id)
    title = _checked_name(name)
    async with desk_lock(house, project_id):
        standing = await notice(house, project, with_work=True)
        made = await record(house, standing, standing.files, Made("asked", name=title))
        return made.snapshot


async def name_checkpoint(house: House, project_id: str, checkpoint_id: str, name: str) -> Snapshot:
    """Give a checkpoint a name, or with a blank one take it away. Raises `BadInput`, `NotFound`."""
    await load_checkpoint(house, project_id, checkpoint_id)
    await house.store.commit(Commit(rows=(CheckpointNamed(checkpoint_id, _checked_name(name)),)))
    return await load_checkpoint(house, project_id, checkpoint_id)


def changed_between(old: Snapshot, new: Snapshot) -> Changed:
    """What leads from one checkpoint to another, in the words of a record."""
    return changed_of(difference(old.files, new.files))


def checkpoint_json(snapshot: Snapshot) -> dict[str, object]:
    """A checkpoint as answers have it (`writing.md` §3)."""
    one = snapshot.checkpoint
    return {
        "id": one.id,
        "number": one.number,
        "time": one.at,
        "author": one.author,
        "turn": one.turn,
        "message": one.message,
        "aborted": one.aborted,
        "restored_from": one.restored_from,
        "cause": one.cause,
        "name": one.name,
        "files": dict(snapshot.files),
        "changed": changed_json(one.changed),
    }


def changed_json(changed: Changed) -> dict[str, object]:
    return {
        "added": list(changed.added),
        "modified": list(changed.modified),
        "renamed": [list(pair) for pair in changed.renamed],
        "removed": list(changed.removed),
    }


def _checked_name(name: str) -> str:
    title = scrub(" ".join(name.split()))
    if len(title) > MAX_NAME:
        raise BadInput("name_too_long", f"A name has at most {MAX_NAME} characters.")
    return "" if is_blank(title) else title
