"""What every store promises about presets, personas, scripts and quick replies, about what a story is
dressed with, and about the user's consent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.domain.dressing import AuthorsNote, Dressing
from huaben.domain.libraryitem import ITEM_KINDS, Consent, ItemVersion, StoredItem
from huaben.errors import StorageFailed
from huaben.ports import Binned, Commit, Committed, Page, Purged, Row, Stale, Store, Thing
from tests.contract.samples import AT, USER, a_beginning, a_book, new_id

LATER = "2026-11-02T00:00:00.000Z"


def an_item(**changes: object) -> StoredItem:
    values: dict[str, object] = {
        "id": new_id(),
        "user_id": USER,
        "kind": "preset",
        "name": "灯\0下",
        "object_hash": "a" * 64,
        "filename": "预设.json",
        "content": {"prompts": [{"identifier": "main", "content": "写。"}], "temperature": 0.7},
        "report": {"kept": []},
        "created_at": AT,
    }
    return StoredItem(**values | changes)  # pyright: ignore[reportArgumentType] - a builder


async def stored(store: Store, *rows: Row) -> None:
    assert isinstance(await store.commit(Commit(rows=rows)), Committed)


async def test_an_item_comes_back_as_it_was(store: Store) -> None:
    """Every kind, with every field, under its own list alone."""
    made = [an_item(kind=kind, object_hash=f"{n}" * 64) for n, kind in enumerate(ITEM_KINDS)]
    await stored(store, *made)
    for one in made:
        whole = replace(one, revision=1)
        assert await store.item(one.id) == whole
        assert await store.items(USER, one.kind, Page()) == ([whole], None)
        assert await store.find_item(USER, one.kind, one.object_hash) == whole
        assert await store.find_item("another", one.kind, one.object_hash) is None
    assert await store.item("nothing") is None
    assert await store.find_item(USER, "persona", made[0].object_hash) is None


async def test_items_are_paged_newest_first(store: Store) -> None:
    """A page goes on where the one before ended."""
    made = [an_item() for _ in range(5)]
    await stored(store, *made)
    seen: list[str] = []
    after: str | None = None
    while True:
        found, after = await store.items(USER, "preset", Page(after, 2))
        seen += [one.id for one in found]
        if after is None:
            break
    assert seen == [one.id for one in reversed(made)]


async def test_items_are_found_by_all_the_words_of_their_names(store: Store) -> None:
    """Whatever their case and width, name and file name together, page after page, and only there."""
    names = ("阿蘅 Heng", "Ａ Heng", "沈砚", "heng 阿蘅", "100%_阿蘅")
    made = [an_item(name=name, filename="One.json") for name in names]
    await stored(store, *made, an_item(kind="persona", name="阿蘅 heng"))

    async def found(words: str, limit: int = 50, after: str | None = None) -> list[str]:
        got, following = await store.items(USER, "preset", Page(after, limit, words))
        more = await found(words, limit, following) if following else []
        return [one.name for one in got] + more

    for limit in (1, 2, 50):
        assert await found("阿蘅 HENG", limit) == ["heng 阿蘅", "阿蘅 Heng"]
    assert await found("a heng one") == ["Ａ Heng"]
    assert await found("%_") == ["100%_阿蘅"]
    assert await found("one.JSON") == list(reversed(names))
    assert await found("nobody") == []
    project, _, beginning = a_beginning()
    book = a_book(name="渡口 Ferry")
    await stored(store, book, a_book(name="灯"))
    await store.commit(beginning)
    assert (await store.lorebooks(USER, Page(words="ferry 渡")))[0][0].id == book.id
    assert [one.id for one in (await store.projects(USER, Page(words=project.title)))[0]] == [
        project.id
    ]
    assert await store.projects(USER, Page(words=f"{project.title} x")) == ([], None)


async def test_each_writing_is_a_version(store: Store) -> None:
    """The row is the newest, and the former ones stay."""
    first = an_item(kind="persona", name="Ann", content={"description": "a"})
    await stored(store, first)
    second = replace(first, name="安", content={"description": "b"})
    key = ("persona", first.id)
    assert await store.commit(Commit(expected={key: 0}, rows=(second,))) == Stale(*key, 0, 1)
    done = await store.commit(Commit(expected={key: 1}, rows=(second,)))
    assert isinstance(done, Committed)
    assert await store.item_versions(first.id) == [
        ItemVersion(1, "Ann", {"description": "a"}),
        ItemVersion(2, "安", {"description": "b"}),
    ]


async def test_an_item_goes_through_the_trash(store: Store) -> None:
    """It leaves the lists, lies in the trash, and goes for good with its versions."""
    item = an_item()
    consent = Consent(USER, item.id, "d", AT)
    await stored(store, item, consent)
    await stored(store, Binned("preset", item.id, LATER))
    assert await store.items(USER, "preset", Page()) == ([], None)
    thing = Thing("preset", item.id, USER, item.name, LATER, 2)
    assert await store.thing("preset", item.id) == thing
    assert await store.thing("persona", item.id) is None
    assert (await store.trash(USER, Page()))[0] == [thing]
    await stored(store, Purged("preset", item.id))
    assert await store.item(item.id) is None
    assert await store.item_versions(item.id) == []
    assert await store.consents(USER) == []


async def test_what_a_project_wears_is_not_purged(store: Store) -> None:
    """A preset that a story is played with stays until the story is gone."""
    item = an_item(deleted=True, deleted_at=AT)
    project, greeting, beginning = a_beginning()
    await store.commit(beginning)
    await stored(store, item, Dressing(project.id, preset_id=item.id))
    await stored(store, Purged("preset", item.id))
    assert await store.item(item.id) is not None
    await stored(store, Binned("project", project.id, LATER), Purged("project", project.id))
    assert await store.dressing(project.id) is None
    assert await store.turn(greeting.id) is None
    await stored(store, Purged("preset", item.id))
    assert await store.item(item.id) is None


async def test_a_project_is_dressed(store: Store) -> None:
    """The note comes back with every field and with what an import said beside."""
    project, _, beginning = a_beginning()
    await store.commit(beginning)
    assert await store.dressing(project.id) is None
    note = AuthorsNote("更慢些。", 3, 2, "after_main", "user")
    worn = Dressing(project.id, "p", "q", note, {"note_extra": [1, None]})
    key = ("dressing", project.id)
    assert isinstance(await store.commit(Commit(expected={key: 0}, rows=(worn,))), Committed)
    assert await store.dressing(project.id) == replace(worn, revision=1)
    assert await store.commit(Commit(expected={key: 0}, rows=(worn,))) == Stale(*key, 0, 1)
    with pytest.raises(StorageFailed):
        await store.commit(Commit(rows=(Dressing("no such project"),)))


async def test_consent_is_counted_by_owner(store: Store) -> None:
    """Given, taken back, each under the revision that was seen."""
    given = Consent(USER, "card-1", "digest", AT)
    await stored(store, given, Consent("another", "card-1", "x", AT))
    assert await store.consents(USER) == [replace(given, revision=1)]
    key = ("consent", f"{USER}/card-1")
    back = replace(given, digest="")
    assert isinstance(await store.commit(Commit(expected={key: 1}, rows=(back,))), Committed)
    assert await store.consents(USER) == [replace(back, revision=2)]
