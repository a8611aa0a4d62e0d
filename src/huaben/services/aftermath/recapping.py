"""What other stories of a card learn of this one: its recap, kept by compaction's summary, and the one resident
summary that all of them carry; apart from the diary and the tables, which stay within their story.

Both belong to no node: they are seen from every story of the card. The resident summary is made anew from
the recaps each time, so that nothing of an abandoned branch lingers in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from huaben.domain.events import Notice, ProjectEvent, TurnEvent
from huaben.domain.notes import (
    MAX_RESIDENT_CHARS,
    MAX_TITLE_CHARS,
    Note,
    NoteChange,
    NoteKind,
    NoteShrinks,
    changed,
    proposal,
    unfit,
)
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.domain.text import clip, is_blank, shorten
from huaben.errors import ProviderFailed
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Key
from huaben.prompt.resident import ResidentScene, compose_resident
from huaben.services.aftermath.errands import Errand, run_errand
from huaben.services.aftermath.tabulating import reason
from huaben.services.casting import load_cast
from huaben.services.effects import Made, once
from huaben.services.house import House
from huaben.services.memory import CHANGED, card_notes
from huaben.services.past import summary_of
from huaben.services.stories import load_project, load_turn


async def recap(house: House, turn: Turn) -> Mapping[str, object]:
    """Tell the card's other stories what the summary made at a turn says; nothing where none was."""
    made = await house.store.states("summary", [turn.id])
    if made:
        project = await load_project(house, turn.project_id)
        await remember_summary(house, project, turn.id, summary_of(made[-1]).text)
    return {}


async def remember_summary(house: House, project: Project, node: str, text: str) -> None:
    """Keep a story's summary as its recap and, where the scenario has the source `card`, make the
    card's resident summary anew, by one model call on the account of the turn `node`. What the user
    wrote is left alone. Done once for each text. Raises `ProviderFailed`; the recap stands then."""
    turn = await load_turn(house, node)
    sources = scenario_of(turn.config).memory.sources
    if project.card_id is None or not sources:
        return
    mark = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
    recapped = _New("recap", project.id, shorten(project.title, MAX_TITLE_CHARS), text)

    async def keep() -> Made:
        return await _kept(house, project, node, recapped)

    await once(house, f"{project.id}/recap/{node}/{mark}", keep)
    if "card" in sources:
        await _make_resident(house, project, turn, mark)


@dataclass(frozen=True, slots=True)
class _New:
    """What a note of the card is to say; `of` is the project of a recap."""

    kind: NoteKind
    of: str | None
    title: str
    text: str


# ---- the resident summary ----------------------------------------------------------------------


async def _make_resident(house: House, project: Project, turn: Turn, mark: str) -> None:
    notes = await card_notes(house, project, turn.id)
    recaps = tuple(note for note in notes if note.kind == "recap")
    if not recaps:
        return
    name = (await load_cast(house, project)).card
    scene = ResidentScene(project.language, name.called if name else project.title, recaps)
    scenario = scenario_of(turn.config)
    model = house.models.for_role("scribe", scenario.models.scribe or scenario.models.story)
    errand = Errand(
        f"{project.id}/resident/{turn.id}/{mark}/call",
        turn.id,
        project.id,
        project.user_id,
        "memory",
        compose_resident(scene),
    )
    said = (await run_errand(house, model, errand)).strip()
    if is_blank(said):
        raise ProviderFailed("empty_reply", "The model wrote no resident summary.")

    async def keep() -> Made:
        text = clip(said, MAX_RESIDENT_CHARS).rstrip()
        commit, result = await _kept(house, project, turn.id, _New("resident", None, "", text))
        if text != said:
            cut = Notice("resident_cut", f"{len(said)} → {len(text)}")
            commit = replace(commit, events=(*commit.events, (turn.id, cut)))
        return commit, result

    await once(house, f"{project.id}/resident/{turn.id}/{mark}", keep)


# ---- writing -----------------------------------------------------------------------------------


async def _kept(house: House, project: Project, node: str, new: _New) -> Made:
    """The note of that kind with its new text. The user's own words stay, and so does what is locked;
    what would shrink by more than half becomes a question."""
    former = _among(await card_notes(house, project, node), new)
    if former is None and _among(await card_notes(house, project, node, removed=True), new):
        return Commit(), {}  # what the user removed does not come back by itself
    made = _begun(house, project, new) if former is None else _made(house, former, new)
    if isinstance(made, str):
        told = Notice("memory_refused", f"{new.kind}: {made}")
        return Commit(events=((node, told),)), {}
    if made == former:
        return Commit(), {"note": made.id}
    expected: dict[Key, int] = {("note", made.id): 0 if former is None else former.revision}
    event = ProjectEvent(CHANGED, node, {"source": "card"})
    asks: list[tuple[str, TurnEvent]] = []
    if made.proposed:
        asks.append((node, Notice("memory_asks", new.kind)))
    commit = Commit(
        expected=expected,
        rows=(made,),
        events=tuple(asks),
        project_events=((project.id, event),),
    )
    return commit, {"note": made.id}


def _among(notes: Sequence[Note], new: _New) -> Note | None:
    return next((n for n in notes if (n.kind, n.project_id) == (new.kind, new.of)), None)


def _begun(house: House, project: Project, new: _New) -> Note | str:
    note = Note(
        id=house.ids.new(),
        user_id=project.user_id,
        kind=new.kind,
        title=new.title,
        text=new.text,
        author="model",
        at=house.now(),
        project_id=new.of,
        card_id=project.card_id,
    )
    fault = unfit(note)
    return note if fault is None else reason(fault)


def _made(house: House, former: Note, new: _New) -> Note | str:
    """The next version, or why there is none."""
    if former.author == "user":
        return "the user's own words"
    change = NoteChange(former.version, "model", title=new.title, text=new.text)
    made = changed(former, change, node=None, at=house.now())
    if isinstance(made, NoteShrinks):
        return proposal(former, change, node=None, at=house.now())
    if not isinstance(made, Note):
        return reason(made)
    return made
