"""The tools for named saves: wishing for one, and seeing which there are. The save itself is made behind
the sealed turn, so what the tool leaves is the wish alone."""

from __future__ import annotations

from typing import Final, assert_never, cast

from huaben.agent.desk import Desk, Outcome, Sources
from huaben.agent.tools.arguments import Arguments
from huaben.agent.tools.spoken import as_json, refusal
from huaben.domain.project import Language
from huaben.domain.saves import NameBlank, NameRefusal, NameTooLong, named
from huaben.prompt.texts import phrase

LIST_SAVES: Final = 50


def save_create(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    name = named(cast("str", args["name"]))
    if not isinstance(name, str):
        return refusal(_unnamed(sources.language, name))
    note = phrase(sources.language, "save_wished")
    result = as_json({"ok": True, "name": name, "note": note})
    return Outcome(ok=True, result=result, effect={"save": name})


def save_list(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    rows = [
        {"name": seen.name, "turn": seen.turn, "on_this_branch": seen.here, "by": seen.author}
        for seen in sources.saves[:LIST_SAVES]
    ]
    answer: dict[str, object] = {"saves": rows}
    if len(sources.saves) > LIST_SAVES:
        answer["cut"] = phrase(sources.language, "saves_cut", shown=LIST_SAVES)
    return Outcome(ok=True, result=as_json(answer))


def _unnamed(language: Language, why: NameRefusal) -> str:
    match why:
        case NameBlank():
            return phrase(language, "save_blank")
        case NameTooLong(chars=chars, limit=limit):
            return phrase(language, "save_too_long", chars=chars, limit=limit)
        case _:
            assert_never(why)
