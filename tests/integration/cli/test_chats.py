"""`huaben import` of chats and `huaben export` of stories, as a user runs them."""

from __future__ import annotations

from pathlib import Path

from huaben.cli.importing import FEW
from huaben.domain.jsonvalue import JsonObject
from tests.builders.chats import HEADER, STORY, json_file, lines, texts
from tests.integration.cli.program import Program
from tests.integration.jobs.yard import card_bytes

CHAT = lines(HEADER, *STORY[:3], b"{torn", *STORY[3:])


PRESET = json_file({"temperature": 1, "openai_max_tokens": 9, "prompts": []})


def test_a_folder_of_cards_and_chats_comes_in(program: Program) -> None:
    """Each chat finds its card, although the card's file is named after the chat's; both are told."""
    folder = Path(program.file("旧/a.jsonl", CHAT)).parent
    program.file("旧/z 卡.json", card_bytes("渡船人"))
    program.lang = "zh"
    run = program.run("import", str(folder))
    assert run.code == 0, run.err
    assert "角色卡「渡船人」" in run.out
    assert "聊天记录「a」，新故事（" in run.out
    assert "5 条消息，5 拍，1 行读不出，原样留着" in run.out
    assert "残缺的一行：留着，导出时写回原处 [line 5]" in run.out
    again = program.run("import", str(folder / "a.jsonl"))
    assert "早已收过" in again.out
    jobs = program.run("jobs")
    assert "导入聊天记录" in jobs.out


def test_a_story_leaves_as_it_came(program: Program) -> None:
    """As a chat, as text, as a tree; scripts get the chat's own facts."""
    program.run("import", program.file("卡.json", card_bytes("渡船人")))
    run = program.run("import", program.file("雨.jsonl", CHAT), "--json")
    (chat,) = chats_of(run.lines[0])
    assert (chat["messages"], chat["quarantined"], chat["already"]) == (5, 1, False)
    out = program.run("export", "雨", "--to", "jsonl", "-o", "-")
    assert out.code == 0, out.err
    assert out.out.splitlines()[4] == "{torn"
    assert texts(out.out.encode()) == [one["mes"] for one in STORY]
    text = program.run("export", "latest", "--to", "txt", "-o", "-", "--at", "1")
    assert text.out == "渡船人: 「上船吗？」\n\n阿澄: 我上船。\n\n渡船人: 船离了岸。\n\n"
    assert "other branches" in text.err
    tree = program.run("export", "雨", "--to", "tree", "-o", "-")
    assert '"spec": "huaben_chat"' in tree.out
    missing = program.run("export", "nothing", "--to", "md")
    assert (missing.code, "project_not_found" in missing.err) == (1, True)


def test_where_chats_go_can_be_said(program: Program) -> None:
    """A story, a card, a bare card; without any of them a missing card is named."""
    file = program.file("a.jsonl", CHAT)
    lost = program.run("import", file)
    assert (lost.code, "no_card_for_chat" in lost.err) == (1, True)
    preset = program.file("p.json", PRESET)
    bare = program.run("import", file, preset, "--bare")
    assert "a new story" in bare.out
    assert "preset “p”" in bare.out
    pairs = program.file("b.json", json_file({"internal": [["", "欢迎。"], ["走。", "好。"]]}))
    added = program.run("import", pairs, "--project", "latest")
    assert "a branch of the story" in added.out
    other = program.file("d.json", json_file({"internal": [["", "欢迎。"], ["留下。", "好。"]]}))
    carded = program.run("import", other, "--card", "渡船人")
    assert "a new story" in carded.out
    both = program.run("import", pairs, "--card", "渡船人", "--project", "latest")
    assert both.code == 2
    none = program.run("import", program.file("c.json", "{}"), "--card", "渡船人")
    assert (none.code, "not_a_chat" in none.err) == (1, True)


def chats_of(line: JsonObject) -> list[JsonObject]:
    found = line["chats"]
    assert isinstance(found, list)
    return [one for one in found if isinstance(one, dict)]


def test_chats_among_very_many_files_are_told_too(program: Program) -> None:
    """As one job with its cards; the story is whole when the command ends."""
    for n in range(FEW):
        program.file(f"many/{n:03}.json", card_bytes(f"卡 {n}"))
    folder = Path(program.file("many/a.jsonl", CHAT)).parent
    program.file("many/z.json", card_bytes("渡船人"))
    program.file("many/细雨.json", PRESET)
    run = program.run("import", str(folder))
    assert run.code == 0, run.err
    assert "preset “细雨”" in run.out
    assert "a.jsonl: chat “a”, a new story (" in run.out
    out = program.run("export", "latest", "--to", "jsonl", "-o", "-")
    assert texts(out.out.encode()) == [one["mes"] for one in STORY]
