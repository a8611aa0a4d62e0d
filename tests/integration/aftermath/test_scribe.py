"""The scribe behind a sealed turn: what it writes, what the next turn is sent, and what it cannot read."""

from __future__ import annotations

import asyncio
import json

import pytest

from huaben.domain.events import End, LedgerChange, ScribeChange
from huaben.domain.turnview import TurnView
from huaben.services import branching, playing
from huaben.testing.script import ScriptedReply, call, fail, reply, say, stall
from tests.builders.waiting import AWHILE_S
from tests.integration.aftermath.conftest import KEPT, OpenRoom, patch

PROSE = "沈砚把旧伞递过来。「拿着，别淋雨。」"
FIRST = patch(
    {"characters.沈砚.affinity": "别淋雨", "inventory": "把旧伞递过来"},
    characters={"沈砚": {"affinity": 5}},
    inventory=["旧伞"],
)
NOTHING = patch({})


def told(text: str) -> ScriptedReply:
    return reply(say(text))


async def test_a_sealed_turn_is_read_and_the_next_one_is_told(open_room: OpenRoom) -> None:
    """The ledger stands at the turn's node with evidence; the next turn's last message holds it."""
    room = await open_room([told(PROSE), told("他点头。")], [told(FIRST), told(NOTHING)])
    first = await room.say("我冷。")
    facts = await room.facts(first)
    assert facts.inventory == ("旧伞",)
    assert facts.characters["沈砚"].affinity == 5
    ledger = await room.ledger(first)
    assert (ledger.stood.node, ledger.behind, ledger.stood.standing.claimed) == (
        first.id,
        (),
        frozenset(),
    )
    assert "我冷。" in room.sent("scribe", 0)
    assert PROSE in room.sent("scribe", 0)
    second = await room.say("多谢。")
    asked = room.last("story", 1)
    assert "旧伞" in asked.split("【世界状态】")[1].split("【")[0]
    assert "沈砚" in asked.split("【登场名录】")[1].split("【")[0]
    assert (await room.ledger(second)).stood.node == second.id


async def test_the_log_ends_behind_the_scribe(open_room: OpenRoom) -> None:
    """`final` comes first, then what the scribe did, then `end`; the turn is sealed all along."""
    room = await open_room([told(PROSE)], [told(FIRST)])
    turn = await room.say("我冷。")
    kinds = [one.event.kind for one in await room.house.store.events(turn.id)]
    tail = kinds[kinds.index("final") :]
    assert tail == ["final", "status", "scribe", "usage", "ledger", "scribe", "end"]
    view = await room.view(turn)
    assert view.ended
    assert view.ledger is not None
    assert view.ledger.author == "scribe"
    assert ["inventory"] in [change["path"] for change in view.ledger.changes]
    assert view.usage[-1].purpose == "scribe"


@pytest.mark.parametrize(
    "answer",
    [
        f"```json\n{FIRST}\n```",
        f"好的，这是账本：\n{FIRST}\n以上。",
        f'{{"note": 1}}\n{FIRST}',
        f"<think>想一想 {{}}</think>\n{FIRST}",
    ],
    ids=["fenced", "prose around", "two objects", "thought aloud"],
)
async def test_an_answer_is_found_in_whatever_stands_around_it(
    open_room: OpenRoom, answer: str
) -> None:
    """Fences, prose and other objects around the one that was asked for do no harm."""
    room = await open_room([told(PROSE)], [told(answer)])
    turn = await room.say("我冷。")
    assert (await room.facts(turn)).inventory == ("旧伞",)
    assert len(room.models["scribe"].scribed) == 1


async def test_an_empty_patch_is_a_version_without_changes(open_room: OpenRoom) -> None:
    """`{}` says that nothing changed: the turn is read, and nothing is behind."""
    room = await open_room([told(PROSE)], [told("{}")])
    turn = await room.say("我冷。")
    ledger = await room.ledger(turn)
    assert (ledger.stood.node, ledger.behind) == (turn.id, ())
    assert ledger.stood.standing.ledger.inventory == ()


