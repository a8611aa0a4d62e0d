"""Stories out as chats: what was imported as it came, with what was told since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import pytest

from huaben.domain.dressing import AuthorsNote
from huaben.domain.jsonvalue import Json, JsonObject, parse_json
from huaben.errors import NotFound
from huaben.formats.authors_note import metadata_of
from huaben.ports import Commit
from huaben.services import branching, chats, founding, notes_author
from huaben.services.chats import Wish
from huaben.services.chats_export import StoryForm, export_story
from huaben.services.chats_planting import TURNS_PER_STEP
from tests.builders.chats import (
    HEADER,
    STORY,
    json_file,
    lines,
    messages,
    node,
    opened,
    row,
    said,
    texts,
    webui,
)
from tests.integration.chats.shelf import brought, card, seen
from tests.integration.jobs.yard import Yard

CHAT = lines(HEADER, *STORY)


async def written(
    yard: Yard, project_id: str, form: StoryForm = "jsonl", at: str | None = None
) -> bytes:
    return (await export_story(yard.house, project_id, form, at)).content


def values(data: bytes) -> list[Json | bytes]:
    """Each line as JSON, or as it stands."""
    found: list[Json | bytes] = []
    for line in data.removesuffix(b"\n").split(b"\n"):
        try:
            value = parse_json(line.decode())
        except UnicodeDecodeError:
            found.append(line)
            continue
        found.append(value if isinstance(value, dict) else line)
    return found


async def told(yard: Yard, project_id: str, words: str, text: str, **more: object) -> str:
    """A turn as if it had been played now: nothing here needs a model."""
    shown = await seen(yard, project_id)
    head = await yard.store.head(project_id)
    assert head is not None
    parent = cast("str", more.pop("parent", shown.head))
    new_id = yard.house.ids.new()
    turn = replace(
        shown.path[-1],
        id=new_id,
        parent=parent,
        kind="turn",
        beat=cast("str", more.pop("beat", new_id)),
        depth=shown.tree[parent].depth + 1,
        created_at=yard.house.now(),
        run="ended",
        outcome="sealed",
        code="",
        title="",
        user_text=words,
        final_text=text,
        version=1,
        prose=True,
        revision=0,
    )
    await yard.store.commit(Commit(rows=(turn, replace(head, turn_id=new_id))))
    return new_id


ODD: list[JsonObject] = [
    row(
        "b", swipes=["a", "b"], swipe_id=1, swipe_info=[{}, {"extra": {"x": [1]}}], odd={"k": None}
    ),
    said("问", send_date="June 19, 2023 2:20pm"),
    row("<think>想</think>答", swipes=[], extra={"reasoning_duration": 3}),
    said("一", is_system=True),
    said("二"),
    said("三"),
    row("甲", name="甲", original_avatar="a.png"),
    row("乙", name="乙", swipes=["x", "y", "乙"], swipe_id=7),
]


@pytest.mark.parametrize("header", [[HEADER], []], ids=["header", "none"])
async def test_an_imported_chat_leaves_as_it_came(yard: Yard, header: list[JsonObject]) -> None:
    """H02 and H05: every field of every row, torn lines in their place, a header only if there was
    one; what the tree shows in another order is in the file's own again."""
    await card(yard)
    torn = '{"name":"渡船人","mes":"他说'.encode()
    data = lines(*header, *ODD[:3], torn, *ODD[3:5], b'{"foreign":1}', *ODD[5:])
    begun = await brought(yard, data, Wish(bare=True))
    out = await written(yard, begun.project_id)
    assert values(out) == values(data)
    again = await brought(yard, out, Wish(project_id=begun.project_id))
    assert values(await written(yard, again.project_id)) == values(data)


async def test_words_that_nobody_answered_are_no_loss(yard: Yard) -> None:
    """They leave as they came, and the report names nothing."""
    await card(yard)
    data = lines(HEADER, *STORY, said("有人吗？"))
    begun = await brought(yard, data)
    file = await export_story(yard.house, begun.project_id, "jsonl")
    assert values(file.content) == values(data)
    assert not file.report["dropped"]


