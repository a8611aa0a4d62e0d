"""The job that plants a chat in the tree of its project: turn by turn, with progress, once.

Apart from `chats`, which answers while somebody waits. Each step reads a few turns out of the file and
commits them with the list of what they were made of; a job that was cut short reads the file again and
goes on behind the last step. That list is also what an export goes by.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Final, TypeAlias, cast

from huaben.domain import events
from huaben.domain.project import Project
from huaben.domain.story import Outcome, Tree, Turn
from huaben.domain.text import scrub
from huaben.errors import NotFound, StorageFailed
from huaben.formats.chats.read import open_chats
from huaben.formats.chats.staging import Fate, Stage, Staged
from huaben.formats.chats.values import Chat, Refused
from huaben.formats.report import Findings
from huaben.ports import Commit, DueJob, Effect, Key, Row, Stale, Step, Visit
from huaben.prompt.texts import phrase
from huaben.services.house import House

KIND: Final = "chat"
TURNS_PER_STEP: Final = 64
"""Turns that share a step and a commit: few enough not to hold up a turn that is played meanwhile."""

Planted: TypeAlias = tuple[str, bool, Sequence[Sequence[int]]]
"""A turn's id, whether it was made for this chat, and the rows that it was made of, each by its place
and its variant. An opening that the project had already is not made again."""
_OUTCOMES: Final[Mapping[Fate, Outcome]] = {
    "told": "sealed",
    "hidden": "done",
    "quarantined": "done",
    "recovered": "done",
    "unanswered": "interrupted",
}


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """The kind `chat`: a step for every few turns, then the head goes to where the chat stands."""
    planting = await _prepared(replace(house, user_id=str(job.payload["user_id"])), job)
    number = 0
    while batch := await asyncio.to_thread(planting.read):
        given = await step(f"turns {number}", partial(planting.plant, number, batch))
        planting.remember(batch, cast("Sequence[Planted]", given["turns"]))  # as `plant` gives it
        number += 1
    await step("stand", planting.stand)
    return "done"


async def chat_of(house: House, job: DueJob) -> Chat:
    """The chat that a job plants, out of the bytes that were imported. Raises `StorageFailed` when they
    are gone or damaged."""
    payload = job.payload
    data = await house.objects.get(str(payload["object"]))
    if data is None:
        raise StorageFailed("object_missing", f"The imported file {payload['file']} is gone.")
    card_id = payload.get("card")
    greetings: tuple[str, ...] = ()
    if isinstance(card_id, str) and payload.get("dialect") == "risu":
        greetings = (await house.shelf.card(card_id, str(payload["user_id"]))).greetings
    found = await asyncio.to_thread(open_chats, data, str(payload["file"]), greetings)
    part = cast("int", payload["part"])  # as the import wrote it
    if isinstance(found, Refused) or part >= len(found.chats):
        raise StorageFailed("chat_unreadable", f"The file {payload['file']} reads otherwise now.")
    return found.chats[part]


def effect_prefix(job: DueJob) -> str:
    """What the keys of a job's lists begin with."""
    return f"{job.id}/"


async def _prepared(house: House, job: DueJob) -> _Planting:
    project = await house.store.project(str(job.payload["project"]))
    if project is None:
        raise NotFound.of("project", str(job.payload["project"]))
    tree = Tree(await house.store.skeleton(project.id))
    told = await house.store.told(root.id for root in tree.roots())
    openings = {one.final_text: one.id for one in reversed(told.values())}
    beat = next((root.beat for root in tree.roots()), "")
    return _Planting(house, job, project, await chat_of(house, job), openings, len(told), beat)


