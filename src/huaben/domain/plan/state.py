"""The text of a plan state: its fixed sections, its lines, what a line refers to and who may know it; apart
from notes because the state is one document that is written whole (`planner.md` §3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import regex

from huaben.domain.project import Language

_HEADINGS: Final[Mapping[Language, tuple[str, ...]]] = MappingProxyType(
    {
        "zh": (
            "## 场景与时间",
            "## 在场人物",
            "## 人物关系",
            "## 承诺与伏笔",
            "## 场外世界",
            "## 主线与走向",
            "## 镜头与节奏",
            "## 用户的自主",
        ),
        "en": (
            "## Scene and time",
            "## Who is present",
            "## Relationships",
            "## Promises and foreshadowing",
            "## Offstage world",
            "## Main line and outline",
            "## Camera and pacing",
            "## The user's agency",
        ),
    }
)

_REFERENCE: Final = regex.compile(r"\s*[\[［]((?:[mn]\d+)(?:\s*[,，、;；]\s*[mn]\d+)*)[\]］]")
_ONE_REFERENCE: Final = regex.compile(r"[mn]\d+")
_SECRET: Final = regex.compile(
    r"[\[［【〖]\s*(?:secret|秘密|机密)\s*(?:[:：]\s*([^\]］】]*))?[\]］】]", regex.IGNORECASE
)
_NAMES_APART: Final = regex.compile(r"\s*(?:[,，、;；/|&（）()]|\band\b)\s*")
_VIEWPOINT: Final = regex.compile(
    r"(?:视角|视点|(?<![a-z])(?:pov|viewpoint|point of view)(?![a-z]))(?:人物|角色| characters?)?"
    r"\s*(?:[:：]|是|为|is\b|=)?\s*([^。；;.!！\n]*)",
    regex.IGNORECASE,
)
_BULLET: Final = regex.compile(r"^\s*(?:[-*+•·]|\d+[.)、])\s*")
_SPACE: Final = regex.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a state: its heading line and its lines without blank ones."""

    heading: str
    lines: tuple[str, ...]


def headings(language: Language) -> tuple[str, ...]:
    """The whole heading lines of a state, in the order in which a valid one has them."""
    return _HEADINGS[language]


def sections(text: str, language: Language) -> tuple[Section, ...]:
    """All sections in their order, those that the text lacks without lines. What stands before the
    first heading counts as the first section's; a heading that comes twice goes on with its own."""
    names = headings(language)
    found: dict[str, list[str]] = {name: [] for name in names}
    current = names[0]
    for line in text.splitlines():
        if line.rstrip() in found:
            current = line.rstrip()
        elif line.strip():
            found[current].append(line.rstrip())
    return tuple(Section(name, tuple(found[name])) for name in names)


def written(parts: Iterable[Section]) -> str:
    """A state of these sections."""
    return "\n\n".join("\n".join((part.heading, *part.lines)) for part in parts)


def body_lines(text: str, language: Language) -> Iterator[str]:
    """The lines of all sections without the headings."""
    for section in sections(text, language):
        yield from section.lines


# ---- references --------------------------------------------------------------------------------


def references(line: str) -> tuple[str, ...]:
    """What a line rests on: `m12` a message of the story, `n7` a note of the plan."""
    found = (
        name for group in _REFERENCE.finditer(line) for name in _ONE_REFERENCE.findall(group[1])
    )
    return tuple(dict.fromkeys(found))


def unreferenced(line: str) -> str:
    """The line without its references."""
    return _REFERENCE.sub("", line)


def plain_line(line: str) -> str:
    """What a line says, for comparing: without bullet, references and spare white space."""
    return _SPACE.sub(" ", _BULLET.sub("", unreferenced(line))).strip()


# ---- secrets -----------------------------------------------------------------------------------


def knowers(line: str) -> frozenset[str] | None:
    """The names, folded, of those who know what a secret line says; None for a line that is no
    secret. A secret that names nobody is known to nobody."""
    found = _SECRET.search(line)
    if found is None:
        return None
    return frozenset(_folded(name) for name in _NAMES_APART.split(found[1] or "") if name.strip())


def viewpoint(text: str, language: Language) -> str:
    """Whose eyes the scene is seen through, as the first section says it (`视角：…`, `Viewpoint: …`);
    empty where it says nothing. References are left out, and no secret line is believed."""
    first = sections(text, language)[0]
    said = (
        found[1].strip()
        for line in first.lines
        if knowers(line) is None
        for found in _VIEWPOINT.finditer(unreferenced(line))
    )
    return _folded("、".join(name for name in said if name))


def withheld(lines: Iterable[str], seen_by: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is kept from a writer who sees with the eyes of `seen_by` (folded).
    Lines that are indented deeper than a withheld one belong to it."""
    depth: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if depth is not None and indent > depth:
            yield line, True
            continue
        depth = None
        names = knowers(line)
        hidden = names is not None and not any(_is_among(name, seen_by) for name in names)
        if hidden:
            depth = indent
        yield line, hidden


def _is_among(name: str, seen_by: str) -> bool:
    """Whether a name stands in the viewpoint: in Latin letters as whole words, a single character of
    another script only by itself."""
    if not name.isascii():
        return name in (seen_by if len(name) > 1 else _NAMES_APART.split(seen_by))
    return (
        name != "" and regex.search(rf"(?<![\w]){regex.escape(name)}(?![\w])", seen_by) is not None
    )


def _folded(name: str) -> str:
    return _SPACE.sub(" ", name).strip().casefold()