async def test_what_was_played_since_follows(yard: Yard) -> None:
    """New turns are new rows at the end, by the names of the story; the old ones are untouched."""
    await card(yard)
    begun = await brought(yard, CHAT)
    await told(yard, begun.project_id, "再会。", "船又离了岸。")
    out = values(await written(yard, begun.project_id))
    assert out[:-2] == values(CHAT)
    words, reply = cast("list[JsonObject]", out[-2:])
    assert (words["name"], words["is_user"], words["mes"]) == ("阿澄", True, "再会。")
    assert (reply["name"], reply["is_user"], reply["mes"]) == ("渡船人", False, "船又离了岸。")
    assert str(reply["send_date"]).startswith("2026-11-01T08:")


async def test_another_variant_is_the_one_in_force(yard: Yard) -> None:
    """Going to another swipe, telling a new one, deleting one: the row says so and keeps the rest."""
    await card(yard)
    infos: list[Json] = [
        {"send_date": f"2024-01-0{n}T00:00:00Z", "extra": {"reasoning": f"想{n}"}} for n in (1, 2)
    ]
    second = infos[1]
    assert isinstance(second, dict)
    swiped = row("乙", swipes=["甲", "乙"], swipe_id=1, swipe_info=infos, odd=1, **second)
    begun = await brought(yard, lines(HEADER, STORY[0], said("问"), swiped))
    shown = await seen(yard, begun.project_id)
    first, last = (node.id for node in shown.tree.variants(shown.head))
    await branching.go_to(yard.house, begun.project_id, first)
    moved = cast("list[JsonObject]", values(await written(yard, begun.project_id)))[-1]
    assert (moved["mes"], moved["swipe_id"], moved["swipes"], moved["odd"]) == (
        "甲",
        0,
        ["甲", "乙"],
        1,
    )
    assert (moved["extra"], moved["send_date"]) == ({"reasoning": "想1"}, "2024-01-01T00:00:00Z")
    beat = shown.tree[first].beat
    await told(yard, begun.project_id, "问", "丙", parent=shown.path[0].id, beat=beat)
    added = cast("list[JsonObject]", values(await written(yard, begun.project_id)))[-1]
    assert (added["mes"], added["swipe_id"], added["swipes"]) == ("丙", 2, ["甲", "乙", "丙"])
    assert (added["extra"], added["odd"]) == ({}, 1)
    assert cast("list[JsonObject]", values(await written(yard, begun.project_id)))[-2] == said("问")
    await branching.delete_variant(yard.house, last)
    left = cast("list[JsonObject]", values(await written(yard, begun.project_id)))[-1]
    assert (left["mes"], left["swipes"]) == ("丙", ["甲", "丙"])
    assert len(cast("list[Json]", left["swipe_info"])) == 2


async def test_a_revised_text_is_the_one_that_leaves(yard: Yard) -> None:
    """A change of an imported text is in its row, in the swipe that it changes, and only there."""
    await card(yard)
    begun = await brought(
        yard, lines(HEADER, STORY[0], said("问"), row("<think>想</think>答", odd=1))
    )
    shown = await seen(yard, begun.project_id)
    await branching.rewrite_final(yard.house, shown.head, "改过的答", 1)
    *before, last = values(await written(yard, begun.project_id))
    assert before == [HEADER, STORY[0], said("问")]
    assert isinstance(last, dict)
    assert (last["mes"], last["odd"], last["extra"]) == ("改过的答", 1, {"reasoning": "想"})


