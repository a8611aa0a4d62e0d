"""What the eye sees of a story where regex scripts change the display: beside the stored text, with the
scripts that changed it. Apart from viewing, which tells what is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from huaben.domain.scriptrun import Run, Scripted
from huaben.domain.scripts import Passage, Script
from huaben.domain.story import Node
from huaben.services.expanding import Expander, seed_of
from huaben.services.house import House
from huaben.services.presets_worn import worn_by
from huaben.services.scripts import in_force
from huaben.services.scripts_run import for_the_eye
from huaben.services.stories import Story, load_story
from huaben.services.viewing import PathEntry, TurnShown

Shown = Mapping[str, object]


def _nothing() -> dict[str, Shown]:
    return {}


@dataclass(frozen=True, slots=True)
class Displayed:
    """By turn what is shown in place of its texts, where that differs; `off` names scripts that were
    stopped, with the reason."""

    turns: Mapping[str, Shown] = field(default_factory=_nothing)
    off: tuple[tuple[str, str], ...] = ()

    def beside(self, shown: Shown) -> Shown:
        """A turn as it is told, with its display where that differs."""
        found = self.turns.get(str(shown["id"]))
        return shown if found is None else {**shown, "display": found}

    def told_off(self) -> dict[str, object]:
        """For the end of a page: the scripts that were stopped."""
        if not self.off:
            return {}
        return {"scripts_off": [{"name": name, "reason": why} for name, why in self.off]}


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one node of the path."""

    node: Node
    user: str
    final: str


async def displayed_path(house: House, story: Story, entries: Sequence[PathEntry]) -> Displayed:
    """A page of the path to the head, as it is shown."""
    words = [_Words(entry.node, entry.turn.user_text, entry.text.text) for entry in entries]
    return await _displayed(house, story, words)


async def displayed_turn(house: House, shown: TurnShown) -> Displayed:
    """One turn, as it is shown where it stands; off the path to the head depth means nothing."""
    story = await load_story(house, shown.turn.project_id)
    node = story.tree[shown.turn.id]
    return await _displayed(house, story, [_Words(node, shown.turn.user_text, shown.text.text)])


async def _displayed(house: House, story: Story, words: Sequence[_Words]) -> Displayed:
    project = story.project
    card = await house.shelf.card(project.card_id, project.user_id) if project.card_id else None
    acting = [one for one in await in_force(house, project, card) if one.is_for("display")]
    if not acting or not words:
        return Displayed()
    after = await _after(house, story, words[-1].node, acting)
    worn = await worn_by(house, project)
    passages = list(_passages(words, after))
    done = await for_the_eye(house, acting, passages, Expander(worn.project, card))
    return Displayed(_told(words, done), done.off)


async def _after(house: House, story: Story, last: Node, acting: Sequence[Script]) -> int | None:
    """How many visible messages follow a node on the path to the head; None for a node elsewhere. Only
    read where a script counts them."""
    path = story.tree.path(story.head.turn_id)
    ids = [node.id for node in path]
    if last.id not in ids:
        return None
    later = [node for node in path[ids.index(last.id) + 1 :] if _is_visible(node)]
    if not any(script.minds_depth for script in acting):
        return 2 * len(later)
    told = await house.store.told([node.id for node in later])
    return sum(bool(one.user_text.strip()) + bool(one.final_text.strip()) for one in told.values())


def _is_visible(node: Node) -> bool:
    """Whether its words are part of the story: an edit has none, and what was hidden where it came
    from (outcome `done`) does not count."""
    return node.kind != "edit" and node.outcome != "done"


def _passages(words: Sequence[_Words], after: int | None) -> Iterator[Passage]:
    """For each node its user's words and its text, with their depth."""
    visible = [
        (bool(one.user.strip()), bool(one.final.strip()))
        if _is_visible(one.node)
        else (False, False)
        for one in words
    ]
    left = sum(user + final for user, final in visible)
    for one, (user, final) in zip(words, visible, strict=True):
        seed = seed_of(one.node.id)
        left -= user
        yield Passage(one.user, "user", None if after is None else left + after, seed)
        left -= final
        yield Passage(one.final, "reply", None if after is None else left + after, seed)


def _told(words: Sequence[_Words], done: Run) -> Mapping[str, Shown]:
    found: dict[str, Shown] = {}
    changed = iter(done.passages)
    for one in words:
        user, final = next(changed), next(changed)
        if user.changed or final.changed:
            found[one.node.id] = _display(user, final)
    return found


def _display(user: Scripted, final: Scripted) -> Shown:
    return {
        "user_text": user.text,
        "final_text": final.text,
        "scripts": list(dict.fromkeys((*user.changed, *final.changed))),
        "emptied": [
            name for name, one in (("user_text", user), ("final_text", final)) if one.emptied
        ],
    }
