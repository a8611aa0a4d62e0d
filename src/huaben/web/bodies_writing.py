"""What requests about manuscripts may hold; apart from `bodies` because each room of the interface is read
alone."""

from __future__ import annotations

from typing import Literal

from fastapi import UploadFile
from pydantic import Field

from huaben.web.bodies import Asked, Id, Text

MAX_CHAPTER = 16 * 1024 * 1024


class ChapterGiven(Asked):
    text: Text = Field(max_length=MAX_CHAPTER)


class ChapterNamed(Asked):
    """The new file name of a chapter."""

    to: Text = Field(min_length=1, max_length=300)


class ReplaceWanted(Asked):
    """Words and what they become, in the chapters of `names` or in all. They are literal, unless `pattern`:
    then `find` is a regular expression of JavaScript's kind and `replace` may hold `$1`, `$<name>`, `$&`,
    `$$`, `\\n` and `\\t`. `whole_words` holds for literal words where a script parts words by spaces.
    Without `files` the places are only shown; with it, name → hash as they were shown, they are replaced,
    but not those of `left_out`: by name where they begin, as `start` told it."""

    find: Text = Field(min_length=1, max_length=10_000)
    replace: Text = Field(max_length=100_000)
    ignore_case: bool = False
    whole_words: bool = False
    pattern: bool = False
    names: list[Text] = Field(default_factory=list, max_length=10_000)
    files: dict[str, str] | None = Field(default=None, max_length=10_000)
    left_out: dict[str, list[int]] = Field(default_factory=dict, max_length=10_000)


class ChaptersUpload(Asked):
    """Files that become chapters."""

    files: list[UploadFile] = Field(min_length=1, max_length=2000)


class RetellingWanted(Asked):
    """How a story becomes a manuscript: by `turns` or `merged`, up to the turn `at`, with the reader's own
    `words` as quotes or without."""

    title: Text = Field(default="", max_length=500)
    form: Literal["turns", "merged"] = "turns"
    at: Id | None = None
    words: bool = False


class CheckpointWanted(Asked):
    name: Text = Field(default="", max_length=1000)


class CheckpointNamed(Asked):
    """A blank name takes the name away."""

    name: Text = Field(max_length=1000)


class RestoreWanted(Asked):
    """`files`: the manuscript becomes what it was at the checkpoint. `turn`: its turn and all that follows
    is taken back, with `force` also over files that were changed by hand since."""

    scope: Literal["files", "turn"] = "files"
    force: bool = False


class MoveWanted(Asked):
    """`force`: also over chapters that were changed by hand since."""

    force: bool = False
