"""What requests may hold, as pydantic models; apart because this is where untyped JSON ends. Types are
as JSON has them, and a field that is not known is refused by its name."""

from __future__ import annotations

from typing import Annotated, Literal, cast

from fastapi import UploadFile
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from huaben.domain.jsonvalue import scrub_surrogates


def _whole(value: object) -> object:
    """Half of an emoji, as a browser may send it, must not lose the words around it."""
    return scrub_surrogates(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_whole)]
Id = Annotated[str, Field(min_length=1, max_length=100)]


class Asked(BaseModel):
    """The body of a request: types as JSON has them, no field that is not known."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Upload(Asked):
    """A multipart form with one file."""

    file: UploadFile


class PersonaGiven(Asked):
    name: Text = Field(default="", max_length=200)
    description: Text = Field(default="", max_length=100_000)


class PersonaNamed(Asked):
    """`persona` is one of the story's own, or the id of one of the library."""

    persona: PersonaGiven | None = None
    persona_id: Id | None = None

    @model_validator(mode="before")
    @classmethod
    def _by_id(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        body = cast("dict[str, object]", value)  # JSON has only string keys
        if not isinstance(body.get("persona"), str):
            return body
        rest = {name: item for name, item in body.items() if name != "persona"}
        return {**rest, "persona_id": body["persona"]}


class ProjectWanted(PersonaNamed):
    """`title` falls back to the card's name, `language` to the one that the card is written in.
    `greeting_chapter`: a writing project begins with the card's greeting as its first chapter."""

    title: Text = Field(default="", max_length=500)
    mode: Literal["roleplay", "writing"] = "roleplay"
    card_id: Id | None = None
    lorebook_ids: list[Id] = Field(default_factory=list, max_length=100)
    scenario: str = Field(default="stage", min_length=1, max_length=200)
    language: Literal["zh", "en"] | None = None
    greeting_chapter: bool = False
    preset_id: Id | None = None


class RehearsalWanted(Asked):
    """The story, or in mode `writing` its manuscript."""

    language: Literal["zh", "en"]
    mode: Literal["roleplay", "writing"] = "roleplay"


class WordsSaid(Asked):
    """`parent` is what the user saw as the end of the story: the head or the last queued turn. The
    same `request_id` twice is one turn."""

    text: Text
    parent: Id | None = None
    request_id: Id | None = None


class AnswerGiven(Asked):
    answer: Text


class SealWanted(Asked):
    with_tail: bool = True


class VariantWanted(Asked):
    """With other words than the turn's it is edit and resend."""

    text: Text | None = None


class VersionWanted(Asked):
    restore: int = Field(ge=0)


class TextGiven(Asked):
    text: Text


class GreetingWanted(Asked):
    index: int


class HeadWanted(Asked):
    """`force`: also over chapters that were changed by hand since."""

    turn: Id
    force: bool = False


class ProjectChanged(PersonaNamed):
    """`revision` is the one that was seen; what is not named stays as it is."""

    revision: int = Field(ge=0)
    title: Text | None = Field(default=None, max_length=500)
    lorebook_ids: list[Id] | None = Field(default=None, max_length=100)
    scenario: str | None = Field(default=None, min_length=1, max_length=200)
    card_id: Id | None = None


class LoreTrial(Asked):
    """`card_id` adds a card's own book and its name; `project_id` what was said in a story so far, its
    card's name and its persona; `scenario` the rules of one; `seed` decides what chance decides. A page
    of what is left out begins at `after`."""

    text: Text = Field(max_length=1_000_000)
    book_ids: list[Id] = Field(default_factory=list, max_length=100)
    card_id: Id | None = None
    project_id: Id | None = None
    scenario: str = Field(default="stage", min_length=1, max_length=200)
    seed: int = 0
    after: int = Field(default=0, ge=0)
    limit: int = Field(default=200, ge=1, le=1000)


class GuidanceGiven(Asked):
    """`revision` is the one that was seen, 0 for a text that there was not."""

    text: Text
    revision: int = Field(ge=0)
