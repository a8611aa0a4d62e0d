"""What cards show on the shelf, as rows and back: lists, searches, tags, favourites; one file per port."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select, tuple_

from huaben.adapters.db import codec, rows, schema
from huaben.adapters.db.codec import a_text
from huaben.adapters.db.face_schema import card_face, favourite
from huaben.adapters.db.rows import AnyRow, Values
from huaben.domain.cardface import Looking, Shelved, face_of, folded
from huaben.domain.libraryitem import Favourite
from huaben.domain.project import StoredCard
from huaben.ports import Page

T = TypeVar("T")
P = ParamSpec("P")
_Chosen: TypeAlias = "Select[*tuple[Any, ...]]"  # pyright: ignore[reportExplicitAny] - a driver's values
AT_ONCE = 200


def find(
    connection: Connection, user_id: str, looking: Looking, page: Page
) -> tuple[list[Shelved], str | None]:
    """One page of the cards that fit, and where the next begins."""
    limit = min(max(page.limit, 1), 200)
    ids = [str(row.card_id) for row in connection.execute(_fitting(user_id, looking, page, limit))]
    following = ids[limit - 1] if len(ids) > limit else None
    wanted = (
        select(schema.card, card_face.c.tags, favourite.c.chosen)
        .join(card_face, card_face.c.card_id == schema.card.c.id)
        .outerjoin(favourite, favourite.c.card_id == schema.card.c.id)
        .where(schema.card.c.id.in_(ids[:limit]))
    )
    found = {str(row.id): _shelved(row) for row in connection.execute(wanted)}
    return [found[card_id] for card_id in ids[:limit]], following


def _fitting(user_id: str, looking: Looking, page: Page, limit: int) -> _Chosen:
    c = card_face.c
    chosen = select(c.card_id).join(schema.card, schema.card.c.id == c.card_id)
    chosen = chosen.where(c.user_id == user_id, schema.card.c.deleted.is_(False))
    if looking.favourite:
        own = (favourite.c.user_id == user_id, favourite.c.chosen.is_(True))
        # Not a join: that would walk through the whole shelf to find a handful.
        chosen = chosen.where(c.card_id.in_(select(favourite.c.card_id).where(*own)))
    for condition in _conditions(looking):
        chosen = chosen.where(condition)
    if looking.order == "newest":
        chosen = chosen if page.after is None else chosen.where(c.card_id < page.after)
        return chosen.order_by(c.card_id.desc()).limit(limit + 1)
    if page.after is not None:
        last = select(c.name_key).where(c.card_id == page.after).scalar_subquery()
        chosen = chosen.where(tuple_(c.name_key, c.card_id) > tuple_(last, page.after))
    return chosen.order_by(c.name_key, c.card_id).limit(limit + 1)


def _conditions(looking: Looking) -> list[ColumnElement[bool]]:
    conditions = [card_face.c.sought.contains(part, autoescape=True) for part in looking.parts]
    tag = folded(looking.tag)
    if tag:
        conditions.append(card_face.c.tag_keys.contains(f"\n{tag}\n", autoescape=True))
    return conditions


def _shelved(row: AnyRow) -> Shelved:
    card = rows.listed(row, rows.card_of, StoredCard)
    return Shelved(card, codec.texts_from(a_text(row.tags)), bool(row.chosen))


def is_favourite(connection: Connection, card_id: str) -> bool:
    chosen = select(favourite.c.chosen).where(favourite.c.card_id == card_id)
    return bool(connection.execute(chosen).scalar_one_or_none())


def tags(connection: Connection, user_id: str) -> list[tuple[str, int]]:
    """Every tag of the user's cards with the number of its cards, the most frequent first."""
    c, card = card_face.c, schema.card.c
    gone = select(card.id).where(card.user_id == user_id, card.deleted_at.is_not(None))
    chosen = (
        select(c.tags)
        .where(c.user_id == user_id, c.tag_keys != "", c.card_id.not_in(gone))
        .order_by(c.card_id)
    )
    # Sets of tags repeat, and so do tags: each is read and folded once.
    sets = Counter(str(text) for text in connection.scalars(chosen))
    spelled: Counter[str] = Counter()
    for text, cards in sets.items():
        spelled.update(dict.fromkeys(codec.texts_from(text), cards))
    names: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for tag, cards in spelled.items():
        counted[names.setdefault(folded(tag), tag)] += cards
    return sorted(counted.items(), key=lambda one: (-one[1], one[0]))


# ---- writing -----------------------------------------------------------------------------------


def renew(connection: Connection, card: StoredCard) -> None:
    """What the shelf shows of a card, as it is now; nothing of a version that another followed."""
    forget_face(connection, card.id)
    if _is_past(card):
        return
    connection.execute(insert(card_face).values(_values(card)))


def index_all(connection: Connection) -> None:
    """Make all faces anew. A card that cannot be read shows its name alone."""
    connection.execute(delete(card_face))
    chosen = select(schema.card).execution_options(yield_per=AT_ONCE)
    for some in connection.execute(chosen).partitions():
        cards = [rows.listed(row, rows.card_of, StoredCard) for row in some]
        values = [_values(card) for card in cards if not _is_past(card)]
        if values:
            connection.execute(insert(card_face), values)


def forget(connection: Connection, card_id: str) -> None:
    """Delete what a card leaves on the shelf."""
    forget_face(connection, card_id)
    connection.execute(delete(favourite).where(favourite.c.card_id == card_id))


def forget_face(connection: Connection, card_id: str) -> None:
    connection.execute(delete(card_face).where(card_face.c.card_id == card_id))


def favourite_values(row: Favourite) -> Values:
    return {"card_id": row.card_id, "user_id": row.user_id, "chosen": row.chosen}


def _is_past(card: StoredCard) -> bool:
    return card.deleted and not card.deleted_at


def _values(card: StoredCard) -> Values:
    face = face_of(card)
    return {
        "card_id": card.id,
        "user_id": card.user_id,
        "name_key": face.name_key,
        "sought": face.sought,
        "tag_keys": face.tag_keys,
        "tags": codec.to_json(face.tags),
    }


class FaceRows:
    """Implements `FaceReads` over a store's way of reading."""

    async def _read(
        self,
        read: Callable[Concatenate[Connection, P], T],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T:
        raise NotImplementedError

    async def look_for_cards(
        self, user_id: str, looking: Looking, page: Page
    ) -> tuple[list[Shelved], str | None]:
        return await self._read(find, user_id, looking, page)

    async def is_favourite(self, card_id: str) -> bool:
        return await self._read(is_favourite, card_id)

    async def card_tags(self, user_id: str) -> list[tuple[str, int]]:
        return await self._read(tags, user_id)
