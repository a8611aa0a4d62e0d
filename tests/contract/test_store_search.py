"""What every store promises about searching stories: which parts of which turns may hold the words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.project import Project
from huaben.domain.story import Exchange, Revision, Turn
from huaben.ports import Binned, Commit, Committed, Head, Page, Purged, Row, Store, StoryMatch
from tests.contract.samples import AT, a_project, a_turn


async def stored(store: Store, *rows: Row) -> None:
    assert isinstance(await store.commit(Commit(rows=rows)), Committed)


def told(project: Project, words: str, text: str = "", **more: object) -> Turn:
    return a_turn(project, user_text=words, final_text=text, run="ended", **more)


async def found(store: Store, project: Project, query: str) -> list[tuple[str, str]]:
    matches, following = await store.search_story(project.id, query, Page())
    assert following is None
    return [(match.turn_id, match.part) for match in matches]


async def test_words_and_prose_are_found_from_the_newest_on(store: Store) -> None:
    """What the user said, what was asked and answered, what was told; on every branch."""
    project = a_project()
    first = told(project, "我推开门。", "沈砚抬起头：「打烊了。」")
    asked = (Exchange("往哪边走？", "Towards the river"),)
    second = told(project, "I ask for 沈砚.", "He looks up.", parent=first.id, asked=asked)
    third = told(project, "沈砚呢？", "沈砚不在。", parent=first.id)
    await stored(store, project, first, second, third)
    assert await found(store, project, "沈砚") == [
        (third.id, "text"),
        (third.id, "words"),
        (second.id, "words"),
        (first.id, "text"),
    ]
    assert await found(store, project, "river") == [(second.id, "asked")]
    assert await found(store, project, "riv look") == []
    assert await found(store, project, "riv") == [(second.id, "asked")]
    assert await found(store, project, "打烊了") == [(first.id, "text")]
    assert await found(store, project, "……") == []


async def test_a_search_stays_within_its_project(store: Store) -> None:
    """And leaves out turns that were deleted."""
    project, other = a_project(), a_project()
    kept = told(project, "沈砚")
    gone = told(project, "沈砚", deleted=True)
    await stored(store, project, other, kept, gone, told(other, "沈砚"))
    assert await found(store, project, "沈砚") == [(kept.id, "words")]
    await stored(store, replace(gone, deleted=False))
    assert len(await found(store, project, "沈砚")) == 2


async def test_what_a_turn_says_now_is_found_and_what_it_said_is_not(store: Store) -> None:
    """As often as it changes, with the words that are in force in it."""
    project = a_project()
    turn = told(project, "我推开门。")
    await stored(store, project, turn)
    for text in ("旧伞在门后。", "门后没有伞。", "旧伞 again.", ""):
        await stored(store, replace(turn, final_text=text))
        parts = [(turn.id, "text")] if "旧伞" in text else []
        assert await found(store, project, "旧伞") == parts
    assert await found(store, project, "推开") == [(turn.id, "words")]
    await stored(store, replace(turn, run="ended", owner="other"))
    assert await found(store, project, "推开") == [(turn.id, "words")]


async def test_a_revision_is_found_by_its_own_text(store: Store) -> None:
    """At the node that made it."""
    project = a_project()
    first = told(project, "我推开门。", "灯亮着。")
    revision = Revision(first.id, 2, "灯灭了。")
    edit = told(project, "", parent=first.id, kind="edit", revises=revision)
    await stored(store, project, first, edit)
    assert await found(store, project, "灯灭") == [(edit.id, "text")]
    assert await found(store, project, "灯亮") == [(first.id, "text")]


async def test_matches_come_in_pages(store: Store) -> None:
    """Each once, also where a page ends within a turn."""
    project = a_project()
    turns = [told(project, f"雨，第{n}句。", f"Rain 雨 {n}") for n in range(5)]
    await stored(store, project, *turns)
    seen: list[StoryMatch] = []
    after: str | None = None
    while True:
        page, after = await store.search_story(project.id, "雨", Page(after, 3))
        seen += page
        if after is None:
            break
    expected = [StoryMatch(t.id, part) for t in reversed(turns) for part in ("text", "words")]
    assert seen == expected


@pytest.mark.parametrize("place", [0, 15_999, 31_990, 90_000])
async def test_words_are_found_anywhere_in_a_long_text(store: Store, place: int) -> None:
    """Of a length that no index takes at once; and they are gone when the text is."""
    project = a_project()
    text = ("夜" * place + "旧伞 umbrella" + "灯" * 100_000)[:100_000]
    turn = told(project, text)
    await stored(store, project, turn)
    assert await found(store, project, "旧伞 umbrella") == [(turn.id, "words")]
    await stored(store, replace(turn, user_text="短。"))
    assert await found(store, project, "旧伞") == []


async def test_every_sort_of_word_can_be_stored(store: Store) -> None:
    """A novel of ever new words is no more than a database takes."""
    project = a_project()
    han = "".join(chr(0x4E00 + (n * 7919) % 20_000) for n in range(120_000))
    thai = " ".join(f"คำ{n}" for n in range(20_000))
    await stored(store, project, told(project, han, thai), told(project, "\0\ud83d'’_ 旧伞"))
    assert len(await found(store, project, han[60_000:60_010])) == 1
    assert len(await found(store, project, "คำ19999")) == 1
    assert len(await found(store, project, "旧伞")) == 1


async def test_nothing_is_found_of_a_purged_project(store: Store) -> None:
    """Its words leave the index with its turns."""
    project, other = a_project(), a_project()
    turn = told(project, "沈砚" * 20_000, "沈砚")
    kept = told(other, "沈砚", outcome="sealed")
    await stored(store, project, other, turn, kept, Head(other.id, kept.id))
    await stored(store, Binned("project", project.id, AT))
    await stored(store, Purged("project", project.id))
    assert await found(store, project, "沈砚") == []
    assert len(await found(store, other, "沈砚")) == 1
    assert [fault async for fault in store.audit()] == []
