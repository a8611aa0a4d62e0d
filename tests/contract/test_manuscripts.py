"""What every home of manuscripts promises: what lies there is told, changes are whole or none."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from huaben.adapters.folder import DataFolder
from huaben.adapters.manuscripts.folder import FolderManuscripts
from huaben.domain.checkpoint import Delta, FileChange
from huaben.errors import BadInput, StorageFailed
from huaben.ports.manuscripts import Manuscripts, Moved, Rewrite
from huaben.testing.manuscripts import MemoryManuscripts

PROJECT = "0193-project"


@dataclass
class Room:
    """A home of manuscripts, and a user's hand in its folder. `again` opens it as a later process."""

    home: Manuscripts
    write: Callable[[str, bytes], None]
    remove: Callable[[str], None]
    spoil: Callable[[str, bytes | None], None]
    again: Callable[[], Manuscripts]

    async def files(self) -> dict[str, bytes]:
        found = await self.home.look(PROJECT)
        contents = {one.name: await self.home.read(PROJECT, one.name) for one in found.chapters}
        return {name: content for name, content in contents.items() if content is not None}


def in_memory() -> Room:
    home = MemoryManuscripts()
    home.desk(PROJECT).gone = False

    def spoil(name: str, content: bytes | None) -> None:
        if content is None:
            home.desk(PROJECT).objects.pop(name)
        else:
            home.desk(PROJECT).objects[name] = content

    desk = home.desk(PROJECT)
    return Room(home, desk.files.__setitem__, desk.files.__delitem__, spoil, lambda: home)


def on_disk(root: Path) -> Room:
    folder = DataFolder(root)
    chapters, objects = folder.manuscript(PROJECT), folder.history(PROJECT)
    chapters.mkdir(parents=True)

    def write(name: str, content: bytes) -> None:
        (chapters / name).write_bytes(content)

    def spoil(name: str, content: bytes | None) -> None:
        if content is None:
            (objects / name).unlink()
        else:
            (objects / name).write_bytes(content)

    return Room(
        FolderManuscripts(folder),
        write,
        lambda name: (chapters / name).unlink(),
        spoil,
        lambda: FolderManuscripts(folder),
    )


