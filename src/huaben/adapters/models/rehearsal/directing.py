"""What the rehearsal does as a control model, and its story told to one without a sheet: in two parts with a picture
between them. Apart from the story as it is performed with tools, because who directs sees nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from huaben.adapters.models.rehearsal.errands import Direction, Picture, load_errands
from huaben.adapters.models.rehearsal.place import hits, is_aside, way_of
from huaben.adapters.models.rehearsal.script import LANGUAGES, Line, Step, Turn, load_story, whole
from huaben.adapters.models.rehearsal.talk import Result, Talk, rounds_in
from huaben.adapters.models.rehearsal.wire import Heard, text
from huaben.domain.messages import User
from huaben.domain.project import Language
from huaben.domain.text import looks_chinese

ACTOR: Final = "actor"
OVER: Final = "over"
PICTURE: Final = "generate_image"
AMENDMENT: Final = "schedule_amendment"
_OVER: Final = Step(lines=(Line(OVER, {}),))


def control_step(heard: Heard) -> Step | None:
    """What to call next where a turn is directed; None for any other request. A wish that is to stay is
    passed on first, then come a part, a picture, the rest; what is said beside the story has no second
    part."""
    if not {ACTOR, OVER} <= heard.tools:
        return None
    at = next((n for n, one in enumerate(heard.messages) if isinstance(one, User)), 0)
    said = heard.messages[at] if heard.messages else None
    words = said.text if isinstance(said, User) else ""
    language = _language(words)
    direction = load_errands(language).direction
    rounds, _ = rounds_in(heard.messages[at + 1 :])
    done = [result for one in rounds for result in one.results]
    called = [result.tool for result in done]
    if AMENDMENT in heard.tools and AMENDMENT not in called and hits(words, direction.lasting):
        return Step(lines=(Line(AMENDMENT, {"request": words.strip()}),))
    told = [result for result in done if result.tool == ACTOR]
    return _next(direction, told, called, heard.tools)


def _next(
    direction: Direction, told: Sequence[Result], called: Sequence[str], tools: frozenset[str]
) -> Step:
    if not told:
        return Step(lines=(Line(ACTOR, {"instruction": direction.first}),))
    so_far = text(told[0].facts, "text")
    if len(told) > 1 or not so_far or _beside(so_far):
        return _OVER
    if PICTURE in tools and PICTURE not in called:
        picture = _fitting(direction.pictures, so_far)
        return Step(lines=(Line(PICTURE, {"prompt": picture.prompt, "caption": picture.caption}),))
    return Step(lines=(Line(ACTOR, {"instruction": direction.rest}),))


def _language(words: str) -> Language:
    return "zh" if looks_chinese(words) else "en"


def _beside(said: str) -> bool:
    return any(is_aside(load_story(language), said) for language in LANGUAGES)


def _fitting(pictures: Sequence[Picture], said: str) -> Picture:
    """The picture whose things the text speaks of; the one for every text stands last."""
    return next(
        (one for one in pictures if hits(said, one.keys)),
        pictures[-1],
    )


def spoken(turn: Turn, path: Sequence[str], talk: Talk) -> Step:
    """A turn told to one who has no sheet: whole, or in two parts where it is directed. A fork goes the
    way that the words mean, else the first. A turn that stands in part goes on where it breaks off."""
    way = (way_of(turn, talk.words) or turn.ways[0]) if turn.ways else None
    steps = (*turn.steps, *(way.steps if way is not None else ()))
    last = next((step for step in reversed(steps) if not step.when or step.when in path), None)
    # What is said while the sheet is sealed stands below it.
    closing = last.say if last is not None and last.lines and not last.asks else ""
    prose = "\n\n".join(part for part in (whole(steps, path), closing) if part)
    if talk.told:
        return Step(say=prose.removeprefix(talk.told).lstrip("\n") if prose != talk.told else "")
    parts = prose.split("\n\n")
    if talk.noted is None or len(parts) < 2:
        return Step(say=prose)
    return Step(say="\n\n".join(parts[: (len(parts) + 1) // 2]))
