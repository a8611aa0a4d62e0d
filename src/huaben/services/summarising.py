"""The summary for users: what stands for old turns at a node, and their own words in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from huaben.domain.events import ProjectEvent
from huaben.domain.summary import Summary, summary_to_json, told_on
from huaben.domain.text import is_blank, scrub
from huaben.errors import BadInput, Conflict, NotFound
from huaben.ports import Commit, NodeState, Stale
from huaben.services.house import House
from huaben.services.past import summary_at
from huaben.services.stories import load_story, stale

MAX_CHARS = 200_000


@dataclass(frozen=True, slots=True)
class SummaryAt:
    """The summary at a node; None where every turn is sent word for word. `live` are the turns that
    still are."""

    at: str
    summary: Summary | None
    live: tuple[str, ...]


async def show_summary(house: House, project_id: str, at: str | None = None) -> SummaryAt:
    """Raises `NotFound` for an unknown project or node."""
    story = await load_story(house, project_id)
    node = at or story.head.turn_id
    if node not in story.tree:
        raise NotFound.of("turn", node)
    path = story.tree.path(node)
    summary = await summary_at(house, path)
    span = told_on(path, summary)
    if span is None:  # what it covered is not on this path: it stands for nothing here
        summary, span = None, told_on(path, None)
    return SummaryAt(node, summary, span.live if span else ())


async def rewrite_summary(
    house: House, project_id: str, text: str, node: str, revision: int
) -> SummaryAt:
    """Put the user's own words in the place of the summary in force at the head, which is the one of
    `node` at `revision`. It stands from the head on. Raises `Conflict` (`no_summary`, `stale`) and
    `BadInput` for blank or overlong words."""
    words = scrub(text.strip())
    if is_blank(words):
        raise BadInput("blank_summary", "A summary cannot be blank.")
    if len(words) > MAX_CHARS:
        raise BadInput("summary_too_long", f"{len(words)} characters, at most {MAX_CHARS}.")
    async with house.lock(project_id):
        now = await show_summary(house, project_id)
        if now.summary is None:
            raise Conflict("no_summary", "Nothing has been summarised at the head.")
        if (now.summary.node, now.summary.revision) != (node, revision):
            raise Conflict("stale", "The summary has changed meanwhile.", "Load it and try again.")
        written = replace(now.summary, text=words, missing=())
        row = NodeState(
            "summary",
            project_id,
            now.at,
            "user",
            house.now(),
            cast("Mapping[str, object]", summary_to_json(written)),
        )
        there = now.summary.revision if now.summary.node == now.at else 0
        done = await house.store.commit(
            Commit(
                expected={("state", f"summary/{now.at}"): there},
                rows=(row,),
                project_events=((project_id, ProjectEvent("summary_changed", now.at)),),
            )
        )
        if isinstance(done, Stale):
            raise stale(done)
        return await show_summary(house, project_id)


def summary_json(shown: SummaryAt) -> dict[str, object]:
    """The resource `GET /api/projects/{id}/summary`."""
    summary = shown.summary
    return {
        "at": shown.at,
        "text": summary.text if summary else "",
        "covers": summary.covers if summary else None,
        "turns": summary.turns if summary else 0,
        "node": summary.node if summary else None,
        "revision": summary.revision if summary else 0,
        "author": summary.author if summary else None,
        "missing": list(summary.missing) if summary else [],
        "live": len(shown.live),
    }
