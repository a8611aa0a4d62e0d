"""Which file of an old installation is what, told by its place alone; apart from moving, because nothing is
opened to know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from huaben.ports.installation import FoundFile, Listing

MoveKind: TypeAlias = Literal[
    "cards",
    "lorebooks",
    "settings",
    "avatars",
    "presets",
    "templates",
    "quick_replies",
    "chats",
    "groups",
]
MOVE_KINDS: Final[tuple[MoveKind, ...]] = get_args(MoveKind)
"""In the order in which they move: what others need comes first."""
Reason: TypeAlias = Literal[
    "secret", "made_again", "backup", "appearance", "picture", "program", "group_rules", "unknown"
]

SETTINGS: Final = "settings.json"
_FOLDERS: Final[Mapping[str, tuple[MoveKind, tuple[str, ...]]]] = {
    "characters": ("cards", (".png", ".json", ".webp", ".charx", ".jpg", ".jpeg", ".yaml")),
    "worlds": ("lorebooks", (".json",)),
    "User Avatars": ("avatars", (".png", ".jpg", ".jpeg", ".webp", ".gif")),
    "OpenAI Settings": ("presets", (".json", ".settings")),
    "TextGen Settings": ("presets", (".json", ".settings")),
    "KoboldAI Settings": ("presets", (".json", ".settings")),
    "NovelAI Settings": ("presets", (".json", ".settings")),
    "instruct": ("templates", (".json",)),
    "context": ("templates", (".json",)),
    "sysprompt": ("templates", (".json",)),
    "reasoning": ("templates", (".json",)),
    "QuickReplies": ("quick_replies", (".json",)),
    "group chats": ("groups", (".jsonl",)),
}
_LEFT: Final[Mapping[str, Reason]] = {
    "secrets.json": "secret",
    "groups": "group_rules",
    "vectors": "made_again",
    "thumbnails": "made_again",
    "_cache": "made_again",
    "backups": "backup",
    "themes": "appearance",
    "movingUI": "appearance",
    "backgrounds": "appearance",
    "User Avatars": "picture",
    "characters": "picture",
    "user": "picture",
    "assets": "picture",
    "extensions": "program",
    "scripts": "program",
}


@dataclass(frozen=True, slots=True)
class Part:
    """What moves of one kind, by name."""

    kind: MoveKind
    files: tuple[FoundFile, ...]

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Left:
    """What stays behind of one folder, or one file, and why."""

    place: str
    reason: Reason
    files: int
    size: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What is in a folder. `links` are not followed; `groups` are the files that tell who is in one."""

    root: str
    parts: tuple[Part, ...]
    left: tuple[Left, ...]
    links: tuple[str, ...]
    groups: tuple[FoundFile, ...]

    def of(self, kind: MoveKind) -> tuple[FoundFile, ...]:
        return next((part.files for part in self.parts if part.kind == kind), ())


def survey_of(root: str, listing: Listing) -> Survey:
    """Sort the files of a folder by what they are to us. Source of the places: the data root of
    SillyTavern, since 1.12 and before."""
    sorted_out: dict[MoveKind, list[FoundFile]] = {}
    left: dict[tuple[str, Reason], list[FoundFile]] = {}
    groups: list[FoundFile] = []
    for file in listing.files:
        kind = kind_of(file.place)
        if kind is not None:
            sorted_out.setdefault(kind, []).append(file)
            continue
        top, _, below = file.place.partition("/")
        groups += [file] if top == "groups" and _is_direct(below, (".json",)) else []
        left.setdefault((top, reason_of(file.place)), []).append(file)
    parts = [Part(kind, tuple(sorted_out[kind])) for kind in MOVE_KINDS if kind in sorted_out]
    behind = [Left(top, why, len(of), _size(of)) for (top, why), of in sorted(left.items())]
    return Survey(root, tuple(parts), tuple(behind), listing.links, tuple(groups))


def kind_of(place: str) -> MoveKind | None:
    """What a file is by its place; None for what stays behind."""
    top, _, below = place.partition("/")
    if place == SETTINGS:
        return "settings"
    if top == "chats":
        folder, _, name = below.partition("/")
        return "chats" if folder and _is_direct(name, (".jsonl",)) else None
    kind, suffixes = _FOLDERS.get(top, (None, ()))
    return kind if _is_direct(below, suffixes) else None


def reason_of(place: str) -> Reason:
    """Why a file stays behind. A file of keys is one wherever it lies."""
    top, _, _ = place.partition("/")
    if place.rpartition("/")[2] == "secrets.json":
        return "secret"
    return _LEFT.get(top, "unknown")


def _is_direct(name: str, suffixes: tuple[str, ...]) -> bool:
    if not name or "/" in name or name.startswith(".") or name == "secrets.json":
        return False
    return name.lower().endswith(suffixes)


def _size(files: Sequence[FoundFile]) -> int:
    return sum(file.size for file in files)
