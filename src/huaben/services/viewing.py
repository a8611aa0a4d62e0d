"""What clients are shown: turns and the tree as plain values, each read in one place so that
the page, scripts and the command line see the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from huaben.domain.draft import Draft
from huaben.domain.events import to_data
from huaben.domain.pricing import Cost
from huaben.domain.standing import is_told
from huaben.domain.story import Node, Revision, Turn, status_of
from huaben.domain.turnview import AskView, TurnView
from huaben.errors import Conflict
from huaben.formats.scenario import scenario_of
from huaben.services.house import House
from huaben.services.past import text_in_force
from huaben.services.standing import ledger_at
from huaben.services.stories import Story, load_story, load_turn, load_view

Shown = Mapping[str, object]
LedgerState: TypeAlias = Literal["current", "behind", "failed"]


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A turn as clients see it. `text` is the final text in force at the head, with its version;
    `partial` the draft as it would read with the arrived part of an unfinished write. `ledger` says
    whether what the turn tells has gone into the ledger."""

    turn: Turn
    view: TurnView
    text: Draft
    partial: str | None
    ask: AskView | None
    number: int
    variants: tuple[str, ...]
    ledger: LedgerState = "current"

    @property
    def status(self) -> str:
        return status_of(self.turn.run, self.turn.outcome)


async def show_turn(house: House, turn_id: str) -> TurnShown:
    """Raises `NotFound`."""
    turn = await load_turn(house, turn_id)
    view = await load_view(house, turn_id)
    story = await load_story(house, turn.project_id)
    text = await _in_force(house, story, turn)
    unfinished = turn.outcome in ("failed", "interrupted")
    spoken = view.last_spoken if unfinished and not view.draft.text else ""
    placed = turn.run != "queued"
    return TurnShown(
        turn,
        view,
        text,
        view.partial or spoken or None,
        view.asks[-1] if view.asks else None,
        story.tree.turn_number(turn.id) if placed else 0,
        tuple(node.id for node in story.tree.variants(turn.id)) if placed else (),
        await _ledger_state(house, story, turn, view),
    )


async def _in_force(house: House, story: Story, turn: Turn) -> Draft:
    overlay = story.tree.in_force(story.head.turn_id)
    if turn.id not in overlay:
        return Draft(turn.version, turn.final_text)
    turns = await house.store.turns([overlay[turn.id]])
    return text_in_force({turn.id: turn, **turns}, overlay, turn.id)


async def _ledger_state(house: House, story: Story, turn: Turn, view: TurnView) -> LedgerState:
    """Whether the scribe has read the turn, with the text in force at the head. A turn that is none
    of its matters, or that was played without one, lacks nothing."""
    scenario = scenario_of(turn.config or story.project.config)  # an imported turn has none
    if not is_told(story.tree[turn.id]) or not scenario.scribe.enabled:
        return "current"
    told, head = _told_of_ledger(turn.id, view), story.head.turn_id
    if told == "current" and turn.id in story.tree.in_force(head):
        changed = (await ledger_at(house, story.tree, head)).changed
        return "behind" if turn.id in changed else "current"
    return told


def _told_of_ledger(turn_id: str, view: TurnView) -> LedgerState:
    """The same as the turn's log tells it."""
    told = view.scribe
    if told is None:
        return "behind"
    if told.state == "failed":
        return "failed"
    if told.state == "running":
        written = view.ledger is not None and view.ledger.node == turn_id
        return "current" if written else "behind"
    # Behind this turn earlier ones are caught up on, and told of here too.
    return "behind" if told.turn != turn_id and told.behind else "current"


def turn_json(shown: TurnShown) -> Shown:
    """The resource `GET /api/turns/{id}`."""
    turn, view = shown.turn, shown.view
    usage = [to_data(one) for one in view.usage]
    result: dict[str, object] = {
        "id": turn.id,
        "project": turn.project_id,
        "parent": turn.parent,
        "kind": turn.kind,
        "beat": turn.beat,
        "number": shown.number,
        "variants": list(shown.variants),
        "status": shown.status,
        "title": turn.title,
        "user_text": turn.user_text,
        "asked": [asdict(one) for one in turn.asked],
        "final_text": shown.text.text,
        "version": shown.text.version,
        "draft": _draft_json(shown),
        "outcome": {"code": turn.code, "message": turn.message},
        "usage": {"calls": usage, **_totals(usage), "costs": _costs(view)},
        "ledger_state": shown.ledger,
        "created_at": turn.created_at,
        "ended_at": turn.ended_at,
    }
    if shown.ask is not None:
        result["ask"] = _ask_json(shown.ask)
    if turn.revises is not None:
        result["revises"] = _revises_json(turn.revises)
    if view.error is not None:
        result["error"] = to_data(view.error)
    if view.notices:
        result["notices"] = [to_data(notice) for notice in view.notices]
    return result


