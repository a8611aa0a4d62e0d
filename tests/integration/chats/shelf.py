"""What tests of imported chats do and look at, in few words."""

from __future__ import annotations

from dataclasses import dataclass

from huaben.domain.story import Node, Tree, Turn, status_of
from huaben.ports import DueJob
from huaben.services import chats, library
from huaben.services.chats import Begun, Wish
from tests.integration.jobs.yard import Yard, card_bytes

ANYWHERE = Wish()


@dataclass(frozen=True)
class Seen:
    """A project's tree with its words."""

    tree: Tree
    turns: dict[str, Turn]
    head: str

    @property
    def path(self) -> list[Turn]:
        return [self.turns[node.id] for node in self.tree.path(self.head)]

    def told(self) -> list[tuple[str, str, str]]:
        """The path to the head: status, words, text."""
        return [(status_of(t.run, t.outcome), t.user_text, t.final_text) for t in self.path]

    def variants(self, turn: Turn) -> list[str]:
        return [self.turns[node.id].final_text for node in self.tree.variants(turn.id)]


async def card(yard: Yard, name: str = "渡船人", **more: object) -> str:
    return (await library.import_card(yard.house, card_bytes(name, **more), f"{name}.json")).id


async def brought(
    yard: Yard, data: bytes, wish: Wish = ANYWHERE, file: str = "chat.jsonl"
) -> Begun:
    """The one chat of a file, planted."""
    (begun,) = await chats.import_chats(yard.house, data, file, wish)
    await yard.patiently(yard.jobs.idle())
    return begun


async def seen(yard: Yard, project_id: str) -> Seen:
    nodes: list[Node] = await yard.store.skeleton(project_id)
    head = await yard.store.head(project_id)
    assert head is not None
    turns = await yard.store.turns([node.id for node in nodes])
    return Seen(Tree(nodes), turns, head.turn_id)


async def job_of(yard: Yard, begun: Begun) -> DueJob:
    job = await yard.store.job(begun.lane, begun.seq)
    assert job is not None
    return job
