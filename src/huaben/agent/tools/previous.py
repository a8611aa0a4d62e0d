"""Reading and changing the previous turn (`turn.md` §6): one change, after a read, and nothing else
in that turn."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from huaben.agent.desk import Desk, Outcome, Previous, Sources
from huaben.agent.tools.arguments import Arguments
from huaben.agent.tools.draft import bad_offset, pairs_of, sliced, written
from huaben.agent.tools.spoken import as_json, refusal, rejected
from huaben.domain.draft import Applied, Edit, apply
from huaben.domain.text import BadOffset
from huaben.prompt.texts import phrase


def previous_draft_read(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    previous = sources.previous
    if not isinstance(previous, Previous):
        return refusal(phrase(sources.language, previous))
    content = sliced(previous.draft.text, args)
    if isinstance(content, BadOffset):
        return bad_offset(sources.language, content)
    asked = [{"question": one.question, "answer": one.answer} for one in previous.asked]
    version = previous.draft.version
    return Outcome(
        ok=True,
        result=as_json({"version": version, "content": content, "asked": asked}),
        desk=replace(desk, previous_read=version),
        effect={"previous_read": version},
    )


def previous_draft_edit(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    language, previous = sources.language, sources.previous
    if not isinstance(previous, Previous):
        return refusal(phrase(language, previous))
    if desk.draft.text:
        return refusal(phrase(language, "previous_after_draft"))
    if desk.previous_read is None:
        return refusal(phrase(language, "previous_unread"))
    applied = apply(previous.draft, Edit(cast("int", args["version"]), pairs_of(args)))
    if not isinstance(applied, Applied):
        return rejected(language, applied, previous=True)
    draft = applied.draft
    receipt = written(draft, applied)
    del receipt["chars"]
    return Outcome(
        ok=True,
        result=as_json(receipt),
        desk=replace(desk, revised=draft),
        effect={
            "revised": {"turn": previous.turn_id, "version": draft.version, "text": draft.text}
        },
    )
