"""The verb Continue of a sealed turn: the model goes on from its final text, and what it writes is
appended by a revision (pins 8)."""

from __future__ import annotations

from huaben.domain.continuing import continues
from huaben.domain.events import ProjectEvent, Status
from huaben.domain.story import Node, Revision, Turn
from huaben.errors import Conflict
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Head, Stale
from huaben.services.house import House
from huaben.services.past import text_in_force
from huaben.services.performing import Company
from huaben.services.stories import Story, check_still, load_story, load_turn, stale


async def continue_sealed(house: House, company: Company, turn_id: str) -> Turn:
    """Begin a turn that goes on from the latest reply of the story, or from its greeting. It has no words
    of the user's and no number; sealed, it is a revision of that reply.

    Raises `Conflict` (`turn_running`, `ask_open`, `queue_waiting`, `not_latest`) and `NoConnection`.
    """
    turn = await load_turn(house, turn_id)
    async with house.lock(turn.project_id):
        story = await load_story(house, turn.project_id)
        check_still(story)
        if story.project.mode != "roleplay" or _latest(story) != turn_id:
            raise Conflict(
                "not_latest",
                "Only the latest sealed reply of the story can be continued.",
                "Go back to it first; what came after it is kept.",
            )
        house.models.for_role("story", scenario_of(story.project.config).models.story)
        new = await _continuation(house, story, turn)
        done = await house.store.commit(
            Commit(
                expected={("head", story.project.id): story.head.revision, ("turn", new.id): 0},
                rows=(new, Head(story.project.id, story.head.turn_id)),
                events=((new.id, Status("queued")),),
                project_events=((story.project.id, ProjectEvent("turn_queued", new.id)),),
            )
        )
        if isinstance(done, Stale):
            raise stale(done)
        await company.kick(story.project.id)
        return await load_turn(house, new.id)


async def _continuation(house: House, story: Story, turn: Turn) -> Turn:
    overlay = story.tree.in_force(story.head.turn_id)
    wanted = [turn.id, *([overlay[turn.id]] if turn.id in overlay else [])]
    text = text_in_force(await house.store.turns(wanted), overlay, turn.id)
    new_id = house.ids.new()
    new = Turn(
        id=new_id,
        project_id=story.project.id,
        user_id=story.project.user_id,
        parent=story.head.turn_id,
        kind="turn",
        beat=new_id,
        depth=story.head_node.depth + 1,
        created_at=house.now(),
        at_once=True,
        revises=Revision(turn.id, text.version + 1, ""),
        config=story.project.config,
    )
    assert continues(new)
    return new


def _latest(story: Story) -> str | None:
    """The reply at the end of the story; None where an unfinished turn stands there."""
    for node in reversed(story.tree.path(story.head.turn_id)):
        if _is_reply(node):
            return node.id
        if node.kind == "turn" and node.outcome not in ("revised", "discarded"):
            return None
    return None


def _is_reply(node: Node) -> bool:
    return node.kind == "greeting" or (node.kind == "turn" and node.outcome == "sealed")
