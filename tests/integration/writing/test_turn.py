"""A writing turn: the model reads and changes chapters, the discussion holds the report, one checkpoint
holds the work."""

from __future__ import annotations

import hashlib

from huaben.domain.checkpoint import Changed
from huaben.testing.script import call, reply, say
from tests.integration.writing.conftest import CHAPTERS, OpenDesk


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def test_one_turn_changes_two_chapters_and_leaves_the_third(open_desk: OpenDesk) -> None:
    """Three are read, a sentence of the first changes and a line comes to the end of the second: one
    checkpoint that names both, two new objects, and a report without the prose."""
    script = [
        reply(
            call("read", path="manuscript/001-雨夜.md"),
            call("read", path="manuscript/002-渡口.md"),
            call("read", path="manuscript/003-灯.md"),
        ),
        call("edit", path="manuscript/001-雨夜.md", oldText="那把旧伞", newText="那把新伞"),
        call(
            "edit",
            path="manuscript/002-渡口.md",
            oldText="渡口没有人。\n",
            newText="渡口没有人。\n\n只有一盏灯。\n",
        ),
        say("改好了：第一章的旧伞换成新伞，第二章末尾加了一句。"),
    ]
    desk = await open_desk(script)
    before = (await desk.history())[-1]
    turn = await desk.say("把旧伞换成新伞，渡口那章末尾加一句灯。")
    assert (turn.run, turn.outcome) == ("ended", "done")
    assert turn.final_text == "改好了：第一章的旧伞换成新伞，第二章末尾加了一句。"
    assert desk.files == {
        "001-雨夜.md": "雨下了一夜。\n\n他拿起那把新伞，出了门。\n",
        "002-渡口.md": "渡口没有人。\n\n只有一盏灯。\n",
        "003-灯.md": CHAPTERS["003-灯.md"],
    }
    made = (await desk.history())[-1]
    one = made.checkpoint
    assert (one.author, one.turn, one.aborted) == ("agent", turn.id, False)
    assert one.message == "把旧伞换成新伞，渡口那章末尾加一句灯。"
    assert one.changed == Changed(modified=("001-雨夜.md", "002-渡口.md"))
    assert one.number == before.checkpoint.number + 1
    assert made.files["003-灯.md"] == before.files["003-灯.md"]
    if desk.folder is not None:
        objects = desk.folder.parent / "history" / "objects"
        assert len(list(objects.iterdir())) == len(CHAPTERS) + 2
    results = desk.results(3)
    assert [one["path"] for one in results] == [
        "manuscript/001-雨夜.md",
        "manuscript/002-渡口.md",
        "manuscript/003-灯.md",
        "manuscript/001-雨夜.md",
        "manuscript/002-渡口.md",
    ]
