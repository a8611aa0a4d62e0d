"""What the library and projects look like in answers; apart from `viewing` because only the web pages
through lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import TypeVar

from huaben.domain.project import Project, StoredBook, StoredCard
from huaben.domain.story import Turn, status_of
from huaben.services.branching import Moved
from huaben.services.stories import Story

T = TypeVar("T")
Shape = dict[str, object]


def page(
    items: Iterable[T], following: str | None, show: Callable[[T], Mapping[str, object]]
) -> Shape:
    """A page of a list."""
    return {"items": [show(item) for item in items], "next": following}


def library_item(stored: StoredCard | StoredBook) -> Shape:
    return {
        "id": stored.id,
        "name": stored.name,
        "filename": stored.filename,
        "created_at": stored.created_at,
        "broken": stored.broken or None,
    }


def library_entry(stored: StoredCard | StoredBook) -> Shape:
    return {**library_item(stored), "report": stored.report, "content": stored.content}


def project_item(project: Project) -> Shape:
    return {
        "id": project.id,
        "title": project.title,
        "mode": project.mode,
        "language": project.language,
        "card_id": project.card_id,
        "created_at": project.created_at,
    }


def project_resource(story: Story, seq: int, amendments: int) -> Shape:
    project = story.project
    return {
        **project_item(project),
        "head": story.head.turn_id,
        "active": story.active.id if story.active else None,
        "queued": [node.id for node in story.queued],
        "lorebook_ids": list(project.lorebook_ids),
        "persona": asdict(project.persona),
        "scenario": dict(project.config),
        "revision": project.revision,
        "amendments": amendments,
        "events": f"/api/projects/{project.id}/events",
        "seq": seq,
    }


def begun(turn: Turn) -> Shape:
    """A turn that was posted or goes on: where to follow it."""
    return {
        "id": turn.id,
        "status": status_of(turn.run, turn.outcome),
        "events": events_of(turn.id),
    }


def events_of(turn_id: str) -> str:
    return f"/api/turns/{turn_id}/events"


def moved(done: Moved) -> Shape:
    return {"head": done.head.turn_id, "text": done.words}
