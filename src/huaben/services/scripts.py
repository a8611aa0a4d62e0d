"""Which regex scripts run in a story, and the user's word for those that a card or preset brought along;
apart from running them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.libraryitem import Consent, StoredItem
from huaben.domain.project import Project
from huaben.domain.scriptrun import compile_pattern
from huaben.domain.scripts import Scope, Script, ordered
from huaben.errors import BadInput, NotFound
from huaben.formats.regex_scripts import digest_of, scoped, scripts_of
from huaben.ports import Commit, Page, Stale
from huaben.services.house import House
from huaben.services.items import change_item, load_item
from huaben.services.stories import stale

State: TypeAlias = Literal["running", "waiting", "off"]


@dataclass(frozen=True, slots=True)
class ScriptSet:
    """The scripts of one file, card or preset. `waiting`: they run once the user has consented;
    `off`: a global file that was switched off. Consent holds for `digest` alone."""

    scope: Scope
    owner: str
    name: str
    scripts: tuple[Script, ...]
    state: State
    digest: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Bringer:
    """A card or preset with the raw scripts that it brings along."""

    scope: Scope
    owner: str
    name: str
    raw: Sequence[Json]


async def sets_in(house: House, project: Project, card: Card | None) -> list[ScriptSet]:
    """All sets that a story meets, in the order in which they run."""
    dressing = await house.store.dressing(project.id)
    preset_id = dressing.preset_id if dressing else None
    preset = await house.store.item(preset_id) if preset_id else None
    bringers = [brought_by_preset(preset)] if preset is not None else []
    if card is not None and project.card_id is not None:
        bringers.append(brought_by_card(project.card_id, card))
    found = await global_sets(house)
    return [*found, *await scoped_sets(house, [one for one in bringers if one.raw])]


async def in_force(house: House, project: Project, card: Card | None) -> tuple[Script, ...]:
    """The scripts that run in a story."""
    sets = await sets_in(house, project, card)
    return ordered(script for one in sets if one.state == "running" for script in one.scripts)


async def global_sets(house: House) -> list[ScriptSet]:
    """The files of global scripts, in the order in which they were brought in."""
    found = [_global(item) async for item in _files(house) if not item.broken]
    return found[::-1]


async def scoped_sets(house: House, bringers: Sequence[Bringer]) -> list[ScriptSet]:
    if not bringers:
        return []
    consents = {one.owner: one for one in await house.store.consents(house.user_id)}
    return [_scoped(one, consents.get(one.owner)) for one in bringers]


def brought_by_card(card_id: str, card: Card) -> Bringer:
    raw = cast("list[Json]", list(card.regex_scripts))  # objects are JSON
    return Bringer("card", card_id, card.name, raw)


def brought_by_preset(item: StoredItem) -> Bringer:
    content = cast("JsonObject", item.content)  # what the store gives back is JSON
    extensions = content.get("extensions")
    raw = scoped(extensions) if isinstance(extensions, dict) else []
    return Bringer("preset", item.id, item.name, raw)


async def bringer(house: House, owner: str) -> Bringer:
    """The card or preset of that id. Raises `NotFound`."""
    item = await house.store.item(owner)
    if item is not None and item.user_id == house.user_id and item.kind == "preset":
        return brought_by_preset(item)
    stored = await house.store.card(owner)
    if stored is None or stored.user_id != house.user_id:
        raise NotFound("owner_not_found", f"There is no card and no preset {owner}.")
    return brought_by_card(owner, await house.shelf.card(owner, house.user_id))


async def set_of(house: House, owner: str) -> ScriptSet:
    """The scripts that a card or preset brought along, and whether they run. Raises `NotFound`."""
    (found,) = await scoped_sets(house, [await bringer(house, owner)])
    return found


async def consent(house: House, owner: str, digest: str | None) -> ScriptSet:
    """Let the scripts of a card or preset run, as they are under `digest`, or with None take the
    word back. Raises `NotFound`, `BadInput("scripts_differ")` for scripts other than those seen,
    `Conflict("stale")`."""
    source = await bringer(house, owner)
    if digest is not None and digest != digest_of(source.raw):
        raise BadInput(
            "scripts_differ", "These are not the scripts that were shown.", "Look at them again."
        )
    given = {one.owner: one for one in await house.store.consents(house.user_id)}
    before = given[owner].revision if owner in given else 0
    row = Consent(house.user_id, owner, digest or "", house.now())
    key = ("consent", f"{house.user_id}/{owner}")
    done = await house.store.commit(Commit(expected={key: before}, rows=(row,)))
    if isinstance(done, Stale):
        raise stale(done)
    return _scoped(source, row)


async def switch(house: House, item_id: str, *, on: bool, revision: int) -> None:
    """Switch a file of global scripts on or off. Raises `NotFound`, `Conflict("stale")`."""
    item = await load_item(house, "scripts", item_id)
    content = {**item.content, "off": not on}
    await change_item(house, item, revision, name=item.name, content=content)


def why_unsupported(script: Script) -> str | None:
    """Why a script cannot run; None for one that can, or whose pattern holds macros."""
    if script.macros != "none":
        return None
    compiled = compile_pattern(script.pattern, script.flags)
    return compiled if isinstance(compiled, str) else None


def _global(item: StoredItem) -> ScriptSet:
    content = cast("JsonObject", item.content)  # what the store gives back is JSON
    raw = content.get("scripts")
    members = raw if isinstance(raw, list) else []
    on = content.get("off") is not True
    scripts = scripts_of(members, "global", item.id)
    state: State = "running" if on else "off"
    return ScriptSet("global", item.id, item.name, scripts, state, revision=item.revision)


def _scoped(source: Bringer, given: Consent | None) -> ScriptSet:
    digest = digest_of(source.raw)
    state: State = "running" if given is not None and given.digest == digest else "waiting"
    scripts = scripts_of(source.raw, source.scope, source.owner)
    return ScriptSet(source.scope, source.owner, source.name, scripts, state, digest)


async def _files(house: House) -> AsyncIterator[StoredItem]:
    after: str | None = None
    while True:
        items, after = await house.store.items(house.user_id, "scripts", Page(after, 200))
        for item in items:
            yield item
        if after is None:
            return
