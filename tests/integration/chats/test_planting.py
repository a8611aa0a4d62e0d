"""Old chats in the session tree: everything is there, in its place, once."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from huaben.domain.events import ThinkingPiece
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.soundness import tree_faults
from huaben.domain.turnview import replay
from huaben.errors import BadInput, NotFound
from huaben.ports import Page
from huaben.services import branching, chats, founding, trash
from huaben.services.chats import LONG, Wish
from huaben.services.chats_planting import TURNS_PER_STEP
from huaben.services.chats_shown import show_begun
from tests.builders.chats import HEADER, STORY, json_file, lines, node, row, said, webui
from tests.integration.chats.shelf import brought, card, job_of, seen
from tests.integration.jobs.yard import Yard

CHAT = lines(HEADER, *STORY)


async def test_a_chat_becomes_a_project_of_its_card(yard: Yard) -> None:
    """The card is found by the character's name; the story stands at the end of the chat."""
    card_id = await card(yard)
    begun = await brought(yard, CHAT, file="渡船人 - 2024-7-12.jsonl")
    project = await yard.store.project(begun.project_id)
    assert project is not None
    assert (project.card_id, project.title) == (card_id, "渡船人 - 2024-7-12")
    assert project.persona.name == "阿澄"
    shown = await seen(yard, begun.project_id)
    assert shown.told() == [
        ("sealed", "", "「上船吗？」"),
        ("sealed", "我上船。", "船离了岸。"),
        ("sealed", "对岸是哪里？", "“Home,” he says."),
    ]
    assert (await job_of(yard, begun)).outcome == "done"
    assert tree_faults(project.id, [*shown.tree.nodes.values()], shown.head) == []


async def test_greetings_of_chat_and_card_are_openings_once(yard: Yard) -> None:
    """One that the card has already is not made again; the chat's others stand behind the card's."""
    await card(yard, alternate_greetings=["雨天开场"])
    begun = await brought(yard, CHAT)
    shown = await seen(yard, begun.project_id)
    roots = [shown.turns[node.id] for node in shown.tree.roots()]
    assert [(t.final_text, t.title) for t in roots] == [
        ("「上船吗？」", "开场 1"),
        ("雨天开场", "开场 2"),
        ("“Coming aboard?”", "开场 3"),
    ]
    assert len({turn.beat for turn in roots}) == 1
    assert shown.path[0].id == roots[0].id


async def test_swipes_are_variants_and_deleting_one_generates_nothing(yard: Yard) -> None:
    """H04 and H14: each keeps its reasoning; deleting one of two leaves the other, 1 of 1."""
    await card(yard)
    one: JsonObject = {"extra": {"reasoning": "甲想", "model": "m-1"}}
    other: JsonObject = {"extra": {"reasoning": "乙想"}}
    swiped = row("乙", swipes=["甲", "乙"], swipe_id=1, swipe_info=[one, other], **other)
    begun = await brought(
        yard, lines(HEADER, STORY[0], said("问"), swiped, said("再问"), row("答"))
    )
    shown = await seen(yard, begun.project_id)
    second = shown.path[1]
    assert shown.variants(second) == ["甲", "乙"]
    views = [
        replay([logged.event for logged in await yard.store.events(one.id)])
        for one in shown.tree.variants(second.id)
    ]
    assert [dict(view.thinking) for view in views] == [{0: "甲想"}, {0: "乙想"}]
    assert [[(n.code, n.detail) for n in view.notices] for view in views] == [
        [("told_by", "m-1")],
        [],
    ]
    await branching.undo(yard.house, begun.project_id)
    await branching.delete_variant(yard.house, second.id)
    after = await seen(yard, begun.project_id)
    assert after.variants(after.path[-1]) == ["甲"]
    assert all(node.run == "ended" for node in after.tree.nodes.values())


async def test_h13_thought_stays_with_its_variant(yard: Yard) -> None:
    """A variant without a thought of its own shows none."""
    await card(yard)
    swiped = row("b", swipes=["a", "b"], swipe_id=1, swipe_info=[{"extra": {"reasoning": "x"}}, {}])
    begun = await brought(yard, lines(HEADER, STORY[0], said("q"), swiped))
    shown = await seen(yard, begun.project_id)
    logs = [await yard.store.events(n.id) for n in shown.tree.variants(shown.head)]
    thoughts = [[e.event for e in log if isinstance(e.event, ThinkingPiece)] for log in logs]
    assert [len(found) for found in thoughts] == [1, 0]


