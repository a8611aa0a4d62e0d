"""Changes of several files that are made as a whole: prepared beside the manuscript, written down, carried
out, settled. Apart from reading because here every step may be the last one of the process.

A change has a folder `history/journal/<id>`. Its new files are written there first, then `plan.json`; from
that moment on a start finds the change and can finish it or take it back. What the new files replace is
kept in the same folder until the change is settled.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from huaben.adapters.manuscripts.files import (
    digest,
    make_folders,
    read_plain,
    sync_folder,
    write_synced,
)
from huaben.adapters.manuscripts.objects import ObjectFolder
from huaben.domain.checkpoint import FileChange
from huaben.errors import StorageFailed
from huaben.ports.manuscripts import MAX_CHAPTER_BYTES, Rewrite

PLAN = "plan.json"


@dataclass(frozen=True, slots=True)
class Places:
    """Where a project's manuscript, objects and journal lie, and the data folder that must be there."""

    data: Path
    project: Path

    @property
    def manuscript(self) -> Path:
        return self.project / "manuscript"

    @property
    def objects(self) -> Path:
        return self.project / "history" / "objects"

    @property
    def journal(self) -> Path:
        return self.project / "history" / "journal"

    def entry(self, rewrite: Rewrite) -> Path:
        return self.journal / rewrite.id


def prepare(places: Places, objects: ObjectFolder, rewrite: Rewrite) -> None:
    """Write down a change and everything that it needs; the manuscript is not touched."""
    wanted = {step.after for step in rewrite.steps.values() if step.after is not None}
    contents = {sha256: _sound(objects, sha256) for sha256 in wanted}
    for before in {step.before for step in rewrite.steps.values() if step.before is not None}:
        _sound(objects, before)
    for name, step in rewrite.steps.items():
        if step.before is not None:
            _check_writable(places.manuscript / name)
    entry = places.entry(rewrite)
    make_folders(places.journal, places.data)
    entry.mkdir(mode=0o700)
    try:
        for number, (name, step) in enumerate(rewrite.steps.items()):
            if step.after is not None:
                write_synced(entry / f"new-{number}", contents[step.after])
                _copy_mode(places.manuscript / name, entry / f"new-{number}")
        plan = {
            "id": rewrite.id,
            "turn": rewrite.turn,
            "steps": [[name, step.before, step.after] for name, step in rewrite.steps.items()],
        }
        write_synced(entry / f"{PLAN}.new", json.dumps(plan).encode())
        (entry / f"{PLAN}.new").replace(entry / PLAN)
        sync_folder(entry)
        sync_folder(places.journal)
    except BaseException:
        shutil.rmtree(entry, ignore_errors=True)
        raise


def moved(places: Places, rewrite: Rewrite) -> list[str]:
    """Files that are not what the change takes them for."""
    return [
        name
        for name, step in rewrite.steps.items()
        if _hash_of(places.manuscript / name) != step.before
    ]


def carry_out(places: Places, rewrite: Rewrite) -> None:
    """Make every step that is not made yet. What stands in the way of one since is left alone."""
    entry = places.entry(rewrite)
    make_folders(places.manuscript, places.data)
    # Removals first: on some systems the new name of a file is its old one.
    numbered = sorted(enumerate(rewrite.steps.items()), key=lambda one: one[1][1].after is not None)
    for number, (name, step) in numbered:
        path, new, old = places.manuscript / name, entry / f"new-{number}", entry / f"old-{number}"
        if _hash_of(path) != step.before:
            continue
        if step.after is None:
            path.replace(old)
        elif new.exists():
            if step.before is not None:
                _keep_old(path, old)
            new.replace(path)
    sync_folder(entry)
    sync_folder(places.manuscript)


def take_back(places: Places, rewrite: Rewrite) -> None:
    """Undo every step that was made. What somebody changed since is left alone."""
    entry = places.entry(rewrite)
    for number, (name, step) in reversed(list(enumerate(rewrite.steps.items()))):
        path, old = places.manuscript / name, entry / f"old-{number}"
        if _hash_of(path) != step.after:
            continue
        if step.before is None:
            path.unlink(missing_ok=True)
        elif old.exists():
            old.replace(path)
    sync_folder(places.manuscript)


def close(places: Places, rewrite: Rewrite) -> None:
    """Forget a change that is made or taken back."""
    entry = places.entry(rewrite)
    (entry / PLAN).unlink(missing_ok=True)
    if entry.exists():
        sync_folder(entry)
        shutil.rmtree(entry)


def open_changes(places: Places, project_id: str) -> Iterator[Rewrite]:
    """The changes that were written down and not settled. What was not written down in full had not
    touched anything, and is removed."""
    if not places.journal.is_dir():
        return
    for entry in sorted(places.journal.iterdir()):
        plan = read_plain(entry / PLAN, MAX_CHAPTER_BYTES)
        if plan is None:
            shutil.rmtree(entry)
        else:
            yield _rewrite_of(project_id, entry, plan)


def open_ids(places: Places) -> list[str]:
    """Which changes are open; nothing is removed."""
    if not places.journal.is_dir():
        return []
    return sorted(one.name for one in places.journal.iterdir() if (one / PLAN).is_file())


def _rewrite_of(project_id: str, entry: Path, plan: bytes) -> Rewrite:
    try:
        stored = cast("Mapping[str, object]", json.loads(plan))  # written by `prepare`
        steps = cast("list[tuple[str, str | None, str | None]]", stored["steps"])
        turn = cast("str | None", stored["turn"])
        named = {name: FileChange(before, after) for name, before, after in steps}
    except (ValueError, KeyError, TypeError) as fault:
        raise StorageFailed(
            "journal_damaged",
            f"the change {entry.name} of the manuscript {project_id} cannot be read: {fault}",
            "Look at the files in its folder; remove the folder when nothing of them is needed.",
        ) from fault
    return Rewrite(entry.name, project_id, named, turn)


def _sound(objects: ObjectFolder, sha256: str) -> bytes:
    content = objects.get(sha256)
    if content is None:
        raise StorageFailed("object_missing", f"object {sha256} is missing; nothing was changed")
    return content


def _check_writable(path: Path) -> None:
    """A file that its owner marked as read-only stays as it is, whoever we are."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise StorageFailed(
            "read_only_file",
            f"{path.name} is marked as read-only; nothing was changed",
            "Make the file writable, then try again.",
        )


def _copy_mode(path: Path, new: Path) -> None:
    """Whoever could read or write the file before can do so afterwards."""
    if path.is_file():
        new.chmod(stat.S_IMODE(path.lstat().st_mode))


def _keep_old(path: Path, old: Path) -> None:
    """Keep what is about to be replaced, without a moment in which the chapter is not there."""
    if old.exists():
        return
    try:
        os.link(path, old)
    except OSError:  # a file system without links
        shutil.copy2(path, old)


def _hash_of(path: Path) -> str | None:
    """The hash of a chapter; None where nothing is, and a word that is no hash for what is none."""
    content = read_plain(path, MAX_CHAPTER_BYTES)
    if content is not None:
        return digest(content)
    return "no chapter" if os.path.lexists(path) else None
