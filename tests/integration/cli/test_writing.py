"""`huaben write`, `chapters` and `checkpoints` as a user runs them."""

from __future__ import annotations

from pathlib import Path

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, reply, say
from tests.integration.cli.program import Program

FIRST = "001-雨夜.md"
WRITES = reply(call("write", path=f"manuscript/{FIRST}", content="雨下了一夜。\n"))
EDITS = reply(call("edit", path=FIRST, oldText="一夜", newText="三天"))


def folder(program: Program) -> Path:
    (project,) = (program.data / "projects").iterdir()
    return project / "manuscript"


def test_a_book_is_begun_changed_and_taken_back(program: Program) -> None:
    """The report is printed, the prose goes to the file; the history is listed and restored."""
    script = [WRITES, say("第一章写好了。"), EDITS, say("改成了三天。")]
    with ScriptedEndpoint.in_thread(script) as endpoint:
        program.base_url = endpoint.base_url
        begun = program.run("write", "渡口", "--new", "--say", "写第一章。")
        assert (begun.code, begun.err, begun.out) == (0, "", "第一章写好了。\n")
        changed = program.run("write", "渡口", "--say", "雨下三天。", "--json")
    assert changed.code == 0
    assert (changed.turn["status"], changed.turn["final_text"]) == ("done", "改成了三天。")
    assert (folder(program) / FIRST).read_text("utf-8") == "雨下了三天。\n"
    listed = program.run("chapters", "渡口")
    assert (listed.code, listed.out.split()[:2]) == (0, [FIRST, "7"])
    assert program.run("chapters", "渡口", "--show", FIRST).out == "雨下了三天。\n"
    program.lang = "zh"
    timeline = program.run("checkpoints", "渡口").out.splitlines()
    assert [line.split()[0] for line in timeline] == ["2", "1"]
    assert "模型" in timeline[0]
    assert f"~{FIRST}" in timeline[0]
    assert "雨下三天。" in timeline[0]
    restored = program.run("checkpoints", "渡口", "--restore", "1", "--json")
    assert restored.code == 0
    assert (folder(program) / FIRST).read_text("utf-8") == "雨下了一夜。\n"
    same = program.run("checkpoints", "渡口", "--restore", "1")
    assert "已经和那个检查点一样" in same.out
    missing = program.run("checkpoints", "渡口", "--restore", "99")
    assert missing.code == 1


def test_a_turn_is_taken_back_with_its_chapters(program: Program) -> None:
    """A chapter that was edited by hand since keeps it away, until it is forced."""
    with ScriptedEndpoint.in_thread([WRITES, say("写好了。"), EDITS, say("改好了。")]) as endpoint:
        program.base_url = endpoint.base_url
        program.run("write", "渡口", "--new", "--say", "写。", "--say", "改。")
    (folder(program) / FIRST).write_text("手改。\n", "utf-8")
    refused = program.run("checkpoints", "渡口", "--undo-turn", "2")
    assert refused.code == 1
    assert FIRST in refused.err
    forced = program.run("checkpoints", "渡口", "--undo-turn", "2", "--force")
    assert (forced.code, "改。" in forced.out) == (0, True)
    assert (folder(program) / FIRST).read_text("utf-8") == "雨下了一夜。\n"
    by_hand = program.run("checkpoints", "渡口", "--make", "初稿", "--json").lines[0]["checkpoint"]
    assert isinstance(by_hand, dict)
    assert by_hand["name"] == "初稿"
    assert program.run("checkpoints", "渡口", "--restore", "初稿").code == 0


def test_files_are_brought_in_as_chapters(program: Program) -> None:
    """Whole, or apart at their headings."""
    program.run("write", "长篇", "--new", "--json")
    long = program.file("长篇.txt", "第一章 雨夜\n雨。\n第二章 渡口\n没有人。\n")
    done = program.run("chapters", "长篇", "--import", long, "--apart")
    assert (done.code, done.out.count(".md")) == (0, 2)
    listed = program.run("chapters", "长篇", "--json").lines[0]["items"]
    assert isinstance(listed, list)
    assert len(listed) == 2


