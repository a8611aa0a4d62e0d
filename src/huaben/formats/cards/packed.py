"""Matches packed files with the assets a card declares; apart because PNG, CharX and BYAF all pack files."""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

from huaben.domain.card import Asset, Card
from huaben.domain.jsonvalue import scrub_surrogates
from huaben.formats.cards.outcome import AssetFile, AssetSource
from huaben.formats.report import Findings

EMBEDDED_SCHEMES = ("embeded://", "embedded://", "__asset:")

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_MAX_STEM = 80


@dataclass(frozen=True, slots=True)
class Packed:
    """A file as its container names it, path not yet confined."""

    path: str
    source: AssetSource


def pack(files: Iterable[Packed], card: Card, findings: Findings) -> tuple[AssetFile, ...]:
    """Gives each file a confined path, a safe and unique name, and the declaration that names it.

    A file whose path leaves the container is dropped, one declared twice is stored once. An asset
    that names no packed file is a warning: the card is imported all the same.
    """
    inside: dict[str, Packed] = {}
    for file in files:
        path = confined(file.path)
        if path is None:
            findings.dropped("unsafe_path", file.path, "leads out of the container")
        else:
            inside.setdefault(path, file)
    declared: dict[str, Asset] = {}
    for index, asset in enumerate(card.assets):
        path = _inside(asset.uri, inside)
        if path is None:
            if asset.uri.lower().startswith(("http://", "https://")):
                findings.warn("asset_remote", f"data.assets[{index}]", "never fetched on import")
            elif asset.uri.startswith(EMBEDDED_SCHEMES):
                findings.warn("asset_missing", f"data.assets[{index}]", asset.uri, value=asset.uri)
        else:
            declared.setdefault(path, asset)
    taken: dict[str, int] = {}
    made: list[AssetFile] = []
    for path, file in inside.items():
        asset = declared.get(path)
        name = _unique(stored_name(path, asset), taken)
        made.append(AssetFile(path, name, file.source, asset))
        findings.kept("asset" if asset else "packed_file", path)
    return tuple(made)


def find_asset(assets: Sequence[AssetFile], uri: str) -> AssetFile | None:
    """The file an address names, in any spelling; None when it names none of these."""
    by_path = {asset.path: asset for asset in assets}
    path = _inside(uri, by_path)
    return None if path is None else by_path[path]


def embedded_path(uri: str) -> str | None:
    """The confined path an asset's URI names inside the container, None for any other URI.

    Accepts `embeded://` (the specification's spelling), `embedded://` and `__asset:`.
    """
    for scheme in EMBEDDED_SCHEMES:
        if uri.startswith(scheme):
            return confined(uri[len(scheme) :])
    return None


def _inside(uri: str, paths: Container[str]) -> str | None:
    """The path among `paths` that a URI names, as typed or with its percent escapes read."""
    path = embedded_path(uri)
    if path is None or path in paths:
        return path
    unescaped = confined(unquote(path))
    return unescaped if unescaped is not None and unescaped in paths else None


def confined(path: str) -> str | None:
    """A relative path with `/` between names, or None when it is empty or would leave its folder."""
    path = scrub_surrogates(path).replace("\\", "/")
    if path.startswith("/") or re.match(r"[A-Za-z]:", path) or "\x00" in path:
        return None
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or ".." in parts or ".." in unquote(path).split("/"):
        return None
    return "/".join(parts)


def stored_name(path: str, asset: Asset | None) -> str:
    """A file name for an asset, its ending once: name `happy.png` with ext `png` is `happy.png`."""
    inner = PurePosixPath(path)
    name = asset.name if asset is not None and asset.name else inner.name
    ext = asset.ext if asset is not None and asset.ext != "unknown" else inner.suffix.lstrip(".")
    ext = _UNSAFE.sub("", ext)[:16].lower()
    stem = name[: -len(ext) - 1] if ext and name.lower().endswith(f".{ext}") else name
    stem = _UNSAFE.sub("_", stem).strip(" .")[:_MAX_STEM] or "asset"
    if _RESERVED.fullmatch(stem):
        stem = f"_{stem}"
    return f"{stem}.{ext}" if ext else stem


def _unique(name: str, taken: dict[str, int]) -> str:
    """The name, numbered if another file has it already; case does not tell names apart."""
    inner = PurePosixPath(name)
    free = name
    while free.lower() in taken:
        taken[name.lower()] += 1
        free = f"{inner.stem}-{taken[name.lower()]}{inner.suffix}"
    taken[free.lower()] = 1
    return free
