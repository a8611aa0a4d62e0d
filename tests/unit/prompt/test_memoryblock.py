"""The block of what is remembered, in both languages."""

from __future__ import annotations

from dataclasses import replace

from huaben.domain.notes import Note, NoteKind
from huaben.domain.remembering import NoteHit
from huaben.prompt.memoryblock import memory_block


def a_hit(title: str, text: str, kind: NoteKind, score: float = 1.0) -> NoteHit:
    return NoteHit(Note(title or "n", "local", kind, title, text, "model", ""), score)


HITS = (
    a_hit("旧伞", "沈砚答应立冬前还伞。", "promise", 3.21),
    a_hit("", "He looked【twice】at the door.\nThen he left.", "event", 1.5),
)


def test_the_block_in_chinese() -> None:
    """Each note under its title and kind; brackets of titles occur in titles only."""
    block = memory_block("zh", HITS)
    assert block.piece.text == (
        "【剧情记忆】\n"
        "记得 2 条\n"
        "# 旧伞（约定）\n"
        "沈砚答应立冬前还伞。\n"
        "# （往事）\n"
        "He looked〖twice〗at the door.\n"
        "Then he left."
    )
    assert (block.piece.source, block.left_out) == ("memory", ())
    assert block.piece.reason == "旧伞 3.21; n 1.50"


def test_the_block_in_english() -> None:
    """The same notes, the words around them translated."""
    assert memory_block("en", HITS[:1]).piece.text == (
        "【Memory】\n1 remembered\n# 旧伞 (promise)\n沈砚答应立冬前还伞。"
    )


def test_without_memories_there_is_no_block() -> None:
    """Not even a title."""
    assert memory_block("zh", ()).piece.text == ""


def test_what_does_not_fit_is_cut_or_left_out_by_name() -> None:
    """A memory that was recalled and not rendered is not lost from sight."""
    long = [a_hit(f"第{n}夜", "雨" * 300, "event") for n in range(3)]
    block = memory_block("zh", long, max_chars=500)
    assert "第0夜" in block.piece.text
    assert "第1夜" in block.piece.text
    assert "memory_read" in block.piece.text
    assert "第2夜" not in block.piece.text
    assert [out.source for out in block.left_out] == ["memory:第1夜", "memory:第2夜"]
    assert [out.reason.split(":")[0] for out in block.left_out] == ["cut to 190", "left out"]
    assert len(block.piece.text) < 500 + 40


def test_a_title_is_one_line() -> None:
    """So that it cannot pass for anything else."""
    hit = replace(HITS[0], note=replace(HITS[0].note, title="旧\n【伞】"))
    assert "# 旧 〖伞〗（约定）" in memory_block("zh", [hit]).piece.text
