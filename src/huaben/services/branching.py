"""The verbs of the session tree: undo, redo, go to a node, choose the greeting, delete a variant,
change a final text. They move the head or add a node; nothing is ever removed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from huaben.domain.events import ProjectEvent
from huaben.domain.story import Node, Revision, Tree, Turn
from huaben.domain.text import is_blank, scrub
from huaben.errors import BadInput, Conflict, NotFound, PreconditionFailed, PreconditionRequired
from huaben.ports import Commit, Head, Key, Row, Stale, Visit
from huaben.services.house import House
from huaben.services.past import text_in_force
from huaben.services.scripts_arriving import edit_arrived
from huaben.services.stories import Story, check_standing, check_still, load_story, load_turn, stale
from huaben.services.writing.restoring import Way, move_files


@dataclass(frozen=True, slots=True)
class Moved:
    """Where the head is now; `words` are those that go back to the box."""

    head: Head
    words: str = ""


async def undo(house: House, project_id: str, *, force: bool = False) -> Moved:
    """Move the head to the parent of its turn. The chapters of a manuscript go along; one that was changed
    by hand since is a conflict, unless `force`. Raises `Conflict` (`nothing_to_undo`, `turn_running`,
    `ask_open`, `conflict`)."""
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        check_still(story)
        node = story.head_node
        if node.parent is None:
            raise Conflict("nothing_to_undo", "The story stands at its beginning.")
        turn = await load_turn(house, node.id)
        head = await _move(house, story, node.parent, force=force)
        return Moved(head, turn.user_text)


async def undo_from(house: House, project_id: str, turn_id: str, *, force: bool = False) -> Moved:
    """Move the head to before a turn on the way to it, and all that the story has since. Raises as `undo`,
    `NotFound`, and `Conflict("not_on_branch")` for a turn elsewhere."""
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        check_still(story)
        turn = await load_turn(house, turn_id)
        if turn_id not in [node.id for node in story.tree.path(story.head.turn_id)]:
            raise Conflict(
                "not_on_branch", "The turn is not on the way to the present end of the story."
            )
        if turn.parent is None:
            raise Conflict("nothing_to_undo", "The story stands at its beginning.")
        head = await _move(house, story, turn.parent, force=force)
        return Moved(head, turn.user_text)


async def redo(house: House, project_id: str, *, force: bool = False) -> Moved:
    """Move the head forward to where it last came from; `force` as for `undo`. Raises `Conflict`
    (`nothing_to_redo`, `conflict`)."""
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        check_still(story)
        target = story.tree.redo_target(story.head.turn_id)
        if target is None:
            raise Conflict("nothing_to_redo", "Nothing was undone here.")
        return Moved(await _move(house, story, target, force=force))


async def go_to(house: House, project_id: str, turn_id: str, *, force: bool = False) -> Moved:
    """Move the head to any node of the tree; `force` as for `undo`. Raises `NotFound`, `Conflict`
    (`wrong_project`, `turn_running`, `ask_open`, `conflict`)."""
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        node = story.tree.nodes.get(turn_id)
        if node is None:
            await load_turn(house, turn_id)
            raise Conflict("wrong_project", "The turn belongs to another project.")
        check_still(story)
        if node.run == "queued" or node.outcome == "discarded":
            raise NotFound.of("turn", turn_id)
        check_standing(story, turn_id)
        return Moved(await _move(house, story, turn_id, force=force))


async def choose_greeting(house: House, project_id: str, index: int) -> Moved:
    """Stand on another opening; only before the first turn. Raises `Conflict("story_begun")`,
    `BadInput("no_such_greeting")`."""
    async with house.lock(project_id):
        story = await load_story(house, project_id)
        roots = story.tree.roots()
        begun = any(story.tree.has_children(root.id) for root in roots) or story.queued
        if begun:
            raise Conflict("story_begun", "The opening can be changed only before the first turn.")
        if not 0 <= index < len(roots):
            raise BadInput("no_such_greeting", f"There are {len(roots)} openings, from 0.")
        return Moved(await _move(house, story, roots[index].id))


async def delete_variant(house: House, turn_id: str) -> Moved:
    """Put a variant aside; the head goes to its neighbour. Never generates. Raises `Conflict`
    (`last_variant`, `turn_running`)."""
    turn = await load_turn(house, turn_id)
    async with house.lock(turn.project_id):
        story = await load_story(house, turn.project_id)
        check_still(story)
        turn = await load_turn(house, turn_id)
        if turn.kind != "turn" or turn.run != "ended":
            raise Conflict("not_a_turn", "Only a turn that has ended can be deleted.")
        standing = any(node.id == turn_id for node in story.tree.path(story.head.turn_id))
        neighbour = _neighbour(story.tree, story.tree[turn_id])
        if standing and neighbour is None:
            raise Conflict(
                "last_variant", "It is the only variant of the turn.", "Undo the turn instead."
            )
        target = neighbour.id if standing and neighbour else story.head.turn_id
        head = await _move(house, story, target, replace(turn, deleted=True))
        return Moved(head)


async def rewrite_final(house: House, turn_id: str, text: str, version: int | None) -> Turn:
    """The user's own change of a final text: a node that carries the new text for this branch.

    `version` is the one in force that the user saw. Raises `PreconditionRequired` without it,
    `PreconditionFailed` when it is not in force, `Conflict("not_on_branch")`.
    """
    turn = await load_turn(house, turn_id)
    words = scrub(text)
    if is_blank(words):
        raise BadInput("blank_text", "A final text cannot be emptied.")
    if version is None:
        raise PreconditionRequired(
            "version_required", "Name the version that you changed (If-Match)."
        )
    async with house.lock(turn.project_id):
        story = await load_story(house, turn.project_id)
        check_still(story)
        path = story.tree.path(story.head.turn_id)
        if turn.outcome != "sealed" or turn_id not in [node.id for node in path]:
            raise Conflict("not_on_branch", "Only a sealed text of this branch can be changed.")
        overlay = story.tree.in_force(story.head.turn_id)
        turns = await house.store.turns([turn_id, *overlay.values()])
        now = text_in_force(turns, overlay, turn_id)
        if now.version != version:
            raise PreconditionFailed(
                "version_changed",
                f"The text is at version {now.version}, not {version}.",
                "Look at the present text and change that.",
                version=now.version,
            )
        if words == now.text:
            return turn
        arrived = await edit_arrived(house, story.project, words)
        edit = _edit_node(house, story, Revision(turn_id, version + 1, arrived.text))
        edit = replace(edit, message="; ".join(one.detail for one in arrived.notices[:1]))
        await _move(house, story, edit.id, edit)
        return edit


# ---- moving ------------------------------------------------------------------------------------


def _neighbour(tree: Tree, node: Node) -> Node | None:
    """The variant before this one, else the one after it, else another child of its parent."""
    siblings = tree.variants(node.id)
    places = [sibling.id for sibling in siblings]
    if node.id in places and len(places) > 1:
        at = places.index(node.id)
        return siblings[at - 1] if at else siblings[1]
    others = [n for n in tree.children(node.parent) if n.id != node.id and n.prose]
    return others[-1] if others else None


def _edit_node(house: House, story: Story, revision: Revision) -> Turn:
    new_id = house.ids.new()
    return Turn(
        id=new_id,
        project_id=story.project.id,
        user_id=story.project.user_id,
        parent=story.head.turn_id,
        kind="edit",
        beat=new_id,
        depth=story.head_node.depth + 1,
        created_at=house.now(),
        run="ended",
        outcome="revised",
        revises=revision,
        prose=True,
        config=story.project.config,
        ended_at=house.now(),
    )


async def _move(
    house: House,
    story: Story,
    target: str,
    changed: Turn | None = None,
    *,
    force: bool = False,
) -> Head:
    """Move the head and remember the way back; `changed` is a node written with the move. The chapters of
    a manuscript go along, with `force` also over what was changed by hand."""
    tree = story.tree
    rows: list[Row] = [replace(story.head, turn_id=target)]
    expected: dict[Key, int] = {("head", story.project.id): story.head.revision}
    if changed is not None:
        rows.insert(0, changed)
        expected[("turn", changed.id)] = changed.revision
        if changed.id not in tree:
            node = Node(
                changed.id, changed.parent, changed.kind, changed.beat, changed.depth, "ended",
                changed.outcome,
            )  # fmt: skip
            tree = Tree([*tree.nodes.values(), node])
    rows += [Visit(node, child) for node, child in tree.visits(target).items()]
    commit = Commit(
        expected=expected,
        rows=tuple(rows),
        project_events=((story.project.id, ProjectEvent("head_moved", target)),),
    )
    if story.project.mode == "writing":
        way = Way(tree, story.head.turn_id, target)
        done = await move_files(house, story.project.id, way, commit, force=force)
    else:
        done = await house.store.commit(commit)
    if isinstance(done, Stale):
        raise stale(done)
    revision = done.revisions[("head", story.project.id)]
    return replace(story.head, turn_id=target, revision=revision)
