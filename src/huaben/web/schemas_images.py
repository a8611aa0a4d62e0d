"""The pictures of turns as the API tells them; apart because the other bodies fill their file."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class ImageTold(BaseModel):
    """A picture of a turn. `wished` until the turn is sealed, `pending` while a job has still to draw it;
    `picture` is where its bytes are once it is ready. `code` and `message` say why it failed."""

    id: str
    project: str
    turn: str
    state: Literal["wished", "pending", "ready", "failed"]
    place: int
    prompt: str
    caption: str
    attempt: int
    picture: str | None
    media_type: str | None
    code: str
    message: str


class AssetTold(BaseModel):
    """A picture that came with a card, under every name and address that its texts may call it by."""

    names: list[str]
    picture: str
    media_type: str