async def test_undo_and_redo_walk_through_an_imported_story(yard: Yard) -> None:
    """The way forward is known although nobody has walked it."""
    await card(yard)
    begun = await brought(yard, CHAT)
    end = (await seen(yard, begun.project_id)).head
    for _ in range(2):
        await branching.undo(yard.house, begun.project_id)
    assert len((await seen(yard, begun.project_id)).path) == 1
    for _ in range(2):
        await branching.redo(yard.house, begun.project_id)
    assert (await seen(yard, begun.project_id)).head == end


async def test_hidden_torn_and_unanswered_rows_are_shown_for_what_they_are(yard: Yard) -> None:
    """Each is a turn of its own; the outcome says that no model is sent it, the code why."""
    await card(yard)
    data = lines(
        HEADER, STORY[0], said("(嘘)", is_system=True), b'{"mes":"torn', row("雨"), said("有人吗？")
    )
    begun = await brought(yard, data)
    shown = await seen(yard, begun.project_id)
    assert [(t.outcome, t.code, t.user_text, t.final_text) for t in shown.path[1:]] == [
        ("done", "hidden", "(嘘)", ""),
        ("done", "quarantined", "", '{"mes":"torn'),
        ("sealed", "", "", "雨"),
        ("interrupted", "unanswered", "有人吗？", ""),
    ]
    payload = (await job_of(yard, begun)).payload
    assert (payload["hidden"], payload["quarantined"], payload["messages"]) == (1, 1, 4)


async def test_speakers_of_a_group_head_their_turns(yard: Yard) -> None:
    """Whoever is not the main character is named above what they say."""
    await card(yard, "甲")
    begun = await brought(
        yard, lines(row("一", name="甲"), row("二", name="乙"), said("三"), row("四", name="乙"))
    )
    shown = await seen(yard, begun.project_id)
    assert [(t.title, t.final_text) for t in shown.path[1:]] == [("乙", "二"), ("乙", "四")]


async def test_the_books_of_a_groups_members_are_attached(yard: Yard) -> None:
    """Each member is named: with a book, with a card alone, without any; speakers stay on their turns."""
    nothing: JsonObject = {}
    entry: JsonObject = {"id": 1, "keys": ["灯"], "content": "灯下有人。", "enabled": True}
    await card(yard, "甲")
    await card(yard, "乙", character_book={"extensions": nothing, "entries": [entry]})
    await card(yard, "丙")
    rows = [row("一", name="甲"), row("二", name="乙"), row("三", name="丙"), row("四", name="丁")]
    begun = await brought(yard, lines(*rows))
    project = await yard.store.project(begun.project_id)
    assert project is not None
    (book_id,) = project.lorebook_ids
    found = await yard.house.shelf.book(book_id, "local")
    assert [one.content for one in found.entries] == ["灯下有人。"]
    kept = cast("list[dict[str, str]]", begun.report["kept"])
    assert [
        (note["code"], note["detail"]) for note in kept if note["code"].startswith("member")
    ] == [
        ("member_book_attached", "乙"),
        ("member_not_performed", "丙"),
        ("member_without_card", "丁"),
    ]


async def test_dates_of_the_file_are_the_turns_own(yard: Yard) -> None:
    """Where the file has none that can be read, it is the time of the import."""
    await card(yard)
    begun = await brought(
        yard,
        lines(HEADER, STORY[0], row("a", send_date="2024-7-12@01h31m37s"), row("b", send_date="?")),
    )
    path = (await seen(yard, begun.project_id)).path
    assert path[1].created_at == "2024-07-12T01:31:37.000Z"
    assert path[2].created_at.startswith("2026-11-01T")


async def test_a_tree_keeps_its_branches(yard: Yard) -> None:
    """Other words are other branches, retellings variants; the head is where the chat was left."""
    card_id = await card(yard, "m")
    value = webui(
        "c",
        a=node(None, "user", "问"),
        b=node("a", "assistant", "甲"),
        c=node("a", "assistant", "乙"),
        d=node("b", "user", "再问"),
        e=node("d", "assistant", "丙"),
    )
    begun = await brought(yard, json_file(value), Wish(card_id=card_id))
    shown = await seen(yard, begun.project_id)
    assert [text for *_, text in shown.told()] == ["", "乙"]
    assert shown.variants(shown.path[-1]) == ["甲", "乙"]
    assert sorted(t.final_text for t in shown.turns.values() if t.kind == "turn") == [
        "丙",
        "乙",
        "甲",
    ]


