"""Why each lore entry is in or out, of a text that is tried and of a turn that was played."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence

import httpx
import pytest

from huaben.domain.jsonvalue import Json
from huaben.testing.models import ScriptedModel
from huaben.testing.script import reply, say
from huaben.web.schemas_lore import EntryIn, EntryOut, LoreTold
from tests.builders.lorebooks import st_entry, st_file
from tests.integration.web.lobby import lobby
from tests.integration.web.table import problem, read
from tests.integration.web.test_story import undocumented


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby(model=ScriptedModel(lambda _: reply(say("他点头。")))) as found:
        yield found


def entry(uid: int, *keys: Json, **changed: Json) -> dict[str, Json]:
    own: dict[str, Json] = {"comment": f"条目{uid}", "content": f"第{uid}条。"}
    return st_entry(uid, key=list(keys), **{**own, **changed})


async def bring_book(
    client: httpx.AsyncClient, *entries: Mapping[str, Json], name: str = "书"
) -> str:
    data = json.dumps(st_file(*map(dict, entries), name=name), ensure_ascii=False).encode()
    answer = await client.post("/api/lorebooks", files={"file": ("书.json", data)})
    return str(read(answer)["id"])


async def bring_card(client: httpx.AsyncClient, **data: object) -> str:
    card = {"spec": "chara_card_v2", "data": {"name": "沈砚", "first_mes": "「打烊了。」", **data}}
    content = json.dumps(card, ensure_ascii=False).encode()
    answer = await client.post("/api/cards", files={"file": ("沈砚.json", content)})
    return str(read(answer)["id"])


async def tried(client: httpx.AsyncClient, text: str, *books: str, **more: object) -> LoreTold:
    body = {"text": text, "book_ids": list(books), **more}
    answer = await client.post("/api/lorebooks/test", json=body)
    assert answer.status_code == 200, answer.text
    told = LoreTold.model_validate_json(answer.content)
    assert undocumented(told) == []
    return told


async def found_project(client: httpx.AsyncClient, **wish: object) -> str:
    return str(read(await client.post("/api/projects", json=wish))["id"])


async def played(client: httpx.AsyncClient, project: str, text: str) -> str:
    turn = str(read(await client.post(f"/api/projects/{project}/turns", json={"text": text}))["id"])
    while read(await client.get(f"/api/turns/{turn}"))["status"] not in ("sealed", "failed"):  # noqa: ASYNC110 - as a script would
        await asyncio.sleep(0)
    return turn


async def lore_of(client: httpx.AsyncClient, turn: str, query: str = "") -> LoreTold:
    answer = await client.get(f"/api/turns/{turn}/lore{query}")
    told = LoreTold.model_validate_json(answer.content)
    assert undocumented(told) == []
    return told


def reasons(rows: Sequence[EntryIn] | Sequence[EntryOut]) -> dict[str, str]:
    return {row.title: row.reason for row in rows}


# ---- trying a text -----------------------------------------------------------------------------


async def test_a_text_is_tried_and_every_entry_answers(client: httpx.AsyncClient) -> None:
    """In with the key and where it stood, out with the obstacle; the nearest first."""
    book = await bring_book(
        client,
        entry(1, "龙王"),
        entry(2, "umbrella"),
        entry(3, "龙王", disable=True),
        entry(4, "龙王", keysecondary=["潭"], selective=True),
        entry(5),
        entry(6, constant=True),
    )
    told = await tried(client, "听说龙王来了，没带伞", book)
    assert reasons(told.chosen) == {"条目1": "key", "条目6": "constant"}
    hit = next(row for row in told.chosen if row.title == "条目1")
    assert (hit.key, hit.where, hit.place, hit.book) == ("龙王", "words", "block", "书")
    assert next(row.place for row in told.chosen if row.title == "条目6") == "prefix"
    assert list(reasons(told.left_out).items()) == [
        ("条目4", "secondary"),
        ("条目3", "disabled"),
        ("条目2", "no_match"),
        ("条目5", "no_keys"),
    ]
    assert (await tried(client, "My umbrella!", book)).chosen[0].title in ("条目2", "条目6")


async def test_a_trial_speaks_as_the_card(client: httpx.AsyncClient) -> None:
    """With a card its own book takes part and its name is what {{char}} stands for."""
    card = await bring_card(
        client,
        character_book={
            "name": "自带",
            "entries": [
                {"keys": ["{{char}}"], "content": "{{char}}的账本", "enabled": True, "id": 1}
            ],
        },
    )
    told = await tried(client, "沈砚在吗", card_id=card)
    assert [(row.book, row.text) for row in told.chosen] == [("自带", "沈砚的账本")]


async def test_the_budget_names_what_falls_out(client: httpx.AsyncClient) -> None:
    """What does not fit is out with the sizes, and told by its title where texts overflow."""
    long, short = entry(1, "伞", content="长" * 2350), entry(2, "伞", content="短" * 60, order=8)
    told = await tried(client, "伞", await bring_book(client, long, short))
    assert reasons(told.chosen) == {"条目1": "key"}
    assert reasons(told.left_out) == {"条目2": "budget"}
    assert told.left_out[0].detail == "2351 + 61 tokens of 2400"
    assert told.left_out[0].place == "title"


async def test_a_constant_that_falls_out_is_named(client: httpx.AsyncClient) -> None:
    """L19: one that is bound to a time competes for the budget, before the others; when even so it
    does not fit, a warning names it."""
    book = await bring_book(client, entry(3, constant=True, delay=1, content="雾" * 2400))
    told = await tried(client, "伞", book)
    assert reasons(told.left_out) == {"条目3": "budget"}
    assert [(one.code, one.ref) for one in told.warnings] == [("constant_over_budget", "0/3")]


async def test_a_hostile_pattern_delays_nobody(client: httpx.AsyncClient) -> None:
    """L25: each stops at its limit, its entry is named, the others are chosen, and meanwhile every
    other request is answered."""
    bad = [entry(number, f"/(x{{{number},}}x+)+y/") for number in range(1, 5)]
    book = await bring_book(client, *bad, entry(9, "龙王"))
    trying = asyncio.create_task(tried(client, "x" * 5000 + " 龙王", book))
    served = 0
    while not trying.done():
        assert (await client.get("/api/health")).status_code == 200
        await asyncio.sleep(0)
        served += 1
    told = await trying
    assert served > 10
    assert reasons(told.chosen) == {"条目9": "key"}
    assert reasons(told.left_out) == dict.fromkeys(map("条目{}".format, range(1, 5)), "stopped_key")
    assert [warning.code for warning in told.warnings] == ["pattern_stopped"] * 4


async def test_many_silent_entries_come_in_pages(client: httpx.AsyncClient) -> None:
    """All are counted; each page says where the next begins."""
    book = await bring_book(client, *(entry(number, f"地名{number}") for number in range(450)))
    first = await tried(client, "地名7、地名77", book)
    assert sorted(reasons(first.chosen)) == ["条目7", "条目77"]
    assert (first.left_out_total, len(first.left_out), first.next) == (448, 200, 200)
    last = await tried(client, "地名7、地名77", book, after=400, limit=1000)
    assert (len(last.left_out), last.next) == (48, None)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"text": "x", "book_ids": ["unknown"]}, "lorebook_not_found"),
        ({"text": "x", "card_id": "unknown"}, "card_not_found"),
        ({"text": "x", "scenario": "unknown"}, "scenario_not_found"),
        ({"book_ids": []}, "missing_field"),
        ({"text": "x", "limit": 0}, "invalid_field"),
    ],
)
async def test_a_trial_on_what_is_not_there_is_refused(
    client: httpx.AsyncClient, body: dict[str, object], code: str
) -> None:
    """With a stable code."""
    assert problem(await client.post("/api/lorebooks/test", json=body))[1].code == code


# ---- the lore of a turn ------------------------------------------------------------------------


async def test_a_turn_tells_its_lore_entry_by_entry(client: httpx.AsyncClient) -> None:
    """Also the entries that its record only counts, of attached books and of the card's own; the
    order of choosing, the reasons, and where each stands."""
    own = {"entries": [{"id": 1, "keys": ["账本"], "content": "旧账。", "enabled": True}]}
    card = await bring_card(client, character_book=own)
    book = await bring_book(client, entry(1, "龙王"), entry(2, "伞"), entry(3, constant=True))
    project = await found_project(client, card_id=card, lorebook_ids=[book])
    told = await lore_of(client, await played(client, project, "龙王翻了账本"))
    assert told.made
    assert {(row.ref, row.place) for row in told.chosen} == {
        ("0/1", "block"),
        ("1/1", "block"),
        ("0/3", "prefix"),
    }
    assert [(row.ref, row.reason) for row in told.left_out] == [("0/2", "no_match")]
    assert told.uncounted == 0


async def test_a_turn_tells_what_shut_its_silent_entries_out(client: httpx.AsyncClient) -> None:
    """Its record counts them and keeps what was known then, so each still has its reason; the nearest
    come first."""
    book = await bring_book(
        client,
        entry(1, "伞"),
        entry(2, "船", disable=True),
        entry(3, "船", delay=30),
        entry(4, "船", characterFilter={"isExclude": False, "names": ["Mary"], "tags": []}),
        entry(5, "船"),
    )
    project = await found_project(client, card_id=await bring_card(client), lorebook_ids=[book])
    told = await lore_of(client, await played(client, project, "伞"))
    assert list(reasons(told.left_out).items()) == [
        ("条目3", "delay"),
        ("条目4", "filter"),
        ("条目2", "disabled"),
        ("条目5", "no_match"),
    ]
    assert told.left_out[0].detail == "2 messages, not yet 30"
    assert told.uncounted == 0


async def test_a_turn_keeps_its_lore_when_its_books_change(client: httpx.AsyncClient) -> None:
    """The books of the moment are remembered, not those of today."""
    card = await bring_card(client)
    first = await bring_book(client, entry(1, "龙王"), entry(2, "伞"), name="甲")
    second = await bring_book(client, entry(1, "船"), name="乙")
    project = await found_project(client, card_id=card, lorebook_ids=[first])
    turn = await played(client, project, "龙王")
    before = await lore_of(client, turn)
    shown = read(await client.get(f"/api/projects/{project}"))
    change = {"revision": shown["revision"], "lorebook_ids": [second, first]}
    assert (await client.patch(f"/api/projects/{project}", json=change)).status_code == 200
    assert await lore_of(client, turn) == before
    later = await lore_of(client, await played(client, project, "船"))
    assert [(row.book, row.ref) for row in later.chosen] == [("乙", "0/1"), ("甲", "1/1")]


async def test_a_position_without_a_place_is_named(client: httpx.AsyncClient) -> None:
    """L22: no entry is dead because a prompt lacks its slot: it stands in the block, and the wish of
    its author is named; a wish that is met is not."""
    wishes = (
        "",
        "",
        "note_top",
        "note_bottom",
        "at_depth",
        "examples_top",
        "examples_bottom",
        "outlet",
    )
    book = await bring_book(client, *(entry(n, "伞", position=n, outletName="x") for n in range(8)))
    project = await found_project(client, card_id=await bring_card(client), lorebook_ids=[book])
    turn = await played(client, project, "伞")
    told = await lore_of(client, turn)
    assert {row.ref: row.unplaced for row in told.chosen} == {
        f"0/{number}": wish for number, wish in enumerate(wishes)
    }
    trace = await client.get(f"/api/turns/{turn}/trace")
    assert "position at_depth stands in this block" in trace.text


async def test_a_turn_before_its_choice_says_so(client: httpx.AsyncClient) -> None:
    """The opening was never chosen for; another's turn is not told."""
    project = await found_project(client, card_id=await bring_card(client))
    head = str(read(await client.get(f"/api/projects/{project}"))["head"])
    assert not (await lore_of(client, head)).made
    assert problem(await client.get("/api/turns/unknown/lore"))[1].code == "turn_not_found"
