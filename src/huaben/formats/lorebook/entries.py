"""One entry between its JSON and our values, by our names for its fields.

Separate from the dialects: SillyTavern and the card specifications keep the same fields in other
places, so each only says where.
"""

from collections.abc import Mapping
from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.values import (
    DEFAULT_ENTRY,
    CharacterFilter,
    Entry,
    Group,
    Logic,
    Position,
    Recursion,
    Role,
    Sources,
    Timing,
    Trigger,
)
from huaben.formats.lorebook.coerce import Fields, Path

_LOGIC_NAMES: Final = {
    "andany": Logic.AND_ANY,
    "notall": Logic.NOT_ALL,
    "notany": Logic.NOT_ANY,
    "andall": Logic.AND_ALL,
}
_SIDES: Final = {"before_char": Position.BEFORE_CHAR, "after_char": Position.AFTER_CHAR}
_ROLE_NAMES: Final = {"system": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT}


def read_entry(fields: Fields, uid: int, slot: str, *, fallback: Position) -> Entry:
    """The entry that an object describes; never fails, every repair is noted.

    `fallback` is the position where the dialect's file gives none it understands. An absent field
    has the default of SillyTavern's template, except `selective`, which `fields` decides by path.
    """
    entry = Entry(
        uid=uid,
        keys=fields.keys("keys"),
        secondary=fields.keys("secondary"),
        required=fields.keys("required"),
        forbidden=fields.keys("forbidden"),
        title=fields.text("title") or fields.text("name"),
        content=fields.text("content"),
        constant=fields.flag("constant", default=False),
        # The card specifications call `selective` optional; without it secondary keys are inert.
        selective=fields.flag("selective", default="disabled" in fields.paths),
        logic=_logic(fields),
        order=fields.number("order", DEFAULT_ENTRY.order),
        position=_position(fields, fallback),
        enabled=_enabled(fields),
        depth=fields.whole("depth", DEFAULT_ENTRY.depth),
        role=_role(fields),
        outlet=fields.text("outlet"),
        probability=fields.number("probability", DEFAULT_ENTRY.probability),
        use_probability=fields.flag("use_probability", default=True),
        ignore_budget=fields.flag("ignore_budget", default=False),
        group=_group(fields),
        recursion=_recursion(fields),
        timing=Timing(
            fields.whole("sticky", 0), fields.whole("cooldown", 0), fields.whole("delay", 0)
        ),
        sources=_sources(fields),
        scan_depth=fields.optional_whole("scan_depth"),
        case_sensitive=_case_sensitive(fields),
        whole_words=fields.tri("whole_words"),
        triggers=_triggers(fields),
        filter=_filter(fields),
        vectorized=fields.flag("vectorized", default=False),
        wildcards=fields.flag("wildcards", default=False),
        automation_id=fields.text("automation_id"),
        display_index=fields.optional_whole("display_index"),
        priority=fields.optional_number("priority"),
        raw=fields.raw,
        slot=slot,
    )
    _note_inert(entry, fields)
    return entry


def encode_entry(entry: Entry) -> JsonObject:
    """Every field of an entry under our names, in the JSON type that both dialects use."""
    return {
        "keys": list(entry.keys),
        "secondary": list(entry.secondary),
        "title": entry.title,
        "content": entry.content,
        "constant": entry.constant,
        "vectorized": entry.vectorized,
        "selective": entry.selective,
        "logic": int(entry.logic),
        "memo": bool(entry.title),
        "order": entry.order,
        "position": int(entry.position),
        "side": "before_char" if entry.position is Position.BEFORE_CHAR else "after_char",
        "enabled": entry.enabled,
        "disabled": not entry.enabled,
        "ignore_budget": entry.ignore_budget,
        "probability": entry.probability,
        "use_probability": entry.use_probability,
        "depth": entry.depth,
        "role": int(entry.role),
        "outlet": entry.outlet,
        "scan_depth": entry.scan_depth,
        "case_sensitive": entry.case_sensitive,
        "case_sensitive_spec": entry.case_sensitive,
        "whole_words": entry.whole_words,
        "automation_id": entry.automation_id,
        "triggers": list(entry.triggers),
        "display_index": entry.display_index,
        "priority": entry.priority,
        **_encode_parts(entry),
    }


