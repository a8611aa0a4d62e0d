"""What every store promises about notes: versions, branches, and a search that ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from huaben.domain.notes import SOURCES, Note, NoteSource, Vantage
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import Binned, Commit, Committed, Head, Page, Purged, Row, Stale, Store
from tests.contract.samples import AT, USER, a_card, a_project, a_turn, new_id


def a_note(project: Project | None, **changes: object) -> Note:
    values: dict[str, object] = {
        "id": new_id(),
        "user_id": USER,
        "kind": "event",
        "title": "第一夜",
        "text": "沈砚在渡口等人，提着一盏灯。",
        "author": "model",
        "at": AT,
        "project_id": None if project is None else project.id,
    }
    return Note(**values | changes)  # pyright: ignore[reportArgumentType] - a builder of fields


async def stored(store: Store, *rows: Row) -> Committed:
    answer = await store.commit(Commit(rows=rows))
    assert isinstance(answer, Committed)
    return answer


async def a_story(store: Store, turns: int = 3) -> tuple[Project, list[Turn]]:
    """A project with one branch; its nodes from the root on."""
    project = a_project()
    path: list[Turn] = []
    for depth in range(turns):
        parent = path[-1].id if path else None
        path.append(a_turn(project, parent=parent, depth=depth, run="ended", outcome="sealed"))
    await stored(store, project, *path, Head(project.id, path[-1].id))
    return project, path


def view(project: Project, at: Turn, card_id: str | None = None) -> Vantage:
    return Vantage(project.id, at.id, card_id)


async def titles(
    store: Store, vantage: Vantage, query: str, sources: Sequence[NoteSource] = SOURCES
) -> list[str]:
    return [hit.note.title for hit in await store.search_notes(vantage, query, sources)]


# ---- versions ----------------------------------------------------------------------------------


async def test_a_note_comes_back_whole(store: Store) -> None:
    """Every field of a version survives, used or not, with any words."""
    project, path = await a_story(store)
    plain = a_note(project, title="", text="nul \0 \ud83d 灯")
    full = a_note(
        project, kind="recap", card_id=new_id(), node=path[1].id, base=7, locked=True, removed=True,
        author="user",
    )  # fmt: skip
    done = await stored(store, plain, full)
    assert done.revisions["note", full.id] == 1
    counted = {"version": 1, "revision": 1}
    assert await store.note(plain.id) == replace(plain, **counted)
    assert await store.note(full.id) == replace(full, **counted)
    assert await store.note("missing") is None
    assert await store.note_versions("missing") == []


async def test_each_write_is_a_version_beside_the_former_ones(store: Store) -> None:
    """L29: what was there before can be read again; what the first version settled stays."""
    project, _ = await a_story(store)
    first = a_note(project, kind="person")
    second = replace(first, text="沈砚走了。", author="user", base=1, kind="item", user_id="other")
    await stored(store, first)
    assert (await stored(store, second)).revisions["note", first.id] == 2
    kept = replace(second, kind="person", user_id=USER, version=2, revision=2)
    assert await store.note_versions(first.id) == [replace(first, version=1, revision=2), kept]
    assert await store.note(first.id) == kept


async def test_two_changes_of_one_state_do_not_both_stand(store: Store) -> None:
    """The second one is told that the note has moved on, and nothing of it is kept."""
    project, _ = await a_story(store)
    note = a_note(project)
    key = ("note", note.id)
    assert isinstance(await store.commit(Commit({key: 0}, rows=(note,))), Committed)
    assert await store.commit(Commit({key: 0}, rows=(note,))) == Stale("note", note.id, 0, 1)
    changed = replace(note, text="旧伞还在。", base=1)
    assert isinstance(await store.commit(Commit({key: 1}, rows=(changed,))), Committed)
    late = replace(note, text="船沉了。", base=1)
    assert await store.commit(Commit({key: 1}, rows=(late,))) == Stale("note", note.id, 1, 2)
    assert [one.text for one in await store.note_versions(note.id)] == [note.text, changed.text]


@pytest.mark.parametrize("missing", ["project_id", "node"])
async def test_a_note_of_nothing_is_refused(store: Store, missing: str) -> None:
    """Its project and its node exist."""
    project, _ = await a_story(store)
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(a_note(project, **{missing: "nowhere"}),)))


# ---- branches ----------------------------------------------------------------------------------


async def test_a_note_is_what_it_is_on_the_way_to_a_node(store: Store) -> None:
    """Undo takes a change back, another branch never saw it, and a search obeys."""
    project, (root, here, _) = await a_story(store)
    there = a_turn(project, parent=root.id, run="ended", outcome="sealed")
    note = a_note(project, title="旧伞", text="伞在沈砚手里。", node=root.id)
    await stored(store, there, note)
    await stored(store, replace(note, text="伞给了船工。", node=here.id, base=1))
    await stored(store, replace(note, text="The umbrella is lost.", node=there.id, base=1))
    seen = [await store.note(note.id, view(project, at)) for at in (root, here, there)]
    assert [one.text for one in seen if one] == [
        "伞在沈砚手里。",
        "伞给了船工。",
        "The umbrella is lost.",
    ]
    assert [one.version for one in seen if one] == [1, 2, 3]
    assert {one.revision for one in seen if one} == {3}
    found = {
        word: [bool(await titles(store, view(project, at), word)) for at in (root, here, there)]
        for word in ("沈砚", "船工", "lost")
    }
    assert found == {
        "沈砚": [True, False, False],
        "船工": [False, True, False],
        "lost": [False, False, True],
    }


async def test_what_belongs_to_a_later_or_another_node_is_not_seen(store: Store) -> None:
    """Nor by id, in a list or a search; what belongs to no node is seen from everywhere."""
    project, (root, here, last) = await a_story(store)
    there = a_turn(project, parent=here.id, run="ended", outcome="sealed")
    early, late = a_note(project, node=here.id), a_note(project, node=last.id)
    always = a_note(project)
    await stored(store, there, early, late, always)
    for at, expected in (
        (root, {always.id}),
        (here, {early.id, always.id}),
        (last, {early.id, late.id, always.id}),
        (there, {early.id, always.id}),
    ):
        vantage = view(project, at)
        listed, _ = await store.notes(vantage, Page())
        hits = await store.search_notes(vantage, "沈砚")
        assert {one.id for one in listed} == {hit.note.id for hit in hits} == expected
        assert (await store.note(late.id, vantage) is None) == (late.id not in expected)


async def test_a_removed_note_is_not_found_and_comes_back(store: Store) -> None:
    """It can be read by id, is on no list, and a later version brings it back."""
    project, (*_, last) = await a_story(store)
    note = a_note(project)
    await stored(store, note, replace(note, removed=True, base=1))
    vantage = view(project, last)
    removed = await store.note(note.id, vantage)
    assert removed is not None
    assert removed.removed
    assert await store.notes(vantage, Page()) == ([], None)
    assert await titles(store, vantage, "沈砚") == []
    await stored(store, replace(note, base=2))
    assert await titles(store, vantage, "沈砚") == [note.title]


async def test_what_was_removed_is_listed_when_asked_for(store: Store) -> None:
    """Apart from what is there, and as each branch has it."""
    project, (root, here, last) = await a_story(store)
    kept, gone = a_note(project, title="kept"), a_note(project, title="gone", node=root.id)
    await stored(store, kept, gone)
    await stored(store, replace(gone, removed=True, node=last.id, base=1))
    for at, there, removed in ((here, ["gone", "kept"], []), (last, ["kept"], ["gone"])):
        listed, _ = await store.notes(view(project, at), Page())
        without, _ = await store.notes(view(project, at), Page(), removed=True)
        assert [one.title for one in listed] == there
        assert [one.title for one in without] == removed


async def test_a_queued_turn_looks_back_from_its_real_place(store: Store) -> None:
    """It gets its parent only when it starts, and was looked from before."""
    project, (root, here, _) = await a_story(store)
    there = a_turn(project, parent=root.id, run="ended", outcome="sealed")
    queued = a_turn(project, parent=here.id, run="queued")
    ours, theirs = a_note(project, node=here.id), a_note(project, node=there.id)
    await stored(store, there, queued, ours, theirs)
    for parent, run, seen in ((here, "queued", ours), (there, "running", theirs)):
        await stored(store, replace(queued, parent=parent.id, run=run))
        hits = await store.search_notes(view(project, queued), "沈砚")
        assert [hit.note.id for hit in hits] == [seen.id]


async def test_every_node_of_a_growing_story_sees_its_own_way(store: Store) -> None:
    """Also right after the node before it was looked from."""
    project, path = await a_story(store, turns=6)
    notes = [a_note(project, node=turn.id) for turn in path]
    await stored(store, *notes)
    for depth, turn in enumerate(path):
        hits = await store.search_notes(view(project, turn), "沈砚")
        assert {hit.note.id for hit in hits} == {note.id for note in notes[: depth + 1]}
    assert await titles(store, Vantage(project.id, "nowhere"), "沈砚") == []


async def test_a_damaged_tree_has_an_end(store: Store) -> None:
    """Two nodes that are each other's parent do not hold up a search."""
    project = a_project()
    one, other = a_turn(project), a_turn(project)
    note = a_note(project, node=one.id)
    await stored(store, project, one, other)
    await stored(store, replace(one, parent=other.id), replace(other, parent=one.id), note)
    assert await titles(store, view(project, other), "沈砚") == [note.title]


