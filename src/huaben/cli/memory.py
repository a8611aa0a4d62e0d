"""`huaben memory`: what a story remembers, and the user's own hand in it; apart from its words on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import click

from huaben.cli.failing import FINE, Told
from huaben.cli.helping import Invocation, command
from huaben.cli.options import data_option, json_option
from huaben.cli.speaking import one_line, voice

if TYPE_CHECKING:
    from huaben.domain.notes import Note, NoteSource
    from huaben.services.house import House
    from huaben.services.notekeeping import Held
    from huaben.services.notes_shown import Look

ID_PREFIX = 6
LISTED = 200
SOURCES = ("diary", "tables", "store", "card")
Verb: TypeAlias = Literal["lock", "unlock", "remove", "bring_back", "accept", "refuse"]
_say = voice().say


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be done; without anything the notes are listed."""

    project: str
    at: str | None = None
    source: NoteSource | None = None
    query: str | None = None
    removed: bool = False
    show: str | None = None
    versions: str | None = None
    add: str | None = None
    title: str | None = None
    change: tuple[str, str] | None = None
    verbs: tuple[tuple[Verb, str], ...] = field(default=())

    @property
    def looks_only(self) -> bool:
        return self.add is None and self.change is None and not self.verbs


_REF = _say("memory.ref")


@command("memory")
@click.argument("project", metavar=_say("inspect.project_name"))
@click.option("--search", "query", metavar=_say("search.text"), help=_say("memory.search"))
@click.option("--source", type=click.Choice(SOURCES), help=_say("memory.source"))
@click.option("--at", metavar=_say("memory.turn"), help=_say("memory.at"))
@click.option("--removed", is_flag=True, help=_say("memory.removed"))
@click.option("--show", metavar=_REF, help=_say("memory.show"))
@click.option("--versions", metavar=_REF, help=_say("memory.versions"))
@click.option("--add", metavar=_say("memory.text"), help=_say("memory.add"))
@click.option("--title", metavar=_say("memory.title_name"), help=_say("memory.title"))
@click.option(
    "--change", nargs=2, metavar=f"{_REF} {_say('memory.text')}", help=_say("memory.change")
)
@click.option("--lock", multiple=True, metavar=_REF, help=_say("memory.lock"))
@click.option("--unlock", multiple=True, metavar=_REF, help=_say("memory.unlock"))
@click.option("--remove", multiple=True, metavar=_REF, help=_say("memory.remove"))
@click.option("--bring-back", multiple=True, metavar=_REF, help=_say("memory.bring_back"))
@click.option("--accept", multiple=True, metavar=_REF, help=_say("memory.accept"))
@click.option("--refuse", multiple=True, metavar=_REF, help=_say("memory.refuse"))
@json_option
@data_option
@click.pass_obj
def memory(
    invocation: Invocation,
    project: str,
    query: str | None,
    source: NoteSource | None,
    at: str | None,
    removed: bool,
    show: str | None,
    versions: str | None,
    add: str | None,
    title: str | None,
    change: tuple[str, str] | None,
    lock: tuple[str, ...],
    unlock: tuple[str, ...],
    remove: tuple[str, ...],
    bring_back: tuple[str, ...],
    accept: tuple[str, ...],
    refuse: tuple[str, ...],
    as_json: bool,
    data: Path | None,
) -> int:
    from huaben.cli.running import run

    verbs = _verbs(
        ("lock", lock),
        ("unlock", unlock),
        ("remove", remove),
        ("bring_back", bring_back),
        ("accept", accept),
        ("refuse", refuse),
    )
    wish = _Wish(project, at, source, query, removed, show, versions, add, title, change, verbs)
    return run(lambda _: _carry_out(wish, as_json, data), debug=invocation.debug)


def _verbs(*given: tuple[Verb, Sequence[str]]) -> tuple[tuple[Verb, str], ...]:
    return tuple((verb, ref) for verb, refs in given for ref in refs)


