"""The file tools of a writing project: what they answer, what they would change, what they refuse."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import cast

import pytest

from huaben.agent.filedesk import ChangedByUser, FileEdit, NotWritten, Recorded
from huaben.agent.tools.arguments import parse
from huaben.agent.tools.files import FILE_TOOLS, FileOutcome, file_specs
from huaben.domain.project import Language
from huaben.ports.manuscripts import Found, LeftOut
from huaben.testing.manuscripts import MemoryManuscripts

PROJECT = "p"
Answer = Mapping[str, object]


class Room:
    """Chapters in memory, as tools see them."""

    def __init__(self, **chapters: str | bytes) -> None:
        self._home = MemoryManuscripts()
        self._home.desk(PROJECT).gone = False
        for name, content in chapters.items():
            self.put(f"{name}.md", content)

    def put(self, name: str, content: str | bytes) -> None:
        kept = content.encode() if isinstance(content, str) else content
        self._home.desk(PROJECT).files[name] = kept

    async def listing(self) -> Found:
        return await self._home.look(PROJECT)

    async def read(self, name: str) -> bytes | None:
        return await self._home.read(PROJECT, name)

    async def make(self, edit: FileEdit, recorded: Recorded) -> ChangedByUser | NotWritten | None:
        raise AssertionError("a tool only says what is to be changed")


async def run(
    room: Room, name: str, language: Language = "zh", /, **arguments: object
) -> tuple[Answer, FileEdit | None]:
    """The tool's answer and its change, through the same check of arguments as in a turn."""
    tool = next(tool for tool in FILE_TOOLS if tool.name == name)
    parsed = parse(language, tool.schema, json.dumps(arguments))
    assert not isinstance(parsed, str), parsed
    done: FileOutcome = await tool.run(room, language, parsed)
    answer = cast("Answer", json.loads(done.outcome.result))
    assert done.outcome.ok is answer.get("ok", True)
    return answer, done.edit


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# ---- looking -----------------------------------------------------------------------------------


async def test_read_gives_the_exact_text_and_says_what_follows() -> None:
    """Offsets and limits count UTF-16 units; a limit inside a character gives the whole of it."""
    room = Room(a="雨🌙夜\r\n二")
    assert await run(room, "read", path="manuscript/a.md") == (
        {"path": "manuscript/a.md", "content": "雨🌙夜\r\n二", "chars": 7},
        None,
    )
    answer, _ = await run(room, "read", path="a.md", offset=1, limit=1)
    assert (answer["content"], answer["chars"]) == ("🌙", 7)
    assert "offset 3" in str(answer["rest"])
    refused, _ = await run(room, "read", path="a.md", offset=99)
    assert refused["length"] == 7


async def test_grep_finds_words_and_patterns_with_what_stands_around() -> None:
    """In all chapters or one; what is no pattern is taken literally, and offsets can be read at."""
    room = Room(a="第一章\n\n他拿起旧伞，又放下旧伞。", b="The umbrella (old) waits.\n")
    answer, _ = await run(room, "grep", pattern="旧伞")
    assert answer["total"] == 2
    hits = cast("list[Answer]", answer["hits"])
    assert [(h["path"], h["line"], h["start"], h["end"]) for h in hits] == [
        ("manuscript/a.md", 3, 8, 10),
        ("manuscript/a.md", 3, 14, 16),
    ]
    assert hits[0]["text"] == "他拿起旧伞，又放下旧伞。"
    answer, _ = await run(room, "grep", pattern=r"umbrella|伞")
    assert answer["total"] == 3
    answer, _ = await run(room, "grep", pattern="(old", path="manuscript/b.md")
    assert answer["total"] == 1
    answer, _ = await run(room, "grep", pattern="旧伞", path="b.md")
    assert answer["total"] == 0
    refused, _ = await run(room, "grep", pattern=" ")
    assert refused["ok"] is False


async def test_grep_lists_so_many_places_and_counts_the_rest() -> None:
    """It says that it was cut."""
    room = Room(a="雨" * 80)
    answer, _ = await run(room, "grep", pattern="雨")
    assert (answer["total"], len(cast("list[Answer]", answer["hits"]))) == (80, 50)
    assert "80" in str(answer["cut"])


async def test_a_hostile_pattern_is_given_up() -> None:
    """The turn goes on; the model is told to try a simpler one."""
    room = Room(a="a" * 5000 + "b")
    answer, _ = await run(room, "grep", "en", pattern="(a+)+(a+)+(a+)+c")
    assert answer["ok"] is False
    assert "simpler" in str(answer["error"])


