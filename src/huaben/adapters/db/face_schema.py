"""The tables of what cards show on the shelf, and of the user's favourites; apart because the schema fills
its file."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text

from huaben.adapters.db.schema import NAME, metadata

# Derived from the cards, and small: a search walks through it instead of through the cards.
card_face = Table(
    "card_face",
    metadata,
    Column("card_id", NAME, ForeignKey("card.id"), primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("name_key", NAME, nullable=False),
    Column("sought", Text, nullable=False),
    Column("tag_keys", Text, nullable=False),
    Column("tags", Text, nullable=False),
    Index(None, "user_id", "card_id"),
    Index(None, "user_id", "name_key", "card_id"),
)

favourite = Table(
    "favourite",
    metadata,
    Column("card_id", NAME, ForeignKey("card.id"), primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("chosen", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),
)
