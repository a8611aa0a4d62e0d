"""The performer of a writing project: a discussion in which the model looks at chapters and changes them
(`writing.md` §2). The reply is a report and never prose; there is no draft sheet and no seal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from huaben.agent.act import Act, Done, Ended, Ending, Performance, Waiting
from huaben.agent.calling import CallStreamer
from huaben.agent.desk import Desk, Outcome
from huaben.agent.filedesk import ChangedByUser, FileDesk, FileEdit, NotWritten
from huaben.agent.log import TurnLog
from huaben.agent.rounds import Batch, Walk, key_of, play
from huaben.agent.tools.arguments import parse
from huaben.agent.tools.files import FILE_TOOLS, FileOutcome, FileTool, file_specs
from huaben.agent.tools.paths import path_of
from huaben.agent.tools.spoken import as_json, refusal
from huaben.agent.tools.table import Tool, specs
from huaben.domain.events import Asked, ToolEnd, ToolStart
from huaben.domain.messages import Reply, ToolCall, ToolSpec
from huaben.domain.project import Language
from huaben.domain.text import is_blank
from huaben.domain.turnview import ToolView
from huaben.prompt.texts import phrase, phrases

NOT_AT_THE_DESK = ("draft_", "previous_draft_", "save_", "turn_plan")
"""How the names of the stage's tools begin that a manuscript has no use for."""


def desk_tools(stage: Sequence[Tool]) -> tuple[Tool, ...]:
    """Those of the stage's tools that a writing project has too: lore, memory, card, world state, ask."""
    return tuple(tool for tool in stage if not tool.name.startswith(NOT_AT_THE_DESK))


def writing_specs(stage: Sequence[Tool], language: Language) -> tuple[ToolSpec, ...]:
    """The tool list of a writing project, in the order that the model sees."""
    return (*file_specs(language), *specs(desk_tools(stage), language))


def at(files: FileDesk) -> Performance:
    """The performance at these files, as the company runs it."""

    async def perform(act: Act, log: TurnLog, caller: CallStreamer) -> Ending:
        walk = Walk.of(act, log, caller)
        return await play(walk, _Manuscript(walk, files))

    return perform


@dataclass(slots=True)
class _Manuscript:
    """The chapters under the model's hands. `answers` are the reads that it has seen, by call. The tools
    of `desk_tools` are the act's; those of the files are the same everywhere."""

    walk: Walk
    files: FileDesk
    answers: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    @property
    def language(self) -> Language:
        return self.walk.act.sources.language

    def desk(self) -> Desk:
        return Desk()

    def kind(self, call: ToolCall) -> str:
        tool = self._tool(call)
        return tool.kind if tool else "unknown"

    def _tool(self, call: ToolCall) -> FileTool | Tool | None:
        of_files = next((tool for tool in FILE_TOOLS if tool.name == call.name), None)
        return of_files or self.walk.act.tool(call.name)

    # ---- tools ---------------------------------------------------------------------------------

    def replay(self, call: ToolCall, seen: ToolView) -> None:
        # What it did to the files is done.
        self._take(call, Outcome(seen.ok is True, seen.result))

    async def execute(self, n: int, reply: Reply, calls: Batch) -> Ending | None:
        begun = await asyncio.gather(*(self._run(call) for _, call in calls))
        outcomes: list[Outcome] = []
        for (index, call), done in zip(calls, begun, strict=True):
            outcome = done.outcome if isinstance(done, FileOutcome) else done
            started = ToolStart(n, index, call.id, call.name, call.arguments)
            if outcome.question is not None:
                asked = outcome.question
                return Waiting((started, Asked(n, index, asked.question, asked.options)))
            if isinstance(done, FileOutcome) and done.edit is not None:
                outcome = await self._make(started, done.outcome, done.edit)
            else:
                outcome = self._short(call, outcome)
                ended = _ended(started, outcome, outcome.effect)
                await self.walk.log.commit([started, ended], outcome.rows)
            outcomes.append(outcome)
        for (_, call), outcome in zip(calls, outcomes, strict=True):
            self._take(call, outcome)
        return self.walk.stuck(calls, outcomes, self.kind)

    async def _run(self, call: ToolCall) -> Outcome | FileOutcome:
        """Carry out one call, or prepare the change that it asks for; a refusal is an outcome."""
        tool = self._tool(call)
        if tool is None:
            return refusal(phrase(self.language, "unknown_tool", name=call.name))
        arguments = parse(self.language, tool.schema, call.arguments)
        if isinstance(arguments, str):
            return refusal(arguments)
        if isinstance(tool, FileTool):
            return await tool.run(self.files, self.language, arguments)
        done = await asyncio.to_thread(tool.run, self.walk.act.sources, Desk(), arguments)
        return await done if isinstance(done, Awaitable) else done

    async def _make(self, started: ToolStart, outcome: Outcome, edit: FileEdit) -> Outcome:
        """Make a change of chapters and record it together with its result."""
        log = self.walk.log

        async def recorded(effect: Mapping[str, object]) -> None:
            await log.commit([started, _ended(started, outcome, effect)])

        refused = await self.files.make(edit, recorded)
        if refused is None:
            return outcome
        result = refusal(_refused(self.language, refused, edit))
        await log.commit([started, _ended(started, result, None)])
        return result

    def _short(self, call: ToolCall, outcome: Outcome) -> Outcome:
        """The same read with the same result again is not sent a second time."""
        if self.kind(call) != "read" or not outcome.ok:
            return outcome
        if self.answers.get(key_of(call)) != outcome.result:
            return outcome
        return replace(outcome, result=_receipt(self.language))

    def _take(self, call: ToolCall, outcome: Outcome) -> None:
        """Take over what is durable now."""
        if outcome.ok and outcome.result != _receipt(self.language):
            self.answers[key_of(call)] = outcome.result
        self.walk.took(call, outcome)

    # ---- the end -------------------------------------------------------------------------------

    def finished(self) -> Ending | None:
        return None  # only words end a discussion

    async def last_word(self, n: int, reply: Reply) -> Ending | None:
        if not is_blank(reply.text):
            return Done(reply.text)
        # Silence after work is an end; after nothing at all it is asked once more.
        if self._has_worked():
            return Done("")
        if reply.calls or self.walk.retried_empty:
            return Ended("no_reply", "")
        return await self.walk.ask_again(n)

    def _has_worked(self) -> bool:
        """Whether the turn has changed any chapter."""
        effects: list[Mapping[str, object]] = [
            tool.effect or {} for tool in self.walk.log.view.tools
        ]
        return any("files" in effect for effect in effects)


def _ended(started: ToolStart, outcome: Outcome, effect: Mapping[str, object] | None) -> ToolEnd:
    return ToolEnd(
        started.call, started.index, started.id, started.name, outcome.ok, outcome.result, effect
    )


def _refused(language: Language, refused: ChangedByUser | NotWritten, edit: FileEdit) -> str:
    texts = phrases(language, "writing_phrases")
    if isinstance(refused, ChangedByUser):
        return texts["changed_by_user"].format(path=", ".join(map(path_of, refused.names)))
    if refused.code == "read_only_file":
        return texts["read_only"].format(path=", ".join(map(path_of, edit.contents)))
    return texts["not_written"].format(detail=refused.message)


def _receipt(language: Language) -> str:
    return as_json({"ok": True, "note": phrases(language, "writing_phrases")["repeated_read"]})
