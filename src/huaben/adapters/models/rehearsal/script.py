"""The shipped story as values, read from its data files; apart from the playing, which never changes
when the story does."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, cast

from huaben.adapters.models.rehearsal.wire import objects, text, texts
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.project import Language

LANGUAGES: Final[tuple[Language, ...]] = ("zh", "en")
OPENING: Final = "opening"
"""Where a story stands before its first turn."""
FOUND: Final = "@found"
"""Stands in a script for the reference that the latest search found."""
_SENTENCE_END: Final = re.compile(r"(?<=[。！？.!?])|\n")
_LEAST_CHARS: Final = 4


@dataclass(frozen=True, slots=True)
class Line:
    """A tool call as the script has it, without the version that only the moment knows."""

    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Step:
    """One reply. `when` names a scene that must lie behind, or the step is passed over."""

    think: str = ""
    say: str = ""
    lines: tuple[Line, ...] = ()
    when: str = ""

    @property
    def asks(self) -> bool:
        return any(line.tool == "ask" for line in self.lines)


@dataclass(frozen=True, slots=True)
class Way:
    """Where a fork may lead: the option as it is offered, the words that mean it, what follows."""

    scene: str
    option: str
    keys: tuple[str, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """What is performed after one of the scenes `after`, once the reader has said the cue or any of
    its keys. It leads to `scene`, or is a fork with a question and ways."""

    after: tuple[str, ...]
    cue: str
    keys: tuple[str, ...]
    steps: tuple[Step, ...]
    scene: str = ""
    question: str = ""
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that can be put more quietly when the reader asks for it."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Lines:
    """What is said honestly beside the story, one sentence each. `{cue}` and `{question}` are
    filled in."""

    off_script: str
    over: str
    ask_again: str
    changed: str
    unchanged: str
    lost: str
    other: str


@dataclass(frozen=True, slots=True)
class Story:
    """The whole script in one language. `marker` stands in the system text of its own card alone;
    `told` says which scene a sentence belongs to, as far as it belongs to one alone."""

    language: Language
    title: str
    marker: str
    language_title: str
    go_on: tuple[str, ...]
    change: tuple[str, ...]
    lines: Lines
    turns: tuple[Turn, ...]
    changes: tuple[Change, ...]
    told: Mapping[str, str]

    def turn_after(self, scene: str) -> Turn | None:
        """What comes next, or None when the story is over."""
        return next((turn for turn in self.turns if scene in turn.after), None)


@cache
def load_story(language: Language) -> Story:
    """The story shipped in that language."""
    path = files("huaben") / "rehearsal" / language / "story.toml"
    raw = cast("JsonObject", tomllib.loads(path.read_text(encoding="utf-8")))  # no dates in it
    turns = tuple(_turn(item) for item in objects(raw.get("turns")))
    changes = tuple(
        Change(text(item, "old"), text(item, "new")) for item in objects(raw.get("changes"))
    )
    (spoken,) = objects([raw.get("lines")])
    return Story(
        language=language,
        title=text(raw, "title"),
        marker=text(raw, "marker"),
        language_title=text(raw, "language_title"),
        go_on=texts(raw, "go_on"),
        change=texts(raw, "change"),
        lines=Lines(*(text(spoken, field.name) for field in fields(Lines))),
        turns=turns,
        changes=changes,
        told=MappingProxyType(_told(turns)),
    )


def sentences(prose: str) -> list[str]:
    """The sentences of a text, without what is too short to tell one scene from another."""
    parts = (part.strip() for part in _SENTENCE_END.split(prose))
    return [part for part in parts if len(part) >= _LEAST_CHARS]


def whole(steps: Sequence[Step], path: Sequence[str]) -> str:
    """The prose that these steps leave on the sheet, for a reader who came by `path`."""
    sheet = ""
    for step in steps:
        if step.when and step.when not in path:
            continue
        if step.say and (step.asks or not step.lines):
            sheet = f"{sheet}\n\n{step.say}" if sheet else step.say
        for line in step.lines:
            sheet = _written(sheet, line)
    return sheet


def _written(sheet: str, line: Line) -> str:
    content = text(dict(line.arguments), "content")
    match line.tool:
        case "draft_write":
            return content
        case "draft_append":
            return f"{sheet}\n\n{content}"
        case "draft_edit":
            for pair in objects(line.arguments.get("edits")):
                sheet = sheet.replace(text(pair, "old"), text(pair, "new"))
            return sheet
        case _:
            return sheet


# ---- from the file -------------------------------------------------------------------------------


def _turn(raw: JsonObject) -> Turn:
    question = text(raw, "question")
    ways = tuple(
        Way(
            text(way, "scene"),
            text(way, "option"),
            texts(way, "keys"),
            tuple(_step(step, ()) for step in objects(way.get("steps"))),
        )
        for way in objects(raw.get("ways"))
    )
    options: list[Json] = [way.option for way in ways]
    asking = (Line("ask", {"question": question, "options": options}),)
    return Turn(
        after=texts(raw, "after"),
        cue=text(raw, "cue"),
        keys=texts(raw, "keys"),
        steps=tuple(_step(step, asking) for step in objects(raw.get("steps"))),
        scene=text(raw, "scene"),
        question=question,
        ways=ways,
    )


def _step(raw: JsonObject, asking: tuple[Line, ...]) -> Step:
    lines = (*_lines(raw), *(asking if raw.get("ask") is True else ()))
    return Step(text(raw, "think"), text(raw, "say").strip(), lines, text(raw, "when"))


def _lines(raw: JsonObject) -> Iterator[Line]:
    for read in objects(raw.get("reads")):
        yield Line(text(read, "tool"), {k: v for k, v in read.items() if k != "tool"})
    for plan in objects([raw.get("plan")]):
        yield Line("turn_plan", plan)
    if written := text(raw, "write").strip():
        yield Line("draft_write", {"content": written})
    if added := text(raw, "append").strip():
        yield Line("draft_append", {"content": added})
    if edits := raw.get("edits"):
        yield Line("draft_edit", {"edits": edits})
    if raw.get("seal") is True:
        yield Line("draft_seal", {})


def _told(turns: Sequence[Turn]) -> dict[str, str]:
    scenes = [(turn.scene, turn.steps) for turn in turns if turn.scene]
    for turn in turns:
        scenes += [(way.scene, (*turn.steps, *way.steps)) for way in turn.ways]
    every = [
        (sentence, scene)
        for scene, steps in scenes
        for sentence in dict.fromkeys(_all_sentences(steps))
    ]
    times = Counter(sentence for sentence, _ in every)
    return {sentence: scene for sentence, scene in every if times[sentence] == 1}


def _all_sentences(steps: Sequence[Step]) -> Iterator[str]:
    """Every sentence that the steps may leave, whichever path led there."""
    paths = {step.when for step in steps}
    for path in sorted(paths):
        yield from sentences(whole(steps, (path,)))
