"""What answers about a summary look like."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from huaben.web.schemas import Told


class SummaryTold(Told):
    """What stands for old turns at the node `at`: `text` (empty where nothing does) for the turns up
    to `covers`, `turns` in all. It was made at `node` and is version `revision` there, by `author`
    (`scribe` or `user`). `missing` are names that the model had lost and the program put in; `live` is
    how many turns are still sent word for word."""

    at: str
    text: str
    covers: str | None
    turns: int
    node: str | None
    revision: int
    author: str | None
    missing: list[str]
    live: int


class SummaryWritten(BaseModel):
    """The user's own words in the place of the summary of `node` at `revision`, as they were read."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=200_000)]
    node: str
    revision: int
