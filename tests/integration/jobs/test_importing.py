"""Importing many files as one job: each with its own fate, none stopping the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import pytest

from huaben.domain.project import StoredCard
from huaben.errors import BadInput, HuabenError, NotFound, TooLarge
from huaben.ports import Commit, Page
from huaben.services import importing, library, trash
from huaben.services.importing import Item, Tally
from tests.integration.jobs.yard import BOOK, Yard, card_bytes, uploads


async def taken(yard: Yard, files: dict[str, bytes | HuabenError]) -> tuple[str, list[Item]]:
    """Import these files and give the results."""
    import_id = await importing.begin(yard.house, uploads(files))
    await yard.patiently(yard.jobs.idle())
    return import_id, await results(yard, import_id)


async def results(yard: Yard, import_id: str) -> list[Item]:
    job = await importing.load_import(yard.house, import_id)
    found: list[Item] = []
    after: str | None = None
    while True:
        page, after = await importing.items(yard.house, job, Page(after, 7))
        found.extend(page)
        if after is None:
            return found


async def test_each_file_has_its_own_fate(yard: Yard) -> None:
    """Cards, a lorebook, a file that is neither, one that was too large, the same bytes twice: each
    is told, and one bad file stops nothing."""
    yard.start()
    import_id, items = await taken(
        yard,
        {
            "渡船人.json": card_bytes("渡船人"),
            "读不懂.png": b"\x89PNG nothing more",
            "harbour.json": BOOK,
            "big.png": TooLarge("file_too_large", "The file has 200 MB."),
            "copy.json": card_bytes("渡船人"),
            "old.json": b'{"name": "A", "first_mes": 3}',
        },
    )
    told = [(item.n, item.file, item.fate, item.kind, item.name) for item in items]
    assert told == [
        (0, "渡船人.json", "imported", "card", "渡船人"),
        (1, "读不懂.png", "refused", "", ""),
        (2, "harbour.json", "imported", "lorebook", "harbour"),
        (3, "big.png", "refused", "", ""),
        (4, "copy.json", "already", "card", "渡船人"),
        (5, "old.json", "imported", "card", "A"),
    ]
    assert items[1].code == "not_a_card"
    assert "读不懂.png" in items[1].message
    assert (items[3].code, items[3].message) == ("file_too_large", "The file has 200 MB.")
    assert items[4].id == items[0].id
    report = items[5].report
    assert report is not None
    assert report["changed"] == [
        {"code": "number_as_text", "path": "first_mes", "detail": "3", "facts": {"value": "3"}}
    ]
    job = await importing.load_import(yard.house, import_id)
    assert job.outcome == "done"
    assert await importing.tally(yard.house, job) == Tally(imported=3, already=1, refused=2)
    cards, _ = await yard.store.cards("local", Page())
    assert sorted(card.name for card in cards) == ["A", "渡船人"]


async def test_the_same_files_again_are_already_here(yard: Yard) -> None:
    """A second import of the same folder changes nothing."""
    yard.start()
    files: dict[str, bytes | HuabenError] = {f"{n}.json": card_bytes(f"卡 {n}") for n in range(20)}
    _, first = await taken(yard, files)
    _, again = await taken(yard, files)
    assert {item.fate for item in first} == {"imported"}
    assert {item.fate for item in again} == {"already"}
    assert [item.id for item in again] == [item.id for item in first]


async def test_what_lies_in_the_trash_is_imported_anew(yard: Yard) -> None:
    """A card that was deleted can be brought in again."""
    yard.start()
    _, (first,) = await taken(yard, {"a.json": card_bytes("阿迟")})
    await trash.discard(yard.house, "card", first.id)
    _, (again,) = await taken(yard, {"a.json": card_bytes("阿迟")})
    assert again.fate == "imported"
    assert again.id != first.id


@pytest.mark.parametrize("steps", range(1, 6))
async def test_an_import_that_was_cut_short_goes_on_where_it_was(yard: Yard, steps: int) -> None:
    """Whenever the process dies, each file is imported once and has one result."""
    count = importing.CHUNK * 3 + 5
    files: dict[str, bytes | HuabenError] = {
        f"{n}.json": card_bytes(f"卡 {n}") for n in range(count)
    }
    yard.start()
    yard.jobs.die_after(steps)
    import_id = await importing.begin(yard.house, uploads(files))
    await yard.jobs.idle()
    await yard.restart()
    await yard.patiently(yard.jobs.idle())
    items = await results(yard, import_id)
    assert [(item.n, item.fate) for item in items] == [(n, "imported") for n in range(count)]
    cards: list[StoredCard] = []
    after: str | None = None
    while True:
        page, after = await yard.store.cards("local", Page(after, 200))
        cards.extend(page)
        if after is None:
            break
    assert sorted(card.id for card in cards) == sorted(item.id for item in items)


async def test_a_file_whose_bytes_are_lost_or_damaged_is_refused_alone(yard: Yard) -> None:
    """The disk may lose an upload before it is read; the others come in."""
    lost = card_bytes("lost")
    import_id = await importing.begin(
        yard.house, uploads({"lost.json": lost, "kept.json": card_bytes("kept")})
    )
    name = await yard.objects.put(lost)
    del yard.objects.contents[name]
    yard.start()
    await yard.patiently(yard.jobs.idle())
    items = await results(yard, import_id)
    assert [(item.fate, item.code) for item in items] == [
        ("refused", "object_missing"),
        ("imported", ""),
    ]


async def test_a_lost_list_of_files_fails_the_import_visibly(yard: Yard) -> None:
    """Without the list nobody knows what was uploaded; that is told, not passed over."""
    import_id = await importing.begin(yard.house, uploads({"a.json": card_bytes("a")}))
    yard.objects.contents.clear()
    yard.start()
    await yard.patiently(yard.jobs.idle())
    job = await importing.load_import(yard.house, import_id)
    assert job.outcome.startswith("failed: object_missing: ")


async def test_no_file_is_no_import(yard: Yard) -> None:
    """An empty request is refused, and nothing is due."""
    with pytest.raises(BadInput, match="no file"):
        await importing.begin(yard.house, uploads({}))
    assert await yard.store.due() == []


async def test_a_long_report_is_shortened_and_says_so(yard: Yard) -> None:
    """A result keeps the first notes of each list; the card keeps them all."""
    odd = {f"x{n}": n for n in range(importing.MAX_NOTES + 20)}
    yard.start()
    _, (item,) = await taken(yard, {"odd.json": card_bytes("怪", **odd)})
    card = await yard.store.card(item.id)
    assert card is not None
    assert item.report is not None
    whole = cast("Mapping[str, list[Mapping[str, str]]]", card.report)
    for name, notes in whole.items():
        shown = cast("list[Mapping[str, str]]", item.report[name])
        if len(notes) > importing.MAX_NOTES:
            assert shown[:-1] == notes[: importing.MAX_NOTES]
            assert shown[-1]["code"] == "more_notes"
        else:
            assert shown == notes
    assert any(len(notes) > importing.MAX_NOTES for notes in whole.values())


async def test_an_import_is_its_users_own(yard: Yard) -> None:
    """Another user's import is not to be found, and its cards are that user's."""
    yard.start()
    other = replace(yard.house, user_id="somebody else")
    import_id = await importing.begin(other, uploads({"a.json": card_bytes("a")}))
    await yard.patiently(yard.jobs.idle())
    with pytest.raises(NotFound):
        await importing.load_import(yard.house, import_id)
    assert await importing.list_imports(yard.house, Page()) == ([], None)
    assert len((await importing.list_imports(other, Page()))[0]) == 1
    assert len((await yard.store.cards("somebody else", Page()))[0]) == 1
    assert (await yard.store.cards("local", Page()))[0] == []


async def test_one_upload_and_a_job_agree_on_what_is_already_here(yard: Yard) -> None:
    """A card that was imported alone is recognised by the job, and the other way round."""
    yard.start()
    alone = await library.import_card(yard.house, card_bytes("孤"), "a.json")
    _, (item,) = await taken(yard, {"b.json": card_bytes("孤")})
    assert (item.fate, item.id) == ("already", alone.id)
    again = await library.import_card(yard.house, card_bytes("孤"), "c.json")
    assert again.already
    assert await yard.store.commit(Commit()) is not None