def _draft_json(shown: TurnShown) -> Shown:
    view = shown.view
    versions = [
        {"version": one.version, "reason": one.reason, "chars": len(one.text)}
        for one in view.versions
    ]
    draft: dict[str, object] = {
        "version": view.draft.version,
        "text": view.draft.text,
        "versions": versions,
        "tail": any(one.tail for one in view.captured),
    }
    if shown.partial is not None:
        draft["partial"] = shown.partial
    return draft


def _ask_json(ask: AskView) -> Shown:
    shown: dict[str, object] = {"question": ask.question, "options": list(ask.options)}
    if ask.answer is not None:
        shown["answer"] = ask.answer
    return shown


def _totals(usage: Sequence[Mapping[str, object]]) -> dict[str, int]:
    names = ("prompt", "completion", "reasoning", "cached", "cache_written")
    return {
        name: sum(value for one in usage if isinstance(value := one.get(name), int))
        for name in names
    }


def _costs(view: TurnView) -> list[Shown]:
    """What the turn's calls cost, by currency; calls without a known cost add nothing."""
    micros: dict[str, int] = {}
    for one in view.usage:
        if one.cost_micros is not None:
            micros[one.currency] = micros.get(one.currency, 0) + one.cost_micros
    return [{"amount": Cost(n, name).amount, "currency": name} for name, n in micros.items()]


# ---- the tree ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PathEntry:
    """One node of the path to the head, as a transcript shows it."""

    node: Node
    turn: Turn
    text: Draft
    number: int
    variants: tuple[str, ...]


async def show_path(
    house: House, project_id: str, *, before: str | None = None, limit: int = 50
) -> tuple[Story, list[PathEntry], str | None]:
    """The end of the path to the head, oldest first: at most `limit` nodes before the node
    `before`, and the id to go on with towards the beginning. Raises `Conflict("not_on_branch")`
    when `before` is not on the path: an empty page would say that the story has no more."""
    story = await load_story(house, project_id)
    path = story.tree.path(story.head.turn_id)
    if before is not None:
        ids = [node.id for node in path]
        if before not in ids:
            raise Conflict(
                "not_on_branch", "The head has moved to another branch.", "Begin at the end again."
            )
        path = path[: ids.index(before)]
    shown = path[-limit:]
    overlay = story.tree.in_force(story.head.turn_id)
    wanted = [node.id for node in shown]
    turns = await house.store.turns([*wanted, *(overlay[i] for i in wanted if i in overlay)])
    numbers = _numbers(story.tree.path(story.head.turn_id))
    entries = [
        PathEntry(
            node,
            turns[node.id],
            text_in_force(turns, overlay, node.id),
            numbers[node.id],
            tuple(one.id for one in story.tree.variants(node.id)),
        )
        for node in shown
    ]
    return story, entries, shown[0].id if len(path) > len(shown) else None


def _numbers(path: Sequence[Node]) -> dict[str, int]:
    """The turn number of every node of a path: sealed story turns counted from 1."""
    numbers: dict[str, int] = {}
    count = 0
    for node in path:
        if node.kind == "turn" and node.outcome == "sealed":
            count += 1
        numbers[node.id] = count
    return numbers


def path_json(entry: PathEntry) -> Shown:
    turn = entry.turn
    return {
        "id": turn.id,
        "parent": turn.parent,
        "kind": turn.kind,
        "status": status_of(turn.run, turn.outcome),
        "code": turn.code,
        "number": entry.number,
        "title": turn.title,
        "user_text": turn.user_text,
        "asked": [asdict(one) for one in turn.asked],
        "final_text": entry.text.text,
        "version": entry.text.version,
        "variants": list(entry.variants),
        **({} if turn.revises is None else {"revises": _revises_json(turn.revises)}),
    }


def _revises_json(revision: Revision) -> Shown:
    return {"turn": revision.turn, "version": revision.version}


def node_json(node: Node) -> Shown:
    shown: dict[str, object] = {
        "id": node.id,
        "parent": node.parent,
        "kind": node.kind,
        "beat": node.beat,
        "depth": node.depth,
        "status": status_of(node.run, node.outcome),
    }
    if node.last_child:
        shown["last_child"] = node.last_child
    if node.revises:
        shown["revises"] = {"turn": node.revises[0], "version": node.revises[1]}
    if node.deleted:
        shown["deleted"] = True
    return shown