async def test_find_and_ls_list_chapters_in_order() -> None:
    """By a part of the name or a pattern; the folder may be left out."""
    room = Room(**{"001-雨夜": "雨", "002-rain": "rain", "003-雨停": "停"})
    everything, _ = await run(room, "ls")
    assert everything == (await run(room, "ls", path="manuscript/"))[0]
    entries = cast("list[Answer]", everything["entries"])
    assert [(e["path"], e["chars"]) for e in entries] == [
        ("manuscript/001-雨夜.md", 1),
        ("manuscript/002-rain.md", 4),
        ("manuscript/003-雨停.md", 1),
    ]
    for pattern, total in (("雨", 2), ("RAIN", 1), ("00?-雨*", 2), ("*.md", 3), ("nothing", 0)):
        answer, _ = await run(room, "find", pattern=pattern)
        assert answer["total"] == total
    one, _ = await run(room, "ls", path="manuscript/002-rain.md")
    assert one["total"] == 1


@pytest.mark.parametrize("tool", ["read", "edit", "write", "rename", "remove", "ls", "grep"])
@pytest.mark.parametrize(
    "path",
    [
        "../a.md",
        "/etc/passwd",
        "history/objects/0f",
        "huaben.db",
        "manuscript/sub/a.md",
        "manuscript/../../other/manuscript/a.md",
        "./manuscript/./../a.md",
        "manuscript\\..\\a.md",
        "C:\\a.md",
        "C:a.md",
        "\\\\host\\share\\a.md",
        "//host/a.md",
        "~/a.md",
        "manuscript/.a.md",
        "manuscript/a.md/b.md",
    ],
)
async def test_no_tool_leaves_the_manuscript(tool: str, path: str) -> None:
    """Each refuses with a sentence, and asks for no change."""
    room = Room(a="甲")
    needed: dict[str, dict[str, object]] = {
        "edit": {"oldText": "甲", "newText": "乙"},
        "write": {"content": "乙"},
        "rename": {"to": "b.md"},
        "grep": {"pattern": "甲"},
    }
    answer, change = await run(room, tool, path=path, **needed.get(tool, {}))
    assert answer["ok"] is False
    assert path in str(answer["error"])
    assert change is None
    if tool == "rename":
        answer, change = await run(room, tool, path="a.md", to=path)
        assert (answer["ok"], change) == (False, None)


async def test_a_link_and_bytes_that_are_no_text_are_refused() -> None:
    """Each with its own sentence; they can still be listed, renamed and removed where that is safe."""
    room = Room(latin=b"caf\xe9")
    answer, _ = await run(room, "read", "en", path="latin.md")
    assert "not text in UTF-8" in str(answer["error"])
    answer, change = await run(room, "edit", "en", path="latin.md", oldText="f", newText="v")
    assert (answer["ok"], change) == (False, None)
    answer, change = await run(room, "rename", path="latin.md", to="002-latin.md")
    assert answer["ok"] is True
    assert change is not None
    assert change.contents == {"latin.md": None, "002-latin.md": b"caf\xe9"}


async def test_a_link_in_the_folder_is_no_place_to_write() -> None:
    """Nor to read."""

    class Linked(Room):
        async def listing(self) -> Found:
            return Found((), (LeftOut("link.md", "symlink"),))

    for tool, more in (("read", {}), ("write", {"content": "x"})):
        answer, change = await run(Linked(), tool, "en", path="link.md", **more)
        assert "not a chapter" in str(answer["error"])
        assert change is None


# ---- changing ----------------------------------------------------------------------------------


