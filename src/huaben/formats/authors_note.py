"""The author's note as a chat keeps it among its metadata, in and out (formats §4.6)."""

from collections.abc import Mapping
from typing import Final

from huaben.domain.card import number_of, role_of
from huaben.domain.dressing import DEFAULT_DEPTH, MAX_DEPTH, MAX_INTERVAL, AuthorsNote, NotePlace
from huaben.domain.jsonvalue import Json, JsonObject

FIELDS: Final = ("note_prompt", "note_interval", "note_depth", "note_position", "note_role")
_PLACES: Final[Mapping[int, NotePlace]] = {0: "after_main", 1: "in_chat", 2: "before_main"}
_NUMBERS: Final[Mapping[NotePlace, int]] = {place: number for number, place in _PLACES.items()}
_ROLES: Final = ("system", "user", "assistant")


def note_of(metadata: Mapping[str, Json]) -> AuthorsNote | None:
    """The note of a chat; None for one that never had one. A field that cannot be read takes the
    usual value: every message, four messages deep, in the chat."""
    prompt = metadata.get("note_prompt")
    if not isinstance(prompt, str) or not prompt.strip():
        return None
    place = number_of(metadata.get("note_position"))
    return AuthorsNote(
        text=prompt,
        interval=_within(metadata.get("note_interval"), 1, MAX_INTERVAL),
        depth=_within(metadata.get("note_depth"), DEFAULT_DEPTH, MAX_DEPTH),
        place=_PLACES.get(int(place), "in_chat") if place is not None else "in_chat",
        role=role_of(metadata.get("note_role")),
    )


def metadata_of(note: AuthorsNote) -> JsonObject:
    """The note as a chat's metadata hold it; nothing for an empty one."""
    if not note.text.strip():
        return {}
    return {
        "note_prompt": note.text,
        "note_interval": note.interval,
        "note_depth": note.depth,
        "note_position": _NUMBERS[note.place],
        "note_role": _ROLES.index(note.role),
    }


def _within(value: Json, default: int, most: int) -> int:
    number = number_of(value)
    return default if number is None else min(most, max(0, int(number)))
