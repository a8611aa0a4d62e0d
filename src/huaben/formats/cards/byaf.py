"""Backyard AI archives as version 3 cards; apart because their parts and placeholders have other names."""

import re
from collections.abc import Callable, Container
from datetime import datetime

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, parse_json
from huaben.formats.cards.outcome import Refused
from huaben.formats.cards.payload import card_from_json
from huaben.formats.report import Findings

MANIFEST = "manifest.json"
MAX_SCENARIOS = 200

_PLACEHOLDER = re.compile(
    r"#\{(?P<speaker>character|user)\}:|(?<!\{)\{(?P<named>character|user)\}(?!\})"
)
_OURS = {"character": "{{char}}", "user": "{{user}}"}

TextOf = Callable[[str], str | Refused]


def is_byaf(names: Container[str]) -> bool:
    """Whether an archive's names are those of a BYAF; CharX has no manifest."""
    return MANIFEST in names


def card_from_byaf(text_of: TextOf, filename: str, findings: Findings) -> Card | Refused:
    """Reads manifest, character and scenarios (BYAF 1.0) through `text_of`, which reads by path and
    bounds what is read in all.

    The first scenario gives scenario, greeting, examples and system prompt, the others alternate
    greetings. Everything else is kept in `extensions.byaf`, save the chats, which are counted and named.
    """
    manifest = _object(text_of(MANIFEST))
    if isinstance(manifest, Refused):
        return manifest
    paths = _texts(manifest.get("characters"))
    if not paths:
        return Refused("not_a_card", "manifest.json names no character")
    if len(paths) > 1:
        findings.dropped("further_characters", MANIFEST, (rest := ", ".join(paths[1:])), value=rest)
    character = _object(text_of(paths[0]))
    if isinstance(character, Refused):
        return character
    scenarios: list[JsonObject] = []
    for path in _texts(manifest.get("scenarios"))[:MAX_SCENARIOS]:
        scenario = _object(text_of(path))
        if isinstance(scenario, Refused):
            findings.warn("unreadable_scenario", path, scenario.detail, fault=scenario.detail)
        else:
            scenarios.append(_without_chat(scenario, path, findings))
    folder = paths[0].rpartition("/")[0]
    raw = _card_json(manifest, character, scenarios, folder)
    findings.changed("converted", "", "a Backyard AI archive read as a version 3 card")
    return card_from_json(raw, filename, findings)


def _card_json(
    manifest: JsonObject, character: JsonObject, scenarios: list[JsonObject], folder: str
) -> JsonObject:
    first = scenarios[0] if scenarios else {}
    greetings = [text for scenario in scenarios for text in _messages(scenario, "firstMessages")]
    author = manifest.get("author")
    creator = author.get("name") if isinstance(author, dict) else None
    tags: list[Json] = ["nsfw"] if character.get("isNSFW") is True else []
    kept: JsonObject = {"manifest": manifest, "character": character, "scenarios": [*scenarios]}
    extensions: JsonObject = {"byaf": kept, "display_name": character.get("displayName")}
    data: JsonObject = {
        "name": character.get("name") or character.get("displayName"),
        "description": _rewritten(character.get("persona")),
        "personality": "",
        "scenario": _rewritten(first.get("narrative")),
        "first_mes": greetings[0] if greetings else "",
        "alternate_greetings": [*greetings[1:]],
        "group_only_greetings": [],
        "mes_example": _examples(first),
        "system_prompt": _rewritten(first.get("formattingInstructions")),
        "post_history_instructions": "",
        "creator_notes": "",
        "character_version": "",
        "creator": creator,
        "tags": tags,
        "assets": _assets(character, first, folder),
        "creation_date": _seconds(character.get("createdAt")),
        "modification_date": _seconds(character.get("updatedAt")),
        "extensions": extensions,
    }
    book = _book(character.get("loreItems"))
    if book is not None:
        data["character_book"] = book
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": data}


def _book(items: Json) -> JsonObject | None:
    if not isinstance(items, list) or not items:
        return None
    entries: list[Json] = []
    for index, item in enumerate(items):
        if not isinstance(item, dict) or not isinstance(key := item.get("key"), str):
            continue
        keys: list[Json] = [part.strip() for part in key.split(",") if part.strip()]
        entries.append(
            {
                "id": index,
                "keys": keys,
                "content": _rewritten(item.get("value")),
                "enabled": True,
                "insertion_order": index,
                "use_regex": False,
                "extensions": {},
            }
        )
    return {"extensions": {}, "entries": entries}


def _assets(character: JsonObject, scenario: JsonObject, folder: str) -> list[Json]:
    """The images of a character, paths relative to its folder; the first is the portrait."""
    assets: list[Json] = []
    images = character.get("images")
    for image in images if isinstance(images, list) else []:
        if isinstance(image, dict) and isinstance(path := image.get("path"), str):
            label = image.get("label")
            name = "main" if not assets else label if isinstance(label, str) else ""
            kind = "icon" if not assets else "x_byaf_image"
            assets.append(_asset(kind, f"{folder}/{path}", name))
    background = scenario.get("backgroundImage")
    if isinstance(background, str) and background:
        assets.append(_asset("background", background, "main"))
    return assets


def _asset(kind: str, path: str, name: str) -> JsonObject:
    ext = path.rpartition(".")[2].lower() if "." in path else "unknown"
    return {"type": kind, "uri": f"embeded://{path.lstrip('/')}", "name": name, "ext": ext}


def _examples(scenario: JsonObject) -> str:
    texts = _messages(scenario, "exampleMessages")
    return "\n".join(("<START>", *texts)) if texts else ""


def _messages(scenario: JsonObject, key: str) -> list[str]:
    found = scenario.get(key)
    messages = found if isinstance(found, list) else []
    return [_rewritten(item.get("text")) for item in messages if isinstance(item, dict)]


def _without_chat(scenario: JsonObject, path: str, findings: Findings) -> JsonObject:
    messages = scenario.get("messages")
    if isinstance(messages, list) and messages:
        findings.dropped("chat_not_imported", path, f"{len(messages)} messages", n=len(messages))
    return {key: value for key, value in scenario.items() if key != "messages"}


def _rewritten(value: Json) -> str:
    """A text with Backyard's placeholders in the spelling that cards use; other braces are left alone."""
    if not isinstance(value, str):
        return ""
    return _PLACEHOLDER.sub(
        lambda found: f"{_OURS[found['speaker']]}:" if found["speaker"] else _OURS[found["named"]],
        value,
    )


def _seconds(value: Json) -> int:
    if not isinstance(value, str):
        return 0
    try:
        moment = datetime.fromisoformat(value)
        return max(0, int(moment.timestamp())) if moment.tzinfo is not None else 0
    except (ValueError, OverflowError):
        return 0


def _texts(value: Json) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _object(text: str | Refused) -> JsonObject | Refused:
    if isinstance(text, Refused):
        return text
    value = parse_json(text)
    if isinstance(value, JsonFault):
        return Refused("corrupt", f"not valid JSON: {value.detail}")
    if not isinstance(value, dict):
        return Refused("corrupt", "not a JSON object")
    return value
