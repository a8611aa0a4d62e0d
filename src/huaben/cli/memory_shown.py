"""Notes of a story on the screen; apart from what can be done to them by its size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from huaben.cli.speaking import one_line, put, put_json, tell, voice

if TYPE_CHECKING:
    from huaben.domain.notes import Note, NoteKind
    from huaben.domain.remembering import SourceState
    from huaben.services.house import House
    from huaben.services.notekeeping import Held
    from huaben.services.notes_shown import Shelf, VersionShown

TEXT_CHARS = 60
VERSIONS = 200
_say = voice().say
_KINDS: Mapping[NoteKind, str] = {
    "event": "memory.event",
    "person": "memory.person",
    "item": "memory.item",
    "relation": "memory.relation",
    "promise": "memory.promise",
    "note": "memory.note",
    "resident": "memory.resident",
    "recap": "memory.recap",
}
_STATES: Mapping[SourceState, str] = {
    "disabled": "memory.disabled",
    "unavailable": "memory.unavailable",
    "error": "memory.error",
}
_AUTHORS = {"model": "memory.by_model", "user": "memory.by_user"}


def show_shelf(shelf: Shelf, as_json: bool, *, last: bool) -> None:
    """A page of notes; behind the last one what the sources answer, and before it what is asked."""
    from huaben.services.notes_shown import note_json, proposal_json

    for proposed, now in shelf.proposed:
        if as_json:
            put_json({"kind": "proposal", "proposal": proposal_json(proposed, now)})
        else:
            put(_say("memory.asks", title=_title(now), id=now.id))
            put(f"      {_say('memory.now', text=_start(now))}")
            put(f"      {_say('memory.then', text=_start(proposed))}")
    for note in shelf.notes:
        if as_json:
            put_json({"kind": "note", "note": note_json(note)})
        else:
            _print(note)
    if not last or as_json:
        return
    if not shelf.notes:
        tell(_say("memory.none"))
    for source, state in shelf.states.items():
        if state in _STATES:
            tell(_say(_STATES[state], source=source))


async def show_found(house: House, found: Held, as_json: bool) -> None:
    """One note whole, with what is proposed of it."""
    from huaben.services.notes_shown import held_json

    if as_json:
        put_json({"kind": "note", "note": held_json(found)})
        return
    _head(found.note)
    put(found.note.text)
    if found.proposed is not None:
        put("")
        put(_say("memory.asks", title=_title(found.note), id=found.note.id), "dim")
        put(found.proposed.text)


async def show_versions(house: House, found: Held, as_json: bool) -> None:
    """Every version, the newest first, with what it changed."""
    from huaben.ports import Page
    from huaben.services.notes_shown import version_json, versions_of

    after: str | None = None
    while True:
        shown, after = await versions_of(house, found, Page(after, VERSIONS))
        for one in shown:
            if as_json:
                put_json({"kind": "note_version", "version": version_json(one)})
            else:
                _print_version(one)
        if after is None:
            return


def tell_done(key: str, note: Note, as_json: bool) -> None:
    """What was done to a note."""
    from huaben.services.notes_shown import note_json

    if as_json:
        put_json({"kind": "note", "done": key.removeprefix("memory."), "note": note_json(note)})
    else:
        put(one_line(_say(key, title=_title(note), id=note.id)))


def _print(note: Note) -> None:
    _head(note)
    put(f"      {_start(note)}")


def _head(note: Note) -> None:
    facts = [_say(_KINDS[note.kind])]
    facts += [_say("memory.is_locked")] if note.locked else []
    facts += [_say("memory.is_removed")] if note.removed else []
    put(f"{_title(note)}  〔{' · '.join(facts)}〕  {note.id}")


def _print_version(shown: VersionShown) -> None:
    note = shown.note
    facts = [_say(_AUTHORS[note.author])]
    facts += [_say("memory.is_proposed")] if note.proposed else []
    facts += [] if shown.seen else [_say("memory.aside")]
    put(_say("memory.version", n=note.version, at=note.at[:16], facts=" · ".join(facts)), "dim")
    put(f"      {_start(note)}")


def _title(note: Note) -> str:
    return one_line(note.title) or _say("memory.untitled")


def _start(note: Note) -> str:
    from huaben.domain.text import shorten

    return shorten(one_line(note.text), TEXT_CHARS)
