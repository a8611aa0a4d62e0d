"""The built page as files on disk: which there are, and the document as one request gets it. Apart from
the routes so that it can be looked at without a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["zh", "en"]

_NONCE = "NONCE-OF-THE-REQUEST"
_LANGUAGE = "LANGUAGE-OF-THE-REQUEST"
_HOSTS = "PICTURE-HOSTS-OF-THE-REQUEST"
"""What the build leaves in `index.html` for the server to fill in (`frontend/vite.config.ts`)."""

_TAGS: Mapping[Language, str] = {"zh": "zh-CN", "en": "en"}
_ROOT = frozenset({"icon.svg", "manifest.webmanifest"})
_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file as it is sent; `packed`: compressed with gzip."""

    content: bytes
    media_type: str
    packed: bool


@dataclass(frozen=True, slots=True)
class Built:
    """The page that was built into `folder`, or will be."""

    folder: Path

    def document(self, language: Language, nonce: str, hosts: Sequence[str] = ()) -> str | None:
        """`index.html` in that language, its scripts and styles under `nonce`; `hosts` are those that
        pictures may come from. None when nothing is built."""
        try:
            text = (self.folder / "index.html").read_text("utf-8")
        except FileNotFoundError:
            return None
        filled = text.replace(_NONCE, nonce).replace(_LANGUAGE, _TAGS[language])
        return filled.replace(_HOSTS, " ".join(hosts))

    def root_file(self, name: str) -> PageFile | None:
        """A file with a fixed name."""
        return self._read(self.folder / name, packed=False) if name in _ROOT else None

    def asset(self, name: str, packed: bool) -> PageFile | None:
        """A file with its hash in its name, which never changes. `packed`: the twin that the build
        has compressed, where there is one. No path is joined that the folder does not list."""
        folder = self.folder / "assets"
        listed = {path.name: path for path in folder.iterdir()} if folder.is_dir() else {}
        twin = listed.get(f"{name}.gz") if packed else None
        whole = listed.get(name)
        if whole is None or whole.suffix not in _TYPES:
            return None
        return self._read(twin or whole, packed=twin is not None)

    def _read(self, path: Path, *, packed: bool) -> PageFile | None:
        kind = _TYPES[PurePath(path.stem).suffix if packed else path.suffix]
        try:
            return PageFile(path.read_bytes(), kind, packed)
        except FileNotFoundError:
            return None  # built anew at this moment
