"""Finds what is not whole in notes and in the words of stories; apart from the other checks because it
looks at derived data too, which the program can make anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlalchemy import Connection, and_, exists, or_, select

from huaben.adapters.db import notes, schema
from huaben.adapters.db.codec import Undecodable
from huaben.adapters.db.memory_schema import note, note_version, passage
from huaben.domain.finding import PARTS, StoryPart

_CALLED: Mapping[StoryPart, str] = {"words": "words", "asked": "questions", "text": "final text"}


def note_faults(connection: Connection) -> Iterator[str]:
    """Notes that cannot be read, and versions that are missing."""
    versions: dict[str, list[int]] = {}
    for row in connection.execute(notes.SELECTED.order_by(note.c.id, note_version.c.version)):
        versions.setdefault(str(row.id), []).append(int(row.version))
        try:
            notes.note_of(row)
        except Undecodable as fault:
            yield f"version {row.version} of note {row.id} is damaged: {fault}"
    for row in connection.execute(select(note.c.id, note.c.revision).order_by(note.c.id)):
        if versions.get(str(row.id), []) != list(range(1, row.revision + 1)):
            yield f"the versions of note {row.id} do not count from 1 to {row.revision}"


def index_faults(connection: Connection) -> Iterator[str]:
    """Turns whose words a search would not find."""
    turn = schema.turn
    revised = turn.c.revises_turn.is_not(None)
    told = or_(and_(revised, turn.c.revises_text != ""), and_(~revised, turn.c.final_text != ""))
    for part, has_words in enumerate((turn.c.user_text != "", turn.c.asked != "[]", told)):
        indexed = exists().where(passage.c.turn_id == turn.c.id, passage.c.part == part)
        for (turn_id,) in connection.execute(select(turn.c.id).where(has_words, ~indexed)):
            yield f"a search does not find the {_CALLED[PARTS[part]]} of turn {turn_id}"