@pytest.fixture(params=["memory", "folder"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Room:
    return in_memory() if request.param == "memory" else on_disk(tmp_path / "资料 data")


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def a_change(steps: Delta, made: str = "c1") -> Rewrite:
    return Rewrite(made, PROJECT, steps)


async def steps_to(room: Room, **contents: bytes | None) -> Delta:
    """The steps that lead from what is there to these contents (`_` in a name stands for `.`)."""
    now = (await room.home.take(PROJECT)).manifest
    steps: dict[str, FileChange] = {}
    for key, content in contents.items():
        name = key.replace("_", ".")
        after = None if content is None else await room.home.keep(PROJECT, content)
        steps[name] = FileChange(now.get(name), after)
    return steps


async def test_what_lies_in_the_folder_is_told_in_order(room: Room) -> None:
    """Each chapter with its hash, its size and its characters, where it has any."""
    room.write("002-雨.md", "雨🌙".encode())
    room.write("001-a.md", b"one\r\n")
    room.write("notes.txt", b"no chapter")
    room.write(".hidden.md", b"no chapter")
    room.write("003-latin.md", b"caf\xe9")
    found = await room.home.look(PROJECT)
    assert [(c.name, c.hash, c.size, c.chars) for c in found.chapters] == [
        ("001-a.md", digest(b"one\r\n"), 5, 5),
        ("002-雨.md", digest("雨🌙".encode()), 7, 2),
        ("003-latin.md", digest(b"caf\xe9"), 4, None),
    ]
    assert found.manifest["001-a.md"] == digest(b"one\r\n")
    assert not found.gone
    chapter = found.chapter("002-雨.md")
    assert chapter is not None
    assert chapter.changed_at.endswith("Z")
    assert found.chapter("nothing.md") is None


async def test_every_change_by_hand_is_seen_at_the_next_look(room: Room) -> None:
    """A new text of the same length, a new file, a file that went."""
    room.write("a.md", "甲".encode())
    assert (await room.home.look(PROJECT)).manifest == {"a.md": digest("甲".encode())}
    room.write("a.md", "乙".encode())
    assert (await room.home.look(PROJECT)).manifest == {"a.md": digest("乙".encode())}
    room.write("b.md", b"")
    room.remove("a.md")
    assert (await room.home.look(PROJECT)).manifest == {"b.md": digest(b"")}
    assert await room.home.read(PROJECT, "a.md") is None


async def test_bytes_are_kept_under_their_hash(room: Room) -> None:
    """By hand or through the folder, and never changed."""
    room.write("a.md", b"by hand")
    found = await room.home.take(PROJECT)
    assert await room.home.object(PROJECT, found.chapters[0].hash) == b"by hand"
    kept = await room.home.keep(PROJECT, "留着".encode())
    assert kept == digest("留着".encode())
    assert await room.home.object(PROJECT, kept) == "留着".encode()
    assert await room.home.object(PROJECT, digest(b"never")) is None
    assert await room.home.unsound(PROJECT, [kept, digest(b"never")]) == [digest(b"never")]


async def test_a_damaged_object_is_an_error_and_never_bytes(room: Room) -> None:
    """It is told as unsound, and written again by whoever still has its bytes."""
    kept = await room.home.keep(PROJECT, b"whole")
    room.spoil(kept, b"other")
    with pytest.raises(StorageFailed) as refused:
        await room.home.object(PROJECT, kept)
    assert refused.value.code == "object_damaged"
    assert await room.home.unsound(PROJECT, [kept]) == [kept]
    await room.home.keep(PROJECT, b"whole")
    assert await room.home.object(PROJECT, kept) == b"whole"


async def test_a_change_makes_every_step(room: Room) -> None:
    """Files come, change, go and take each other's names at once; others stay."""
    for name in ("a", "b", "c", "d"):
        room.write(f"{name}.md", name.encode())
    steps = await steps_to(room, a_md=b"b", b_md=b"a", c_md=None, e_md="新".encode())
    assert await room.home.change(a_change(steps)) is None
    expected = {"a.md": b"b", "b.md": b"a", "d.md": b"d", "e.md": "新".encode()}
    assert await room.files() == expected
    await room.home.settle(a_change(steps), made=True)
    assert await room.files() == expected
    assert await room.home.unsettled() == []


async def test_a_change_that_the_store_did_not_record_is_taken_back(room: Room) -> None:
    """To the byte, whatever its steps were."""
    for name in ("a", "b", "c"):
        room.write(f"{name}.md", name.encode())
    before = await room.files()
    steps = await steps_to(room, a_md=b"x", b_md=None, d_md=b"new")
    assert await room.home.change(a_change(steps)) is None
    await room.home.settle(a_change(steps), made=False)
    assert await room.files() == before
    assert await room.home.unsettled() == []


async def test_a_file_changed_by_hand_meanwhile_keeps_the_change_away(room: Room) -> None:
    """It is named, and nothing at all is touched."""
    room.write("a.md", b"a")
    steps = await steps_to(room, a_md=b"x", b_md=b"y")
    room.write("a.md", b"by hand")
    assert await room.home.change(a_change(steps)) == Moved(("a.md",))
    assert await room.files() == {"a.md": b"by hand"}
    room.write("b.md", b"by hand too")
    assert await room.home.change(a_change(steps)) == Moved(("a.md", "b.md"))
    assert await room.home.unsettled() == []


@pytest.mark.parametrize("content", [None, b"altered"])
@pytest.mark.parametrize("which", ["before", "after"])
async def test_a_missing_or_altered_object_refuses_before_anything_is_touched(
    room: Room, content: bytes | None, which: str
) -> None:
    """Of what is to be written and of what could not be written again."""
    room.write("a.md", b"a")
    room.write("b.md", b"b")
    steps = await steps_to(room, a_md=None, b_md=b"y")
    room.spoil(digest(b"a" if which == "before" else b"y"), content)
    with pytest.raises(StorageFailed):
        await room.home.change(a_change(steps))
    assert await room.files() == {"a.md": b"a", "b.md": b"b"}
    assert await room.home.unsettled() == []


@pytest.mark.parametrize("made", [True, False])
async def test_a_later_start_finds_what_was_not_settled(room: Room, *, made: bool) -> None:
    """With its turn and all its steps, and settles it either way."""
    room.write("a.md", b"a")
    steps = await steps_to(room, a_md=b"x", b_md=b"y")
    change = Rewrite("c7", PROJECT, steps, turn="turn-1")
    assert await room.home.change(change) is None
    later = room.again()
    assert await later.unsettled() == [change]
    await later.settle(change, made=made)
    assert await later.unsettled() == []
    assert await room.files() == ({"a.md": b"x", "b.md": b"y"} if made else {"a.md": b"a"})


@pytest.mark.parametrize("made", [True, False])
async def test_what_was_edited_by_hand_before_it_was_settled_stays(
    room: Room, *, made: bool
) -> None:
    """The user's words win over finishing and over taking back."""
    room.write("a.md", b"a")
    steps = await steps_to(room, a_md=b"x", b_md=b"y")
    assert await room.home.change(a_change(steps)) is None
    room.write("a.md", b"by hand")
    await room.home.settle(a_change(steps), made=made)
    assert (await room.files())["a.md"] == b"by hand"


async def test_a_folder_that_is_gone_is_told_as_gone(room: Room) -> None:
    """Which is not the same as an empty one; `found` makes it and touches none that is there."""
    other = "0193-other"
    assert (await room.home.look(other)).gone
    await room.home.found(other)
    assert not (await room.home.look(other)).gone
    room.write("a.md", b"a")
    await room.home.found(PROJECT)
    assert await room.files() == {"a.md": b"a"}


@pytest.mark.parametrize(
    "name",
    [
        "../a.md",
        "/etc/a.md",
        "sub/a.md",
        "..\\a.md",
        "a.txt",
        ".a.md",
        "",
        "a\0.md",
        "..",
        "huaben.db",
    ],
)
async def test_no_name_leads_out_of_the_folder(room: Room, name: str) -> None:
    """Not for reading and not for writing."""
    with pytest.raises(BadInput):
        await room.home.read(PROJECT, name)
    kept = await room.home.keep(PROJECT, b"x")
    with pytest.raises(BadInput):
        await room.home.change(a_change({name: FileChange(None, kept)}))


async def test_the_audit_names_what_is_missing_damaged_or_not_settled(room: Room) -> None:
    """And finds nothing in what is whole."""
    whole, spoilt, gone = [await room.home.keep(PROJECT, word) for word in (b"1", b"2", b"3")]
    assert [fault async for fault in room.home.audit(PROJECT, [whole, spoilt, gone])] == []
    room.spoil(spoilt, b"altered")
    room.spoil(gone, None)
    room.write("a.md", b"a")
    assert await room.home.change(a_change(await steps_to(room, a_md=b"x"), "c9")) is None
    found = [fault async for fault in room.home.audit(PROJECT, [whole, spoilt, gone])]
    assert len(found) == 3
    assert any(spoilt in fault for fault in found)
    assert any(gone in fault and "is missing" in fault for fault in found)
    assert any("c9" in fault and "not settled" in fault for fault in found)


async def test_a_forgotten_manuscript_leaves_nothing(room: Room) -> None:
    """Neither chapters nor history."""
    room.write("a.md", b"a")
    found = await room.home.take(PROJECT)
    await room.home.forget(PROJECT)
    assert (await room.home.look(PROJECT)).gone
    assert await room.home.object(PROJECT, found.chapters[0].hash) is None
    await room.home.forget(PROJECT)


async def test_a_read_only_file_stays_as_it_is(room: Room, tmp_path: Path) -> None:
    """Whoever marked it so meant it; the whole change is refused with a clear code."""
    room.write("a.md", b"a")
    room.write("b.md", b"b")
    steps = await steps_to(room, a_md=b"x", b_md=b"y")
    if isinstance(room.home, MemoryManuscripts):
        room.home.desk(PROJECT).read_only.add("a.md")
    else:
        (DataFolder(tmp_path / "资料 data").manuscript(PROJECT) / "a.md").chmod(0o444)
    with pytest.raises(StorageFailed) as refused:
        await room.home.change(a_change(steps))
    assert refused.value.code == "read_only_file"
    assert await room.files() == {"a.md": b"a", "b.md": b"b"}
    assert await room.home.unsettled() == []
