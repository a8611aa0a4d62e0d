"""What a card shows on the shelf, and how cards are looked for; apart from the card because a shelf of
thousands is searched without reading any of them whole."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from huaben.domain.jsonvalue import scrub_surrogates
from huaben.domain.project import StoredCard

Order: TypeAlias = Literal["newest", "name"]
MAX_TAGS = 64
MAX_TAG = 80
MAX_KEY = 200
MAX_SOUGHT = 4000


@dataclass(frozen=True, slots=True)
class Face:
    """`tags` as the card spells them, `name_key` what it is sorted by, `sought` the folded text in
    which words are looked for: name, creator, tags, file name."""

    name_key: str
    sought: str
    tags: tuple[str, ...]

    @property
    def tag_keys(self) -> str:
        """The folded tags, each between line breaks, so that a tag is found whole."""
        return "".join(f"\n{folded(tag)}\n" for tag in self.tags)


@dataclass(frozen=True, slots=True)
class Looking:
    """What is looked for: all `words`, a `tag` whole, the favourites alone. Each empty one is no
    condition. `order` by name goes by code points of the folded name."""

    words: str = ""
    tag: str = ""
    favourite: bool = False
    order: Order = "newest"

    @property
    def parts(self) -> tuple[str, ...]:
        """The words one by one, folded as faces are."""
        return tuple(folded(self.words).split())


@dataclass(frozen=True, slots=True)
class Shelved:
    """A card as a list shows it."""

    card: StoredCard
    tags: tuple[str, ...]
    favourite: bool


def face_of(card: StoredCard) -> Face:
    """The face of a card, whatever its JSON holds; what is no text counts for nothing."""
    inner = card.content.get("data")
    data = cast("Mapping[str, object]", inner) if isinstance(inner, Mapping) else card.content
    creator = data.get("creator")
    tags = _tags(data.get("tags"))
    shown = (card.name, creator if isinstance(creator, str) else "", card.filename, *tags)
    sought = "\n".join(folded(one) for one in shown)
    return Face(folded(card.name)[:MAX_KEY], sought[:MAX_SOUGHT], tags)


def fits(face: Face, looking: Looking) -> bool:
    """Whether a card is among those looked for, apart from being a favourite."""
    tag = folded(looking.tag)
    if tag and f"\n{tag}\n" not in face.tag_keys:
        return False
    return all(part in face.sought for part in looking.parts)


def named(words: str, *names: str) -> bool:
    """Whether all words are in the names together, whatever their case and width; no words always are."""
    sought = "\n".join(folded(name) for name in names)
    return all(part in sought for part in folded(words).split())


def folded(text: str) -> str:
    """The text in the form in which it is compared: one width, one case, in one line, and nothing
    that a database cannot hold."""
    plain = unicodedata.normalize("NFKC", scrub_surrogates(text).replace("\0", "")).casefold()
    return " ".join(plain.split())


def _tags(value: object) -> tuple[str, ...]:
    """Of tags that differ only in case or width the first stays."""
    if not isinstance(value, list):
        return ()
    texts: Iterable[object] = cast("list[object]", value)
    found: dict[str, str] = {}
    for tag in texts:
        if isinstance(tag, str) and (key := folded(tag[:MAX_TAG])):
            found.setdefault(
                key, " ".join(scrub_surrogates(tag[:MAX_TAG]).replace("\0", "").split())
            )
    return tuple(list(found.values())[:MAX_TAGS])
