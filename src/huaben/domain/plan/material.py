"""What a planning job looks at: the snapshot of a turn as it opened, as one value with a JSON form; apart
from taking it because the job that was cut short goes on from the record (`planner.md` §2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal, TypeAlias, cast

from huaben.domain.plan.revision import Plan, plan_from_json, plan_to_json
from huaben.domain.project import Language
from huaben.domain.text import clip, is_blank

MESSAGES: Final = 9
PERSONA_CHARS: Final = 4000
NAME_MESSAGES: Final = 4
"""Messages before the user's words that are looked through for new names."""

Role: TypeAlias = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the story. `number` counts those of the branch, so that `m7` names it for good."""

    number: int
    role: Role
    text: str

    @property
    def label(self) -> str:
        return f"m{self.number}"


@dataclass(frozen=True, slots=True)
class LoreText:
    """A lore entry that speaks in the turn; `given` says whether its text is in everybody's material
    or only its title."""

    title: str
    text: str
    given: bool = True


@dataclass(frozen=True, slots=True)
class Character:
    name: str = ""
    description: str = ""
    definition: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """A turn as it opened. `words` are the user's of this turn, `messages` the last ones before them;
    `summary` stands for what is older, where it is to be used. `known_names` need no planning.
    `turn` is the source turn, `count` how many messages there are with the words."""

    language: Language
    character: Character
    persona: str
    reader: str
    greeting: Said | None
    messages: tuple[Said, ...]
    words: Said
    turn: int
    plan: Plan
    summary: str = ""
    lore: tuple[LoreText, ...] = ()
    memory: str = ""
    known_names: tuple[str, ...] = ()

    @property
    def first_turn(self) -> bool:
        """Whether the user has said nothing before."""
        return all(one.role != "user" for one in self.messages) and self.turn <= 1

    @property
    def count(self) -> int:
        return self.words.number

    @property
    def recent(self) -> tuple[str, ...]:
        """The texts in which a new name would be new: the last few messages and the words."""
        return (*(one.text for one in self.messages[-NAME_MESSAGES:]), self.words.text)


def last_messages(messages: Sequence[Said]) -> tuple[Said, ...]:
    """The messages that a planner is shown: the last nine that say anything."""
    return tuple(one for one in messages if not is_blank(one.text))[-MESSAGES:]


def persona_shown(description: str) -> str:
    """The persona as far as a planner is shown it."""
    text = description.strip()
    return clip(text, PERSONA_CHARS) if text else ""


def material_to_json(material: Material) -> dict[str, object]:
    """`material_from_json` reads it back to an equal value."""
    plain = asdict(material)
    return {**plain, "plan": plan_to_json(material.plan)}


def material_from_json(value: object) -> Material:
    """What was recorded so by this program; raises `ValueError` or `KeyError` for anything else."""
    if not isinstance(value, dict):
        raise ValueError("the recorded material is no object")
    data = cast("dict[str, object]", value)  # keys of a JSON object are texts
    lore = [_fields(one) for one in _rows(data["lore"])]
    character = _fields(data["character"])
    return Material(
        language="zh" if data["language"] == "zh" else "en",
        character=Character(
            *(str(character[key]) for key in ("name", "description", "definition"))
        ),
        persona=str(data["persona"]),
        reader=str(data["reader"]),
        greeting=None if data["greeting"] is None else _said(data["greeting"]),
        messages=tuple(_said(one) for one in _rows(data["messages"])),
        words=_said(data["words"]),
        turn=_number(data["turn"]),
        plan=plan_from_json(data["plan"]),
        summary=str(data["summary"]),
        lore=tuple(LoreText(str(x["title"]), str(x["text"]), x["given"] is True) for x in lore),
        memory=str(data["memory"]),
        known_names=tuple(str(name) for name in _rows(data["known_names"])),
    )


def _said(value: object) -> Said:
    data = _fields(value)
    role: Role = "user" if data["role"] == "user" else "assistant"
    return Said(_number(data["number"]), role, str(data["text"]))


def _fields(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError("the recorded material holds something that is no object")
    return cast("dict[str, object]", value)  # keys of a JSON object are texts


def _rows(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("the recorded material holds something that is no list")
    return cast("list[object]", value)  # its members are read one by one


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError("the recorded material holds something that is no number")
    return value
