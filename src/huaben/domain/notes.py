"""Notes of the story's memory: whole versions of a text, and the rules for changing one; apart from
searching them, which needs none of these rules.

Like everything that belongs to the story, what a note says is a function of the node: each version
belongs to the turn that made it, and the newest one on the way to a node is in force there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from huaben.domain.draft import Span
from huaben.domain.text import is_blank, shared_start, to_utf16_each

NoteSource: TypeAlias = Literal["diary", "tables", "store", "card"]
NoteKind: TypeAlias = Literal[
    "event", "person", "item", "relation", "promise", "note", "resident", "recap"
]
NoteAuthor: TypeAlias = Literal["model", "user"]
SOURCES: Final[tuple[NoteSource, ...]] = ("diary", "tables", "store", "card")
_SOURCE_OF: Final[Mapping[NoteKind, NoteSource]] = {
    "event": "diary",
    "person": "tables",
    "item": "tables",
    "relation": "tables",
    "promise": "tables",
    "note": "store",
    "resident": "card",
    "recap": "card",
}
MAX_TITLE_CHARS: Final = 200
MAX_TEXT_CHARS: Final = 20_000
MAX_RESIDENT_CHARS: Final = 1200
"""A card's resident summary is always in the context, so it is held short (state.md §3)."""


@dataclass(frozen=True, slots=True)
class Vantage:
    """From where memory is looked at: a node of a project, and the card whose notes of all projects
    are seen from there too."""

    project_id: str
    at: str
    card_id: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """One version of a note, whole.

    `kind`, `project_id`, `card_id` and `user_id` are fixed by the first version. `node` is the turn
    that the version belongs to; None: seen from every branch. `base` is the version that it was
    made from (0: none). Versions are counted over all branches by the store, `revision` is the
    newest of them; a store takes neither from a note that it is given. `at` is ISO-8601 UTC.
    `proposed`: a model's version that is not in force unless the user agrees to it."""

    id: str
    user_id: str
    kind: NoteKind
    title: str
    text: str
    author: NoteAuthor
    at: str
    project_id: str | None = None
    card_id: str | None = None
    node: str | None = None
    base: int = 0
    locked: bool = False
    removed: bool = False
    proposed: bool = False
    version: int = 0
    revision: int = 0

    @property
    def source(self) -> NoteSource:
        return _SOURCE_OF[self.kind]


@dataclass(frozen=True, slots=True)
class NoteChange:
    """What to make of a note, made against its version `base`; None leaves a part as it is.
    `agreed`: the user has agreed that the note shrinks."""

    base: int
    author: NoteAuthor
    title: str | None = None
    text: str | None = None
    locked: bool | None = None
    removed: bool | None = None
    agreed: bool = False


# ---- refusals ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoteMoved:
    """The change was made against a version that is not the one in force."""

    given: int
    current: int


@dataclass(frozen=True, slots=True)
class NoteLocked:
    """The user has locked the note, or only the user may lock and unlock it."""


