"""The rehearsal's writing scene: chapters are written, read and changed with the file tools; apart from the telling
because there is no draft sheet, and where the scene stands is told by its reports alone."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, cast

from huaben.adapters.models.rehearsal.place import is_cue
from huaben.adapters.models.rehearsal.script import LANGUAGES, Line, Step, Turn, load_story
from huaben.adapters.models.rehearsal.talk import Round, rounds_in
from huaben.adapters.models.rehearsal.wire import Heard, objects, text, texts
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.messages import Assistant, Message, System, User
from huaben.domain.project import Language

FILE_TOOLS: Final = frozenset(("read", "write", "edit", "ls"))


@dataclass(frozen=True, slots=True)
class Scene:
    """The whole scene in one language. The lines are said honestly beside it; `{cue}` is filled in.
    The manuscript's chapters are listed under `index`."""

    language: Language
    turns: tuple[Turn, ...]
    off_script: str
    over: str
    moved: str
    other: str
    index: str

    def after(self, reports: Sequence[str]) -> Turn | None:
        """What comes next, once these reports were given; None when the scene is over."""
        said = {report.strip() for report in reports}
        done = [n for n, turn in enumerate(self.turns, 1) if turn.steps[-1].say in said]
        at = max(done, default=0)
        return self.turns[at] if at < len(self.turns) else None


def writing_step(heard: Heard) -> Step | None:
    """What to do or say next at the desk; None for a request that is not about a manuscript."""
    at, language = _this_turn(heard.messages)
    if language is None:
        return None
    scene = load_scene(language)
    system = "\n".join(one.text for one in heard.messages if isinstance(one, System))
    if load_story(language).marker not in system or not heard.tools >= FILE_TOOLS:
        return Step(say=scene.other)
    reports = [one.text for one in heard.messages[:at] if isinstance(one, Assistant)]
    turn = scene.after(reports)
    if turn is None:
        return Step(say=scene.over)
    said = heard.messages[at]
    words = _words(said.text, language) if isinstance(said, User) else ""
    if not is_cue(load_story(language), turn, words):
        return Step(say=scene.off_script.replace("{cue}", turn.cue))
    rounds, _ = rounds_in(heard.messages[at + 1 :])
    return _next(turn, scene, rounds, heard.tools)


def next_words(language: Language, reports: Sequence[str]) -> str:
    """The words that lead on at the desk from these reports; empty after the end."""
    turn = load_scene(language).after(reports)
    return turn.cue if turn else ""


@cache
def load_scene(language: Language) -> Scene:
    """The scene shipped in that language."""
    path = files("huaben") / "rehearsal" / language / "writing.toml"
    raw = cast("JsonObject", tomllib.loads(path.read_text(encoding="utf-8")))  # no dates in it
    (lines,) = objects([raw.get("lines")])
    spoken = (text(lines, key) for key in ("off_script", "over", "moved", "other"))
    turns = tuple(_turn(one) for one in objects(raw.get("turns")))
    return Scene(language, turns, *spoken, index=text(raw, "index"))


def _next(turn: Turn, scene: Scene, rounds: Sequence[Round], tools: frozenset[str]) -> Step:
    """The step that so many rounds lead to. A change that was refused ends the turn honestly: the author
    has been at that place."""
    if any(result.refused for done in rounds for result in done.results):
        return Step(say=scene.moved)
    if len(rounds) >= len(turn.steps):
        return Step(say=scene.moved)
    step = turn.steps[len(rounds)]
    return Step(step.think, step.say, tuple(one for one in step.lines if one.tool in tools))


def _this_turn(messages: Sequence[Message]) -> tuple[int, Language | None]:
    """Where this turn's words stand, and the language of the desk; no language where it is none."""
    for at in range(len(messages) - 1, -1, -1):
        one = messages[at]
        if not isinstance(one, User):
            continue
        for language in LANGUAGES:
            if f"\n{_title(language)}\n" in f"\n{one.text}":
                return at, language
    return 0, None


def _words(said: str, language: Language) -> str:
    """What stands behind the index of chapters, the last of the blocks."""
    _, _, rest = f"\n{said}".rpartition(f"\n{_title(language)}\n")
    return rest.partition("\n\n")[2]


def _title(language: Language) -> str:
    return load_scene(language).index


def _turn(raw: JsonObject) -> Turn:
    steps = tuple(_step(one) for one in objects(raw.get("steps")))
    return Turn(after=(), cue=text(raw, "cue"), keys=texts(raw, "keys"), steps=steps)


def _step(raw: JsonObject) -> Step:
    lines = tuple(
        Line(text(one, "tool"), {key: _told(one, key) for key in one if key != "tool"})
        for one in objects(raw.get("calls"))
    )
    return Step(text(raw, "think"), text(raw, "say").strip(), lines)


def _told(call: JsonObject, key: str) -> str:
    """An argument; the line end that only the file needs is not in it."""
    return text(call, key).removeprefix("\n")
