"""The two blocks that tell a model what holds and who ever appeared; apart from the other blocks because
the scribe's books are their only source (`context.md` §2.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from huaben.domain.ledger import Character, Ledger, Roster, one_line
from huaben.domain.project import Language
from huaben.prompt.segments import Piece
from huaben.prompt.texts import phrases

ROSTER_CHARS: Final = 1200


def world_state_block(language: Language, ledger: Ledger) -> Piece:
    """The ledger, one line for each of time, place, character, flag, inventory and plot threads.

    What is empty has no line; an empty ledger has no block.
    """
    lines = [_plain(line) for line in _facts(language, ledger)]
    if not lines:
        return Piece("world_state", "")
    return Piece("world_state", "\n".join([_word(language, "world_state"), *lines]))


def roster_block(language: Language, roster: Roster) -> Piece:
    """Every name of the roster by group, with the story time of its first appearance.

    If the block would exceed `ROSTER_CHARS` the times are left out, which the reason tells; names
    never are.
    """
    whole = _roster(language, roster)
    if len(whole) <= ROSTER_CHARS:
        return Piece("roster", whole)
    reason = f"story times left out: {len(whole)} characters, over {ROSTER_CHARS}"
    return Piece("roster", _roster(language, _timeless(roster)), reason)


def _facts(language: Language, ledger: Ledger) -> Iterator[str]:
    if ledger.time:
        yield _word(language, "time", text=ledger.time)
    if ledger.location:
        yield _word(language, "location", text=ledger.location)
    for name, person in ledger.characters.items():
        yield _word(language, "person", name=name, facts=_person(language, person))
    for name, text in ledger.flags.items():
        yield _word(language, "flag", name=name, text=text)
    if ledger.inventory:
        yield _word(language, "inventory", items=_enumerated(language, ledger.inventory))
    if ledger.plot_threads:
        yield _word(language, "plot_threads", threads=_succeeding(language, ledger.plot_threads))


def _person(language: Language, person: Character) -> str:
    place = _word(language, "whereabouts", place=person.location) if person.location else ""
    facts = (
        _word(language, "affinity", affinity=str(person.affinity)),
        person.status,
        place,
        person.notes,
    )
    return _succeeding(language, (fact for fact in facts if fact))


def _roster(language: Language, roster: Roster) -> str:
    groups = (
        ("people", roster.people, _enumerated),
        ("places", roster.places, _enumerated),
        ("items", roster.items, _enumerated),
        ("threads", roster.threads, _succeeding),
    )
    lines = [
        _plain(_word(language, key, names=joined(language, _seen(language, names))))
        for key, names, joined in groups
        if names
    ]
    return "\n".join([_word(language, "roster"), *lines]) if lines else ""


def _seen(language: Language, names: Mapping[str, str]) -> Iterator[str]:
    for name, time in names.items():
        yield _word(language, "first_seen", name=name, time=time) if time else name


def _timeless(roster: Roster) -> Roster:
    groups = (roster.people, roster.items, roster.places, roster.threads)
    people, items, places, threads = (dict.fromkeys(names, "") for names in groups)
    return Roster(people, items, places, threads)


def _enumerated(language: Language, names: Iterable[str]) -> str:
    return _joined(language, "enumeration", names)


def _succeeding(language: Language, texts: Iterable[str]) -> str:
    """Joined more strongly, as the texts may hold commas of their own."""
    return _joined(language, "succession", texts)


def _joined(language: Language, key: str, texts: Iterable[str]) -> str:
    space = " " if language == "en" else ""
    return f"{_word(language, key)}{space}".join(texts)


def _word(language: Language, key: str, **facts: str) -> str:
    return phrases(language, "worldstate")[key].format_map(facts)


def _plain(line: str) -> str:
    """One line, in which no bracket can pass for the title of a block."""
    return one_line(line).replace("【", "〖").replace("】", "〗")
