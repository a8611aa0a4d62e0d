"""The prompts of a chat-completion preset and the order in which they are sent; apart because both have
changed shape three times (formats §4.1)."""

from collections.abc import Iterator
from typing import Final

from huaben.domain.card import number_of, role_of
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.preset import DEFAULT_DEPTH, DEFAULT_ORDER, MARKERS, Listed, PresetPrompt
from huaben.formats.report import Findings

GLOBAL_ORDER: Final = 100001
LEGACY_ORDER: Final = 100000
DEFAULT_PLACES: Final = (
    ("main", True),
    ("worldInfoBefore", True),
    ("personaDescription", True),
    ("charDescription", True),
    ("charPersonality", True),
    ("scenario", True),
    ("enhanceDefinitions", False),
    ("nsfw", True),
    ("worldInfoAfter", True),
    ("dialogueExamples", True),
    ("chatHistory", True),
    ("jailbreak", True),
)
OLD_TEXTS: Final = {
    "main_prompt": "main",
    "nsfw_prompt": "nsfw",
    "jailbreak_prompt": "jailbreak",
}
"""What the first presets had in place of prompts."""
_OLD_SWITCHES: Final = {
    "nsfw_toggle": "nsfw",
    "jailbreak_system": "jailbreak",
    "enhance_definitions": "enhanceDefinitions",
}
ENHANCE: Final = (
    "Where the story calls for it, draw on what you know of {{char}} beyond this definition."
)
"""Stands for the text that old presets switched on by `enhance_definitions` and did not hold."""
PROMPT_FIELDS: Final = (
    "identifier",
    "name",
    "role",
    "content",
    "system_prompt",
    "marker",
    "enabled",
    "injection_position",
    "injection_depth",
    "injection_order",
    "injection_trigger",
    "forbid_overrides",
    "position",
    "extension",
)


def read_prompts(raw: JsonObject, findings: Findings) -> dict[str, PresetPrompt]:
    """Every prompt by its identifier. Of two with one identifier the last counts (P05)."""
    found: dict[str, PresetPrompt] = {}
    for where, item in _items(raw.get("prompts"), findings):
        identifier = _word(item.get("identifier"))
        if not identifier:
            findings.warn("prompt_unnamed", where, "without an identifier it is never sent")
            continue
        if identifier in found:
            findings.changed(
                "prompt_twice", where, f"{identifier}: the last one counts", value=identifier
            )
        found[identifier] = _prompt(identifier, item, where, findings)
    for field, identifier in OLD_TEXTS.items():
        text = raw.get(field)
        if isinstance(text, str) and identifier not in found:
            found[identifier] = PresetPrompt(identifier, content=text)
            findings.changed(
                "prompt_migrated", field, f"read as the prompt {identifier}", value=identifier
            )
    if raw.get("enhance_definitions") is True and "enhanceDefinitions" not in found:
        found["enhanceDefinitions"] = PresetPrompt("enhanceDefinitions", content=ENHANCE)
    for marker in MARKERS:
        found.setdefault(marker, PresetPrompt(marker))
    return found


def read_places(raw: JsonObject, findings: Findings) -> tuple[tuple[str, bool], ...]:
    """The identifiers in the order in force, each once, and whether each is on."""
    chosen = _chosen_order(raw.get("prompt_order"), findings)
    if chosen is None:
        return _default_places(raw)
    where, order = chosen
    places: dict[str, bool] = {}
    for at, item in _items(order, findings, where):
        identifier = _word(item.get("identifier"))
        if identifier in places:
            findings.changed(
                "order_twice", at, f"{identifier}: its first place counts", value=identifier
            )
        elif identifier:
            places[identifier] = item.get("enabled") is not False
    return tuple(places.items())


def arranged(
    prompts: dict[str, PresetPrompt], places: tuple[tuple[str, bool], ...], raw: JsonObject
) -> tuple[tuple[Listed, ...], tuple[str, ...], tuple[str, ...]]:
    """The prompts at their places, the names of those without a place, and the places without a
    prompt. Slots that no order names were never there."""
    listed = tuple(Listed(prompts[name], on) for name, on in places if name in prompts)
    named = {name for name, _ in places}
    written = {_word(item.get("identifier")) for item in _objects(raw.get("prompts"))}
    unlisted = tuple(
        prompts[name].name or name for name in prompts if name not in named and name in written
    )
    missing = tuple(name for name, _ in places if name not in prompts)
    return listed, unlisted, missing


