"""What reading a preset yields, apart so that its forms and their callers share the words."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.domain.jsonvalue import JsonObject
from huaben.domain.preset import Preset
from huaben.formats.report import Report

Form: TypeAlias = Literal[
    "chat_completion",
    "prompt_manager",
    "text_completion",
    "instruct",
    "context",
    "sysprompt",
    "reasoning",
    "master",
]
"""Of which kind a file is. Only the first two are played with; the others are for text completion,
which no connection here speaks."""

PLAYED: tuple[Form, ...] = ("chat_completion", "prompt_manager")
MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PresetFile:
    """A preset and what its reading decided. `raw` is the whole file without addresses, keys and
    headers; `preset` is None for a form that is kept and not used."""

    form: Form
    name: str
    raw: JsonObject
    preset: Preset | None
    report: Report


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a file is not taken as a preset; `detail` is a technical fact in English."""

    code: Literal["not_a_preset", "corrupt", "too_large"]
    detail: str
