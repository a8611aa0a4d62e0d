"""What each call shares with the session's call before, and why it shares no more; what a request was
counted for beside what its provider counted."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from huaben.domain.messages import Usage
from huaben.domain.project import Guidance
from huaben.domain.story import Turn
from huaben.ports import Commit, Committed
from huaben.services import branching, playing
from huaben.services.tracing import CallTrace, show_trace
from huaben.testing.models import ScriptedModel
from huaben.testing.script import Asked, ScriptedReply, call, drop, reply, say

from .conftest import OpenTable, Table


def echo(asked: Asked) -> ScriptedReply:
    return reply(say("他点头。He nods."))


async def first_call(table: Table, turn: Turn) -> CallTrace:
    return (await show_trace(table.house, turn.id))[0]


async def cause(table: Table, turn: Turn) -> str:
    shared = (await first_call(table, turn)).shared
    assert shared is not None
    return str(shared.ended) if shared.ended else ""


async def test_a_session_that_goes_on_has_no_break(open_table: OpenTable) -> None:
    """Turn after turn, call after call: all that should be repeated is, and the sizes say so."""
    table = await open_table(
        [
            reply(call("lorebook_search", query="旧伞")),
            reply(say("一。")),
            reply(say("二。")),
        ]
    )
    one, two = await table.say("旧伞呢？"), await table.say("I wait.")
    calls = [*await show_trace(table.house, one.id), *await show_trace(table.house, two.id)]
    assert calls[0].shared is None
    for before, now in pairwise(calls):
        assert now.shared is not None
        assert now.shared.before == before.record.id
        assert now.shared.ended is None
        size = now.shared.size
        assert before.request.body[:size] == now.request.body[:size]
    assert calls[1].shared is not None
    assert calls[1].shared.parts == calls[0].request.shape.count("message") + 1
    assert calls[2].shared is not None
    assert calls[2].shared.parts == 3  # tools, system text, opening


async def test_a_reroll_and_a_retry_break_nothing(open_table: OpenTable) -> None:
    """Both send again what was sent."""
    table = await open_table([reply(say("一。")), drop(), reply(say("好。")), reply(say("再。"))])
    turn = await table.say("走")
    variant = await playing.make_variant(table.house, table.company, turn.id, None)
    await table.over(variant.id)
    await playing.resume(table.house, table.company, variant.id)
    await table.over(variant.id)
    traces = await show_trace(table.house, variant.id)
    assert [trace.shared.ended for trace in traces if trace.shared] == [None] * len(traces)
    assert traces[-1].shared is not None
    assert traces[-1].shared.parts == traces[-1].shared.of


async def test_an_edit_and_a_branch_are_named(open_table: OpenTable) -> None:
    """Whoever changes an earlier text, or goes to another branch, sees what it cost and why."""
    table = await open_table(echo)
    first = await table.say("一")
    for words in ("二", "三"):
        await table.say(words)
    for _ in range(2):
        await branching.undo(table.house, table.project.id)
    assert await cause(table, await table.say("四")) == "branch"
    await branching.rewrite_final(table.house, first.id, "他没有点头。", first.version)
    assert await cause(table, await table.say("五")) == f"edit: turn:{first.id}"
    assert await cause(table, await table.say("六")) == ""


async def test_a_change_of_the_users_own_text_is_named(open_table: OpenTable) -> None:
    """The piece of the system text that moved, though its length is the same."""
    table = await open_table(echo)
    rows = (Guidance("local", "", "AGENTS.md", "{{char}}不笑。"),)
    for text in ("{{char}}不笑。", "{{char}}不哭。"):
        rows = (replace(rows[0], text=text),)
        assert isinstance(await table.house.store.commit(Commit(rows=rows)), Committed)
        turn = await table.say("走")
    assert await cause(table, turn) == "system: user_rules"
    assert "沈砚不哭。" in table.contents(1)[0][1]


async def test_another_model_is_named(open_table: OpenTable) -> None:
    """The same prompt for another model is another prefix."""
    table = await open_table(echo)
    await table.say("一")
    other = await table.restarted(ScriptedModel(echo, name="another"))
    assert await cause(other, await other.say("二")) == "model"
    await other.company.close()


async def test_tokens_are_counted_as_the_provider_counts(open_table: OpenTable) -> None:
    """The estimate of a later request stands on the reports about earlier ones."""

    def dear(asked: Asked) -> ScriptedReply:
        return replace(reply(say("他点头。")), usage=Usage(prompt=6_000, completion=9))

    table = await open_table(dear)
    plain = await first_call(table, await table.say("走"))
    counted = await first_call(table, await table.say("再走"))
    assert plain.record.usage.prompt == 6_000
    assert plain.estimated < 4_000
    assert abs(counted.estimated - 6_000) < 500


async def test_what_was_learnt_of_a_model_outlives_the_process(open_table: OpenTable) -> None:
    """Nothing but the calls themselves is needed to know it again."""

    def dear(asked: Asked) -> ScriptedReply:
        return replace(reply(say("他点头。")), usage=Usage(prompt=6_000, completion=9))

    table = await open_table(dear)
    await table.say("走")
    again = await table.restarted()
    counted = await first_call(again, await again.say("再走"))
    assert abs(counted.estimated - 6_000) < 500
    await again.company.close()


async def test_a_model_that_counts_dearly_is_refused_in_time(open_table: OpenTable) -> None:
    """What would not fit by its provider's count is refused with sizes, before any call."""

    def dear(asked: Asked) -> ScriptedReply:
        return replace(reply(say("他点头。")), usage=Usage(prompt=8_000, completion=9))

    table = await open_table(dear)
    await table.say("走")
    turn = await table.say("再走" * 20_000)
    assert (turn.outcome, turn.code) == ("failed", "too_large")
    assert len(table.model.bodies) == 1
