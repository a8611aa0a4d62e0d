"""The text that an expansion writes, bounded; apart because what fits is decided in this one place."""

from __future__ import annotations


def size(text: str) -> int:
    """The UTF-8 length; a lone surrogate counts as three bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def allowance(template: str, max_bytes: int) -> int:
    """How many bytes the expansion of a template may add to it.

    The result stays within `max_bytes`; a template that fills more than half of that may double,
    or a long card could not even name its characters.
    """
    taken = size(template)
    return max(max_bytes - taken, taken)


class Page:
    """A text that grows at its end. What the template says is always written; what a macro says is
    written if there is room for it."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._pieces: list[str] = []
        self._swallows_newlines = False

    def write(self, text: str) -> None:
        """Adds text of the template itself."""
        if self._swallows_newlines:
            text = text.lstrip("\r\n")
        if text:
            self._swallows_newlines = False
            self._pieces.append(text)

    def make_room(self, text: str, instead_of: int) -> bool:
        """Takes the room that `text` needs in place of `instead_of` bytes of the template; False,
        and none is taken, if there is less."""
        growth = size(text) - instead_of
        if growth > self._room:
            return False
        self._room -= growth
        return True

    def trim(self) -> None:
        """Drops the newlines before this place, and those that would follow."""
        while self._pieces:
            kept = self._pieces[-1].rstrip("\r\n")
            if kept:
                self._pieces[-1] = kept
                break
            self._pieces.pop()
        self._swallows_newlines = True

    def text(self) -> str:
        return "".join(self._pieces)
