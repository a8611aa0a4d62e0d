"""Versions as entity tags; apart because texts and notes are changed by the same rule."""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias

from fastapi import Header

from huaben.errors import PreconditionFailed

IfMatch: TypeAlias = Annotated[str | None, Header(alias="If-Match", max_length=100)]
_TAG = re.compile(r'(?:W/)?"?([0-9]{1,9})"?')


def tag_of(version: int) -> dict[str, str]:
    """The header that tells a version."""
    return {"etag": f'"{version}"'}


def version_in(if_match: str | None) -> int | None:
    """The version that a client has seen. `*` says that it has looked at none. Raises
    `PreconditionFailed` for what names no version."""
    tag = (if_match or "").strip()
    if tag in ("", "*"):
        return None
    found = _TAG.fullmatch(tag)
    if found is None:
        raise PreconditionFailed(
            "version_changed",
            "If-Match does not name a version of this.",
            "Send the ETag as it came.",
        )
    return int(found[1])