# ---- scope -------------------------------------------------------------------------------------


async def test_notes_stay_within_their_project_and_those_of_a_card_do_not(store: Store) -> None:
    """A card's notes are seen from all its projects, only as such, and only by who asks for them."""
    (project, path), (other, others) = await a_story(store), await a_story(store)
    card_id = new_id()
    own = a_note(project, title="own")
    recap = a_note(other, title="recap", kind="recap", card_id=card_id)
    resident = a_note(None, title="resident", kind="resident", card_id=card_id)
    foreign = a_note(other, title="foreign", card_id=card_id)
    bound = a_note(other, title="bound", kind="recap", card_id=card_id, node=others[0].id)
    await stored(store, own, recap, resident, foreign, bound)
    with_card = view(project, path[-1], card_id)
    assert set(await titles(store, with_card, "沈砚")) == {"own", "recap", "resident"}
    listed, _ = await store.notes(with_card, Page())
    assert [one.title for one in listed] == ["resident", "recap", "own"]
    assert await titles(store, view(project, path[-1]), "沈砚") == ["own"]
    assert await titles(store, view(project, path[-1], "another card"), "沈砚") == ["own"]
    assert await store.note(recap.id, view(project, path[-1])) is None
    seen = await store.note(recap.id, with_card)
    assert seen is not None