async def test_edit_changes_one_spot_or_several_at_once() -> None:
    """By unique quotations, with receipts; the change names the hash that was read."""
    room = Room(a="他拿起旧伞。\n\n“走吧。”她说。\n")
    answer, change = await run(room, "edit", path="manuscript/a.md", oldText="旧伞", newText="新伞")
    assert answer == {
        "ok": True,
        "path": "manuscript/a.md",
        "chars": 17,
        "changes": [{"level": "exact", "before": "旧伞", "after": "新伞"}],
    }
    assert change == FileEdit(
        {"a.md": "他拿起新伞。\n\n“走吧。”她说。\n".encode()},
        {"a.md": digest("他拿起旧伞。\n\n“走吧。”她说。\n")},
    )
    edits = [{"oldText": "旧伞", "newText": "伞"}, {"oldText": '"走吧。"', "newText": "“等等。”"}]
    answer, change = await run(room, "edit", path="a.md", edits=edits)
    assert [one["level"] for one in cast("list[Answer]", answer["changes"])] == [
        "exact",
        "punctuation",
    ]
    assert change is not None
    assert change.contents == {"a.md": "他拿起伞。\n\n“等等。”她说。\n".encode()}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"oldText": "旧", "newText": "新"}, "2"),
        ({"oldText": "雪", "newText": "雨"}, "grep"),
        ({"oldText": " ", "newText": "雨"}, "空"),
        ({"oldText": "旧伞"}, "oldText"),
        ({}, "oldText"),
        (
            {"oldText": "旧", "newText": "新", "edits": [{"oldText": "伞", "newText": "雨"}]},
            "edits",
        ),
        (
            {"edits": [{"oldText": "旧伞", "newText": "x"}, {"oldText": "伞，", "newText": "y"}]},
            "2",
        ),
    ],
)
async def test_an_edit_that_does_not_name_one_place_changes_nothing(
    arguments: Mapping[str, object], said: str
) -> None:
    """More than once, nowhere, blank, two ways at once, overlapping: refused as a whole."""
    answer, change = await run(Room(a="旧伞，旧门。"), "edit", path="a.md", **arguments)
    assert (answer["ok"], change) == (False, None)
    assert said in str(answer["error"])


async def test_an_edit_keeps_line_ends_as_they_are() -> None:
    """Byte for byte outside of the changed spot."""
    room = Room(a="\ufeffone\r\ntwo\r\n")
    _, change = await run(room, "edit", path="a.md", oldText="two", newText="2")
    assert change is not None
    assert change.contents == {"a.md": b"\xef\xbb\xbfone\r\n2\r\n"}


async def test_an_edit_that_changes_nothing_asks_for_no_change() -> None:
    """It is answered as done."""
    answer, change = await run(Room(a="雨"), "edit", path="a.md", oldText="雨", newText="雨")
    assert (answer["ok"], change) == (True, None)
    answer, change = await run(Room(a="雨"), "write", path="a.md", content="雨")
    assert (answer["ok"], change) == (True, None)


async def test_write_makes_a_chapter_or_replaces_a_whole_one() -> None:
    """To the letter; a blank one is refused."""
    room = Room(a="旧")
    answer, change = await run(room, "write", path="manuscript/002-渡口.md", content="新的一章\n")
    assert answer == {"ok": True, "path": "manuscript/002-渡口.md", "chars": 5, "new": True}
    assert change == FileEdit({"002-渡口.md": "新的一章\n".encode()}, {"002-渡口.md": None})
    answer, change = await run(room, "write", path="a.md", content="全新")
    assert answer["new"] is False
    assert change == FileEdit({"a.md": "全新".encode()}, {"a.md": digest("旧")})
    answer, change = await run(room, "write", path="a.md", content=" \n")
    assert (answer["ok"], change) == (False, None)


@pytest.mark.parametrize(
    "name", ["con.md", "谁?.md", "a:b.md", "A.md", "a\0.md", "雨\u202e.md", "雨" * 90 + ".md"]
)
async def test_a_new_chapter_needs_a_name_for_every_system(name: str) -> None:
    """And none that differs from another's only by case."""
    answer, change = await run(Room(a="甲"), "write", path=f"manuscript/{name}", content="乙")
    assert (answer["ok"], change) == (False, None)


async def test_rename_and_remove() -> None:
    """A rename may change the case; it never replaces another chapter."""
    room = Room(a="甲", b="乙")
    answer, change = await run(room, "rename", path="a.md", to="manuscript/A.md")
    assert (answer["path"], answer["was"]) == ("manuscript/A.md", "manuscript/a.md")
    assert change == FileEdit(
        {"a.md": None, "A.md": "甲".encode()}, {"a.md": digest("甲"), "A.md": None}
    )
    for to in ("b.md", "B.md", "a.md", "nowhere/x.md"):
        answer, change = await run(room, "rename", path="a.md", to=to)
        assert (answer["ok"], change) == (False, None)
    answer, change = await run(room, "remove", path="b.md")
    assert answer["removed"] is True
    assert change == FileEdit({"b.md": None}, {"b.md": digest("乙")})
    answer, change = await run(room, "remove", path="c.md")
    assert (answer["ok"], change) == (False, None)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_tool_and_argument_is_described(language: Language) -> None:
    """In both languages, with closed schemas."""
    for spec in file_specs(language):
        assert spec.description
        assert spec.parameters["additionalProperties"] is False
        for name, schema in cast("Mapping[str, Answer]", spec.parameters["properties"]).items():
            assert schema["description"], (spec.name, name)
