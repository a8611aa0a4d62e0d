"""File names made of names that anybody may have chosen; apart because downloads, the command line and
archives must all be safe from the same tricks."""

from __future__ import annotations

import re
import unicodedata

MAX_STEM = 80
"""Characters before the ending; in UTF-8 at most 240 bytes, which every file system takes."""
NAMELESS = "huaben"

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\ud800-\udfff]+')
_UNSEEN = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_RESERVED = re.compile(r"(?i:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)")


def safe_name(name: str, ending: str) -> str:
    """A file name for a thing of that name: no folders, no control or direction marks, nothing that
    a system reserves or hides, never empty, at most `MAX_STEM` characters and the ending."""
    stem = _UNSEEN.sub("", unicodedata.normalize("NFC", name))
    stem = _FORBIDDEN.sub("_", stem)
    stem = " ".join(stem.split()).strip(". ")[:MAX_STEM].strip(". ")
    if _RESERVED.match(stem):
        stem = f"_{stem}"
    return f"{stem or NAMELESS}.{ending}"


def ascii_name(file_name: str) -> str:
    """The same name for who reads ASCII alone: other characters become `_`."""
    plain = re.sub(r"[^A-Za-z0-9 ._()\-]+", "_", file_name)
    stem, dot, ending = plain.rpartition(".")
    return plain if stem.strip("_ .") else f"{NAMELESS}{dot}{ending}"
