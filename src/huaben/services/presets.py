"""Putting a preset on a story, and telling what is in one; apart from the library, which keeps it, and from
laying it over a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from huaben.domain.dressing import Dressing
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.libraryitem import StoredItem
from huaben.domain.messages import Sampling
from huaben.domain.preset import Preset
from huaben.errors import BadInput, StorageFailed
from huaben.formats.presets.connection import sorted_out
from huaben.formats.presets.file import PLAYED, PresetFile
from huaben.formats.presets.read import read_value
from huaben.services.house import House
from huaben.services.items import load_item
from huaben.services.presets_worn import dressing_of, put_on
from huaben.services.stories import load_project

Shown = Mapping[str, object]


async def choose_preset(
    house: House, project_id: str, preset_id: str | None, revision: int | None = None
) -> Dressing:
    """Put a preset on a story, or take it off. From the next turn on; what is told stays told. Raises
    `NotFound`, `BadInput("template_not_used")` for one that is only kept, `Conflict("stale")`."""
    project = await load_project(house, project_id)
    if preset_id is not None:
        read_preset(await load_item(house, "preset", preset_id))
    worn = await dressing_of(house, project.id)
    seen = worn.revision if revision is None else revision
    return await put_on(house, replace(worn, preset_id=preset_id, revision=seen))


def read_preset(item: StoredItem) -> Preset:
    """The preset as play reads it. Raises `BadInput` for a template, which is only kept."""
    file = preset_file(item)
    if file.preset is None:
        raise BadInput(
            "template_not_used",
            f"{item.name} is for text completion ({file.form}); it is kept and cannot be played with.",
        )
    return file.preset


def preset_file(item: StoredItem) -> PresetFile:
    """Raises `StorageFailed` for a stored preset that is none any more."""
    file = read_value(cast("JsonObject", item.content), item.name)  # stored JSON
    if not isinstance(file, PresetFile):
        raise StorageFailed("broken_preset", f"The stored preset {item.name} cannot be read.")
    return file


def preset_shown(item: StoredItem) -> Shown:
    """What is in a preset: its prompts in order, its samplers, what of it is not applied, and which
    fields of a connection it had."""
    file = preset_file(item)
    preset = file.preset
    return {
        "form": file.form,
        "played": file.form in PLAYED,
        "prompts": [] if preset is None else _prompts(preset),
        "sampling": {} if preset is None else sampling_shown(preset.sampling),
        "not_applied": [] if preset is None else list(preset.not_applied),
        "connection_fields": _connection_fields(item),
    }


def sampling_shown(sampling: Sampling) -> dict[str, object]:
    """The samplers that a preset sets."""
    names = ("temperature", "top_p", "top_k", "min_p", "frequency_penalty", "presence_penalty")
    more = ("repetition_penalty", "seed", "max_tokens", "reasoning_effort")
    shown: dict[str, object] = {}
    for name in (*names, *more):
        value: object = getattr(sampling, name)
        if value is not None:
            shown[name] = value
    if sampling.stop:
        shown["stop"] = list(sampling.stop)
    return shown


def _prompts(preset: Preset) -> list[Shown]:
    return [
        {
            "identifier": one.prompt.identifier,
            "name": one.prompt.name,
            "role": one.prompt.role,
            "enabled": one.enabled,
            "marker": one.prompt.marker is not None,
            "in_chat": one.prompt.in_chat,
            "depth": one.prompt.depth if one.prompt.in_chat else None,
            "chars": len(one.prompt.content),
        }
        for one in preset.order
    ]


def _connection_fields(item: StoredItem) -> list[str]:
    """The names of all fields that said something of a connection, those that were not kept too."""
    found = sorted_out(cast("JsonObject", item.content))  # stored JSON
    notes = [*_notes(item, "dropped"), *_notes(item, "kept")]
    told = [str(note.get("path")) for note in notes if note.get("code") == "connection_field"]
    return list(dict.fromkeys((*told, *(name for name in found.named if item.content.get(name)))))


def _notes(item: StoredItem, name: str) -> list[Mapping[str, object]]:
    # A report has four lists of objects.
    return cast("list[Mapping[str, object]]", item.report.get(name, []))