async def test_sources_are_chosen(store: Store) -> None:
    """A list and a search give only what was asked for; of no source there is nothing."""
    project, (*_, last) = await a_story(store)
    kinds = ("event", "person", "promise", "note")
    await stored(store, *(a_note(project, title=kind, kind=kind) for kind in kinds))
    vantage = view(project, last)
    chosen: tuple[tuple[tuple[NoteSource, ...], set[str]], ...] = (
        (("tables",), {"person", "promise"}),
        (("diary", "store"), {"event", "note"}),
        ((), set()),
    )
    for sources, expected in chosen:
        listed, _ = await store.notes(vantage, Page(), sources)
        assert {one.title for one in listed} == expected
        assert set(await titles(store, vantage, "沈砚", sources)) == expected


async def test_notes_are_listed_in_pages_from_the_newest_on(store: Store) -> None:
    """Following `next` meets each once, however often it was changed."""
    project, (*_, last) = await a_story(store)
    notes = [a_note(project, title=f"{n}") for n in range(7)]
    await stored(store, *notes)
    await stored(store, *(replace(note, text="改过了。", base=1) for note in notes[:3]))
    seen: list[str] = []
    after: str | None = None
    while True:
        page, after = await store.notes(view(project, last), Page(after, 3))
        seen += [one.title for one in page]
        if after is None:
            break
    assert seen == ["6", "5", "4", "3", "2", "1", "0"]


# ---- search ------------------------------------------------------------------------------------

SHELF = (
    ("第一夜", "沈砚在渡口等人，提着一盏灯。"),
    ("沈砚", "The clerk of the inn. He keeps a lantern by the door."),
    ("The promise", "沈砚 will carry the lantern back before winter."),
    ("旧伞", "油纸伞，湘妃竹的柄。Yan’s own umbrella."),
    ("地名7", "一座小镇，café 很多。"),
    ("地名77", "一座大城。앨리스가 여기 살았다."),
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("沈砚", ["沈砚", "第一夜", "The promise"]),
        ("lantern", ["The promise", "沈砚"]),
        ("LANTERN before", ["The promise", "沈砚"]),
        ("沈砚的 lantern", ["沈砚", "The promise", "第一夜"]),
        ("伞", ["旧伞"]),
        ("渡口等人", ["第一夜"]),
        ("Yan", ["旧伞"]),
        ("地名7", ["地名7"]),
        ("去地名77看看", ["地名77"]),
        ("CAFÉ", ["地名7"]),
        ("앨리스", ["地名77"]),
        ("umbrell", []),
        ("砚沈", []),
        ("！？", []),
    ],
)
async def test_notes_are_found_and_ranked_alike_in_every_store(
    store: Store, query: str, expected: list[str]
) -> None:
    """A name of two characters, a word, both together; the best first."""
    project, (*_, last) = await a_story(store)
    await stored(store, *(a_note(project, title=title, text=text) for title, text in SHELF))
    assert await titles(store, view(project, last), query) == expected


