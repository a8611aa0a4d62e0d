"""Huaben (话本): interactive fiction and long fiction, where the prose is an artifact."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from huaben.studio import Studio

__version__ = "0.1.0"
__all__ = ["Studio", "__version__"]


def __getattr__(name: str) -> object:
    """`from huaben import Studio`, loaded when asked for: the command line starts without it."""
    if name == "Studio":
        from huaben.studio import Studio

        return Studio
    raise AttributeError(name)
