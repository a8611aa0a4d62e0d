"""Which kind of card a JSON object is, seen under the names of version 2; apart because files use many shapes."""

from dataclasses import dataclass

from huaben.domain.card import Spec, number_of
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.cards.outcome import Refused
from huaben.formats.report import Findings

V1_FIELDS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
TOP_LEVEL_TWINS = {**{name: name for name in V1_FIELDS}, "creatorcomment": "creator_notes"}
"""Keys that older programs repeat at the top level, and the field each repeats; `data` wins."""

ALIASES = {
    "char_name": "name",
    "char_persona": "description",
    "char_greeting": "first_mes",
    "example_dialogue": "mes_example",
    "world_scenario": "scenario",
    "context": "description",
    "greeting": "first_mes",
    "creatorcomment": "creator_notes",
}
"""Other names that flat cards give to fields; each fills its field when that is empty."""

_CHUB = {
    "name": "name",
    "personality": "description",
    "tavern_personality": "personality",
    "scenario": "scenario",
    "first_message": "first_mes",
    "example_dialogs": "mes_example",
    "description": "creator_notes",
    "system_prompt": "system_prompt",
    "post_history_instructions": "post_history_instructions",
    "alternate_greetings": "alternate_greetings",
    "embedded_lorebook": "character_book",
    "extensions": "extensions",
}
_OTHER_FILES = {
    "input_sequence": "an instruct template",
    "story_string": "a context template",
    "prompts": "a preset",
    "prompt_order": "a preset",
    "findRegex": "a regex script",
    "qrList": "a quick reply set",
    "quickReplySlots": "a quick reply set",
    "mes": "a chat",
    "messages": "a chat",
    "chat_metadata": "a chat",
}
_WRAPPERS = ("data", "character", "char", "card")
_MAX_WRAPPERS = 4


@dataclass(frozen=True, slots=True)
class View:
    """A card's fields under their version 2 and 3 names, wherever the file keeps them.

    `raw` is the object that is kept and exported; `prefix` leads from it to the fields (`data.` or
    nothing); `is_native` says that the fields lie in `raw["data"]`, so an export can patch them there.
    """

    spec: Spec
    raw: JsonObject
    data: JsonObject
    prefix: str
    is_native: bool


def view_of(value: Json, findings: Findings) -> View | Refused:
    """Recognises a card in any of its JSON shapes, or says what the value is instead."""
    for _ in range(_MAX_WRAPPERS):
        inner = _unwrapped(value)
        if inner is None:
            break
        findings.changed("wrapper_removed", "", "the card lay inside another object")
        _note_wrapper(value, inner, findings)
        value = inner
    if not isinstance(value, dict):
        return Refused("not_a_card", "the JSON is not an object")
    return _recognised(value, findings)


def _recognised(raw: JsonObject, findings: Findings) -> View | Refused:
    spec = raw.get("spec")
    data = raw.get("data")
    if isinstance(spec, str) and spec.startswith("chara_card_v"):
        if isinstance(data, dict):
            return _native(raw, data, _spec_named(spec, raw, findings), findings)
        findings.warn(
            "data_missing", "data", f"spec is {spec} but there is no data object", value=str(spec)
        )
    elif _is_lorebook(raw):
        return Refused("lorebook_file", "this is a lorebook, not a character card")
    elif isinstance(data, dict) and _has_card_fields(data):
        findings.changed("spec_missing", "spec", "fields in data without a known spec")
        return _native(raw, data, "v2", findings)
    node = raw.get("node")
    if isinstance(node, dict) and isinstance(node.get("definition"), dict):
        return View("v1", raw, _from_chub(node), "node.definition.", is_native=False)
    if "name" not in raw and "char_name" not in raw:
        return Refused("not_a_card", _guess(raw))
    foreign = next((kind for key, kind in _OTHER_FILES.items() if key in raw), None)
    if foreign is not None and not _has_card_fields(raw):
        return Refused("not_a_card", f"this looks like {foreign}")
    return View("v1", raw, _from_flat(raw), "", is_native=False)


