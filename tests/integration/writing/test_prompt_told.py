"""What a writing turn is sent: the role, the card as requirements, the discussion, the index; and that each
request extends the one before it."""

from __future__ import annotations

import json
from itertools import pairwise

from huaben.services import playing
from huaben.testing.script import Asked, ScriptedReply, call, reply, say
from tests.integration.writing.conftest import OpenDesk


def script(asked: Asked) -> ScriptedReply:
    """Read, change, report; every third turn only talks."""
    words = [m for m in asked.messages if m["role"] == "user"]
    turn = len(words)
    since = [m["role"] for m in asked.messages[asked.messages.index(words[-1]) :]].count("tool")
    if turn % 3 == 0:
        return reply(say(f"第{turn}次商量。"))
    if since == 0:
        return reply(say("先看。"), call("read", path="003-灯.md"))
    if since == 1:
        return reply(call("write", path=f"{turn + 10:03d}-新.md", content=f"第{turn}章。\n"))
    return reply(say(f"第{turn}拍改好了。"))


async def test_each_request_extends_the_one_before_it(open_desk: OpenDesk) -> None:
    """Tool list and messages, byte for byte up to the last user message of the former; within a turn all of
    it. The index and what is read live in the tail alone."""
    desk = await open_desk(script)
    for number in range(1, 8):
        await desk.say(f"第{number}句话。")
        desk.write("003-灯.md", f"手改第{number}次。\n")
    requests = [json.loads(body) for body in desk.model.bodies]
    for before, after in pairwise(requests):
        assert json.dumps(before["tools"]) == json.dumps(after["tools"])
        former, latter = before["messages"], after["messages"]
        users = [at for at, message in enumerate(former) if message["role"] == "user"]
        same_turn = latter[: len(former)] == former
        assert same_turn or latter[: users[-1]] == former[: users[-1]]
    last = requests[-1]["messages"]
    tail = max(at for at, message in enumerate(last) if message["role"] == "user")
    log = json.dumps(last[:tail], ensure_ascii=False)
    assert "书稿目录】\n" not in log
    assert "手改第" not in log


async def test_the_card_is_told_as_requirements_and_the_prose_is_not_told(
    open_desk: OpenDesk,
) -> None:
    """The system text has the role, the card under its heading and the desk; the tail has the index and then
    the author's words."""
    desk = await open_desk([say("好。"), say("嗯。")])
    await desk.say("第一句。")
    await desk.say("第二句。")
    system = desk.contents(1)[0][1]
    assert system.index("正文只在书稿的文件里") < system.index("# 对书稿的要求：沈砚")
    assert "沈砚是渡口客栈的账房" in system
    assert "用第三人称，每章不超过三千字。" in system
    assert "书名：渡口" in system
    assert "manuscript/" in system
    assert [role for role, _ in desk.contents(1)] == ["system", "user", "assistant", "user"]
    assert [text for _, text in desk.contents(1)[1:3]] == ["第一句。", "好。"]
    last = desk.contents(1)[-1][1]
    assert last.startswith("【书稿目录】\n共 3 章，")
    assert "- 001-雨夜.md：" in last
    assert last.endswith("\n\n第二句。")
    assert "旧伞" not in last
    assert "旧伞，出了门" not in system


async def test_an_unfinished_turn_is_no_part_of_the_discussion(open_desk: OpenDesk) -> None:
    """What was stopped is left out whole until it is kept."""
    desk = await open_desk([say(""), say(""), say("好。")])
    failed = await desk.say("写。")
    assert failed.outcome == "failed"
    await playing.post_turn(
        desk.house, desk.company, desk.project.id, playing.Words("再写。", parent=failed.id)
    )
    head = await desk.house.store.head(desk.project.id)
    assert head is not None
    await desk.over(head.turn_id)
    assert [role for role, _ in desk.contents(2)] == ["system", "user"]
