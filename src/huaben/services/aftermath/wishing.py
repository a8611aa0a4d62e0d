"""The saves that a model wished for during a turn, made once it is sealed; apart from those of the user because
nobody waits for them and each is made once, however often the chain runs."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from huaben.domain.events import ProjectEvent
from huaben.domain.saves import Save, SaveAuthor, named
from huaben.domain.turnview import TurnView
from huaben.ports import Commit, Committed, Effect
from huaben.services.house import House
from huaben.services.stories import load_view

CHANGED = "saves_changed"
"""The project event that a save was made, renamed or put into the trash; names its turn."""


async def make_wished(house: House, project_id: str, turn_id: str) -> tuple[Save, ...]:
    """Make the saves that the model asked for during a sealed turn, at that turn; belongs into the
    chain behind it, after the scribe. However often it is called, each is made once: the commit
    bears the effect `{project}/saves/{turn}`."""
    names = wished(await load_view(house, turn_id))
    made = [begun(house, project_id, turn_id, name, "model") for name in names]
    if not made:
        return ()
    effect = Effect(f"{project_id}/saves/{turn_id}", {"saves": [save.id for save in made]})
    done = await house.store.commit(
        Commit(
            rows=(*made, effect),
            project_events=((project_id, ProjectEvent(CHANGED, turn_id)),),
        )
    )
    if isinstance(done, Committed):
        return tuple(replace(save, revision=1) for save in made)
    return await _made_before(house, effect.key)


def wished(view: TurnView) -> list[str]:
    """The names of the saves that the model asked for in a turn, each once."""
    effects = [tool.effect for tool in view.tools if tool.ok and tool.effect is not None]
    wishes = [named(str(effect["save"])) for effect in effects if "save" in effect]
    return list(dict.fromkeys(wish for wish in wishes if isinstance(wish, str)))


async def _made_before(house: House, key: str) -> tuple[Save, ...]:
    recorded = await house.store.effect(key)
    if recorded is None:
        return ()
    ids = cast("list[str]", recorded.result["saves"])  # as `make_wished` records it
    found = [await house.store.save(one) for one in ids]
    return tuple(save for save in found if save is not None)


def begun(house: House, project_id: str, node: str, name: str, author: SaveAuthor) -> Save:
    """A save that no commit has written yet."""
    return Save(house.ids.new(), house.user_id, project_id, node, name, author, house.now())