def _native(raw: JsonObject, data: JsonObject, spec: Spec, findings: Findings) -> View:
    """A version 2 or 3 card; what `data` lacks is taken from the top level, where old programs put it."""
    merged = dict(data)
    for twin, name in TOP_LEVEL_TWINS.items():
        other = raw.get(twin)
        if other is None:
            continue
        if merged.get(name) is None:
            merged[name] = other
            findings.changed("taken_from_top_level", twin, f"data has no {name}")
        elif merged[name] != other:
            findings.warn("top_level_differs", twin, f"data.{name} was used", value=f"data.{name}")
    return View(spec, raw, merged, "data.", is_native=True)


def _spec_named(spec: str, raw: JsonObject, findings: Findings) -> Spec:
    if spec == "chara_card_v2":
        return "v2"
    version = number_of(raw.get("spec_version"))
    if spec != "chara_card_v3" or (version is not None and version > 3.0):
        given = f"{spec} {raw.get('spec_version')}"
        findings.warn("newer_spec", "spec_version", given, value=given)
    return "v3"


def _from_flat(raw: JsonObject) -> JsonObject:
    """Version 1 and its relatives: all fields at the top level, some under other names."""
    data = dict(raw)
    for alias, name in ALIASES.items():
        if data.get(name) in (None, "") and raw.get(alias) is not None:
            data[name] = raw[alias]
    if data.get("extensions") is None and "talkativeness" in raw:
        data["extensions"] = {"talkativeness": raw["talkativeness"]}
    return data


def _from_chub(node: JsonObject) -> JsonObject:
    """The answer of a card site's interface: `{"node": {"definition": …}}` under its own names."""
    definition = node.get("definition")
    data: JsonObject = {}
    if isinstance(definition, dict):
        data = {name: definition[key] for key, name in _CHUB.items() if key in definition}
    data.setdefault("name", node.get("name"))
    data["tags"] = node.get("topics")
    path = node.get("fullPath")
    if isinstance(path, str) and "/" in path:
        data["creator"] = path.partition("/")[0]
    return data


def _unwrapped(value: Json) -> Json:
    """The card inside a wrapper that adds nothing, or None when the value is no such wrapper."""
    if isinstance(value, list):
        return value[0] if len(value) == 1 and isinstance(value[0], dict) else None
    if not isinstance(value, dict) or "spec" in value or _has_card_fields(value):
        return None
    for key in _WRAPPERS:
        inner = value.get(key)
        if isinstance(inner, dict) and ("spec" in inner or (key != "data" and "name" in inner)):
            return inner
    return None


def _note_wrapper(wrapper: Json, inner: Json, findings: Findings) -> None:
    if isinstance(wrapper, dict):
        for key, value in wrapper.items():
            if value is not inner:
                findings.dropped("wrapper_field", key, "lay beside the card")


def _has_card_fields(data: JsonObject) -> bool:
    names = (*V1_FIELDS[1:], "char_persona", "char_greeting", "character_book", "greeting")
    return ("name" in data or "char_name" in data) and any(name in data for name in names)


def _is_lorebook(raw: JsonObject) -> bool:
    """A lorebook of any program: entries, or a spec or version that says so, and no card's own fields."""
    if raw.get("spec") == "lorebook_v3" or "lorebookVersion" in raw:
        return True
    if raw.get("type") == "risu" and isinstance(raw.get("data"), list):
        return True
    if not isinstance(raw.get("entries"), list | dict):
        return False
    return not any(name in raw for name in ("first_mes", "personality", "char_name", "mes_example"))


def _guess(raw: JsonObject) -> str:
    kind = next((kind for key, kind in _OTHER_FILES.items() if key in raw), None)
    return f"this looks like {kind}" if kind else "the object has no name and no card fields"