async def test_a_chat_goes_into_a_project_that_is_there(yard: Yard) -> None:
    """It is a branch of it; what was played before stays, and the head goes to the chat's end."""
    card_id = await card(yard)
    project, _ = await founding.create_project(yard.house, founding.Founding(card_id=card_id))
    begun = await brought(yard, CHAT, Wish(project_id=project.id))
    assert (begun.project_id, begun.founded) == (project.id, False)
    first = await seen(yard, project.id)
    other = lines(HEADER, row("别的开场"), said("x"), row("y"))
    again = await brought(yard, other, Wish(project_id=project.id))
    assert again.seq == 2
    after = await seen(yard, project.id)
    assert set(first.turns) < set(after.turns)
    assert [text for *_, text in after.told()] == ["别的开场", "y"]


async def test_a_head_that_has_moved_meanwhile_stays(yard: Yard) -> None:
    """Whoever went elsewhere while the chat was planted is not taken away from there."""
    card_id = await card(yard, alternate_greetings=["另一个"])
    project, _ = await founding.create_project(yard.house, founding.Founding(card_id=card_id))
    await yard.jobs.close()
    (begun,) = await chats.import_chats(yard.house, CHAT, "x", Wish(project_id=project.id))
    moved = await branching.choose_greeting(yard.house, project.id, 1)
    await yard.restart()
    await yard.patiently(yard.jobs.idle())
    shown = await seen(yard, begun.project_id)
    assert shown.head == moved.head.turn_id
    assert len(shown.turns) == 5


async def test_the_same_chat_twice_adds_nothing(yard: Yard) -> None:
    """By its bytes, whatever the file is called; in another project, or once its project lies in the
    trash, it is new."""
    card_id = await card(yard)
    first = await brought(yard, CHAT)
    before = await seen(yard, first.project_id)
    again = await brought(yard, CHAT, file="copy.jsonl")
    assert (again.already, again.project_id) == (True, first.project_id)
    into = await brought(yard, CHAT, Wish(project_id=first.project_id))
    assert into.already
    assert len((await seen(yard, first.project_id)).turns) == len(before.turns)
    project, _ = await founding.create_project(yard.house, founding.Founding(card_id=card_id))
    assert not (await brought(yard, CHAT, Wish(project_id=project.id))).already
    for project_id in (first.project_id, project.id):
        await trash.discard(yard.house, "project", project_id)
    anew = await brought(yard, CHAT)
    assert not anew.already
    assert len((await yard.store.projects("local", Page()))[0]) == 1


async def test_the_chats_authors_note_is_the_new_storys(yard: Yard) -> None:
    """It is put on with its interval; a story that was there keeps its own, and the report says so."""
    await card(yard)
    metadata: JsonObject = {"note_prompt": "慢一点。", "note_interval": 3}
    header: JsonObject = {**HEADER, "chat_metadata": metadata}
    begun = await brought(yard, lines(header, *STORY))
    worn = await yard.store.dressing(begun.project_id)
    assert worn is not None
    assert (worn.note.text, worn.note.interval) == ("慢一点。", 3)
    into = await brought(yard, CHAT, Wish(project_id=begun.project_id))
    assert await yard.store.dressing(begun.project_id) == worn
    kept = cast("list[dict[str, str]]", into.report["kept"])
    assert "chat_metadata.note_prompt" in [note["path"] for note in kept]


async def test_a_lorebook_that_comes_with_a_chat_is_attached(yard: Yard) -> None:
    """KoboldAI's world info, NovelAI's lorebook, RisuAI's local lore: in the library, and the new
    story's; twice the same is one."""
    card_id = await card(yard, "灯塔")
    lore: list[Json] = [{"key": "灯", "content": "灯下有人。", "comment": "灯"}]
    book: JsonObject = {"lorebookVersion": 5, "entries": [{"keys": ["灯"], "text": "灯下有人。"}]}
    files: list[JsonObject] = [
        {"gamestarted": True, "prompt": "夜。", "actions": [], "worldinfo": lore},
        {
            "storyContainerVersion": 1,
            "content": {"story": {"fragments": [{"data": "夜。"}]}, "lorebook": book},
        },
        {
            "type": "risuChat",
            "ver": 2,
            "data": {"message": [{"role": "char", "data": "夜。"}], "localLore": lore},
        },
    ]
    for n, value in enumerate(files):
        begun = await brought(yard, json_file(value), Wish(card_id=card_id), f"{n}.json")
        project = await yard.store.project(begun.project_id)
        assert project is not None
        (book_id,) = project.lorebook_ids
        found = await yard.house.shelf.book(book_id, "local")
        assert [entry.content for entry in found.entries] == ["灯下有人。"]
        kept = cast("list[dict[str, str]]", begun.report["kept"])
        assert "lorebook_attached" in [note["code"] for note in kept]
        into = await brought(yard, json_file({**value, "x": n}), Wish(project_id=project.id))
        kept = cast("list[dict[str, str]]", into.report["kept"])
        assert ("not_honoured", "lorebook") in [(note["code"], note["path"]) for note in kept]


