"""Which reply comes next in a turn: the script held against what the tools have answered so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from huaben.adapters.models.rehearsal.place import nearest_way, way_of
from huaben.adapters.models.rehearsal.script import (
    FOUND,
    Change,
    Line,
    Lines,
    Step,
    Turn,
    Way,
    whole,
)
from huaben.adapters.models.rehearsal.talk import (
    Result,
    Round,
    Talk,
    answer_in,
    reference_in,
    version_in,
)
from huaben.adapters.models.rehearsal.wire import text
from huaben.domain.jsonvalue import Json

VERSIONED: Final = frozenset({"draft_write", "draft_append", "draft_edit", "draft_seal"})
SEARCHES: Final = frozenset({"lorebook_search", "memory_search"})
_ASKED_AT_MOST: Final = 2


def next_step(
    turn: Turn, path: Sequence[str], talk: Talk, tools: frozenset[str], lines: Lines
) -> Step:
    """The next reply of a turn. A write that was refused as stale is made again on the sheet as it
    stands; a turn that was stopped and taken up again goes on where its text breaks off."""
    told = _Telling(turn, tuple(path), tools, lines)
    for number, done in enumerate(talk.rounds):
        if talk.noted is not None and number >= talk.noted and told.decided:
            told.mend(done)
        else:
            told.take(done)
    if talk.noted is not None and told.decided:
        return told.mending()
    return told.step()


def next_change(changes: Sequence[Change], rounds: Sequence[Round], lines: Lines) -> Step:
    """Read the previous turn, then change the one sentence that has another wording; say so when
    there is none, or when it has been used."""
    results = [result for done in rounds for result in done.results]
    if not results:
        return Step(lines=(Line("previous_draft_read", {}),))
    last = results[-1]
    prose = text(last.facts, "content")
    fit = next((change for change in changes if prose.count(change.old) == 1), None)
    if last.tool == "previous_draft_read" and fit is not None:
        edits: list[Json] = [{"old": fit.old, "new": fit.new}]
        arguments: Mapping[str, Json] = {"version": last.version or 0, "edits": edits}
        return Step(lines=(Line("previous_draft_edit", arguments),))
    used = any(change.new in prose for change in changes)
    return Step(say=lines.changed if used else lines.unchanged)


@dataclass(slots=True)
class _Telling:
    """A turn as far as it has come; taken up from the first reply each time."""

    turn: Turn
    path: tuple[str, ...]
    tools: frozenset[str]
    lines: Lines
    version: int = 0
    at: int = 0
    again: bool = False
    reference: str = ""
    way: Way | None = None
    answers: list[str] = field(default_factory=list[str])
    sheet: str | None = None

    @property
    def decided(self) -> bool:
        """Whether it is known how the turn ends."""
        return self.way is not None or not self.turn.ways

    @property
    def steps(self) -> tuple[Step, ...]:
        """What can be performed here, in order, as far as the way is known."""
        every = (*self.turn.steps, *(self.way.steps if self.way else ()))
        return tuple(s for s in every if not s.when or s.when in self.path)

    # ---- as scripted -----------------------------------------------------------------------------

    def take(self, done: Round) -> None:
        step = self._standing()
        for result in done.results:
            self._learn(result)
        if step is not None and step.asks:
            self._decide()
        elif not self.again and any(self._stale(result) for result in done.results):
            self.again = True
            return
        else:
            self.at += 1
        self.again = False

    def step(self) -> Step:
        step = self._standing()
        if step is None:
            return Step(say=self.lines.lost)
        if step.asks and self.answers:
            question = self.lines.ask_again.replace("{question}", self.turn.question)
            options: list[Json] = [way.option for way in self.turn.ways]
            return Step(lines=(Line("ask", {"question": question, "options": options}),))
        return self._ready(step)

    def _standing(self) -> Step | None:
        """The step that it stands at, past those that cannot be performed."""
        while self.at < len(self.steps):
            step = self.steps[self.at]
            if step.asks and "ask" not in self.tools:
                self.way = self.turn.ways[0]  # no question may be put, so the first way is taken
            elif (ready := self._ready(step)).say or ready.lines:
                return step
            self.at += 1
        return None

    def _ready(self, step: Step) -> Step:
        """The step with everything in it that only the moment knows."""
        lines = (self._filled(line) for line in step.lines if line.tool in self.tools)
        return replace(step, lines=tuple(line for line in lines if line is not None))

    def _filled(self, line: Line) -> Line | None:
        if line.tool in VERSIONED:
            return Line(line.tool, {"version": self.version, **line.arguments})
        if line.arguments.get("ref") == FOUND:
            return Line(line.tool, {"ref": self.reference}) if self.reference else None
        return line

    def _learn(self, result: Result) -> None:
        if result.tool.startswith("draft_") and result.version is not None:
            self.version = result.version
        if result.tool in SEARCHES:
            self.reference = reference_in(result)
        if result.tool == "ask":
            self.answers.append(answer_in(result))

    def _decide(self) -> None:
        self.way = way_of(self.turn, self.answers[-1]) if self.answers else None
        if self.way is None and len(self.answers) >= _ASKED_AT_MOST:
            self.way = nearest_way(self.turn, self.answers[-1])
        if self.way is not None:
            self.at += 1

    @staticmethod
    def _stale(result: Result) -> bool:
        return result.refused and result.version not in (None, version_in(result.given))

    # ---- taken up again --------------------------------------------------------------------------

    def mend(self, done: Round) -> None:
        for result in done.results:
            self._learn(result)
            if result.tool == "draft_read":
                self.sheet = text(result.facts, "content")
            elif result.tool in VERSIONED:
                self.sheet = None if result.refused else self._prose

    def mending(self) -> Step:
        """Look at the sheet, add what it lacks of the scene (all of it, when it holds anything
        else), seal."""
        if self.sheet is None:
            # With an argument of its own, or the same read earlier in the turn would answer for it.
            return Step(lines=(Line("draft_read", {"start": 0}),))
        prose = self._prose
        if self.sheet == prose:
            said = self.steps[-1].say if self.steps and self.steps[-1].lines else ""
            return self._ready(Step(say=said, lines=(Line("draft_seal", {}),)))
        rest = prose.removeprefix(self.sheet)
        if self.sheet and rest != prose and rest.strip():
            added: Mapping[str, Json] = {"content": rest, "separator": ""}
            return self._ready(Step(lines=(Line("draft_append", added),)))
        return self._ready(Step(lines=(Line("draft_write", {"content": prose}),)))

    @property
    def _prose(self) -> str:
        return whole(self.steps, self.path)
