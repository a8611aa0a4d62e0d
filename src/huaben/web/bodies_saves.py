"""What requests about saves and backups may hold; apart from `bodies` by its size."""

from __future__ import annotations

from pydantic import Field

from huaben.web.bodies import Asked, Id, Text

MAX_NAME = 1_000
"""The service says more exactly how long a name may be."""


class SaveWanted(Asked):
    """`turn` is the node to name; without it, the one that the story stands at."""

    name: Text = Field(max_length=MAX_NAME)
    turn: Id | None = None


class SaveRenamed(Asked):
    """`revision` is the one that was seen."""

    name: Text = Field(max_length=MAX_NAME)
    revision: int = Field(ge=0)