# ---- prompts -----------------------------------------------------------------------------------


def _prompt(identifier: str, item: JsonObject, where: str, findings: Findings) -> PresetPrompt:
    content = item.get("content")
    text = content if isinstance(content, str) else ""
    if identifier in MARKERS and text.strip():
        findings.changed(
            "marker_content",
            where,
            f"{identifier} is a slot: its text is not sent",
            value=identifier,
        )
        text = ""
    return PresetPrompt(
        identifier=identifier,
        name=_word(item.get("name")),
        role=role_of(item.get("role")),
        content=text,
        in_chat=number_of(item.get("injection_position")) == 1,
        depth=_whole(
            item.get("injection_depth"), DEFAULT_DEPTH, f"{where}.injection_depth", findings
        ),
        order=_whole(
            item.get("injection_order"), DEFAULT_ORDER, f"{where}.injection_order", findings
        ),
        triggers=_words(item.get("injection_trigger")),
        forbid_overrides=item.get("forbid_overrides") is True,
    )


def _whole(value: Json, default: int, where: str, findings: Findings) -> int:
    found = number_of(value)
    if found is None:
        if value is not None:
            findings.changed("number_normalised", where, f"read as {default}", now=default)
        return default
    return max(0, int(found))


def _words(value: Json) -> tuple[str, ...]:
    members = value if isinstance(value, list) else []
    return tuple(member for member in members if isinstance(member, str) and member)


# ---- the order ---------------------------------------------------------------------------------


def _chosen_order(value: Json, findings: Findings) -> tuple[str, list[Json]] | None:
    """The order of the global list (100001) if there is one, else the only one, else the first that
    is not the legacy one (P04). A prompt manager's export holds the list itself."""
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(item, dict) and "order" not in item for item in value):
        return "prompt_order", value
    lists: list[tuple[float | None, str, list[Json]]] = []
    for index, item in enumerate(value):
        order = item.get("order") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(order, list):
            where = f"prompt_order[{index}].order"
            lists.append((number_of(item.get("character_id")), where, order))
    if not lists:
        findings.warn(
            "order_unreadable", "prompt_order", "no list of places; the usual one is used"
        )
        return None
    best = min(lists, key=lambda one: _rank(one[0]))
    for character, where, _ in lists:
        if where != best[1]:
            about = "" if character is None else f"character_id {character:g}"
            findings.kept("order_not_used", where, about, value=about)
    return best[1], best[2]


def _rank(character: float | None) -> int:
    if character == GLOBAL_ORDER:
        return 0
    return 2 if character == LEGACY_ORDER else 1


def _default_places(raw: JsonObject) -> tuple[tuple[str, bool], ...]:
    """The order of a preset that has none, with what the first presets could switch."""
    switched = {
        identifier: raw[field] is True
        for field, identifier in _OLD_SWITCHES.items()
        if isinstance(raw.get(field), bool)
    }
    places = [(name, switched.get(name, on)) for name, on in DEFAULT_PLACES]
    if raw.get("nsfw_first") is True:
        places.sort(key=lambda place: place[0] != "nsfw")
    return tuple(places)


# ---- reading -----------------------------------------------------------------------------------


def _items(
    value: Json, findings: Findings, where: str = "prompts"
) -> Iterator[tuple[str, JsonObject]]:
    """The objects of a list, each with its place; an object of objects is read as its values."""
    if isinstance(value, dict):
        findings.changed("list_normalised", where, "an object where a list is due")
        value = list(value.values())
    if not isinstance(value, list):
        return
    for index, item in enumerate(value):
        if isinstance(item, dict):
            yield f"{where}[{index}]", item
        else:
            findings.warn(
                "unreadable_field", f"{where}[{index}]", "not an object", why="not an object"
            )


def _objects(value: Json) -> Iterator[JsonObject]:
    members = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    )
    return (member for member in members if isinstance(member, dict))


def _word(value: Json) -> str:
    return value if isinstance(value, str) else ""