@dataclass(frozen=True, slots=True)
class NoteShrinks:
    """A model would leave less than half of the note: the user is asked first. Characters."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class NoteBlank:
    """Nothing would be left of the text."""


@dataclass(frozen=True, slots=True)
class NoteTooLong:
    """Over the limit, in characters."""

    part: Literal["title", "text"]
    chars: int
    limit: int


Unfit: TypeAlias = NoteBlank | NoteTooLong
NoteRefusal: TypeAlias = NoteMoved | NoteLocked | NoteShrinks | Unfit


# ---- rules -------------------------------------------------------------------------------------


def unfit(note: Note) -> Unfit | None:
    """Why the note cannot be kept as it is, if anything."""
    if is_blank(note.text):
        return NoteBlank()
    limit = MAX_RESIDENT_CHARS if note.kind == "resident" else MAX_TEXT_CHARS
    if len(note.text) > limit:
        return NoteTooLong("text", len(note.text), limit)
    if len(note.title) > MAX_TITLE_CHARS:
        return NoteTooLong("title", len(note.title), MAX_TITLE_CHARS)
    return None


def changed(note: Note, change: NoteChange, *, node: str | None, at: str) -> Note | NoteRefusal:
    """The note's next version, made at a node and a moment; the note itself if nothing changes.

    A model changes no locked note, and shrinks or removes one only when the user has agreed; the
    user may do anything."""
    if change.base != note.version:
        return NoteMoved(change.base, note.version)
    following = replace(
        note,
        title=note.title if change.title is None else change.title,
        text=note.text if change.text is None else change.text,
        locked=note.locked if change.locked is None else change.locked,
        removed=note.removed if change.removed is None else change.removed,
    )
    if following == note:
        return note
    refusal = unfit(following)
    if refusal is None and change.author == "model":
        refusal = _beyond_a_model(note, following, agreed=change.agreed)
    if refusal is not None:
        return refusal
    return replace(following, author=change.author, node=node, at=at, base=note.version)


def proposal(note: Note, change: NoteChange, *, node: str | None, at: str) -> Note:
    """The version that a model's change would make, kept as a question to the user."""
    return replace(
        note,
        title=note.title if change.title is None else change.title,
        text=note.text if change.text is None else change.text,
        author="model",
        node=node,
        at=at,
        base=note.version,
        proposed=True,
    )


def accepted(note: Note, proposed: Note, *, node: str | None, at: str) -> Note | NoteRefusal:
    """The note's next version with what was proposed, now that the user agrees."""
    change = NoteChange(
        note.version, "model", title=proposed.title, text=proposed.text, agreed=True
    )
    return changed(note, change, node=node, at=at)


def upheld(note: Note, *, node: str | None, at: str) -> Note:
    """The version with which the user keeps the note as it is, whatever was proposed."""
    return replace(note, author="user", node=node, at=at, base=note.version)


def _beyond_a_model(
    note: Note, following: Note, *, agreed: bool
) -> NoteLocked | NoteShrinks | None:
    if note.locked or following.locked:
        return NoteLocked()
    before, after = len(note.text), 0 if following.removed else len(following.text)
    return NoteShrinks(before, after) if after * 2 < before and not agreed else None


def difference(before: str, after: str) -> Span | None:
    """The one stretch in which two versions differ, as an edit of the first; None for equal ones."""
    if before == after:
        return None
    start = shared_start(before, after)
    room = min(len(before), len(after)) - start
    tail = min(room, shared_start(before[::-1], after[::-1]))
    end = len(before) - tail
    first, last = to_utf16_each(before, (start, end))
    return Span(first, last, after[start : len(after) - tail])


def merged(theirs: str, before: str, after: str) -> str:
    """A text with what became different from `before` to `after`, taken over line by line: lines that
    went leave it, new ones take their place or come last, and what somebody added in between stays."""
    if theirs == before:
        return after
    former, later = before.split("\n"), after.split("\n")
    fresh = [line for line in later if line not in former]
    lines: list[str] = []
    for line in theirs.split("\n"):
        if line not in former or line in later:
            lines.append(line)
        else:
            lines += fresh
            fresh = []
    return "\n".join([*lines, *(line for line in fresh if line not in lines)])


# ---- what is in force --------------------------------------------------------------------------


def in_scope(note: Note, vantage: Vantage) -> bool:
    """Whether the note is of the project, or one that all projects of the card share."""
    shared = note.source == "card" and note.card_id is not None
    return note.project_id == vantage.project_id or (shared and note.card_id == vantage.card_id)


def in_force(versions: Iterable[Note], path: Container[str]) -> Note | None:
    """The newest of a note's versions on a path (the ids of its nodes), removed or not."""
    return _newest(one for one in _on(versions, path) if not one.proposed)


def open_question(versions: Iterable[Note], path: Container[str]) -> Note | None:
    """The proposed version that the user has yet to answer on a path: nothing came after it there."""
    newest = _newest(_on(versions, path))
    return newest if newest is not None and newest.proposed else None


def _on(versions: Iterable[Note], path: Container[str]) -> Iterator[Note]:
    return (one for one in versions if one.node is None or one.node in path)


def _newest(versions: Iterable[Note]) -> Note | None:
    return max(versions, key=lambda one: one.version, default=None)