async def test_a_chat_without_its_card_is_refused_or_gets_a_bare_one(yard: Yard) -> None:
    """The refusal says whose card is missing; a card of the name alone is made when asked for."""
    with pytest.raises(BadInput) as refused:
        await chats.import_chats(yard.house, CHAT, "x.jsonl", Wish())
    assert refused.value.code == "no_card_for_chat"
    assert "渡船人" in refused.value.message
    assert (await yard.store.projects("local", Page()))[0] == []
    begun = await brought(yard, CHAT, Wish(bare=True))
    assert (await seen(yard, begun.project_id)).told()[0][2] == "「上船吗？」"
    cards, _ = await yard.store.cards("local", Page())
    assert [one.name for one in cards] == ["渡船人"]


async def test_another_users_project_is_not_to_be_found(yard: Yard) -> None:
    """A chat goes into nobody else's story, and theirs is no earlier import of mine."""
    await card(yard)
    begun = await brought(yard, CHAT)
    other = replace(yard.house, user_id="somebody else")
    with pytest.raises(NotFound):
        await chats.import_chats(other, CHAT, "x", Wish(project_id=begun.project_id))
    with pytest.raises(BadInput):
        await chats.import_chats(other, CHAT, "x", Wish())


async def test_h17_a_risu_chat_begins_with_its_cards_greeting(yard: Yard) -> None:
    """`fmIndex` chooses among the greetings of the card."""
    card_id = await card(yard, "阿迟", alternate_greetings=["甲", "乙"])
    said_so: list[Json] = [{"role": "user", "data": "喂"}, {"role": "char", "data": "嗯"}]
    inner: JsonObject = {"message": said_so, "fmIndex": 1}
    data = json_file({"type": "risuChat", "ver": 2, "data": inner})
    begun = await brought(yard, data, Wish(card_id=card_id))
    assert (await seen(yard, begun.project_id)).told() == [
        ("sealed", "", "乙"),
        ("sealed", "喂", "嗯"),
    ]


@pytest.mark.parametrize("steps", range(1, 6))
async def test_a_chat_that_was_cut_short_goes_on_where_it_was(yard: Yard, steps: int) -> None:
    """Whenever the process dies, each turn is planted once."""
    await card(yard)
    count = TURNS_PER_STEP * 3 + 7
    rows = [one for n in range(count) for one in (said(f"问 {n}"), row(f"答 {n}"))]
    yard.jobs.die_after(steps)
    (begun,) = await chats.import_chats(yard.house, lines(HEADER, STORY[0], *rows), "x", Wish())
    await yard.jobs.idle()
    await yard.restart()
    await yard.patiently(yard.jobs.idle())
    shown = await seen(yard, begun.project_id)
    assert [t.final_text for t in shown.path[1:]] == [f"答 {n}" for n in range(count)]
    assert len(shown.turns) == count + 2
    assert tree_faults(begun.project_id, [*shown.tree.nodes.values()], shown.head) == []


async def test_the_end_of_a_long_chat_is_readable_at_once(yard: Yard) -> None:
    """While its turns are on their way, and the head still stands at the opening."""
    await card(yard)
    rows = [one for n in range(LONG) for one in (said(f"问 {n}"), row(f"答 {n}"))]
    yard.jobs.die_after(1)
    (begun,) = await chats.import_chats(yard.house, lines(HEADER, STORY[0], *rows), "x", Wish())
    told = await show_begun(yard.house, begun)
    assert told["state"] != "done"
    end = cast("list[dict[str, str]]", told["end"])
    assert [one["text"] for one in end[-2:]] == [f"问 {LONG - 1}", f"答 {LONG - 1}"]


async def test_a_file_that_is_gone_fails_the_job_visibly(yard: Yard) -> None:
    """The project is there, and the job says what is missing."""
    await card(yard)
    await yard.jobs.close()
    (begun,) = await chats.import_chats(yard.house, CHAT, "x.jsonl", Wish())
    yard.objects.contents.clear()
    await yard.restart()
    await yard.patiently(yard.jobs.idle())
    assert (await job_of(yard, begun)).outcome.startswith("failed: object_missing: ")
