"""Thought that older files keep within the text of a reply; apart because every dialect may have it."""

import re
from typing import Final

_BLOCK: Final = re.compile(
    r"\s*<(?P<tag>think|thinking|thought|thoughts|reasoning)>(?P<thought>.*?)</(?P=tag)>[ \t\r\n]*",
    re.DOTALL | re.IGNORECASE,
)
_FOLDED: Final = re.compile(
    r"\s*<details\b[^>]{0,200}\btype=[\"']reasoning[\"'][^>]{0,200}>\s*(?:<summary>[^<]*</summary>)?"
    r"(?P<thought>.*?)</details>[ \t\r\n]*",
    re.DOTALL | re.IGNORECASE,
)
"""Open WebUI's way: a folded part of the page, each line of it quoted."""
_QUOTED: Final = re.compile(r"^> ?", re.MULTILINE)


def split_thought(text: str) -> tuple[str, str]:
    """The thought that a reply begins with and the rest of it; no thought where it begins otherwise.

    Only a whole block at the very beginning counts: a tag further on may be a part of the story, and
    one that is never closed would take the story with it.
    """
    if "<" not in text:
        return "", text
    found = _BLOCK.match(text)
    if found is not None:
        return found["thought"].strip(), text[found.end() :]
    folded = _FOLDED.match(text)
    if folded is not None:
        return _QUOTED.sub("", folded["thought"].strip()), text[folded.end() :]
    return "", text
