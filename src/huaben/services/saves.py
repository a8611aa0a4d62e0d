"""Named saves: making and renaming them, putting them away, and going to one. A save moves nothing and holds
nothing but a name for a node, so it is apart from the verbs of the tree."""

from __future__ import annotations

from dataclasses import replace

from huaben.domain.events import ProjectEvent
from huaben.domain.saves import NameBlank, NameTooLong, Save, named
from huaben.domain.times import stamp
from huaben.errors import BadInput, Conflict, NotFound
from huaben.ports import Binned, Commit, Key, Row, Stale
from huaben.services import branching
from huaben.services.aftermath.wishing import CHANGED, begun
from huaben.services.branching import Moved
from huaben.services.house import House
from huaben.services.stories import (
    Story,
    check_standing,
    load_project,
    load_story,
    stale,
)


async def make_save(house: House, project_id: str, name: str, node: str | None = None) -> Save:
    """Give a node a name, by default the one that the story stands at. Raises `NotFound`, `BadInput`
    (`blank_name`, `name_too_long`), `Conflict` (`turn_running`: it has not ended yet)."""
    kept = _checked(name)
    story = await load_story(house, project_id)
    target = story.head.turn_id if node is None else node
    _check_node(story, target)
    save = begun(house, project_id, target, kept, "user")
    done = await house.store.commit(_commit(save, 0))
    if isinstance(done, Stale):
        raise stale(done)
    return replace(save, revision=1)


async def rename_save(house: House, save_id: str, name: str, revision: int) -> Save:
    """Another name for a save whose revision is the one that was seen. Raises `NotFound`, `BadInput`
    as `make_save`, `Conflict("stale")`."""
    kept = _checked(name)
    save = await load_save(house, save_id)
    if revision == save.revision and kept == save.name:
        return save
    done = await house.store.commit(_commit(replace(save, name=kept), revision))
    if isinstance(done, Stale):
        raise stale(done)
    return replace(save, name=kept, revision=revision + 1)


async def discard_save(house: House, save_id: str) -> None:
    """Put a save into the trash; its node stays where it is. Raises `NotFound`."""
    save = await load_save(house, save_id)
    done = await house.store.commit(
        Commit(
            expected={("save", save.id): save.revision},
            rows=(Binned("save", save.id, stamp(house.clock.now())),),
            project_events=((save.project_id, ProjectEvent(CHANGED, save.node)),),
        )
    )
    if isinstance(done, Stale):
        raise stale(done)


async def go_to_save(house: House, save_id: str) -> Moved:
    """Move the head to a save. Raises as `branching.go_to`."""
    save = await load_save(house, save_id)
    return await branching.go_to(house, save.project_id, save.node)


async def load_save(house: House, save_id: str) -> Save:
    """Raises `NotFound` also for another user's save and one in the trash."""
    save = await house.store.save(save_id)
    if save is None or save.user_id != house.user_id or save.deleted_at:
        raise NotFound.of("save", save_id)
    await load_project(house, save.project_id)
    return save


# ---- parts -------------------------------------------------------------------------------------


def _checked(name: str) -> str:
    kept = named(name)
    match kept:
        case str():
            return kept
        case NameBlank():
            raise BadInput("blank_name", "A save needs a name.")
        case NameTooLong(chars=chars, limit=limit):
            raise BadInput(
                "name_too_long",
                f"The name has {chars:,} characters, at most {limit} are kept.",
                chars=chars,
                limit=limit,
            )


def _check_node(story: Story, node_id: str) -> None:
    node = story.tree.nodes.get(node_id)
    if node is None or node.run == "queued" or node.outcome == "discarded":
        raise NotFound.of("turn", node_id)
    check_standing(story, node_id)
    if node.run != "ended":
        raise Conflict("turn_running", "The turn is running.", "Wait for its end or stop it.")


def _commit(save: Save, revision: int) -> Commit:
    expected: dict[Key, int] = {("save", save.id): revision}
    rows: tuple[Row, ...] = (save,)
    event = ProjectEvent(CHANGED, save.node)
    return Commit(expected=expected, rows=rows, project_events=((save.project_id, event),))