async def test_wrong_types_are_dropped_by_name_and_the_rest_holds(open_room: OpenRoom) -> None:
    """Never half a value: what has the wrong type is named in the turn's log, the rest is applied."""
    answer = patch({"inventory": "把旧伞递过来"}, inventory=["旧伞"], time=7, weather="雨")
    room = await open_room([told(PROSE)], [told(answer)])
    turn = await room.say("我冷。")
    view = await room.view(turn)
    assert view.ledger is not None
    assert {str(one["path"]) for one in view.ledger.warnings} == {"time", "weather"}
    assert (await room.facts(turn)).inventory == ("旧伞",)


async def test_one_repair_is_asked_for(open_room: OpenRoom) -> None:
    """An unreadable answer is sent back once with the reason; the second one counts."""
    room = await open_room([told(PROSE)], [told("我不会写 JSON。"), told(FIRST)])
    turn = await room.say("我冷。")
    assert (await room.facts(turn)).inventory == ("旧伞",)
    assert "我不会写 JSON。" in room.sent("scribe", 1)


def _scribe(view: TurnView) -> ScribeChange:
    assert view.scribe is not None
    return view.scribe


@pytest.mark.parametrize("answer", ["不会。", ""], ids=["nonsense", "nothing"])
async def test_what_cannot_be_read_is_named_tried_again_and_caught_up(
    open_room: OpenRoom, answer: str
) -> None:
    """The turn stands; two calls fail, the job's two fail, and the next turn's run catches up."""
    bad = [told(answer)] * 4
    room = await open_room(
        [told(PROSE), told("他点头。")], [*bad, told(FIRST), told(patch({}, location=""))]
    )
    first = await room.say("我冷。")
    assert first.outcome == "sealed"
    view = await room.view(first)
    assert (_scribe(view).state, _scribe(view).behind) == ("failed", 1)
    assert _scribe(view).code.startswith("scribe_")
    assert len(room.models["scribe"].scribed) == 4
    assert (await room.ledger(first)).behind == (first.id,)
    second = await room.say("多谢。")
    late = [n for n in (await room.view(second)).notices if n.code == "ledger_behind"]
    assert [note.detail for note in late] == ["1"]
    assert (await room.facts(first)).inventory == ("旧伞",)
    assert (await room.ledger(second)).behind == ()
    caught_up = await room.view(first)
    assert _scribe(caught_up).state == "done"


async def test_a_refusing_endpoint_leaves_the_turn_as_it_is(open_room: OpenRoom) -> None:
    """An error of the provider is recorded with its status; no half patch is written."""
    room = await open_room([told(PROSE)], [fail(retryable=False), fail(retryable=False)])
    turn = await room.say("我冷。")
    view = await room.view(turn)
    assert turn.final_text == PROSE
    assert _scribe(view).state == "failed"
    assert view.ended
    assert (await room.ledger(turn)).stood.node == ""


async def test_a_backlog_does_not_wait_in_vain_turn_by_turn(open_room: OpenRoom) -> None:
    """While no model answers, one call is tried and one again; when it answers, all is caught up."""
    down = [fail(retryable=False)] * 6
    tales = [told(f"第{n}夜。") for n in range(4)]
    room = await open_room(tales, [*down, *[told(NOTHING)] * 4])
    for n in range(3):
        await room.say(f"{n}")
    assert len(room.models["scribe"].scribed) == 6
    last = await room.say("好了吗？")
    assert (await room.ledger(last)).behind == ()


async def test_the_next_turn_waits_for_the_scribe_and_not_for_ever(open_room: OpenRoom) -> None:
    """A slow scribe holds the next turn up to the limit; then it goes on with the older ledger and
    says so, and the ledger catches up."""
    settings = {"scribe": {"enabled": True, "wait_s": 1}}
    scribe = [reply(stall(None), say(FIRST)), told(NOTHING)]
    room = await open_room([told(PROSE), told("他点头。")], scribe, settings)
    first = await room.say("我冷。", wait=False)
    second = await room.say("多谢。", wait=False)
    assert second.outcome == "sealed"
    assert "【世界状态】" not in room.last("story", 1)
    assert any(n.code == "ledger_behind" for n in (await room.view(second)).notices)
    room.models["scribe"].release()
    await room.house.jobs.idle()
    assert (await room.facts(second)).inventory == ("旧伞",)
    assert (await room.ledger(first)).stood.node == first.id


