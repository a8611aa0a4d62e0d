"""What is to be checked after an edit, for users: facts and notes whose words have gone from the chapters, what
was not read yet, and the user's word on it. Apart from the reading, because nothing here asks a model.

The marks are found when they are asked for, from the chapters as they are, so that no edit, restore or undo
can leave a wrong one behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from huaben.domain.caring import Doubt, chapters_of, doubts
from huaben.domain.checkpoint import Manifest
from huaben.domain.events import ProjectEvent
from huaben.domain.evidence import stands_in
from huaben.domain.ledgerversion import Version
from huaben.domain.manuscript import in_order
from huaben.domain.matching import fold
from huaben.domain.notes import Vantage
from huaben.errors import BadInput, Conflict, NotFound
from huaben.ports import Commit, Due, DueJob, Effect, Stale
from huaben.ports.manuscripts import Found
from huaben.services.aftermath.chain import lane_of
from huaben.services.aftermath.scribing import commit_version
from huaben.services.house import House
from huaben.services.standing import ledger_at
from huaben.services.stories import Story, load_story, stale
from huaben.services.writing.chapters import list_chapters
from huaben.services.writing.keeping import EVENT, cared_at, kept_passages
from huaben.services.writing.lacking import lacking, text_at
from huaben.services.writing.quiet import KIND

NOTES_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class DoubtedNote:
    """A note of a passage that stands in no chapter any more."""

    id: str
    title: str
    chapter: str


@dataclass(frozen=True, slots=True)
class Care:
    """How the ledger stands to the chapters. `checkpoint` is the one that was read up to (empty: none),
    `reading` whether a job is due. `unread` chapters, or the ends of them, were not read; `changed` ones were
    and have changed since. `restored`: an earlier text was brought back since, so that the ledger may differ
    from it. `facts` and `notes` are to be checked."""

    checkpoint: str
    reading: bool
    unread: tuple[str, ...]
    changed: tuple[str, ...]
    restored: bool
    facts: tuple[Doubt, ...]
    notes: tuple[DoubtedNote, ...]

    @property
    def may_differ(self) -> bool:
        """Whether the ledger may not be what the text says."""
        return bool(self.facts or self.notes or (self.restored and self.changed))


async def care_of(house: House, project_id: str) -> Care:
    """The state at the head, edits by hand noticed. Raises `NotFound`, `Conflict` (`no_manuscript`,
    `manuscript_gone`)."""
    standing = await list_chapters(house, project_id)
    story = await load_story(house, project_id)
    path = [node.id for node in story.tree.path(story.head.turn_id)]
    known = await cared_at(house, path)
    found = await lacking(house, project_id, known, standing.files)
    ledger = await ledger_at(house, story.tree, story.head.turn_id)
    facts = await _facts(house, project_id, standing.found, ledger.stood.grounds)
    unread = {*found.unread, *found.starts}
    return Care(
        known.checkpoint,
        bool(await _due(house, project_id)),
        tuple(in_order(unread)),
        found.changed,
        bool(found.changed) and await _restored_since(house, project_id, known.checkpoint),
        facts,
        await _notes(house, story, standing.found),
    )


async def _restored_since(house: House, project_id: str, checkpoint: str) -> bool:
    """Whether an earlier text was brought back after a checkpoint, however much was written since."""
    known = await house.store.snapshot(checkpoint) if checkpoint else None
    begin = known.checkpoint.number if known else 0
    before: int | None = None
    while found := await house.store.snapshots(project_id, before):
        for one in found:
            if one.checkpoint.number <= begin:
                return False
            if one.checkpoint.restored_from:
                return True
        before = found[-1].checkpoint.number
    return False


async def read_now(house: House, project_id: str, chapters: Sequence[str] = ()) -> DueJob:
    """Let the scribe read, whole, these chapters, or all that were not read or have changed since. Raises
    `Conflict` (`nothing_to_read`, `reading`), `NotFound` for a chapter that is none."""
    care = await care_of(house, project_id)
    standing = await list_chapters(house, project_id)
    there = standing.files
    missing = next((name for name in chapters if name not in there), None)
    if missing is not None:
        raise NotFound("chapter_not_found", f"There is no chapter {missing}.")
    wanted = [name for name in chapters or (*care.unread, *care.changed) if name in there]
    if not wanted or standing.last is None:
        raise Conflict("nothing_to_read", "The ledger has every chapter as it is.")
    async with house.lock(project_id):
        if any("asked" in job.payload for job in await _due(house, project_id)):
            raise Conflict("reading", "The chapters are being read.", "Wait for it.")
        head = await house.store.head(project_id)
        payload: dict[str, object] = {
            "checkpoint": standing.last.checkpoint.id,
            "node": "" if head is None else head.turn_id,
            "asked": in_order(dict.fromkeys(wanted)),
        }
        lane = lane_of(project_id)
        await house.store.commit(Commit(due=(Due(lane, KIND, payload),)))
        job = (await _due(house, project_id))[-1]
    house.jobs.nudge()
    return job


async def hold(
    house: House, project_id: str, paths: Sequence[str], notes: Sequence[str] = ()
) -> Care:
    """The user says that these facts and notes hold, whatever the chapters say: they rest on the user's word
    from now on, and are marked no more. Raises `BadInput("not_in_doubt")`."""
    care = await care_of(house, project_id)
    known = {*(one.path for one in care.facts), *(one.id for one in care.notes)}
    unknown = next((one for one in (*paths, *notes) if one not in known), None)
    if unknown is not None:
        raise BadInput("not_in_doubt", f"{unknown} is not marked as to be checked.")
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        project = story.project
        commit = await _without_grounds(house, story, frozenset(paths)) if paths else Commit()
        held = [Effect(_held(project.id, one), {}) for one in notes]
        told = (project.id, ProjectEvent(EVENT, story.head.turn_id))
        commit = replace(
            commit,
            rows=(*commit.rows, *held),
            project_events=(*commit.project_events, told),
        )
        done = await house.store.commit(commit)
        if isinstance(done, Stale):
            raise stale(done)
    return await care_of(house, project_id)


async def _without_grounds(house: House, story: Story, paths: frozenset[str]) -> Commit:
    """The version in which these facts rest on nothing but the user's word."""
    head = story.head.turn_id
    stood = (await ledger_at(house, story.tree, head)).stood
    kept = {path: ground for path, ground in stood.grounds.items() if path not in paths}
    there = stood.revision if stood.node == head else 0
    after = replace(stood, grounds=kept, node=head, revision=there)
    version = Version("user", stood.standing)
    return commit_version(house, story.project.id, after, version, "user")[1]


