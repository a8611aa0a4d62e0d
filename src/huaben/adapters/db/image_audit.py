"""Finds pictures of turns whose bytes are gone; apart from the audit of rows because what a picture is stands
in the log of its turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlalchemy import Connection, select

from huaben.adapters.db import rows, schema
from huaben.adapters.db.codec import Undecodable
from huaben.domain.events import ImageChange


def picture_faults(
    connection: Connection, has_object: Callable[[str], bool] | None
) -> Iterator[str]:
    """The pictures that are ready and lack their object; nothing where objects are not this store's to
    look for. Events that cannot be read are told by the audit of logs."""
    if has_object is None:
        return
    event = schema.turn_event
    chosen = select(event).where(event.c.kind == ImageChange.kind)
    ready: dict[str, str] = {}
    for row in connection.execute(chosen.order_by(event.c.turn_id, event.c.seq)):
        try:
            change = rows.event_of(row).event
        except Undecodable:
            continue
        if isinstance(change, ImageChange):
            ready[change.image] = change.object_hash if change.state == "ready" else ""
    for image, kept in ready.items():
        if kept and not has_object(kept):
            yield f"picture {image} lacks its object {kept}"
