"""What answers about found words look like; apart from `schemas` because each room of the interface is
read alone."""

from __future__ import annotations

from typing import Literal

from huaben.web.schemas import PageOf, Told


class SpanTold(Told):
    """From `start` to `end`, in UTF-16 units of the excerpt."""

    start: int
    end: int


class FoundItem(Told):
    """A part of a turn that holds the words: the user's `words`, what was `asked` and answered (a line
    each), or the final `text`. It is read at `turn` and stored at `node`, which differ where a later
    node revised the text. `on_branch`: the story as the head has it shows it. `text` is an excerpt
    that begins at `start` (UTF-16 units) of the part; `count` says how many places there are in all
    of it. `number` counts sealed turns on the way to the turn."""

    turn: str
    node: str
    part: Literal["words", "asked", "text"]
    kind: Literal["greeting", "turn", "edit"]
    status: str
    number: int
    on_branch: bool
    count: int
    start: int
    text: str
    spans: list[SpanTold]


class FoundPage(PageOf[FoundItem]):
    """One page of what was found; a page may be short, or empty, and still have a `next`."""

    head: str
