"""The two tools that steer a turn instead of writing it: a question to the user, and the model's
own list of steps."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from huaben.agent.desk import Desk, Outcome, Question, Sources
from huaben.agent.tools.arguments import Arguments
from huaben.agent.tools.spoken import as_json, refusal
from huaben.domain.text import is_blank
from huaben.prompt.texts import phrase


def ask(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    question = cast("str", args["question"]).strip()
    options = tuple(option.strip() for option in cast("list[str]", args["options"]))
    if is_blank(question):
        return refusal(phrase(sources.language, "ask_question"))
    distinct = len(set(options)) == len(options) and not any(map(is_blank, options))
    if not distinct or not 2 <= len(options) <= 4:
        return refusal(phrase(sources.language, "ask_options"))
    return Outcome(ok=True, result="", desk=desk, question=Question(question, options))


def answered(answer: str, by: str) -> str:
    """What the model is told once the user has answered."""
    return as_json({"answer": answer, "by": by})


def turn_plan(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    mode = cast('Literal["explore", "write"]', args["mode"])
    steps = cast("list[str]", args.get("steps", []))
    note = phrase(sources.language, "plan_noted", count=len(steps), mode=mode)
    return Outcome(
        ok=True,
        result=as_json({"ok": True, "mode": mode, "note": note}),
        desk=replace(desk, mode=mode),
        effect={"mode": mode, "steps": steps},
    )
