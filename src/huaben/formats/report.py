"""What an import kept, changed and dropped, as codes; apart because every format reports in the same words."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.notecodes import NoteCode

Fact: TypeAlias = str | int

MAX_NOTES = 500
MAX_TEXT = 300


@dataclass(frozen=True, slots=True)
class Note:
    """One fact about one place in a file.

    `code` is a stable snake_case word that the interface renders in the reader's language; `path` is
    where (`data.tags`, `png:zTXt:ccv3`, `zip:assets/a.png`); `detail` is a plain technical fact in
    English, at most `MAX_TEXT` characters, and may quote the file: show it as text, never as markup.
    `facts` are the values in `detail`, by name, for who says them in another language: texts, at most
    `MAX_TEXT` characters each, and whole numbers. They follow from the detail and are not compared.
    """

    code: NoteCode
    path: str = ""
    detail: str = ""
    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact], compare=False)

    def to_json(self) -> JsonObject:
        """The note as a JSON object of its fields."""
        facts: JsonObject = dict(self.facts)
        return {"code": self.code, "path": self.path, "detail": self.detail, "facts": facts}


@dataclass(frozen=True, slots=True)
class Report:
    """Everything an import or export decided, so that nothing is hidden."""

    kept: tuple[Note, ...] = ()
    changed: tuple[Note, ...] = ()
    dropped: tuple[Note, ...] = ()
    warnings: tuple[Note, ...] = ()

    def to_json(self) -> JsonObject:
        """The report as a JSON object with four lists of `{code, path, detail, facts}`."""
        return {
            "kept": _plain(self.kept),
            "changed": _plain(self.changed),
            "dropped": _plain(self.dropped),
            "warnings": _plain(self.warnings),
        }

    def __add__(self, other: "Report") -> "Report":
        """Both reports, this one's notes first."""
        return Report(
            self.kept + other.kept,
            self.changed + other.changed,
            self.dropped + other.dropped,
            self.warnings + other.warnings,
        )


@dataclass(slots=True)
class _Shelf:
    notes: list[Note] = field(default_factory=list[Note])
    more: int = 0

    def put(
        self, code: NoteCode, path: str, detail: str, facts: Mapping[str, Fact] | None = None
    ) -> None:
        cut = {name: _cut(fact) for name, fact in (facts or {}).items()}
        note = Note(code, path[:MAX_TEXT], detail[:MAX_TEXT], cut)
        if note in self.notes[-8:]:
            return
        if len(self.notes) < MAX_NOTES:
            self.notes.append(note)
        else:
            self.more += 1

    def take(self, other: "_Shelf", prefix: str) -> None:
        for note in other.notes:
            self.put(note.code, prefix + note.path, note.detail, note.facts)
        self.more += other.more

    def shown(self) -> tuple[Note, ...]:
        if self.more:
            return (*self.notes, more_notes(self.more))
        return tuple(self.notes)


@dataclass(slots=True)
class Findings:
    """The notes of a report while it is being made.

    A hostile file can cause millions of notes: each list holds `MAX_NOTES` and then counts.
    """

    _kept: _Shelf = field(default_factory=_Shelf)
    _changed: _Shelf = field(default_factory=_Shelf)
    _dropped: _Shelf = field(default_factory=_Shelf)
    _warnings: _Shelf = field(default_factory=_Shelf)

    def kept(self, code: NoteCode, path: str = "", detail: str = "", **facts: Fact) -> None:
        """Notes something that survives as it was."""
        self._kept.put(code, path, detail, facts)

    def changed(self, code: NoteCode, path: str = "", detail: str = "", **facts: Fact) -> None:
        """Notes something that was read as something else."""
        self._changed.put(code, path, detail, facts)

    def dropped(self, code: NoteCode, path: str = "", detail: str = "", **facts: Fact) -> None:
        """Notes something that does not survive."""
        self._dropped.put(code, path, detail, facts)

    def warn(self, code: NoteCode, path: str = "", detail: str = "", **facts: Fact) -> None:
        """Notes something the user should look at."""
        self._warnings.put(code, path, detail, facts)

    def take(self, part: "Findings", prefix: str, *, kept: Container[str] = ()) -> None:
        """Notes what was found in a part of the file, each place led by `prefix`.

        Of what was kept only the codes in `kept`: a part that is whole is one note of its owner.
        """
        for note in part._kept.notes:
            if note.code in kept:
                self._kept.put(note.code, prefix + note.path, note.detail, note.facts)
        self._changed.take(part._changed, prefix)
        self._dropped.take(part._dropped, prefix)
        self._warnings.take(part._warnings, prefix)

    def report(self) -> Report:
        """The finished report."""
        return Report(
            self._kept.shown(),
            self._changed.shown(),
            self._dropped.shown(),
            self._warnings.shown(),
        )


def more_notes(n: int) -> Note:
    """The note in place of `n` notes that a list has no room for."""
    return Note("more_notes", "", f"{n} further notes", {"n": n})


def _cut(fact: Fact) -> Fact:
    return fact[:MAX_TEXT] if isinstance(fact, str) else fact


def _plain(notes: tuple[Note, ...]) -> list[Json]:
    return [note.to_json() for note in notes]
