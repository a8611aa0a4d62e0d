"""The one spelling of a moment in stored rows and events; apart because every room stamps times."""

from __future__ import annotations

from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """ISO-8601 in UTC with milliseconds and a `Z`, so that texts sort as the moments do.

    Raises ValueError for a moment without a zone: guessing one would shift a whole history."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no time zone; give it one")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