async def _carry_out(wish: _Wish, as_json: bool, data: Path | None) -> int:
    from huaben.cli.finding import find_project, find_turn
    from huaben.cli.memory_shown import show_found, show_versions
    from huaben.config import load_settings
    from huaben.services.notes_shown import Look
    from huaben.services.stories import load_story
    from huaben.studio import Studio

    settings = load_settings(data=data)
    async with Studio.open(settings=settings, read_only=wish.looks_only) as studio:
        house = studio.house
        project = (await find_project(house, wish.project)).id
        story = await load_story(house, project)
        at = story.head.turn_id if wish.at is None else find_turn(story, wish.at).id
        look = Look(at, wish.source, wish.removed)
        if wish.looks_only:
            if wish.show is not None:
                await show_found(house, await _find(house, project, look, wish.show), as_json)
            elif wish.versions is not None:
                found = await _find(house, project, look, wish.versions)
                await show_versions(house, found, as_json)
            else:
                await _look(house, project, look, wish.query, as_json)
        else:
            await _change(house, project, look, wish, as_json)
    return FINE


async def _look(house: House, project: str, look: Look, query: str | None, as_json: bool) -> None:
    from huaben.cli.memory_shown import show_shelf
    from huaben.ports import Page
    from huaben.services.notes_shown import list_memory, search_memory

    if query is not None:
        show_shelf(await search_memory(house, project, query, look), as_json, last=True)
        return
    after: str | None = None
    while True:
        shelf = await list_memory(house, project, look, Page(after, LISTED))
        after = shelf.following
        show_shelf(shelf, as_json, last=after is None)
        if after is None:
            return


# ---- changing ----------------------------------------------------------------------------------


async def _change(house: House, project: str, look: Look, wish: _Wish, as_json: bool) -> None:
    from huaben.cli.memory_shown import tell_done
    from huaben.services.notekeeping import Wish, add_note, change_note

    if wish.add is not None:
        made = await add_note(house, project, wish.add, wish.title or "", look.at)
        tell_done("memory.added", made, as_json)
    if wish.change is not None:
        ref, text = wish.change
        found = await _find(house, project, look, ref)
        changed = Wish(wish.title, text)
        made = await change_note(house, found, changed, found.note.version)
        tell_done("memory.changed", made, as_json)
    for verb, ref in wish.verbs:
        found = await _find(house, project, look, ref, removed=verb == "bring_back")
        await _do(house, verb, found, as_json)


async def _do(house: House, verb: Verb, found: Held, as_json: bool) -> None:
    from huaben.cli.memory_shown import tell_done
    from huaben.services.notekeeping import Wish, answer_proposal, change_note

    match verb:
        case "accept" | "refuse":
            if found.proposed is None:
                raise Told("proposal_not_found", _say("memory.no_proposal"))
            version, agree = found.proposed.version, verb == "accept"
            made = await answer_proposal(house, found, version, agree=agree)
        case "lock" | "unlock":
            wish = Wish(locked=verb == "lock")
            made = await change_note(house, found, wish, found.note.version)
        case "remove" | "bring_back":
            wish = Wish(removed=verb == "remove")
            made = await change_note(house, found, wish, found.note.version)
    tell_done(_DONE[verb], made, as_json)


_DONE = {
    "lock": "memory.locked",
    "unlock": "memory.unlocked",
    "remove": "memory.gone",
    "bring_back": "memory.back",
    "accept": "memory.accepted",
    "refuse": "memory.refused",
}


# ---- finding -----------------------------------------------------------------------------------


async def _find(
    house: House, project: str, look: Look, named: str, *, removed: bool = False
) -> Held:
    """A note by its id, the beginning of it, or its title. Raises `Told` (`note_not_found`,
    `ambiguous_note`)."""
    from huaben.services.notekeeping import held

    every = await _every(house, project, look, removed=removed or look.removed)
    wanted = " ".join(named.split()).casefold()
    found = [note for note in every if note.id == named] or [
        note
        for note in every
        if note.title.casefold() == wanted
        or (len(named) >= ID_PREFIX and note.id.startswith(named.lower()))
    ]
    if not found:
        raise Told("note_not_found", _say("memory.missing", name=one_line(named)))
    if len(found) > 1:
        ids = ", ".join(note.id for note in found[:8])
        raise Told("ambiguous_note", _say("memory.ambiguous", name=one_line(named), ids=ids))
    return await held(house, found[0].id, look.at)


async def _every(house: House, project: str, look: Look, *, removed: bool) -> list[Note]:
    from dataclasses import replace

    from huaben.ports import Page
    from huaben.services.notes_shown import list_memory

    found: list[Note] = []
    after: str | None = None
    while True:
        shelf = await list_memory(
            house, project, replace(look, removed=removed), Page(after, LISTED)
        )
        found += shelf.notes
        after = shelf.following
        if after is None:
            return found
