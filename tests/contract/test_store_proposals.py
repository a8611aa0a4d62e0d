"""What every store promises about versions of notes that a model proposes and the user has yet to answer."""

from __future__ import annotations

from dataclasses import replace

from huaben.ports import Page, Store
from tests.contract.samples import a_turn
from tests.contract.test_store_notes import a_note, a_story, stored, titles, view


async def test_a_proposed_version_is_not_in_force(store: Store) -> None:
    """L29: neither read, listed nor found, until a later version answers it; it stays among the
    versions."""
    project, (root, here, last) = await a_story(store)
    note = a_note(project, title="旧伞", text="伞在沈砚手里，柄是湘妃竹。", node=root.id)
    shorter = replace(note, text="船工的伞。", node=here.id, base=1, proposed=True)
    await stored(store, note)
    await stored(store, shorter)
    vantage = view(project, last)
    for seen in (await store.note(note.id), await store.note(note.id, vantage)):
        assert seen is not None
        assert (seen.text, seen.version, seen.proposed, seen.revision) == (note.text, 1, False, 2)
    assert [one.text for one in (await store.notes(vantage, Page()))[0]] == [note.text]
    assert await titles(store, vantage, "船工") == []
    assert await titles(store, vantage, "沈砚") == ["旧伞"]
    expected = replace(shorter, version=2, revision=2)
    assert await store.proposals(vantage, Page()) == ([expected], None)
    assert (await store.note_versions(note.id))[1] == expected
    await stored(store, replace(shorter, node=last.id, proposed=False))
    assert await store.proposals(vantage, Page()) == ([], None)
    assert await titles(store, vantage, "船工") == ["旧伞"]


async def test_a_question_is_open_where_nothing_came_after_it(store: Store) -> None:
    """Undo opens it again; another branch and another project never had it."""
    project, (root, here, last) = await a_story(store)
    other, (*_, end) = await a_story(store)
    there = a_turn(project, parent=root.id, run="ended", outcome="sealed")
    note = a_note(project, node=root.id)
    await stored(store, there, note)
    await stored(store, replace(note, text="灯。", node=here.id, base=1, proposed=True))
    await stored(store, replace(note, node=last.id, author="user", base=1))
    asked = [
        (await store.proposals(vantage, Page()))[0]
        for vantage in (*(view(project, at) for at in (root, here, last, there)), view(other, end))
    ]
    assert [len(found) for found in asked] == [0, 1, 0, 0, 0]
    assert [one.text for one in asked[1]] == ["灯。"]


async def test_questions_come_in_pages(store: Store) -> None:
    """From the newest note on, each once."""
    project, (*_, last) = await a_story(store)
    notes = [a_note(project, title=f"{n}") for n in range(3)]
    await stored(store, *notes)
    await stored(store, *(replace(note, text="灯。", base=1, proposed=True) for note in notes))
    first, after = await store.proposals(view(project, last), Page(None, 2))
    rest, end = await store.proposals(view(project, last), Page(after, 2))
    assert [one.title for one in (*first, *rest)] == ["2", "1", "0"]
    assert (len(first), end) == (2, None)