# ---- what is in doubt ----------------------------------------------------------------------------


async def _facts(
    house: House, project_id: str, found: Found, grounds: Mapping[str, tuple[str, str]]
) -> tuple[Doubt, ...]:
    """First only the chapters that facts name are read; all others where words are not in these."""
    named = chapters_of(grounds)
    if not named:
        return ()
    pages = await _pages(house, project_id, found.manifest, named)
    first = await asyncio.to_thread(doubts, grounds, pages)
    if not first:
        return ()
    pages = await _pages(house, project_id, found.manifest, in_order(found.manifest))
    return await asyncio.to_thread(doubts, grounds, pages)


async def _pages(
    house: House, project_id: str, files: Manifest, names: Sequence[str]
) -> Mapping[str, str]:
    return {name: await text_at(house, project_id, files[name]) for name in names if name in files}


async def _notes(house: House, story: Story, found: Found) -> tuple[DoubtedNote, ...]:
    """The notes whose chapter is not what it was and whose text stands nowhere in the manuscript, as far as
    they say what a passage said: what the user has edited is the user's word."""
    project_id, files = story.project.id, found.manifest
    texts = frozenset(files.values())
    suspect = [one for one in await kept_passages(house, project_id) if one.sha256 not in texts]
    if not suspect:
        return ()
    vantage = Vantage(project_id, story.head.turn_id)
    noted: list[tuple[DoubtedNote, str]] = []
    for one in suspect[-NOTES_SHOWN:]:
        note = await house.store.note(one.note, vantage)
        if note is None or note.removed or note.author == "user":
            continue
        if await house.store.effect(_held(project_id, one.note)) is None:
            noted.append((DoubtedNote(note.id, note.title, one.chapter), note.text))
    if not noted:
        return ()
    pages = await _pages(house, project_id, files, in_order(files))
    return await asyncio.to_thread(_standing_nowhere, noted, pages)


def _standing_nowhere(
    noted: Sequence[tuple[DoubtedNote, str]], pages: Mapping[str, str]
) -> tuple[DoubtedNote, ...]:
    """Those whose text the pages, one after the other, do not have. A manuscript is folded once for all of
    them, and on a thread: at 1,000 chapters each folding would hold up everybody."""
    whole = fold("\n".join(pages.values()))
    return tuple(note for note, text in noted if not stands_in(whole, text))


def _held(project_id: str, note: str) -> str:
    return f"{project_id}/held/{note}"


async def _due(house: House, project_id: str) -> list[DueJob]:
    due = await house.store.due(lane_of(project_id))
    return [job for job in due if job.kind == KIND]


# ---- as a resource -------------------------------------------------------------------------------


def care_json(care: Care) -> dict[str, object]:
    """The resource `GET /api/projects/{id}/care`."""
    return {
        "checkpoint": care.checkpoint or None,
        "reading": care.reading,
        "unread": list(care.unread),
        "changed": list(care.changed),
        "restored": care.restored,
        "may_differ": care.may_differ,
        "facts": [
            {"path": one.path, "chapter": one.chapter, "quotation": one.quotation}
            for one in care.facts
        ],
        "notes": [{"id": one.id, "title": one.title, "chapter": one.chapter} for one in care.notes],
    }