async def test_a_scribe_in_time_is_waited_for(open_room: OpenRoom) -> None:
    """A scribe that needs a moment is in the next turn's request."""
    room = await open_room(
        [told(PROSE), told("他点头。")], [reply(stall(0.3), say(FIRST)), told(NOTHING)], KEPT
    )
    await room.say("我冷。", wait=False)
    second = await room.say("多谢。")
    assert "旧伞" in room.last("story", 1).split("【世界状态】")[1]
    assert not any(n.code == "ledger_behind" for n in (await room.view(second)).notices)


async def test_nothing_leaks_into_another_branch(open_room: OpenRoom) -> None:
    """The head moves while a scribe runs: its result stands at the turn that it read, the other branch
    has none of it."""
    scribe = [reply(stall(None), say(FIRST)), told(patch({"location": "后院"}, location="后院"))]
    settings = {"scribe": {"enabled": True, "wait_s": 0}}
    room = await open_room([told(PROSE), told("他去了后院。")], scribe, settings)
    first = await room.say("我冷。", wait=False)
    await asyncio.wait_for(room.models["scribe"].stalled.wait(), AWHILE_S)
    await branching.undo(room.house, room.project.id)
    other = await room.say("我走了。", wait=False)
    room.models["scribe"].release()
    await room.house.jobs.idle()
    assert (await room.facts(first)).inventory == ("旧伞",)
    assert (await room.facts(first)).location == ""
    assert (await room.facts(other)).inventory == ()
    assert (await room.facts(other)).location == "后院"


@pytest.mark.parametrize("strict", [False, True], ids=["kept", "refused"])
async def test_what_no_quotation_supports_is_claimed_or_refused(
    open_room: OpenRoom, *, strict: bool
) -> None:
    """Without evidence in the turn an item is kept and listed as claimed, or refused by the scenario."""
    answer = patch({"flags.暗号": "三长两短"}, flags={"暗号": "三长两短"})
    settings = {**KEPT, "ledger": {"require_evidence": strict}}
    room = await open_room([told(PROSE)], [told(answer)], settings)
    turn = await room.say("我冷。")
    view = await room.view(turn)
    assert view.ledger is not None
    if strict:
        assert (await room.facts(turn)).flags == {}
        assert [one["code"] for one in view.ledger.warnings] == ["unsupported"]
    else:
        assert (await room.facts(turn)).flags == {"暗号": "三长两短"}
        assert view.ledger.claimed == ("flags.暗号",)


async def test_only_sealed_turns_are_read(open_room: OpenRoom) -> None:
    """An unsealed turn ends at once and is not read; sealed by the user, it is."""
    writes = reply(call("draft_write", version=0, content=PROSE))
    room = await open_room([writes, told("就这样。")], [told(FIRST)])
    turn = await room.say("我冷。")
    assert turn.outcome == "unsealed"
    assert room.models["scribe"].scribed == []
    await playing.seal(room.house, room.company, turn.id)
    await room.house.jobs.idle()
    assert (await room.facts(turn)).inventory == ("旧伞",)
    events = [one.event for one in await room.house.store.events(turn.id)]
    assert isinstance(events[-1], End)
    assert any(isinstance(event, LedgerChange) for event in events)


async def test_the_model_can_look_at_the_world_state(open_room: OpenRoom) -> None:
    """`world_state_get` shows what stood when the turn began, in words and as values; it is listed
    because the scenario keeps a ledger, from the first turn on."""
    looks = reply(call("world_state_get"))
    room = await open_room([told(PROSE), looks, told("他点头。")], [told(FIRST), told(NOTHING)])
    await room.say("我冷。")
    turn = await room.say("我有什么？")
    (seen,) = (await room.view(turn)).tools
    assert seen.ok
    answer = json.loads(seen.result)
    assert answer["ledger"]["inventory"] == ["旧伞"]
    assert "旧伞" in answer["text"]
    assert answer["roster"]["people"] == {"沈砚": ""}
    first = json.loads(room.bodies("story")[0])
    assert "world_state_get" in [tool["function"]["name"] for tool in first["tools"]]