def test_words_are_shown_and_then_replaced_in_all_chapters(program: Program) -> None:
    """Nothing changes before it is asked for; then it is one checkpoint. A bad pattern is refused."""
    program.run("write", "书", "--new", "--json")
    for name in ("001.md", "002.md"):
        program.run("chapters", "书", "--import", program.file(name, "他拿了旧伞。\n"))
    shown = program.run("replace", "书", "旧伞", "花伞")
    assert shown.code == 0
    assert shown.out.splitlines()[1] == "002.md:1 他拿了旧伞。 → 他拿了花伞。"
    assert "nothing is changed" in shown.err
    program.lang = "zh"
    done = program.run(
        "replace", "书", r"旧(\p{Han})", "新$1", "--pattern", "--yes", "--in", "001.md"
    )
    assert (done.code, "第 3 个检查点" in done.err) == (0, True)
    assert (folder(program) / "001.md").read_text("utf-8") == "他拿了新伞。\n"
    assert (folder(program) / "002.md").read_text("utf-8") == "他拿了旧伞。\n"
    refused = program.run("replace", "书", "(", "", "--pattern")
    assert (refused.code, "不是正则表达式" in refused.err) == (1, True)


def test_verify_says_what_is_wrong_with_a_manuscript(program: Program) -> None:
    """A missing and an altered object, by name; whole ones are whole."""
    program.run("write", "书", "--new", "--json")
    program.run("chapters", "书", "--import", program.file("a.md", "甲"))
    program.run("chapters", "书", "--import", program.file("b.md", "乙"))
    assert program.run("verify").code == 0
    first, second = sorted((folder(program).parent / "history" / "objects").iterdir())
    first.write_bytes(b"altered")
    second.unlink()
    found = program.run("verify")
    assert found.code == 1
    assert first.name in found.out
    assert f"{second.name} of" in found.out
    assert "is missing" in found.out


def test_a_roleplay_story_is_no_manuscript(program: Program) -> None:
    """It says so, in the reader's language."""
    with ScriptedEndpoint.in_thread([say("雨停了。")]) as endpoint:
        program.base_url = endpoint.base_url
        program.run("play", program.card, "--say", "推门")
    program.lang = "zh"
    for command in (
        ("chapters", "阿蘅"),
        ("checkpoints", "阿蘅"),
        ("write", "阿蘅", "--say", "写"),
    ):
        run = program.run(*command)
        assert run.code == 1
        assert "没有章" in run.err
    wrong = program.run("write", "书", "--greeting", "--say", "写")
    assert wrong.code == 2


def test_a_story_becomes_a_book_and_leaves_as_files(program: Program) -> None:
    """Made of a story, exported in every form; a story itself leaves as no book."""
    script = [
        reply(call("draft_write", version=0, content="雨停了。"), call("draft_seal", version=1))
    ]
    with ScriptedEndpoint.in_thread(script) as endpoint:
        program.base_url = endpoint.base_url
        program.run("play", program.card, "--say", "推门")
    assert program.run("write", "客栈", "--new", "--from", "阿蘅", "--json").code == 0
    printed = program.run("export", "客栈", "-o", "-")
    assert printed.code == 0
    assert printed.out.endswith("\n\n雨停了。\n")
    for form in ("epub", "docx", "txt"):
        path = program.home / f"客栈.{form}"
        assert program.run("export", "客栈", "--to", form, "-o", str(path)).code == 0
        assert path.stat().st_size > 0
    refused = program.run("export", "阿蘅", "--to", "epub")
    assert refused.code == 1
    assert "no manuscript" in refused.err


def test_the_rehearsal_writes_and_is_checked(program: Program) -> None:
    """With nothing connected: chapters are written, read into the ledger, changed by hand, marked, checked and
    answered."""
    begun = program.run("write", "渡口", "--new", "--card", "rehearsal-zh", "--say", "先写三章。")
    assert begun.code == 0, begun.err
    assert begun.out.startswith("写好了三章")
    names = sorted(one.name for one in folder(program).iterdir())
    assert names == ["001-雨夜.md", "002-旧账.md", "003-夜里.md"]
    program.run("check", "渡口", "--read")  # unless the scribe was through before the program ended
    (folder(program) / names[1]).write_text("# 旧账\n\n火盆灭了，茶也凉了。\n", "utf-8")
    program.lang = "zh"
    found = program.run("check", "渡口").out
    assert "待核：flags.旧账" in found
    assert "1." in found
    assert "001-雨夜.md" in found
    answered = program.run("check", "渡口", "--hold", "flags.旧账", "--dismiss", "1").out
    assert "flags.旧账" not in answered
    assert "〔已驳回〕" in answered
