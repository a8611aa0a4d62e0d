"""What a turn remembers before it begins: looked up once, recorded with the turn, and left out where the prompt
says the same already; apart from looking memory up, which tools do too.

The record makes a turn that is taken up again send the same words, whatever was noted meanwhile. The planner
reads from it what the storyteller was told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from huaben.domain.events import Notice
from huaben.domain.notes import Note
from huaben.domain.project import Project
from huaben.domain.remembering import NoteHit, Recalled
from huaben.domain.scenario import MemorySection
from huaben.domain.story import Turn
from huaben.ports import Commit, Effect, Fence
from huaben.prompt.blocks import NO_MEMORY
from huaben.prompt.memoryblock import memory_block
from huaben.prompt.segments import LeftOut, Piece
from huaben.prompt.tables import Row
from huaben.services.house import House
from huaben.services.memory import memory_at, recall

HITS: Final = 6
"""How many notes a turn is told."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the prompt says anyway: the turns that are sent word for word, and the rows that the
    world state comes to."""

    turns: frozenset[str]
    rows: frozenset[Row]

    def where(self, note: Note) -> str:
        """Where the prompt says what the note says; empty if it does not."""
        if note.kind == "event" and note.node in self.turns:
            return "stands word for word in the turns that are sent"
        if Row(note.kind, note.title, note.text) in self.rows:
            return "stands in the world state"
        return ""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory block of a turn, what was recalled and is not in it, and what went wrong."""

    block: Piece = NO_MEMORY
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[Notice, ...] = ()


async def remembered(
    house: House, project: Project, section: MemorySection, turn: Turn, told: Told
) -> Remembered:
    """What memory has to the words of a turn, seen from the node that it continues. Takes at most
    `recall_s`, then the turn goes on without, which a notice says (`memory_late`, `memory_failed`)."""
    if turn.parent is None or not section.sources or section.recall_s == 0:
        return Remembered()
    known = await house.store.effect(_key(project.id, turn.id))
    if known is not None:
        return _from_record(known.result)
    memory = memory_at(house, project, turn.parent, section.sources)
    found = await recall(memory, turn.user_text, within_s=section.recall_s)
    made = _rendered(project, section, found, told)
    await house.store.commit(  # of two runs of one turn the older may not write any more
        Commit(
            fence=Fence(turn.id, turn.epoch),
            rows=(Effect(_key(project.id, turn.id), _to_record(made)),),
        )
    )
    return made


async def remembered_in(house: House, turn: Turn) -> Piece:
    """The memory block that a turn was told; empty where nothing was looked up for it."""
    known = await house.store.effect(_key(turn.project_id, turn.id))
    return NO_MEMORY if known is None else _from_record(known.result).block


def _rendered(
    project: Project, section: MemorySection, found: Recalled | None, told: Told
) -> Remembered:
    if found is None:
        return Remembered(notices=(Notice("memory_late", f"{section.recall_s} s"),))
    hits, said = _fresh(found.hits, told)
    block = memory_block(project.language, hits, section.max_chars)
    failed = [source for source, state in found.states.items() if state == "error"]
    notices = (Notice("memory_failed", ", ".join(failed)),) if failed else ()
    return Remembered(block.piece, (*said, *block.left_out), notices)


def _fresh(hits: Sequence[NoteHit], told: Told) -> tuple[list[NoteHit], list[LeftOut]]:
    """The best hits that tell something new, and those before them that do not."""
    fresh: list[NoteHit] = []
    said: list[LeftOut] = []
    for hit in hits:
        if len(fresh) == HITS:
            break
        where = told.where(hit.note)
        if where:
            said.append(LeftOut(f"memory:{hit.note.id}", where))
        else:
            fresh.append(hit)
    return fresh, said


# ---- the record --------------------------------------------------------------------------------


def _key(project_id: str, turn_id: str) -> str:
    return f"{project_id}/recall/{turn_id}"


def _to_record(made: Remembered) -> Mapping[str, object]:
    return {
        "text": made.block.text,
        "reason": made.block.reason,
        "left_out": [[one.source, one.reason] for one in made.left_out],
        "notices": [[one.code, one.detail] for one in made.notices],
    }


def _from_record(record: Mapping[str, object]) -> Remembered:
    pairs = cast("Mapping[str, Sequence[tuple[str, str]]]", record)  # as `_to_record` writes them
    return Remembered(
        Piece(NO_MEMORY.source, str(record["text"]), str(record["reason"])),
        tuple(LeftOut(source, reason) for source, reason in pairs["left_out"]),
        tuple(Notice(code, detail) for code, detail in pairs["notices"]),
    )
