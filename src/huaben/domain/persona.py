"""A persona of the library: who the user is in a story, and where other programs put that; apart from the
project's own, which is a name and a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast, get_args

from huaben.domain.card import CardRole

PersonaPlace: TypeAlias = Literal["in_prompt", "note_top", "note_bottom", "at_depth", "none"]
PLACES: Final = cast("tuple[PersonaPlace, ...]", get_args(PersonaPlace))  # the literal's own values
LinkKind: TypeAlias = Literal["character", "group", "project"]
DEFAULT_DEPTH: Final = 2
MAX_NAME: Final = 200
MAX_CHARS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Link:
    """What a persona is put on for by itself: a character by its card's id or by the file name of its
    picture where it came from, a group, or a project by its id."""

    kind: LinkKind
    id: str


@dataclass(frozen=True, slots=True)
class SavedPersona:
    """A persona. `place` says where its description stands: with who the user plays (`in_prompt`), at
    the end of the prompt (`at_depth`, or with the author's note), or nowhere. `lorebook` is the name
    of one that goes with it, `avatar` the file name that its former home knew it by, `picture` the
    object of its picture here, by its bytes' name; `default` is put on in new projects whose card no
    persona is linked to."""

    name: str
    description: str = ""
    title: str = ""
    place: PersonaPlace = "in_prompt"
    depth: int = DEFAULT_DEPTH
    role: CardRole = "system"
    lorebook: str = ""
    links: tuple[Link, ...] = ()
    avatar: str = ""
    picture: str = ""
    default: bool = False
