"""A folder that is looked at again and again, while anything is done to its files in between."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from huaben.adapters.manuscripts.index import FolderIndex
from huaben.adapters.manuscripts.objects import ObjectFolder
from huaben.ports.manuscripts import Found

NAMES = ("001-雨.md", "002-rain.md", "Z.MD", "note.txt", ".hidden.md")
Step: TypeAlias = tuple[str, str, str, bytes, Literal["look", "take", ""]]

steps = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "write",
                "remove",
                "rename",
                "swap",
                "link",
                "folder",
                "touch",
                "put back",
            ]
        ),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.sampled_from([b"one", b"two", b"six", "雨夜".encode(), b"\xff\xfe", b""]),
        st.sampled_from(["look", "take", ""]),
    ),
    max_size=25,
)


def do(folder: Path, step: Step) -> None:
    """What an editor, a sync program or a shell does to a file."""
    verb, name, other, content, _ = step
    path, second = folder / name, folder / other
    plain = path.is_file() and not path.is_symlink()
    match verb:
        case "write" if plain or not os.path.lexists(path):
            path.write_bytes(content)
        case "remove" if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        case "remove":
            path.unlink(missing_ok=True)
        case "rename" if plain and not second.is_dir():
            path.replace(second)
        case "swap" if plain and second.is_file() and name != other:
            path.replace(folder / "between")
            second.replace(path)
            (folder / "between").replace(second)
        case "link" if not os.path.lexists(path):
            path.symlink_to(second)
        case "folder" if not os.path.lexists(path):
            path.mkdir()
        case "touch" if plain:
            os.utime(path, (1, 1))
        case "put back" if plain:
            before = path.stat()
            path.write_bytes(content)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        case _:
            pass


def told(found: Found) -> Found:
    """Without the moment of a change, which a link to a file that is replaced does not move."""
    return replace(found, chapters=tuple(replace(one, changed_at="") for one in found.chapters))


@given(steps)
def test_a_look_tells_what_one_that_knows_nothing_would_tell(given_steps: list[Step]) -> None:
    """No edit is missed, whatever came before it and however quickly; with `take` all bytes are kept."""
    with tempfile.TemporaryDirectory() as root:
        folder, objects = Path(root) / "manuscript", ObjectFolder(Path(root) / "objects")
        folder.mkdir()
        (Path(root) / "objects").mkdir()
        index = FolderIndex(folder, objects)
        for step in given_steps:
            do(folder, step)
            if not step[4]:
                continue
            found = index.look(keep=step[4] == "take")
            assert told(found) == told(FolderIndex(folder, objects).look(keep=False))
            assert step[4] == "look" or all(objects.has(one.hash) for one in found.chapters)