def _encode_parts(entry: Entry) -> JsonObject:
    sources, timing = entry.sources, entry.timing
    chosen = entry.filter
    return {
        "exclude_recursion": entry.recursion.excluded,
        "prevent_recursion": entry.recursion.prevents,
        "delay_until_recursion": entry.recursion.delay_level,
        "match_persona": sources.persona,
        "match_description": sources.description,
        "match_personality": sources.personality,
        "match_depth_prompt": sources.depth_prompt,
        "match_scenario": sources.scenario,
        "match_creator_notes": sources.creator_notes,
        "group": ", ".join(entry.group.names),
        "group_override": entry.group.prioritised,
        "group_weight": entry.group.weight,
        "group_scoring": entry.group.scoring,
        "sticky": timing.sticky or None,
        "cooldown": timing.cooldown or None,
        "delay": timing.delay or None,
        "required": list(entry.required) or None,
        "forbidden": list(entry.forbidden) or None,
        "wildcards": entry.wildcards or None,
        "filter": None
        if chosen == CharacterFilter()
        else {
            "isExclude": chosen.exclude,
            "names": list(chosen.names),
            "tags": list(chosen.tags),
        },
    }


def laid_over(
    raw: JsonObject, now: JsonObject, before: JsonObject | None, paths: Mapping[str, Path]
) -> JsonObject:
    """A copy of `raw` with every field that differs from `before` written at its path.

    With `before` None the object is new and all fields are written. Optional ones that are None
    are left out rather than written as null.
    """
    result = dict(raw)
    for name, path in paths.items():
        if name not in now:
            continue
        value = now[name]
        if before is not None and value == before[name]:
            continue
        if value is None and name in _OPTIONAL:
            _remove(result, path)
        else:
            _put(result, path, value)
    return result


_OPTIONAL: Final = frozenset(
    {
        "filter",
        "priority",
        "display_index",
        "case_sensitive_spec",
        "required",
        "forbidden",
        "wildcards",
    }
)


def unknown_fields(raw: JsonObject, known: frozenset[str]) -> list[str]:
    """The names in an object that a dialect does not have."""
    return [name for name in raw if name not in known]


def free_uids(wanted: list[int | None]) -> list[int]:
    """A distinct uid for each, the wanted one where nothing before has it; 0 is a uid."""
    taken = {uid for uid in wanted if uid is not None}
    next_free = max(taken, default=-1) + 1
    seen: set[int] = set()
    uids: list[int] = []
    for uid in wanted:
        if uid is None or uid in seen:
            uid = next_free
            next_free += 1
        seen.add(uid)
        uids.append(uid)
    return uids


