"""What the rehearsal answers beside its story: a lasting change and a summary, both honest about being prepared;
apart from the story because whoever asks shows no scene to go on with.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, cast

from huaben.adapters.models.rehearsal.script import LANGUAGES, Step
from huaben.adapters.models.rehearsal.wire import Heard, objects, text, texts
from huaben.domain.jsonvalue import Json, JsonObject, dump_json
from huaben.domain.messages import User
from huaben.domain.project import Language

_SENTENCE: Final = re.compile(r"[^\n。！？.!?]{2,}[。！？.!?]*[”」』]?")


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn where the text speaks of any of `keys`; without keys it fits every text."""

    keys: tuple[str, ...]
    prompt: str
    caption: str


@dataclass(frozen=True, slots=True)
class Direction:
    """How a turn is directed: the words for its two parts, the pictures between them, and the reader's
    words (`lasting`) that ask for something which is to stay."""

    first: str
    rest: str
    lasting: tuple[str, ...]
    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Errands:
    """The prepared answers in one language. `request`, `former`, `turns` and `prose` are the headings
    under which the asking stands; `{request}` in `rule` is what the reader asked for."""

    direction: Direction
    request: str
    summary: str
    rule: str
    former: str
    turns: str
    prose: str
    head: str


def errand_step(heard: Heard) -> Step | None:
    """What to answer to who works out a lasting change or a summary; None for any other request."""
    if heard.tools:
        return None
    for message in heard.messages:
        for language in LANGUAGES if isinstance(message, User) else ():
            prepared = load_errands(language)
            said = _amended(prepared, message.text) or _summed(prepared, message.text)
            if said:
                return Step(say=said)
    return None


def _amended(prepared: Errands, said: str) -> str:
    """The reader's request as a rule of style; empty where none is asked for."""
    request = _under(prepared.request, said)
    if not request:
        return ""
    rules: list[Json] = [prepared.rule.replace("{request}", request)]
    return dump_json({"summary": prepared.summary, "style": rules})


def _summed(prepared: Errands, said: str) -> str:
    """The former summary and one sentence of each turn's prose; empty where none is asked for."""
    turns = _under(prepared.turns, said)
    if not turns:
        return ""
    former = _under(prepared.former, said).partition("\n\n【")[0].strip()
    lines = [former or prepared.head, *_gists(prepared.prose, turns)]
    return "\n".join(lines)


def _gists(prose: str, turns: str) -> Iterator[str]:
    for line in turns.splitlines():
        told = line.removeprefix(prose)
        if told != line and (found := _SENTENCE.search(told)) is not None:
            yield f"- {found[0].strip()}"


def _under(heading: str, said: str) -> str:
    """What stands under a heading that is a line of its own."""
    return f"\n{said}".partition(f"\n{heading}\n")[2].strip()


@cache
def load_errands(language: Language) -> Errands:
    """The answers shipped in that language."""
    path = files("huaben") / "rehearsal" / language / "errands.toml"
    raw = cast("JsonObject", tomllib.loads(path.read_text(encoding="utf-8")))  # no dates in it
    (directing,), (amending,), (summing,) = (
        _section(raw, name) for name in ("direction", "amendment", "summary")
    )
    return Errands(
        _direction(directing),
        *(text(amending, name) for name in ("request", "summary", "rule")),
        *(text(summing, name) for name in ("former", "turns", "prose", "head")),
    )


def _section(raw: JsonObject, name: str) -> Sequence[JsonObject]:
    return objects([raw.get(name)])


def _direction(raw: JsonObject) -> Direction:
    pictures = (
        Picture(texts(one, "keys"), text(one, "prompt"), text(one, "caption"))
        for one in objects(raw.get("pictures"))
    )
    return Direction(text(raw, "first"), text(raw, "rest"), texts(raw, "lasting"), tuple(pictures))
