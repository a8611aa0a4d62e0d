"""An old installation moves in: everything that was there is here, once, and its keys nowhere."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from huaben.adapters.installation import installation_at
from huaben.domain.libraryitem import ItemKind
from huaben.errors import BadInput, NotFound
from huaben.ports import Page
from huaben.ports.installation import Installation, Listing
from huaben.services import importing, items, moving
from huaben.services.moving import Moved
from huaben.services.moving_plan import MOVE_KINDS, MoveKind
from huaben.services.persona_pictures import name_in
from tests.builders.cards import card_chunk, picture, v2
from tests.builders.installation import SECRET, SMALL, Installed, install
from tests.integration.chats.shelf import seen
from tests.integration.jobs.yard import Yard, card_bytes, uploads

ALL = Page(limit=200)


@pytest.fixture
def old(tmp_path: Path) -> Installed:
    """An installation as a user has one."""
    return install(tmp_path / "data" / "default-user")


async def begun(yard: Yard, old: Installed, *kinds: MoveKind) -> str:
    return await moving.begin(yard.house, installation_at(old.root), kinds or MOVE_KINDS)


async def arrived(yard: Yard, move_id: str) -> list[Moved]:
    """Its results, once the move and all chats are over."""
    await yard.patiently(yard.jobs.idle())
    job = await moving.load_move(yard.house, move_id)
    assert job.outcome == "done"
    return (await moving.moved(yard.house, job, ALL))[0]


async def moved(yard: Yard, old: Installed, *kinds: MoveKind) -> list[Moved]:
    return await arrived(yard, await begun(yard, old, *kinds))


async def counted(yard: Yard) -> dict[str, int]:
    """How many things of each kind are in the library."""
    store, mine = yard.store, yard.house.user_id
    kinds: tuple[ItemKind, ...] = ("preset", "persona", "scripts", "quick_replies")
    found = {kind: len((await items.list_items(yard.house, kind, ALL))[0]) for kind in kinds}
    return {
        "card": len((await store.cards(mine, ALL))[0]),
        "lorebook": len((await store.lorebooks(mine, ALL))[0]),
        "project": len((await store.projects(mine, ALL))[0]),
        **found,
    }


async def test_a_folder_is_looked_at_without_opening_a_file(old: Installed) -> None:
    """What is there is counted by kind; what stays behind is named with its reason."""
    for path in old.root.rglob("*.json"):
        path.write_bytes(b"not even JSON")
    found = await moving.look(installation_at(old.root.parent.parent))
    assert {part.kind: len(part.files) for part in found.parts} == {
        "cards": SMALL.cards,
        "lorebooks": SMALL.books,
        "settings": 1,
        "avatars": 2,
        "presets": 2,
        "templates": 4,
        "quick_replies": 1,
        "chats": SMALL.chats,
        "groups": 1,
    }
    assert all(part.size > 0 for part in found.parts)
    left = {(one.place, one.reason) for one in found.left}
    assert left == {
        ("backups", "backup"),
        ("characters", "picture"),
        ("extensions", "program"),
        ("groups", "group_rules"),
        ("secrets.json", "secret"),
        ("themes", "appearance"),
        ("thumbnails", "made_again"),
        ("vectors", "made_again"),
        ("what is this.bin", "unknown"),
    }


async def test_all_that_was_there_is_here(yard: Yard, old: Installed) -> None:
    """Compared item by item: each card and book by its bytes, each chat by its texts, on the card of its
    folder whatever its character is called in it."""
    yard.start()
    told = await moved(yard, old)
    assert [one.place for one in told if one.item.fate != "imported"] == []
    cards = {card.id: card for card in (await yard.store.cards("local", ALL))[0]}
    assert {
        card.name: yard.objects.contents[card.object_hash] for card in cards.values()
    } == old.cards
    books = [
        yard.objects.contents[one.object_hash]
        for one in (await yard.store.lorebooks("local", ALL))[0]
    ]
    assert sorted(books) == sorted(old.books.values())
    chats = {one.place: one.item for one in told if one.item.kind == "chat"}
    assert chats.keys() == old.chats.keys()
    for place, texts in old.chats.items():
        story = await seen(yard, chats[place].id)
        words = [text for turn in story.path for text in (turn.user_text, turn.final_text) if text]
        assert words == texts
        project = await yard.store.project(chats[place].id)
        assert project is not None
        if place.startswith("chats/"):
            assert cards[project.card_id or ""].name == place.split("/")[1]
    assert await counted(yard) == {
        "card": SMALL.cards,
        "lorebook": SMALL.books,
        "project": SMALL.chats + 1,
        "preset": 6,
        "persona": 2,
        "scripts": 1,
        "quick_replies": 1,
    }


async def test_a_group_comes_with_what_its_file_knew(yard: Yard, old: Installed) -> None:
    """The name of the group, the first member's card, the author's note of its metadata."""
    yard.start()
    told = await moved(yard, old, "cards", "groups")
    (group,) = [one.item for one in told if one.place == "group chats/g1.jsonl"]
    assert group.name == "渡口 - g1"
    worn = await yard.store.dressing(group.id)
    assert worn is not None
    assert worn.note.text == "雨一直下。"


async def test_personas_come_with_their_pictures(yard: Yard, old: Installed) -> None:
    """Each with its own; what nobody is known by is said to be left out, what is none is refused, and a
    picture that was chosen here stays."""
    yard.start()
    face = picture(card_chunk(v2({"name": "Bo"})))
    old.write("User Avatars/b.png", face)
    old.write("User Avatars/nobody.png", picture())
    old.write("User Avatars/a.png", b"no picture at all")
    told = {one.place: one.item for one in await moved(yard, old, "settings", "avatars")}
    assert told["User Avatars/a.png"].code == "not_a_picture"
    nobody = told["User Avatars/nobody.png"]
    assert nobody.report is not None
    assert "picture_of_nobody" in json.dumps(nobody.report)
    kept = {one.name: one for one in (await items.list_items(yard.house, "persona", ALL))[0]}
    assert told["User Avatars/b.png"].id == kept["Bo"].id
    assert name_in(kept["阿澄"]) == ""
    assert yard.objects.contents[name_in(kept["Bo"])] == face
    old.write("User Avatars/b.png", picture())
    again = {one.place: one.item for one in await moved(yard, old, "avatars")}
    assert again["User Avatars/b.png"].fate == "already"
    assert name_in(kept["Bo"]) == name_in(
        await items.load_item(yard.house, "persona", kept["Bo"].id)
    )


async def test_a_second_move_adds_nothing(yard: Yard, old: Installed) -> None:
    """Every file is told as already here."""
    yard.start()
    await moved(yard, old)
    before = await counted(yard)
    again = await moved(yard, old)
    assert Counter(one.item.fate for one in again) == {"already": len(again)}
    assert await counted(yard) == before


@pytest.mark.parametrize("steps", [1, 2, 4, 6, 9])
async def test_a_move_that_died_goes_on(yard: Yard, old: Installed, steps: int) -> None:
    """Wherever the process died, and though the old folder is gone by then, all is here once."""
    yard.start()
    yard.jobs.die_after(steps)
    move_id = await begun(yard, old)
    await yard.jobs.idle()
    assert yard.jobs.dead
    for path in sorted(old.root.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    await yard.restart()
    told = await arrived(yard, move_id)
    assert not [one for one in told if one.item.fate == "refused"]
    found = await counted(yard)
    assert (found["card"], found["project"]) == (SMALL.cards, SMALL.chats + 1)


@dataclass
class Watched:
    """An installation that remembers what was opened."""

    inner: Installation
    opened: set[str] = field(default_factory=set[str])

    @property
    def root(self) -> str:
        return self.inner.root

    async def listing(self) -> Listing:
        return await self.inner.listing()

    async def read(self, place: str, max_bytes: int) -> bytes:
        self.opened.add(place)
        return await self.inner.read(place, max_bytes)


async def test_only_what_moves_is_opened(yard: Yard, old: Installed) -> None:
    """Not the file of keys, not its copies among the backups, nothing else that stays behind."""
    yard.start()
    watched = Watched(installation_at(old.root))
    found = await moving.look(watched)
    assert watched.opened == set()
    await arrived(yard, await moving.begin(yard.house, watched))
    moving_in = {file.place for part in found.parts for file in part.files}
    assert watched.opened == {*moving_in, "groups/1720747897.json"}
    assert "secrets.json" not in watched.opened


async def test_keys_are_never_stored(yard: Yard, old: Installed) -> None:
    """Neither those of the file of keys nor those in settings and presets, nor of settings that cannot be
    read and so could not be cleaned."""
    yard.start()
    (old.root / "OpenAI Settings/torn.json").write_text(f'{{"proxy_password": "{SECRET}"')
    (old.root / "worlds/secrets.json").write_text(SECRET)
    told = await moved(yard, old)
    refused = {one.place: one.item.code for one in told if one.item.fate == "refused"}
    assert refused == {"OpenAI Settings/torn.json": "not_json"}
    (old.root / "settings.json").write_text(f'["{SECRET}"]')
    told = await moved(yard, old, "settings")
    assert [one.item.code for one in told] == ["not_json"]
    (old.root / "settings.json").write_text(f'{{"api": "{SECRET}"}}')
    told = await moved(yard, old, "settings")
    assert [one.item.code for one in told] == ["not_settings"]
    assert SECRET.encode() not in b"".join(yard.objects.contents.values())
    shown = (await items.list_items(yard.house, "preset", ALL))[0]
    assert SECRET not in json.dumps([[dict(one.content), dict(one.report)] for one in shown])


async def test_the_oldest_settings_come_without_the_keys_among_them(
    yard: Yard, old: Installed
) -> None:
    """Personas and scripts are read all the same."""
    yard.start()
    path = old.root / "settings.json"
    kept = json.loads(path.read_bytes())
    path.write_text(json.dumps({"api_key_openai": SECRET, **kept}))
    (settings,) = await moved(yard, old, "settings")
    assert settings.item.fate == "imported"
    assert (await counted(yard))["persona"] == 2
    assert SECRET.encode() not in b"".join(yard.objects.contents.values())


async def test_a_chat_whose_card_is_gone_is_not_lost(yard: Yard, old: Installed) -> None:
    """It gets a card of its character's name; cards that moved before are found again."""
    yard.start()
    await moved(yard, old, "cards")
    (old.root / "characters/渡船人 1.png").unlink()
    told = await moved(yard, old, "chats")
    assert {one.item.fate for one in told} == {"imported"}
    assert len(told) == SMALL.chats
    assert (await counted(yard))["card"] == SMALL.cards


