"""What the turns of a project were made of: the lists that planting committed, read back; apart because
exports and whoever shows an imported chat ask the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from huaben.domain.story import Node, Tree
from huaben.formats.chats.staging import Row
from huaben.ports import DueJob
from huaben.services.chats import imported
from huaben.services.chats_planting import Planted, effect_prefix
from huaben.services.house import House

AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a turn came from: the job that planted its chat, by its number, and its rows there in
    order. `made` tells that the turn exists for that chat alone."""

    seq: int
    made: bool
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Origins:
    """The chats of a project by their number, and where its turns came from. An opening may come from
    several chats."""

    jobs: Mapping[int, DueJob]
    by_turn: Mapping[str, Sequence[Origin]]

    def of(self, turn_id: str, seq: int | None) -> Origin | None:
        """Where a turn came from, as far as that chat is concerned."""
        return next((one for one in self.by_turn.get(turn_id, ()) if one.seq == seq), None)

    def chat_of(self, path: Sequence[Node], tree: Tree) -> int | None:
        """The number of the chat that a path lies in: the one that its last planted turn came from, or
        that another telling of its came from. A path that only shares an opening with a chat lies in
        the one that the project was made for, if that is it."""
        for node in reversed(path):
            tellings = [] if node.kind == "greeting" else tree.variants(node.id)
            for turn_id in (node.id, *(one.id for one in tellings)):
                for origin in self.by_turn.get(turn_id, ()):
                    if origin.made:
                        return origin.seq
        shared = self.by_turn.get(path[0].id, ())
        return next((one.seq for one in shared if self.jobs[one.seq].payload.get("founded")), None)


async def load_origins(house: House, project_id: str) -> Origins:
    """Raises `NotFound`."""
    jobs = {job.seq: job async for job in imported(house, project_id)}
    by_turn: dict[str, list[Origin]] = {}
    for seq, job in jobs.items():
        prefix, after = effect_prefix(job), ""
        while found := await house.store.effects(prefix, after, AT_ONCE):
            for effect in found:
                for planted in cast(
                    "Sequence[Planted]", effect.result["turns"]
                ):  # as planting wrote it
                    turn_id, made, pairs = planted
                    rows = tuple(Row(place, variant) for place, variant in pairs)
                    by_turn.setdefault(turn_id, []).append(Origin(seq, made, rows))
            after = found[-1].key
    return Origins(jobs, by_turn)