async def test_what_is_named_is_found_among_what_is_spoken_of(store: Store) -> None:
    """However many newer notes speak of it, and with how many words it is asked for."""
    project, (*_, last) = await a_story(store)
    named = a_note(project, title="沈砚", text="客栈的账房。", kind="person")
    rare = a_note(project, title="第零夜", text="那夜有一只白鹭，沈砚看见了。")
    crowd = [a_note(project, title=f"第{n}夜", text=f"沈砚走了{n}里路。") for n in range(400)]
    await stored(store, named, rare, *crowd)
    vantage = view(project, last)
    assert (await titles(store, vantage, "沈砚"))[0] == "沈砚"
    assert (await titles(store, vantage, "沈砚 白鹭"))[0] == "第零夜"
    assert "第零夜" in await titles(store, vantage, "沈砚走路时看见白鹭")


async def test_what_other_branches_say_hides_nothing(store: Store) -> None:
    """A match on this branch is found behind any number of newer ones on others."""
    project, (root, *_, last) = await a_story(store)
    there = a_turn(project, parent=root.id, run="ended", outcome="sealed")
    here = a_note(project, text="沈砚在这里。", node=last.id)
    crowd = [a_note(project, text=f"沈砚走了{n}里路。", node=there.id) for n in range(400)]
    await stored(store, there, here, *crowd)
    hits = await store.search_notes(view(project, last), "沈砚")
    assert [hit.note.id for hit in hits] == [here.id]


async def test_a_note_that_changes_often_hides_no_other(store: Store) -> None:
    """Its former versions are not in force, however many of them match, and in whatever order."""
    project, (*_, last) = await a_story(store)
    other = a_note(project, title="旧伞", text="沈砚的伞。")
    busy = a_note(project, title="沈砚", text="沈砚在渡口。", kind="person")
    forgotten = [a_note(project, title="沈砚", text="沈砚。") for _ in range(120)]
    versions = [replace(busy, text=f"沈砚走了{n}里。", base=n) for n in range(1, 300)]
    removed = [replace(note, removed=True, base=1) for note in forgotten]
    moved = [replace(note, title="路人", text="有人。", removed=False) for note in removed[:60]]
    await stored(store, other, *forgotten, busy, *versions, *removed, *moved)
    hits = await store.search_notes(view(project, last), "沈砚")
    assert [(hit.note.id, hit.note.version) for hit in hits] == [(busy.id, 300), (other.id, 1)]


# ---- deletion ----------------------------------------------------------------------------------


async def test_notes_go_with_their_project_and_with_their_card(store: Store) -> None:
    """Nothing of them is left to be found; those of other projects and cards stay."""
    (project, path), (other, others) = await a_story(store), await a_story(store)
    card = a_card(id=new_id())
    gone, kept = a_note(project, node=path[0].id), a_note(other)
    resident = a_note(None, title="resident", kind="resident", card_id=card.id)
    recap = a_note(other, title="recap", kind="recap", card_id=card.id)
    await stored(store, card, gone, kept, resident, recap)
    await stored(store, replace(gone, text="沈砚走了。", base=1))
    for kind, thing_id in (("project", project.id), ("card", card.id)):
        assert kind in ("project", "card")
        await stored(store, Binned(kind, thing_id, AT))
        await stored(store, Purged(kind, thing_id))
    assert await store.note_versions(gone.id) == []
    assert await store.note(resident.id) is None
    vantage = view(other, others[-1], card.id)
    assert set(await titles(store, vantage, "沈砚")) == {kept.title, "recap"}
    assert await titles(store, Vantage(project.id, path[0].id), "沈砚") == []
    assert [fault async for fault in store.audit()] == []
