"""Reading a project's story: its tree, its head, and what the log of a turn says.

Apart from the verbs because all of them begin with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from huaben.domain.project import Project
from huaben.domain.story import Node, Tree, Turn
from huaben.domain.turnview import TurnView, replay
from huaben.errors import Conflict, NotFound
from huaben.ports import CallRecord, Head, Stale
from huaben.services.house import House


@dataclass(frozen=True, slots=True)
class Story:
    """A project with its tree as it stood when it was read."""

    project: Project
    head: Head
    tree: Tree

    @property
    def head_node(self) -> Node:
        return self.tree[self.head.turn_id]

    @property
    def queued(self) -> list[Node]:
        """Turns that wait for their place, in order."""
        nodes = self.tree.nodes
        return [
            nodes[i] for i in sorted(nodes) if nodes[i].run == "queued" and not nodes[i].deleted
        ]

    @property
    def active(self) -> Node | None:
        """The turn that runs or waits for an answer."""
        for node in self.tree.nodes.values():
            if node.run in ("running", "waiting") and not node.deleted:
                return node
        return None


async def load_project(house: House, project_id: str) -> Project:
    """Raises `NotFound` also for another user's project and a deleted one."""
    project = await house.store.project(project_id)
    if project is None or project.user_id != house.user_id or project.deleted:
        raise NotFound.of("project", project_id)
    return project


async def load_story(house: House, project_id: str) -> Story:
    project = await load_project(house, project_id)
    head = await house.store.head(project_id)
    if head is None:
        raise NotFound.of("project", project_id)
    return Story(project, head, Tree(await house.store.skeleton(project_id)))


async def load_turn(house: House, turn_id: str) -> Turn:
    """Raises `NotFound` also for another user's turn and a deleted one."""
    turn = await house.store.turn(turn_id)
    if turn is None or turn.user_id != house.user_id or turn.deleted:
        raise NotFound.of("turn", turn_id)
    return turn


async def load_view(house: House, turn_id: str) -> TurnView:
    """The turn as its whole log tells it."""
    return replay([logged.event for logged in await house.store.events(turn_id)])


PLANNING = "planner."
"""What the purposes of calls begin with that plan for later turns, beside the reply."""


async def load_calls(house: House, turn_id: str) -> list[CallRecord]:
    """The calls of a turn that were made for its reply and what follows it."""
    return [one for one in await house.store.calls(turn_id) if not is_planning(one)]


def is_planning(record: CallRecord) -> bool:
    return record.purpose.startswith(PLANNING)


def stale(result: Stale) -> Conflict:
    """What a client is told when the state moved on between its read and its write."""
    return Conflict(
        "stale",
        f"The {result.kind} has changed meanwhile.",
        "Load the present state and try again.",
        expected=result.expected,
        actual=result.actual,
    )


def check_still(story: Story) -> None:
    """Raises `Conflict` while a turn runs, waits for an answer or stands in the queue: what is done then
    would have another end of the story under it."""
    active = story.active
    if active is not None and active.run == "waiting":
        raise Conflict(
            "ask_open", "A question waits for its answer.", "Answer it or stop the turn."
        )
    if active is not None:
        raise Conflict("turn_running", "A turn is running.", "Wait for its end or stop it.")
    if story.queued:
        # They were written for this end of the story and would run at another.
        raise Conflict(
            "queue_waiting",
            "Words wait behind the present end of the story.",
            "Let them run or take them back first.",
        )


def check_standing(story: Story, turn_id: str) -> None:
    """Raises `NotFound` for a node below a deleted one: it is put aside with it, and the head never
    comes to a path with a hole in it."""
    if any(node.deleted for node in story.tree.path(turn_id)):
        raise NotFound.of("turn", turn_id)
