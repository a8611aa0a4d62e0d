"""The rehearsal's pictures: a few that ship with the program, the one that fits the words best. Apart from
what it says, because whoever draws is asked through a port of its own.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping
from importlib.resources import files
from typing import Final

from huaben.adapters.models.rehearsal.wire import NAME
from huaben.domain.messages import WireRequest
from huaben.ports import Drawn

_SHOWS: Final[Mapping[str, tuple[str, ...]]] = {
    "umbrella": ("伞", "umbrella"),
    "lantern": ("灯", "lantern", "lamp", "candle"),
    "river": ("河", "江", "船", "渡", "river", "boat", "ferry"),
    "inn": ("客栈", "门", "店", "inn", "door", "house"),
}
"""What is to be seen on a picture, the most telling first."""


class RehearsalImages:
    """Implements `Images` without any network: the same words always give the same picture."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def origin(self) -> str:
        return f"{NAME}@here"

    def encode(self, prompt: str) -> WireRequest:
        head = json.dumps({"model": NAME, "n": 1})
        tail = json.dumps({"prompt": prompt}, ensure_ascii=False)
        return WireRequest((f"{head[:-1]}, ".encode(), tail[1:].encode()), ("head", "tail"))

    async def draw(self, wire: WireRequest, hosts: Collection[str] = ()) -> Drawn:
        del hosts  # nothing is fetched
        prompt = str(json.loads(wire.body)["prompt"])
        file = files("huaben") / "rehearsal" / "pictures" / f"{_fitting(prompt)}.png"
        return Drawn(file.read_bytes(), "image/png")


def _fitting(prompt: str) -> str:
    words = prompt.casefold()
    for name, shown in _SHOWS.items():
        if any(word in words for word in shown):
            return name
    return list(_SHOWS)[zlib.crc32(prompt.encode("utf-8", "replace")) % len(_SHOWS)]
