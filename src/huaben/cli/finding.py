"""Finds the project and the turn that a reader means by an id, the beginning of one, a title, a number or
`latest`; apart because ids are long and nobody types them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from huaben.cli.failing import Told
from huaben.cli.speaking import one_line, voice
from huaben.domain.project import RECORD, Project
from huaben.domain.story import Node
from huaben.ports import Page
from huaben.services.house import House
from huaben.services.stories import Story, load_project

ID_PREFIX = 4
LATEST = "latest"


async def find_project(house: House, named: str) -> Project:
    """`latest` is the project whose head is the newest turn. Raises `Told` (`project_not_found`,
    `ambiguous_project`)."""
    if named.startswith(RECORD):
        return await load_project(house, named)
    projects = [project async for project in all_projects(house)]
    if named == LATEST:
        return await _latest(house, projects)
    exact = [project for project in projects if project.id == named]
    found = exact or [project for project in projects if _is_meant(project, named)]
    say = voice().say
    if not found:
        message = say("project.missing", name=one_line(named))
        raise Told("project_not_found", message, _known(projects))
    if len(found) > 1:
        message = say("project.ambiguous", name=one_line(named), n=len(found))
        raise Told("ambiguous_project", message, _known(found))
    return found[0]


def find_turn(story: Story, named: str) -> Node:
    """A turn of the project: by its number on the way to the head, by its id or the beginning of
    it, or `latest`: the last turn on that way. Raises `Told` (`turn_not_found`,
    `ambiguous_turn`)."""
    path = [node for node in _way(story) if node.kind == "turn"]
    say = voice().say
    if named == LATEST:
        if not path:
            raise Told("turn_not_found", say("turn.none"), say("turn.none_hint"))
        return path[-1]
    if named.isascii() and named.isdigit() and len(named) < ID_PREFIX + 2:
        sealed = [node for node in path if node.outcome == "sealed"]
        number = int(named)
        if 1 <= number <= len(sealed):
            return sealed[number - 1]
        raise Told("turn_not_found", say("turn.no_number", n=number, last=len(sealed)))
    return _by_id(story, named)


def _way(story: Story) -> list[Node]:
    """The nodes to the head; of a record, whose turns do not follow one another, all of them."""
    if story.project.id.startswith(RECORD):
        return [story.tree[node_id] for node_id in sorted(story.tree.nodes)]
    return story.tree.path(story.head.turn_id)


def _by_id(story: Story, named: str) -> Node:
    say = voice().say
    nodes = story.tree.nodes
    if named in nodes:
        return nodes[named]
    found = [node for node in nodes.values() if node.id.startswith(named.lower())]
    if len(named) < ID_PREFIX or not found:
        raise Told("turn_not_found", say("turn.missing", name=one_line(named)))
    if len(found) > 1:
        raise Told("ambiguous_turn", say("turn.ambiguous", name=one_line(named), n=len(found)))
    return found[0]


async def all_projects(house: House) -> AsyncIterator[Project]:
    """Every project, from the newest to the oldest."""
    after: str | None = None
    while True:
        projects, after = await house.store.projects(house.user_id, Page(after, 200))
        for project in projects:
            yield project
        if after is None:
            return


async def _latest(house: House, projects: Sequence[Project]) -> Project:
    heads = [(await house.store.head(project.id), project) for project in projects]
    newest = max(
        ((head.turn_id, project.id, project) for head, project in heads if head is not None),
        default=None,
    )
    if newest is None:
        raise Told(
            "project_not_found", voice().say("project.none"), voice().say("project.none_hint")
        )
    return newest[2]


def _is_meant(project: Project, named: str) -> bool:
    by_id = len(named) >= ID_PREFIX and project.id.startswith(named.lower())
    return by_id or project.title.casefold() == named.strip().casefold()


def _known(projects: Sequence[Project]) -> str:
    if not projects:
        return voice().say("project.none_hint")
    listed = "; ".join(f"{one_line(project.title)} ({project.id})" for project in projects[:8])
    return voice().say("project.known", projects=listed)
