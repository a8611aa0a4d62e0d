"""What a story is dressed with beside its card: preset, persona, author's note; apart from the project
because each is put on and taken off while the story goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast, get_args

from huaben.domain.card import CardRole

NotePlace: TypeAlias = Literal["in_chat", "after_main", "before_main"]
NOTE_PLACES: Final = cast("tuple[NotePlace, ...]", get_args(NotePlace))  # the literal's own values

DEFAULT_DEPTH: Final = 4
MAX_DEPTH: Final = 10_000
MAX_INTERVAL: Final = 10_000
MAX_CHARS: Final = 100_000


@dataclass(frozen=True, slots=True)
class AuthorsNote:
    """A note to the writer that goes with a story (SillyTavern's author's note, formats §4.6).

    It is due with every `interval`-th message of the user's, never with 0. `depth`, `place` and
    `role` say where another program would put it; here it stands at the end of the prompt, and they
    are kept for export and told in the inspector."""

    text: str = ""
    interval: int = 1
    depth: int = DEFAULT_DEPTH
    place: NotePlace = "in_chat"
    role: CardRole = "system"

    def is_due(self, user_messages: int) -> bool:
        """Whether it goes with the user's message of that number, counted from 1."""
        return bool(self.text.strip()) and self.interval > 0 and user_messages % self.interval == 0


NO_NOTE: Final = AuthorsNote()


@dataclass(frozen=True, slots=True)
class Dressing:
    """What one project is dressed with: ids of library items, None without; `kept` is what an import
    said of the note beside its fields, for export."""

    project_id: str
    preset_id: str | None = None
    persona_id: str | None = None
    note: AuthorsNote = NO_NOTE
    kept: Mapping[str, object] | None = None
    revision: int = 0
