"""A story of 300 turns with two compactions: at every node the ledger is the one that its turns add up to, and
going back and forth takes ledger, roster and summary along."""

from __future__ import annotations

import re

from huaben.domain.ledger import Ledger
from huaben.services import branching
from huaben.services.summarising import show_summary
from huaben.testing.script import Asked, Step, say
from tests.integration.aftermath.conftest import OpenRoom, Room, patch
from tests.integration.aftermath.test_compaction import messages

TURNS = 300
SETTINGS = {
    "scribe": {"enabled": True, "wait_s": 30},
    "compaction": {"keep": 10, "every": 130, "min_chars": 100},
}


def prose(n: int) -> str:
    return f"第{n}夜，{person(n)}把物件{n % 7}放在桌上，走进房间{n % 5}。"


def person(n: int) -> str:
    return ("沈砚", "阿蘅", "Marlowe")[n % 3]


def teller(asked: Asked) -> Step:
    """Tells the turn whose number the words name; a summary names everybody."""
    if "前情提要的人" in str(asked.messages[0]["content"]):
        return say(
            "沈砚、阿蘅、Marlowe 轮流守夜，物件都在。" + "".join(f"物件{n}" for n in range(7))
        )
    return say(prose(number(asked.last_text.rsplit("\n", 1)[-1])))


def scribe(asked: Asked) -> Step:
    """Keeps the books of `prose`: time, place, who moved and how they stand, and one thing carried."""
    n = number(asked.last_text.split("【读者的话】")[1])
    name = person(n)
    paths = {"time": f"第{n}夜", "location": f"房间{n % 5}", "inventory": f"物件{n % 7}"}
    evidence = paths | {f"characters.{name}.affinity": name}
    sections: dict[str, object] = {
        "time": f"第{n}夜",
        "location": f"房间{n % 5}",
        "inventory": [f"物件{n % 7}"],
        "characters": {name: {"affinity": n % 100}},
    }
    return say(patch(evidence, **sections))


def number(text: str) -> int:
    found = re.search(r"第(\d+)句", text)
    assert found is not None, text
    return int(found[1])


def holds(ledger: Ledger, n: int) -> None:
    """The ledger is what turns 1 to n add up to."""
    assert ledger.time == f"第{n}夜"
    assert ledger.location == f"房间{n % 5}"
    assert ledger.inventory == (f"物件{n % 7}",)
    last = {person(k): k % 100 for k in range(1, n + 1)}
    assert {name: one.affinity for name, one in ledger.characters.items()} == last


async def at_head(room: Room) -> int:
    head = await room.house.store.head(room.project.id)
    assert head is not None
    turn = await room.house.store.turn(head.turn_id)
    assert turn is not None
    return number(turn.user_text)


async def test_three_hundred_turns_back_and_forth(open_room: OpenRoom) -> None:
    """Two compactions fall due; every node has its own ledger; 100 turns back all of that node is in
    force, forward again all of the later one; before a compaction the texts are sent whole."""
    room = await open_room(teller, scribe, SETTINGS)
    turns = [await room.say(f"第{n}句") for n in range(1, TURNS + 1)]
    for n in (1, 2, 3, 50, 139, 140, 141, 200, 270, 271, 299, 300):
        holds(await room.facts(turns[n - 1]), n)
        assert (await room.ledger(turns[n - 1])).behind == ()
    made = [n for n, t in enumerate(turns, 1) if (await room.view(t)).compacted is not None]
    assert made == [140, 270]

    back = turns[199]
    await branching.go_to(room.house, room.project.id, back.id)
    assert await at_head(room) == 200
    holds(await room.facts(), 200)
    roster = (await room.ledger()).stood.standing.roster
    assert roster.people.keys() == {"沈砚", "阿蘅", "Marlowe"}
    assert roster.people["阿蘅"] == "第1夜"
    first = await show_summary(room.house, room.project.id)
    assert first.summary is not None
    assert (first.summary.node, len(first.live)) == (turns[139].id, 70)

    await branching.go_to(room.house, room.project.id, turns[-1].id)
    holds(await room.facts(), 300)
    second = await show_summary(room.house, room.project.id)
    assert second.summary is not None
    assert (second.summary.node, second.summary.turns) == (turns[269].id, 260)

    await branching.go_to(room.house, room.project.id, turns[130].id)
    await room.say("第132句")
    sent = messages(room)
    assert sum(role == "user" for role, _ in sent) == 132
    assert not any(content.startswith("【前情提要】") for _, content in sent)
    holds(await room.facts(), 132)