@dataclass(slots=True)
class _Planting:
    """A chat while it is planted. `openings` are those that the project has, by their text."""

    house: House
    job: DueJob
    project: Project
    chat: Chat
    openings: dict[str, str]
    opening_count: int
    opening_beat: str
    _stage: Stage = field(default_factory=Stage)
    _turns: Iterator[Staged] | None = None
    _ids: list[str] = field(default_factory=list[str])
    _depths: list[int] = field(default_factory=list[int])
    _ours: set[str] = field(default_factory=set[str])

    def read(self) -> list[Staged]:
        """The next few turns out of the file, none at its end."""
        if self._turns is None:
            self._turns = self._staged()
        return list(islice(self._turns, TURNS_PER_STEP))

    def _staged(self) -> Iterator[Staged]:
        for entry in self.chat.entries.read(Findings()):
            yield from self._stage.take(entry)
        yield from self._stage.end()

    async def plant(self, number: int, batch: Sequence[Staged]) -> Mapping[str, object]:
        """Commit these turns and the list of them; gives the list, also when it was committed by a run
        that died before it could say so."""
        key = f"{effect_prefix(self.job)}{number:06d}"
        before = await self.house.store.effect(key)
        if before is not None:
            return before.result
        taken = set(self._ids)
        planted = [self._planted(staged, taken) for staged in batch]
        ids = [*self._ids, *(one[0] for one in planted)]
        made = [s for s, one in zip(batch, planted, strict=True) if one[1]]
        depths = self._depths_with(batch)
        turns = [self._turn(staged, ids, depths) for staged in made]
        turns = self._numbered(turns)
        ours = self._ours | {ids[s.n] for s in made}
        # Where Redo goes from what was there before is the project's own business.
        visits = [
            Visit(ids[s.parent], ids[s.n])
            for s in made
            if s.goes_on and s.parent is not None and ids[s.parent] in ours
        ]
        result: Mapping[str, object] = {"turns": planted}
        expected: dict[Key, int] = {("turn", turn.id): 0 for turn in turns}
        rows: list[Row] = [*turns, *visits, Effect(key, result)]
        told = [(ids[s.n], event) for s in made for event in _events(s)]
        done = await self.house.store.commit(
            Commit(expected=expected, rows=tuple(rows), events=tuple(told))
        )
        if isinstance(done, Stale):
            raise StorageFailed("taken_twice", "Another process is importing the same chat.")
        return result

    def remember(self, batch: Sequence[Staged], planted: Sequence[Planted]) -> None:
        """Note what later turns hang on."""
        self._depths = self._depths_with(batch)
        for staged, one in zip(batch, planted, strict=True):
            self._ids.append(one[0])
            if one[1]:
                self._ours.add(one[0])
                self.opening_count += staged.is_opening
            if staged.is_opening:
                self.openings.setdefault(scrub(staged.text), one[0])

    async def stand(self) -> Mapping[str, object]:
        """Move the head to where the chat stands, unless somebody has moved it or is playing."""
        store, project_id = self.house.store, self.project.id
        async with self.house.lock(project_id):
            tree = Tree(await store.skeleton(project_id))
            head = await store.head(project_id)
            busy = any(node.run != "ended" and not node.deleted for node in tree.nodes.values())
            if head is None or busy or head.turn_id != self.job.payload["head"]:
                return {"moved": False}
            target = self._ids[self._stage.stands(self.chat.stands)]
            visits = [Visit(node, child) for node, child in tree.visits(target).items()]
            done = await store.commit(
                Commit(
                    expected={("head", project_id): head.revision},
                    rows=(replace(head, turn_id=target), *visits),
                    project_events=(
                        (project_id, events.ProjectEvent("head_moved", target)),
                        (project_id, events.ProjectEvent("project_changed")),
                    ),
                )
            )
            return {"moved": not isinstance(done, Stale)}

    def _depths_with(self, batch: Sequence[Staged]) -> list[int]:
        depths = list(self._depths)
        for staged in batch:
            depths.append(0 if staged.parent is None else depths[staged.parent] + 1)
        return depths

    # ---- rows ----------------------------------------------------------------------------------

    def _planted(self, staged: Staged, taken: set[str]) -> Planted:
        """An opening that the project has is one of the chat's, of two equal ones the first."""
        rows = [[row.place, row.variant] for row in staged.rows]
        known = self.openings.get(scrub(staged.text), "") if staged.is_opening else ""
        made = not known or known in taken
        turn_id = self.house.ids.new() if made else known
        taken.add(turn_id)
        return turn_id, made, rows

    def _turn(self, staged: Staged, ids: Sequence[str], depths: Sequence[int]) -> Turn:
        now = self.house.now()
        moment = staged.reply.moment if staged.reply else None
        when = moment.at if moment and moment.at else now
        unanswered = staged.fate == "unanswered"
        return Turn(
            id=ids[staged.n],
            project_id=self.project.id,
            user_id=self.project.user_id,
            parent=None if staged.parent is None else ids[staged.parent],
            kind="greeting" if staged.is_opening else "turn",
            beat=(staged.is_opening and self.opening_beat) or ids[staged.beat],
            depth=depths[staged.n],
            created_at=when,
            run="ended",
            outcome=_OUTCOMES[staged.fate],
            code="" if staged.fate == "told" else staged.fate,
            title=self._title(staged),
            user_text=scrub(staged.words),
            final_text=scrub(staged.text),
            version=0 if unanswered else 1,
            prose=not unanswered,
            # Whoever answers these words now does so by the settings of now.
            config=self.project.config if unanswered else {},
            ended_at=when,
        )

    def _numbered(self, turns: Sequence[Turn]) -> list[Turn]:
        """The turns, openings among them numbered behind those that the project has; an opening that
        another than the main character tells keeps their name."""
        count = self.opening_count
        numbered: list[Turn] = []
        for turn in turns:
            if turn.kind == "greeting":
                count += 1
                title = phrase(self.project.language, "opening_numbered", number=count)
                title = f"{title} · {turn.title}" if turn.title else title
                numbered.append(replace(turn, title=title))
            else:
                numbered.append(turn)
        return numbered

    def _title(self, staged: Staged) -> str:
        """Who speaks, where that is not plain."""
        main = str(self.job.payload["character"])
        return "" if staged.speaker == main else scrub(staged.speaker)


def _events(staged: Staged) -> list[events.TurnEvent]:
    """What the log of a planted turn tells: the thought and the model that its text came with. Nothing
    of it is ever sent."""
    reply = staged.reply
    if reply is None or not (reply.reasoning or reply.model):
        return []
    told: list[events.TurnEvent] = []
    if reply.model:
        told.append(events.Notice("told_by", scrub(reply.model)))
    if reply.reasoning:
        told.append(events.ThinkingPiece(0, 0, scrub(reply.reasoning)))
    status = _OUTCOMES[staged.fate]
    final = events.Final(scrub(staged.text), 1)
    return [*told, final, events.Status(status), events.End(status)]
