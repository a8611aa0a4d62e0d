"""Who wrote what: texts followed through their versions."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.checkpoint import Checkpoint, CheckpointAuthor, FileChange
from huaben.domain.hands import Version, hands, versions_of
from huaben.domain.text import utf16_len

TEXTS = st.lists(
    st.tuples(
        st.text("雨夜旧伞。\n a😀", max_size=40),
        st.sampled_from(("agent", "user")),
    ),
    min_size=1,
    max_size=5,
)


def told(*texts: tuple[str, CheckpointAuthor]) -> list[tuple[str, CheckpointAuthor]]:
    last = texts[-1][0]
    return [(last[one.start : one.end], one.author) for one in hands(texts)]


def test_words_belong_to_whoever_inserted_them() -> None:
    """What was kept stays its writer's, through any number of versions and by words."""
    assert told(
        ("雨下了三天。他走了。", "user"),
        ("雨下了三天。他慢慢走了。", "agent"),
        ("后来雨下了三天。他慢慢走了。", "user"),
    ) == [("后来雨下了三天。他", "user"), ("慢慢", "agent"), ("走了。", "user")]
    assert told(("It rained.", "agent"), ("It rained hard.", "user")) == [
        ("It rained", "agent"),
        (" hard", "user"),
        (".", "agent"),
    ]


def test_what_goes_takes_its_writer_along() -> None:
    """A text that nothing is left of belongs to the next; an empty one to nobody."""
    assert told(("甲乙丙。", "user"), ("一二三！", "agent")) == [("一二三！", "agent")]
    assert hands([("甲。", "user"), ("", "agent")]) == ()


@given(TEXTS)
def test_the_stretches_cover_the_text(texts: list[tuple[str, CheckpointAuthor]]) -> None:
    """In order, without gaps, neighbours of different authors."""
    found = hands(texts)
    edges = [0, *(one.end for one in found)]
    assert [one.start for one in found] == edges[:-1]
    assert edges[-1] == utf16_len(texts[-1][0])
    assert all(a.author != b.author for a, b in pairwise(found))


def checkpoint(
    number: int, author: CheckpointAuthor, **steps: tuple[str | None, str | None]
) -> Checkpoint:
    delta = {name: FileChange(*step) for name, step in steps.items()}
    return Checkpoint(f"c{number}", "p", "local", "2026-01-01", author, delta, number)


def test_versions_are_followed_through_renames_and_restores() -> None:
    """Back to where the chapter began, other chapters passed over, and no further than asked."""
    history = [
        checkpoint(1, "user", a=(None, "x"), old=(None, "1")),
        checkpoint(2, "agent", old=("1", "2")),
        checkpoint(3, "user", a=("x", "y")),
        checkpoint(4, "user", old=("2", None), new=(None, "2")),
        checkpoint(5, "user", new=("2", "3")),
    ]
    assert versions_of(history, "new", 9) == [
        Version("1", "user"),
        Version("2", "agent"),
        Version("3", "user"),
    ]
    assert versions_of(history, "new", 1) == [Version("3", "user")]
    assert versions_of(history, "nothing", 9) == []
    restored = [
        *history,
        checkpoint(6, "user", new=("3", None)),
        checkpoint(7, "user", new=(None, "2")),
    ]
    assert versions_of(restored, "new", 9) == [Version("1", "user"), Version("2", "agent")]
    assert versions_of(restored[:6], "new", 9) == []
