"""The manuscript as a turn's tools see it; apart from the tools, so that they know neither files nor store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from huaben.ports.manuscripts import Found

Effect: TypeAlias = Mapping[str, object]
Recorded: TypeAlias = Callable[[Effect], Awaitable[None]]
"""Makes the log say that a change was made; raises when it cannot."""


@dataclass(frozen=True, slots=True)
class FileEdit:
    """A change of chapters: the bytes that each becomes, None where it goes. `expected` is the hash of
    each as the tool saw it, None where there was none."""

    contents: Mapping[str, bytes | None]
    expected: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class ChangedByUser:
    """The user has edited these chapters since; nothing was done."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotWritten:
    """The disk refused; nothing was done. `code` and `message` are those of the fault."""

    code: str
    message: str


class FileDesk(Protocol):
    """Raises `StorageFailed` when the files cannot be read."""

    async def listing(self) -> Found: ...
    async def read(self, name: str) -> bytes | None:
        """The bytes of a chapter; None where there is no such chapter."""
        ...

    async def make(self, edit: FileEdit, recorded: Recorded) -> ChangedByUser | NotWritten | None:
        """Make a change and have it recorded, both or neither; what the user edited by hand meanwhile
        is kept as theirs first. `recorded` is given the effect that the log must remember."""
        ...
