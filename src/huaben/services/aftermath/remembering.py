"""The diary: one note for each sealed turn, whole, at its node; apart from the tables, which are made of the
ledger and not of what was said.

Written by turn and once: whoever comes second, in this job or another, finds it kept. A turn whose diary is
lacking, because a job failed or the story was imported, is caught up behind the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

from huaben.domain.events import ProjectEvent
from huaben.domain.image import without_markers
from huaben.domain.notes import Note
from huaben.domain.project import Project
from huaben.domain.standing import Stood, is_told
from huaben.domain.story import Node, Told, Tree, Turn
from huaben.errors import Conflict, StorageFailed
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Due, DueJob, Effect, Row, Stale, Step
from huaben.prompt.diary import Happened, diary_entries
from huaben.prompt.stage import words_with_answers
from huaben.services.aftermath.tabulating import keep_tables
from huaben.services.house import House
from huaben.services.memory import CHANGED
from huaben.services.standing import stood_of
from huaben.services.stories import load_project, load_turn

KIND = "diary"
"""The kind of the job that writes the diary of all turns that lack it."""
AT_ONCE = 64
"""Turns that go into one commit, and that are looked at together."""
AGAIN = 5
"""Attempts to write while another run does the same."""


async def remember(house: House, turn: Turn) -> Mapping[str, object]:
    """Keep what happened in a sealed turn, and in the turns before it that were not kept. Where those
    are many, a job of their own follows."""
    sources = scenario_of(turn.config).memory.sources
    project = await load_project(house, turn.project_id)
    path = Tree(await house.store.skeleton(project.id)).path(turn.id)
    if "diary" in sources:
        lacking = await _lacking(house, project.id, path, thorough=False)
        more = len(lacking) > AT_ONCE
        due = (Due(f"{project.id}/post", KIND, {"turn": turn.id}),) if more else ()
        await keep_diary(house, project, path, lacking[-AT_ONCE:], due)
    if "tables" in sources:
        await keep_tables(house, project, turn, path)
    return {}


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """The kind `diary`: every turn on the way to one, a few at a step."""
    turn = await load_turn(house, str(job.payload["turn"]))
    project = await load_project(house, turn.project_id)
    path = Tree(await house.store.skeleton(project.id)).path(turn.id)

    async def list_them() -> Mapping[str, object]:
        return {"turns": await _lacking(house, project.id, path, thorough=True)}

    given = await step("to remember", list_them)
    turns = cast("list[str]", given["turns"])  # as `list_them` gives it
    for start in range(0, len(turns), AT_ONCE):
        some = turns[start : start + AT_ONCE]

        async def keep(some: Sequence[str] = some) -> Mapping[str, object]:
            await keep_diary(house, project, path, some)
            return {}

        await step(f"turns {start}", keep)
    return "done"


async def keep_diary(
    house: House,
    project: Project,
    path: Sequence[Node],
    turns: Sequence[str],
    due: tuple[Due, ...] = (),
) -> None:
    """Write the notes of turns on a path from the root, as far as they are lacking, in one commit;
    with it what is then due. Raises `Conflict` when others write again and again."""
    for _ in range(AGAIN):
        kept = await _kept(house, project.id, turns)
        lacking = [turn for turn in turns if turn not in kept]
        if not lacking:
            return
        rows = await _rows(house, project, path, lacking)
        event = ProjectEvent(CHANGED, lacking[-1], {"source": "diary"})
        commit = Commit(rows=tuple(rows), project_events=((project.id, event),), due=due)
        if not isinstance(await house.store.commit(commit), Stale):
            if due:
                house.jobs.nudge()
            return
    raise Conflict("busy", "The diary was written by others again and again.")


# ---- what is lacking ---------------------------------------------------------------------------


async def _lacking(
    house: House, project_id: str, path: Sequence[Node], *, thorough: bool
) -> list[str]:
    """The told turns on a path without a diary, oldest first. It is looked back a stretch at a time,
    as far as something is lacking in each; if `thorough`, to the beginning."""
    told = [node.id for node in path if is_told(node)]
    size = len(told) if thorough else AT_ONCE
    lacking: list[str] = []
    while told:
        stretch, told = told[-size:], told[:-size]
        kept = await _kept(house, project_id, stretch)
        found = [turn for turn in stretch if turn not in kept]
        lacking = [*found, *lacking]
        if not found:
            break
    return lacking


async def _kept(house: House, project_id: str, turns: Sequence[str]) -> set[str]:
    """Which of these turns have their diary."""
    if not turns:
        return set()
    # From just before the first of them on: ids sort by age, and so do the effects.
    start = _key(project_id, min(turns)[:-1])
    found = await house.store.effects(_key(project_id, ""), start)
    return {effect.key.rpartition("/")[2] for effect in found} & set(turns)


def _key(project_id: str, turn_id: str) -> str:
    return f"{project_id}/diary/{turn_id}"


# ---- writing -----------------------------------------------------------------------------------


async def _rows(
    house: House, project: Project, path: Sequence[Node], turns: Sequence[str]
) -> list[Row]:
    told = await house.store.told(turns)
    numbers = {node: n for n, node in enumerate((one.id for one in path if is_told(one)), 1)}
    stood = await _stood(house, turns)
    rows: list[Row] = []
    for turn in turns:
        happened = _happened(project, told[turn], numbers[turn], stood.get(turn))
        notes = [
            _note(house, project, turn, title, text)
            for title, text in diary_entries(project.language, happened)
        ]
        kept = {"notes": [note.id for note in notes]}
        rows += [*notes, Effect(_key(project.id, turn), kept)]
    return rows


async def _stood(house: House, turns: Sequence[str]) -> Mapping[str, Stood]:
    """What the scribe wrote at these turns of each itself: a ledger that is behind tells neither when
    nor where. A damaged one is the audit's to tell, and takes the diary nothing."""
    stood: dict[str, Stood] = {}
    for state in await house.store.states("ledger", turns):
        with suppress(StorageFailed):
            stood[state.node] = stood_of(state)
    return {turn: one for turn, one in stood.items() if one.through == turn}


def _happened(project: Project, told: Told, number: int, stood: Stood | None) -> Happened:
    ledger = None if stood is None else stood.standing.ledger
    return Happened(
        number,
        ledger.time if ledger else "",
        ledger.location if ledger else "",
        words_with_answers(project.language, told.user_text, told.asked),
        without_markers(told.final_text),
    )


def _note(house: House, project: Project, turn: str, title: str, text: str) -> Note:
    return Note(
        id=house.ids.new(),
        user_id=project.user_id,
        kind="event",
        title=title,
        text=text,
        author="model",
        at=house.now(),
        project_id=project.id,
        node=turn,
    )