async def test_the_authors_note_of_now_leaves_with_the_story(yard: Yard) -> None:
    """One that was changed here is in the header, beside whatever else stands there; of a story that
    was never imported too."""
    card_id = await card(yard)
    begun = await brought(yard, CHAT)
    note = AuthorsNote("快一点。", 2)
    worn = await yard.store.dressing(begun.project_id)
    assert worn is not None
    await notes_author.write_note(yard.house, begun.project_id, note, worn.revision)
    header = cast("list[JsonObject]", values(await written(yard, begun.project_id)))[0]
    assert isinstance(HEADER["chat_metadata"], dict)
    assert header == {**HEADER, "chat_metadata": {**HEADER["chat_metadata"], **metadata_of(note)}}
    project, _ = await founding.create_project(yard.house, founding.Founding(card_id=card_id))
    await notes_author.write_note(yard.house, project.id, note, 0)
    header = cast("list[JsonObject]", values(await written(yard, project.id)))[0]
    assert header["chat_metadata"] == metadata_of(note)


async def test_a_branch_leaves_without_the_others(yard: Yard) -> None:
    """The path to any node; the report says how many turns are elsewhere."""
    await card(yard)
    begun = await brought(yard, CHAT)
    shown = await seen(yard, begun.project_id)
    file = await export_story(yard.house, begun.project_id, "jsonl", shown.path[1].id)
    assert values(file.content) == values(lines(HEADER, *STORY[:3]))
    dropped = cast("list[Mapping[str, str]]", file.report["dropped"])
    assert [(n["code"], n["detail"]) for n in dropped] == [("other_branches", "1 turn")]
    with pytest.raises(NotFound):
        await export_story(yard.house, begun.project_id, "jsonl", "nowhere")


async def test_a_story_that_was_never_imported_leaves_too(yard: Yard) -> None:
    """All openings are swipes of the first row; unfinished replies are left out, and told."""
    card_id = await card(yard, alternate_greetings=["雨天开场"])
    project, _ = await founding.create_project(yard.house, founding.Founding(card_id=card_id))
    await told(yard, project.id, "走。", "好。")
    out = values(await written(yard, project.id))
    header, opening, words, reply = cast("list[JsonObject]", out)
    assert header["character_name"] == "渡船人"
    assert (opening["mes"], opening["swipes"]) == ("「上船吗？」", ["「上船吗？」", "雨天开场"])
    assert (words["mes"], reply["mes"]) == ("走。", "好。")
    assert texts(lines(*out)) == ["「上船吗？」", "走。", "好。"]


async def test_chats_of_other_programs_become_lines(yard: Yard) -> None:
    """A tree's branch, its retellings as swipes; each original message lies in its row."""
    card_id = await card(yard, "m")
    value = webui(
        "c",
        a=node(None, "user", "问"),
        b=node("a", "assistant", "甲"),
        c=node("a", "assistant", "乙", model="g"),
    )
    begun = await brought(yard, json_file(value), Wish(card_id=card_id))
    out = await written(yard, begun.project_id)
    first, second = messages(out)
    assert (first.text, second.text) == ("问", "乙")
    assert [variant.text for variant in second.variants] == ["乙", "甲"]
    extra = second.raw["extra"]
    assert isinstance(extra, dict)
    assert extra["huaben"] == {
        "dialect": "open_webui",
        "message": node("a", "assistant", "乙", model="g"),
    }


async def test_text_and_markdown_hold_the_story_alone(yard: Yard) -> None:
    """Who says what, without what is hidden or torn; the report counts it."""
    await card(yard)
    data = lines(
        HEADER,
        STORY[0],
        said("我*上*船。"),
        row("好。", name=""),
        said("嘘", is_system=True),
        b"{",
        row("<think>x</think>雨。"),
    )
    begun = await brought(yard, data, file="雨.jsonl")
    file = await export_story(yard.house, begun.project_id, "txt")
    assert file.name == "雨.txt"
    assert (
        file.content.decode()
        == "渡船人: 「上船吗？」\n\n阿澄: 我*上*船。\n\n渡船人: 好。\n\n渡船人: 雨。\n\n"
    )
    dropped = cast("list[Mapping[str, str]]", file.report["dropped"])
    assert [(n["code"], n["detail"]) for n in dropped] == [("hidden_left_out", "2 turns")]
    markdown = (await written(yard, begun.project_id, "md")).decode()
    assert markdown.startswith("# 雨\n\n**渡船人**\n\n「上船吗？」\n\n**阿澄**\n\n我*上*船。\n\n")
    assert texts(file.content) == ["「上船吗？」", "我*上*船。", "好。", "雨。"]


