"""What stands for old chapters and old discussion, and when it is due."""

from __future__ import annotations

import pytest

from huaben.domain.digest import (
    KEEP_TOKENS,
    ChapterDigest,
    Digest,
    digest_from_json,
    digest_to_json,
    due_chapters,
    leaving_turns,
    live_turns,
)
from huaben.domain.scenario import CompactionSection

SECTION = CompactionSection(every=3, keep=2)


def test_chapters_are_put_in_short_in_large_steps() -> None:
    """All but the last ones, once enough have no digest; nothing in between, and nothing where it is off."""
    files = {f"{n:03}.md": f"{n}" for n in range(1, 6)}
    assert due_chapters(SECTION, files, Digest()) == ("001.md", "002.md", "003.md")
    known = Digest(tuple(ChapterDigest(f"{n:03}.md", f"{n}", "x") for n in range(1, 4)))
    assert due_chapters(SECTION, files, known) == ()
    assert due_chapters(SECTION, files | {"006.md": "6", "007.md": "7", "008.md": "8"}, known)
    assert due_chapters(CompactionSection(), files, Digest()) == ()


def test_the_latest_discussion_stays_word_for_word() -> None:
    """At least twenty thousand tokens of it, and always one turn."""
    half = KEEP_TOKENS // 2
    sizes = [(f"t{n}", half) for n in range(5)]
    assert leaving_turns(SECTION, sizes[:4]) == ()
    assert leaving_turns(SECTION, sizes) == ("t0", "t1", "t2")
    assert leaving_turns(SECTION, [("a", 1), ("b", 9 * half)]) == ("a",)
    assert leaving_turns(CompactionSection(), sizes) == ()
    assert live_turns(Digest(covers="t1"), ["t0", "t1", "t2"]) == ("t2",)
    assert live_turns(Digest(covers="gone"), ["t0", "t1"]) == ("t0", "t1")


def test_a_digest_is_read_back() -> None:
    """decode(encode(x)) = x, and a damaged record says so."""
    digest = Digest((ChapterDigest("001-雨.md", "a", "雨。"),), "商量过了。", "t1", 3, "n", 2)
    assert digest_from_json(digest_to_json(digest), "n", 2) == digest
    with pytest.raises(ValueError, match="digest"):
        digest_from_json({"chapters": {}}, "n", 1)