def uid_of(value: Json) -> int | None:
    """An id that can serve as a uid: a whole number of at least 0, or digits."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int) and 0 <= value < 2**53:
        return value
    if isinstance(value, float) and value.is_integer() and 0 <= value < 2**53:
        return int(value)
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 16:
        return int(value)
    return None


def _note_inert(entry: Entry, fields: Fields) -> None:
    """Names what an entry carries that is kept and never acted on."""
    if entry.automation_id:
        place = fields.place("automation_id")
        fields.findings.kept(
            "automation_not_run", place, entry.automation_id, value=entry.automation_id
        )
    for trigger in entry.triggers:
        if trigger not in set(Trigger):
            place = fields.place("triggers")
            fields.findings.warn("unknown_trigger", place, trigger, value=trigger)


def _put(target: JsonObject, path: Path, value: Json) -> None:
    head, *rest = path
    if not rest:
        target[head] = value
        return
    inner = target.get(head)
    copy: JsonObject = dict(inner) if isinstance(inner, dict) else {}
    _put(copy, tuple(rest), value)
    target[head] = copy


def _remove(target: JsonObject, path: Path) -> None:
    head, *rest = path
    inner = target.get(head)
    if not rest:
        target.pop(head, None)
    elif isinstance(inner, dict):
        copy = dict(inner)
        _remove(copy, tuple(rest))
        target[head] = copy


def _logic(fields: Fields) -> Logic:
    value = fields.get("logic")
    if value is None:
        return Logic.AND_ANY
    if isinstance(value, str):
        named = _LOGIC_NAMES.get("".join(char for char in value.lower() if char.isalpha()))
        if named is not None:
            fields.note("logic", "name read as a number")
            return named
    number = uid_of(value)
    if number is not None and number <= max(Logic):
        if not isinstance(value, int):
            fields.note("logic", "text read as a number")
        return Logic(number)
    shown = str(value)[:80]
    detail = f"read as AND ANY: {shown}"
    fields.findings.warn("unknown_logic", fields.place("logic"), detail, value=shown)
    return Logic.AND_ANY


def _position(fields: Fields, fallback: Position) -> Position:
    for name in ("position", "side"):
        value = fields.get(name)
        if value is None:
            continue
        if isinstance(value, str) and value in _SIDES:
            return _SIDES[value]
        number = uid_of(value)
        if number is not None and number <= max(Position):
            if name == "side" or not isinstance(value, int):
                fields.note(name, "read as a number")
            return Position(number)
        fields.note(name, "unknown position")
    return fallback


def _role(fields: Fields) -> Role:
    value = fields.get("role")
    if value is None:
        return Role.SYSTEM
    if isinstance(value, str) and value.lower() in _ROLE_NAMES:
        fields.note("role", "name read as a number")
        return _ROLE_NAMES[value.lower()]
    number = uid_of(value)
    if number is not None and number <= max(Role):
        return Role(number)
    fields.note("role", "unknown role")
    return Role.SYSTEM


def _enabled(fields: Fields) -> bool:
    if "disabled" in fields.paths:
        return not fields.flag("disabled", default=False)
    return fields.flag("enabled", default=True)


def _case_sensitive(fields: Fields) -> bool | None:
    """The extension's word first, else the field of the card specification (SillyTavern skips it)."""
    value = fields.tri("case_sensitive")
    return value if value is not None else fields.tri("case_sensitive_spec")


def _group(fields: Fields) -> Group:
    value = fields.get("group")
    names = (
        fields.texts("group") if isinstance(value, list) else tuple(fields.text("group").split(","))
    )
    return Group(
        names=tuple(dict.fromkeys(name.strip() for name in names if name.strip())),
        prioritised=fields.flag("group_override", default=False),
        weight=max(0, fields.number("group_weight", DEFAULT_ENTRY.group.weight)),
        scoring=fields.tri("group_scoring"),
    )


def _recursion(fields: Fields) -> Recursion:
    value = fields.get("delay_until_recursion")
    level = int(value) if isinstance(value, bool) else fields.whole("delay_until_recursion", 0)
    return Recursion(
        excluded=fields.flag("exclude_recursion", default=False),
        prevents=fields.flag("prevent_recursion", default=False),
        delay_level=level,
    )


def _sources(fields: Fields) -> Sources:
    return Sources(
        persona=fields.flag("match_persona", default=False),
        description=fields.flag("match_description", default=False),
        personality=fields.flag("match_personality", default=False),
        depth_prompt=fields.flag("match_depth_prompt", default=False),
        scenario=fields.flag("match_scenario", default=False),
        creator_notes=fields.flag("match_creator_notes", default=False),
    )


def _triggers(fields: Fields) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip().lower() for name in fields.texts("triggers")))


def _filter(fields: Fields) -> CharacterFilter:
    value = fields.get("filter")
    if value is None:
        return CharacterFilter()
    if not isinstance(value, dict):
        fields.note("filter", "not an object")
        return CharacterFilter()
    inner = Fields(
        value,
        {"exclude": ("isExclude",), "names": ("names",), "tags": ("tags",)},
        fields.place("filter"),
        fields.findings,
    )
    return CharacterFilter(
        exclude=inner.flag("exclude", default=False),
        names=inner.texts("names"),
        tags=inner.texts("tags"),
    )
