"""What answers about manuscripts and differences look like; apart from `schemas` because each room of the
interface is read alone."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from huaben.web.schemas import Told


class WordSpanTold(Told):
    """A stretch that both texts have (`kept`) or only one of them. `from` and `to` are its start and end
    in each, in UTF-16 units, the end exclusive; in a text that does not have it the two are equal."""

    kind: Literal["kept", "deleted", "inserted"]
    in_old: tuple[int, int] = Field(alias="from")
    in_new: tuple[int, int] = Field(alias="to")


class ComparedText(Told):
    ref: str
    text: str


class DiffTold(Told):
    """Two texts, and spans that cover both in order."""

    old: ComparedText = Field(alias="from")
    new: ComparedText = Field(alias="to")
    spans: list[WordSpanTold]
