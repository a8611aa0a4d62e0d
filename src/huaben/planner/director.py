"""The director and the judgement of what it wrote; apart from committing because a candidate that may not
stand never gets that far (`planner.md` §3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from huaben.domain.plan.checking import Adopted, Unchanged, UnfitState, judge, read_candidate
from huaben.domain.plan.notes import PlanNote, is_advisory
from huaben.domain.plan.rules import Asked
from huaben.domain.plan.trace import TraceNode
from huaben.planner.desk import Errand, Over
from huaben.planner.progress import Progress, node_of, refused_node
from huaben.prompt.planning import compose_director


async def direct(
    work: Progress, asked: Asked, advice: Sequence[PlanNote], *, under: str, attempt: int = 1
) -> Adopted:
    """A state that may be committed. Raises `Over` with `failed`, `retained` (no budget is left),
    `invalid` or `unchanged`."""
    node = "director" if attempt == 1 else f"director:{attempt}"
    errand = Errand(node, "director", compose_director(work.scene, asked, advice))
    why = work.refusal(errand)
    if why:
        await work.add(refused_node(errand, why, under))
        raise Over("failed" if why == "over_deadline" else "retained", why)
    answer = await work.ask(errand)
    work.take([errand], [answer])
    await work.add(node_of(errand, answer, under=under))
    if answer.heard is None:
        raise Over("failed", f"{answer.code}: {answer.message}")
    return await _judged(work, answer.heard.text, advice, errand.node)


async def _judged(work: Progress, reply: str, advice: Sequence[PlanNote], director: str) -> Adopted:
    material = work.material
    candidate = read_candidate(reply, material.language)
    judged = judge(
        candidate,
        material.plan,
        material.language,
        known=_known(work, advice),
        max_chars=work.section.max_state_chars,
    )
    node = director.replace("director", "validate")
    match judged:
        case UnfitState(code=code, detail=detail):
            what = f"{code}: {detail}" if detail else code
            await work.add(TraceNode(node, "validate", "", "failed", director, what))
            raise Over("invalid", what)
        case Unchanged():
            await work.add(TraceNode(node, "validate", "", "skipped", director, "unchanged"))
            raise Over("unchanged")
        case Adopted(restored=restored, unreferenced=bare):
            detail = f"{len(bare)} lines name nothing they rest on" if bare else ""
            detail += f"; {len(restored)} locked lines put back" if restored else ""
            sizes = {"state": len(judged.state)}
            told = TraceNode(node, "validate", "", "done", director, sizes=sizes, lines=bare)
            await work.add(replace(told, detail=detail.removeprefix("; ")))
            return judged


def _known(work: Progress, advice: Sequence[PlanNote]) -> frozenset[str]:
    """What a line may rest on: a message of the story, and a note that is proved."""
    material = work.material
    messages = {f"m{number}" for number in range(1, material.count + 1)}
    notes = {note.label for note in (*material.plan.notes, *advice) if not is_advisory(note)}
    return frozenset(messages | notes)