async def test_links_out_of_the_folder_are_refused_by_name(yard: Yard, old: Installed) -> None:
    """A linked file and a linked folder; neither is read."""
    outside = old.root.parent / "elsewhere"
    outside.mkdir()
    (outside / "x.png").write_bytes(picture())
    (old.root / "characters/x.png").symlink_to(outside / "x.png")
    (old.root / "chats/x").symlink_to(outside)
    installation = installation_at(old.root)
    found = await moving.look(installation)
    assert found.links == ("characters/x.png", "chats/x")
    assert "characters/x.png" not in [one.place for one in found.of("cards")]
    with pytest.raises(BadInput, match="outside"):
        await installation.read("characters/x.png", 1_000_000)
    with pytest.raises(BadInput, match="outside"):
        await installation.read("../elsewhere/x.png", 1_000_000)


async def test_the_folder_from_before_1_12_is_known(tmp_path: Path) -> None:
    """Its data lay in `public`."""
    install(tmp_path / "public")
    assert installation_at(tmp_path).root == str(tmp_path / "public")


async def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    """And one of several users asks which."""
    with pytest.raises(BadInput) as nothing:
        installation_at(tmp_path)
    assert nothing.value.code == "no_installation"
    install(tmp_path / "data/ann")
    install(tmp_path / "data/林")
    with pytest.raises(BadInput) as several:
        installation_at(tmp_path)
    assert several.value.code == "several_users"


async def test_a_move_is_none_of_the_others(yard: Yard, old: Installed) -> None:
    """Another import is no move, and nothing asked for is nothing begun."""
    yard.start()
    other = await importing.begin(yard.house, uploads({"a.json": card_bytes("渡船人")}))
    with pytest.raises(NotFound):
        await moving.load_move(yard.house, other)
    (old.root / "settings.json").unlink()
    with pytest.raises(BadInput) as refused:
        await begun(yard, old, "settings")
    assert refused.value.code == "nothing_to_move"
