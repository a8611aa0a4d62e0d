"""What scenarios look like in requests and answers, read and written; apart from the list of them, which only
names what a story may be begun with."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from huaben.formats.scenario_text import MAX_BYTES
from huaben.web.bodies import Asked, Text
from huaben.web.schemas import Told

Name = Annotated[Text, Field(min_length=1, max_length=60)]


class OriginTold(Told):
    """A setting and where its value comes from: `default`, a shipped scenario, or the text itself."""

    path: str
    value: JsonValue
    source: str


class ScenarioFault(Told):
    """One thing wrong: the dotted field, and the nearest known one where the field is not known."""

    path: str
    what: str
    nearest: str


class ScenarioShown(Told):
    """A scenario as it is written. `own` ones can be changed; send `hash` back to do so. Where there
    are `faults` there are no `origins`."""

    name: str
    own: bool
    text: str
    hash: str
    origins: list[OriginTold]
    faults: list[ScenarioFault]


class FieldTold(Told):
    path: str
    kind: Literal["choice", "text", "flag", "whole", "number", "list"]
    default: JsonValue
    choices: list[str]
    low: float | None
    high: float | None


class FieldsTold(Told):
    items: list[FieldTold]


class ScenarioTried(Asked):
    name: Name
    text: Text = Field(max_length=MAX_BYTES)


class ScenarioWritten(Asked):
    """`hash` is that of the text that was seen; null for a new scenario."""

    text: Text = Field(max_length=MAX_BYTES)
    hash: str | None = Field(max_length=64)


class CopyWanted(Asked):
    """The name of the new one."""

    name: Name
