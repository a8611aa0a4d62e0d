"""What the library holds beside cards and lorebooks, and the user's word that scripts may run; apart from
the project because nothing here belongs to one story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast, get_args

ItemKind: TypeAlias = Literal["preset", "persona", "scripts", "quick_replies"]
ITEM_KINDS: Final = cast("tuple[ItemKind, ...]", get_args(ItemKind))  # the literal's own values


@dataclass(frozen=True, slots=True)
class StoredItem:
    """A preset, a persona, a file of regex scripts or a set of quick replies in the library.

    `object_hash` finds the bytes as they were imported, without whatever opens a connection; empty
    for what was made here. `content` is the JSON in force, `report` the import report. Each writing
    is a version beside the former ones. `broken` says why a listed one cannot be used; it is never
    stored."""

    id: str
    user_id: str
    kind: ItemKind
    name: str
    object_hash: str
    filename: str
    content: Mapping[str, object]
    report: Mapping[str, object]
    created_at: str
    deleted: bool = False
    revision: int = 0
    deleted_at: str = ""
    broken: str = ""


@dataclass(frozen=True, slots=True)
class ItemVersion:
    """An item as one writing left it; `version` is the revision that the writing made."""

    version: int
    name: str
    content: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Favourite:
    """Whether a card is one of the user's favourites."""

    user_id: str
    card_id: str
    chosen: bool
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Consent:
    """The user's word that the regex scripts of a card or preset, `owner`, may run. It holds for the
    scripts with that `digest` alone; an empty one takes the word back."""

    user_id: str
    owner: str
    digest: str
    given_at: str
    revision: int = 0
