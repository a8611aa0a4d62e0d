"""The shipped prompt texts, read from the Markdown files beside this module.

They are prose and are edited as prose; this is the only place that opens them. A file of many small
texts has a `## name` heading before each.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from huaben.domain.project import Language


@cache
def shipped(language: Language, name: str) -> str:
    """The text of `templates/{language}/{name}.md` without surrounding white space."""
    path = files("huaben.prompt") / "templates" / language / f"{name}.md"
    return path.read_text(encoding="utf-8").strip()


@cache
def phrases(language: Language, name: str) -> Mapping[str, str]:
    """The texts of a file of many, by their headings."""
    found: dict[str, str] = {}
    for part in f"\n{shipped(language, name)}".split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        found[heading.strip()] = body.strip()
    return MappingProxyType(found)


def phrase(language: Language, key: str, **facts: str | int) -> str:
    """One sentence of `phrases.md` with its facts filled in, for the model or for the page."""
    return phrases(language, "phrases")[key].format_map(facts)