async def test_the_native_file_brings_the_whole_tree_back(yard: Yard) -> None:
    """All branches, variants, hidden and torn rows; imported again it is the same tree."""
    await card(yard)
    begun = await brought(yard, lines(HEADER, *ODD[:3], b"{torn", *ODD[3:]), Wish(bare=True))
    shown = await seen(yard, begun.project_id)
    await told(yard, begun.project_id, "别走。", "不走。", parent=shown.path[1].id)
    out = await written(yard, begun.project_id, "json")
    (chat,) = opened(out).chats
    assert chat.dialect == "huaben"
    project, _ = await founding.create_project(
        yard.house, founding.Founding(card_id=await card(yard, "空", first_mes="空"))
    )
    again = await brought(yard, out, Wish(project_id=project.id))
    before, after = await seen(yard, begun.project_id), await seen(yard, again.project_id)
    assert after.told() == before.told()
    for one, other in zip(before.path[1:], after.path[1:], strict=True):
        assert after.variants(other) == before.variants(one)
    kept = [t for t in after.turns.values() if t.final_text != "空"]
    assert sorted((t.user_text, t.final_text, t.code) for t in kept) == sorted(
        (t.user_text, t.final_text, t.code) for t in before.turns.values()
    )


async def test_words_that_were_answered_here_leave_with_their_answer(yard: Yard) -> None:
    """The imported row stays as it is, the reply follows it."""
    await card(yard)
    data = lines(HEADER, STORY[0], said("有人吗？", odd=1))
    begun = await brought(yard, data)
    shown = await seen(yard, begun.project_id)
    waiting = shown.path[-1]
    answered = replace(waiting, outcome="sealed", code="", final_text="有。", version=1, prose=True)
    await yard.store.commit(Commit(rows=(answered,)))
    *before, last = values(await written(yard, begun.project_id))
    assert before == values(data)
    assert isinstance(last, dict)
    assert (last["mes"], last["name"]) == ("有。", "渡船人")
    (chat,) = opened(await written(yard, begun.project_id, "json")).chats
    assert "有。" in texts(chat)


async def test_a_lost_file_is_told_and_the_story_leaves_all_the_same(yard: Yard) -> None:
    """Without the imported bytes the rows are made of the turns."""
    await card(yard)
    begun = await brought(yard, CHAT)
    yard.objects.contents.clear()
    for form in ("jsonl", "json"):
        file = await export_story(yard.house, begun.project_id, form)
        warnings = cast("list[Mapping[str, str]]", file.report["warnings"])
        assert [note["code"] for note in warnings] == ["chat_file_missing"]
        assert "“Home,” he says." in texts(file.content)


async def test_a_long_chat_leaves_whole(yard: Yard) -> None:
    """Over many steps of the import."""
    await card(yard)
    rows = [one for n in range(TURNS_PER_STEP * 4) for one in (said(f"问 {n}"), row(f"答 {n}"))]
    data = lines(HEADER, STORY[0], *rows)
    begun = await brought(yard, data)
    assert values(await written(yard, begun.project_id)) == values(data)


async def test_two_chats_in_one_project_do_not_mix(yard: Yard) -> None:
    """Each branch leaves as the chat that it came from, although they share an opening."""
    await card(yard)
    begun = await brought(yard, CHAT)
    other = lines({**HEADER, "create_date": "x"}, STORY[0], said("回家。"), row("好。"))
    await brought(yard, other, Wish(project_id=begun.project_id))
    assert values(await written(yard, begun.project_id)) == values(other)
    shown = await seen(yard, begun.project_id)
    end = next(t.id for t in shown.turns.values() if t.final_text == "“Home,” he says.")
    assert values(await written(yard, begun.project_id, at=end)) == values(CHAT)
    assert len([job async for job in chats.imported(yard.house, begun.project_id)]) == 2
