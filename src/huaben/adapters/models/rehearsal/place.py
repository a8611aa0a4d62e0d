"""Where a story stands, read off its history alone: nothing is remembered between calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from huaben.adapters.models.rehearsal.script import OPENING, Story, Turn, Way, sentences

Past: TypeAlias = Sequence[tuple[str, str]]
"""The sealed turns before this one, oldest first: the reader's words and the final text."""

_SPACE = re.compile(r"\s+")
_MARKS = re.compile(r"[\W_]+")
_WHOLE_UP_TO = 3
"""Letters up to which a part must be a whole word: "no" is not the beginning of "now"."""


def path_of(story: Story, past: Past) -> tuple[str, ...]:
    """The scenes that lie behind, `OPENING` first. A scene is known by its sentences, so that a
    changed one is still itself; one that was rewritten altogether by the words that led to it.
    Turns off the script move nothing."""
    path = [OPENING]
    for words, told in past:
        scene = _scene_of(story, told) or _guessed(story, path[-1], words, told)
        if scene:
            path.append(scene)
    return tuple(path)


def is_cue(story: Story, turn: Turn, words: str) -> bool:
    """Whether the words lead to this turn: its cue, any of its keys, or a plain "go on"."""
    return _bare(words) == _bare(turn.cue) or bool(hits(words, (*turn.keys, *story.go_on)))


def way_of(turn: Turn, answer: str) -> Way | None:
    """The way that an answer means; None when it could be none or several."""
    for way in turn.ways:
        if _bare(answer) == _bare(way.option):
            return way
    scored = sorted(((hits(answer, way.keys), way) for way in turn.ways), key=lambda item: -item[0])
    clear = scored and scored[0][0] > (scored[1][0] if len(scored) > 1 else 0)
    return scored[0][1] if clear else None


def nearest_way(turn: Turn, answer: str) -> Way:
    """The way whose words have most in common with an answer that means none clearly."""
    said = Counter(_bare(answer))
    return max(turn.ways, key=lambda way: sum((said & Counter(_bare(way.option))).values()))


def hits(words: str, keys: Sequence[str]) -> int:
    """How many keys occur. A key is one or several parts that must all be there; a part in Latin
    letters stands at the start of a word, a short one is the whole word."""
    plain = _SPACE.sub(" ", words.casefold().replace("’", "'"))
    return sum(all(_stands(part, plain) for part in key.casefold().split()) for key in keys)


def _stands(part: str, words: str) -> bool:
    if not part.isascii():
        return part in words
    end = "(?![a-z'])" if len(part) <= _WHOLE_UP_TO else ""
    return re.search(rf"(?<![a-z']){re.escape(part)}{end}", words) is not None


def _bare(words: str) -> str:
    return _MARKS.sub("", words.casefold())


def _scene_of(story: Story, told: str) -> str:
    known = Counter(story.told[one] for one in sentences(told) if one in story.told)
    return known.most_common(1)[0][0] if known else ""


def _guessed(story: Story, scene: str, words: str, told: str) -> str:
    turn = story.turn_after(scene)
    if turn is None or is_aside(story, told):
        return ""
    if turn.ways:
        # History folds question and answer into the words; only the answer may decide.
        said = next((way.option for way in turn.ways if way.option in words), words)
        way = way_of(turn, said.replace(turn.question, "").replace(turn.cue, ""))
        return way.scene if way else ""
    return turn.scene if is_cue(story, turn, words) else ""


def is_aside(story: Story, told: str) -> bool:
    """Whether a text is one of the sentences that are said beside the story; it may quote the cue."""
    lines = story.lines
    beside = (lines.off_script, lines.over, lines.changed, lines.unchanged, lines.lost, lines.other)
    return told.strip().startswith(tuple(line.partition("{")[0] for line in beside))
