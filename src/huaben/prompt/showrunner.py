"""What a showrunner's control model is sent: its instructions, the reader's words, its functions. Apart from
the story's prompts because nothing of the story is in it (`performers.md` §3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from huaben.domain.messages import ToolSpec
from huaben.domain.project import Language
from huaben.prompt.segments import Piece, Prompt, segment
from huaben.prompt.texts import phrases, shipped

Schema: TypeAlias = Mapping[str, object]

_TEXT: Schema = {"type": "string"}


@dataclass(frozen=True, slots=True)
class Offered:
    """Which functions exist in a turn beside `actor` and `over`."""

    images: bool = False
    amendments: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """One function of the control model: its arguments and which of them it must name."""

    name: str
    arguments: tuple[str, ...] = ()
    required: tuple[str, ...] = ()

    @property
    def schema(self) -> Schema:
        """The bare schema, as arguments are checked against it."""
        return {
            "type": "object",
            "properties": dict.fromkeys(self.arguments, _TEXT),
            "required": list(self.required),
            "additionalProperties": False,
        }


def functions(offered: Offered) -> tuple[Function, ...]:
    """The functions of a session, always in this order."""
    beat = ("visual_beat",) if offered.images else ()
    found = [Function("actor", ("instruction", *beat))]
    if offered.images:
        found.append(Function("generate_image", ("prompt", "caption"), ("prompt",)))
    if offered.amendments:
        found.append(Function("schedule_amendment", ("request",), ("request",)))
    return (*found, Function("over"))


def compose(language: Language, words: str, plan: Piece, offered: Offered) -> Prompt:
    """The first request of a turn: instructions and words, and the plan where it may be seen."""
    specs = tuple(_spec(function, language) for function in functions(offered))
    return Prompt(
        (
            segment("prefix", "system", Piece("showrunner", shipped(language, "showrunner"))),
            segment("tail", "user", plan, Piece("words", words)),
        ),
        specs,
    )


def told(language: Language, key: str, **facts: str) -> str:
    """One sentence for the control model or its writer."""
    return phrases(language, "showrunner_phrases")[key].format_map(facts)


def _spec(function: Function, language: Language) -> ToolSpec:
    about: list[str] = []
    texts: dict[str, str] = {}
    for line in phrases(language, "showrunner_tools")[function.name].splitlines():
        if line.startswith("- "):
            name, _, text = line[2:].partition(": ")
            texts[name] = text
        elif line.strip():
            about.append(line.strip())
    schema = dict(function.schema)
    schema["properties"] = {
        name: {**_TEXT, "description": texts[name]} for name in function.arguments
    }
    return ToolSpec(function.name, " ".join(about), schema)
