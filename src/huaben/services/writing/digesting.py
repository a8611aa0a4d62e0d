"""Compaction of a writing project: old chapters are put in short one by one, old discussion becomes minutes, in large
steps (`state.md` §4). The files and the discussion stay; what changes is what a model is sent.

What a text was put in short to is kept under its SHA-256, so that no chapter is paid for twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from huaben.domain.digest import (
    ChapterDigest,
    Digest,
    digest_from_json,
    digest_to_json,
    due_chapters,
    leaving_turns,
    live_turns,
)
from huaben.domain.events import ProjectEvent
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Node
from huaben.domain.text import is_blank
from huaben.errors import ProviderFailed, StorageFailed
from huaben.ports import Commit, Model, NodeState
from huaben.prompt.diary import in_pieces
from huaben.prompt.digest import compose_chapter, compose_talk
from huaben.prompt.segments import Prompt
from huaben.prompt.stage import PastTurn
from huaben.services.aftermath.errands import Errand, run_errand
from huaben.services.effects import Made, once
from huaben.services.house import House
from huaben.services.writing.lacking import files_at, text_at

PIECE_CHARS: Final = 24_000
"""The longest text that is put in short by one call."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """When it is looked whether anything is due: the job, the path to its node, the checkpoint that was read."""

    job: str
    path: Sequence[Node]
    checkpoint: str

    @property
    def node(self) -> str:
        return self.path[-1].id


@dataclass(frozen=True, slots=True)
class _Work:
    house: House
    project: Project
    model: Model
    node: str

    async def short(self, key: str, prompt: Prompt) -> str:
        """The model's answer. Raises `ProviderFailed`, also for an empty one."""
        errand = Errand(
            f"{self.project.id}/digest/{key}",
            self.node,
            self.project.id,
            self.project.user_id,
            "summary",
            prompt,
        )
        text = (await run_errand(self.house, self.model, errand)).strip()
        if is_blank(text):
            raise ProviderFailed("empty_reply", "The model wrote no summary.")
        return text


async def digest_at(house: House, path: Sequence[str]) -> Digest:
    """What stands for old chapters and discussion at the end of a path of nodes from the root."""
    state = await house.store.state_at("digest", list(reversed(path)))
    if state is None:
        return Digest()
    try:
        return digest_from_json(state.data, state.node, state.revision)
    except ValueError as fault:
        raise StorageFailed("damaged", f"The digest at {state.node}: {fault}") from fault


async def discussion(house: House, turns: Sequence[str]) -> tuple[PastTurn, ...]:
    """The author's words and the reports of these turns."""
    told = await house.store.told(turns)
    return tuple(
        PastTurn(one, told[one].user_text, told[one].final_text, told[one].asked) for one in turns
    )


def finished_turns(path: Sequence[Node]) -> list[str]:
    """The turns on a path whose discussion came to an end."""
    return [node.id for node in path if node.kind == "turn" and node.outcome == "done"]


async def digest(
    house: House, project: Project, scenario: Scenario, at: Occasion
) -> Mapping[str, object]:
    """Make what is due, and let it stand from the node on. Raises `ProviderFailed`, `NoConnection`; nothing has
    changed then."""
    known = await digest_at(house, [node.id for node in at.path])
    files = await files_at(house, at.checkpoint)
    names = due_chapters(scenario.compaction, files, known)
    model = house.models.for_role("story", scenario.models.story)
    live = await discussion(house, live_turns(known, finished_turns(at.path)))
    estimator = await house.gauge.estimator(house.store, project.id, model.name)
    sizes = [(one.turn_id, estimator.tokens(f"{one.user_text}{one.final_text}")) for one in live]
    leaving = leaving_turns(scenario.compaction, sizes)
    if not names and not leaving:
        return {}
    work = _Work(house, project, model, at.node)
    made = known
    if names:
        chapters = [await _chapter(work, name, files[name]) for name in names]
        made = replace(made, chapters=tuple(chapters))
    if leaving:
        taken = [one for one in live if one.turn_id in leaving]
        prompt = compose_talk(project.language, made.discussion, taken)
        text = await work.short(f"{at.node}/{taken[-1].turn_id}", prompt)
        covers, turns = taken[-1].turn_id, made.turns + len(taken)
        made = replace(made, discussion=text, covers=covers, turns=turns)
    return await _stand(house, project, at, known, made)


async def _chapter(work: _Work, name: str, sha256: str) -> ChapterDigest:
    language = work.project.language
    text = await text_at(work.house, work.project.id, sha256)
    pieces = [piece for piece in in_pieces(text, PIECE_CHARS) if not is_blank(piece)]
    said = [
        await work.short(f"{sha256}/{n}", compose_chapter(language, name, piece))
        for n, piece in enumerate(pieces)
    ]
    return ChapterDigest(name, sha256, "\n".join(said))


async def _stand(
    house: House, project: Project, at: Occasion, known: Digest, made: Digest
) -> Mapping[str, object]:
    async def make() -> Made:
        before = known.revision if known.node == at.node else 0
        data = cast("Mapping[str, object]", digest_to_json(made))
        row = NodeState("digest", project.id, at.node, "scribe", house.now(), data, before + 1)
        told = ProjectEvent("summary_changed", at.node, {"chapters": len(made.chapters)})
        return Commit(
            expected={("state", f"digest/{at.node}"): before},
            rows=(row,),
            project_events=((project.id, told),),
        ), {}

    return await once(house, f"{at.job}/digest", make)
