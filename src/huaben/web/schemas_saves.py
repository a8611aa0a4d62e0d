"""What saves and the map look like in answers; apart from `schemas` by its size."""

from __future__ import annotations

from typing import Literal

from huaben.web.schemas import Told


class SaveTold(Told):
    """A named save at a turn. `number` counts the sealed turns up to it; `on_branch`: it lies on the
    way to the present; `standing`: `POST …/head` can go there. Send `revision` back to rename it."""

    id: str
    project: str
    turn: str
    name: str
    author: Literal["user", "model"]
    created_at: str
    revision: int
    number: int
    on_branch: bool
    standing: bool


class SaveNamed(Told):
    id: str
    name: str


class MapItem(Told):
    """`after` is the id of the item that this one follows, null where a branch of its own begins;
    `number` the sealed turns up to it, `variants` the siblings that are folded away beside it.
    `words` begin the turn, where it is a point or begins a branch."""

    id: str
    after: str | None
    number: int
    variants: int
    on_path: bool
    words: str


class MapPointTold(MapItem):
    """A node of the tree; `marks` say why it is shown."""

    kind: Literal["point"]
    marks: list[Literal["fork", "save", "edit", "present"]]
    saves: list[SaveNamed]
    status: str


class MapRunTold(MapItem):
    """A straight stretch of `turns` sealed turns, from the node `first` to the node `id`."""

    kind: Literal["run"]
    first: str
    turns: int


class MapTold(Told):
    """The folded tree of a story: each item behind the one that it follows."""

    head: str
    items: list[MapPointTold | MapRunTold]
