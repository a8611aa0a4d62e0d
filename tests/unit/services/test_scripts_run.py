"""How messages are counted for scripts, and what is remembered of them."""

from __future__ import annotations

from huaben.domain.scripts import Passage
from huaben.services.scripts_memory import ScriptMemory
from huaben.services.scripts_run import counted


def test_p07_messages_without_words_do_not_count() -> None:
    """P07: what is not there for the model has no depth of its own."""
    chat = [Passage(text, "reply") for text in ("开场", "一", "", "二", "  ", "三")]
    assert [one.depth for one in counted(chat)] == [3, 2, 2, 1, 1, 0]


def test_the_oldest_is_forgotten_first() -> None:
    """However much is remembered, it stays within its bounds."""
    memory = ScriptMemory(limit=10_000)
    half = ("字" * 5_000, ("藏",))
    memory[b"a"], memory[b"b"], memory[b"c"] = half, None, half
    assert list(memory) == [b"b", b"c"]
    memory[b"b"] = ("x", ())
    assert (memory[b"b"], len(memory)) == (("x", ()), 2)
    del memory[b"b"]
    assert b"b" not in memory
