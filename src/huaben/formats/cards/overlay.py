"""A card back to JSON: what it came from with the changed fields laid over; apart because this is the promise."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from huaben.domain.card import Asset, Card
from huaben.domain.decorators import parse_decorators
from huaben.domain.jsonvalue import Json, JsonObject, dump_json
from huaben.formats.cards.dialects import TOP_LEVEL_TWINS, View, view_of
from huaben.formats.cards.fields import card_of
from huaben.formats.cards.private import without_private
from huaben.formats.report import Findings

Target: TypeAlias = Literal["v2", "v3"]

_V2_ALWAYS = (
    "name",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "creator_notes",
    "system_prompt",
    "post_history_instructions",
    "alternate_greetings",
    "tags",
    "creator",
    "character_version",
    "extensions",
)
_V3_ONLY = (
    "nickname",
    "creator_notes_multilingual",
    "assets",
    "source",
    "group_only_greetings",
    "creation_date",
    "modification_date",
)


def own_json(card: Card, findings: Findings) -> JsonObject:
    """The card in its own version; every field that was not changed is as its original has it.

    Version 1 and other flat kinds gain `spec` and `data` beside what they had. A version 2 card that
    was given a field of version 3 becomes version 3.
    """
    top, changed = _laid_over(card)
    gained = [key for key in _V3_ONLY if key in changed]
    target: Target = "v3" if card.spec == "v3" or gained else "v2"
    if card.spec != target or not _says_card(top):
        findings.changed(
            "spec_raised", "spec", f"{card.spec} written as {target}", was=card.spec, now=target
        )
        top = _as(target, top)
    return without_private(top, findings)


def json_as(card: Card, target: Target, findings: Findings) -> JsonObject:
    """The card as version 2 or 3 with the required fields of that version filled in.

    Fields of the other version stay. A version 3 card written as version 2 loses the decorator lines
    of its lorebook entries, as the specification asks; the version 3 twin beside it has them.
    """
    top, _ = _laid_over(card)
    if card.spec == "v3" and target == "v2":
        top = _without_decorators(top)
    return without_private(_as(target, top), findings)


def _as(target: Target, top: JsonObject) -> JsonObject:
    data = top.get("data")
    fields: JsonObject = dict(data) if isinstance(data, dict) else {}
    blank = fields_json(Card(name=""))
    required = (*_V2_ALWAYS, "group_only_greetings") if target == "v3" else _V2_ALWAYS
    for key in required:
        if fields.get(key) is None:
            fields[key] = blank[key]
    if target == "v2":
        return {**top, "spec": "chara_card_v2", "spec_version": "2.0", "data": fields}
    if _says_card(top) and top["spec"] != "chara_card_v2":
        return {**top, "data": fields}
    return {**top, "spec": "chara_card_v3", "spec_version": "3.0", "data": fields}


def _says_card(top: JsonObject) -> bool:
    """Whether it names a version, which may be newer than those known here and then survives."""
    spec = top.get("spec")
    return isinstance(spec, str) and spec.startswith("chara_card_v")


def _laid_over(card: Card) -> tuple[JsonObject, frozenset[str]]:
    """The original with changed fields written over, and the JSON names of those fields."""
    view = view_of(dict(card.raw), Findings())
    now = fields_json(card)
    if not isinstance(view, View):
        return {"data": _worth_writing(now)}, frozenset(now)
    before = fields_json(card_of(view, Findings()))
    changed = frozenset(key for key in now if not _same(now[key], before[key]))
    if not view.is_native:
        return {**view.raw, "data": _worth_writing(now), **_twins(view.raw, now, changed)}, changed
    data = view.raw.get("data")
    fields = dict(data) if isinstance(data, dict) else {}
    for key in changed:
        if now[key] is None:
            fields.pop(key, None)
        else:
            fields[key] = now[key]
    return {**view.raw, "data": fields, **_twins(view.raw, now, changed)}, changed


def _same(one: Json, other: Json) -> bool:
    """Equal as JSON: Python holds 1, 1.0 and true for equal, other readers do not."""
    return one == other and dump_json(one) == dump_json(other)


def _twins(raw: JsonObject, now: JsonObject, changed: frozenset[str]) -> JsonObject:
    """Top-level repetitions of changed fields, so that no reader meets an old value."""
    twins = {**TOP_LEVEL_TWINS, "tags": "tags"}
    return {twin: now[name] for twin, name in twins.items() if twin in raw and name in changed}


def fields_json(card: Card) -> JsonObject:
    """Every field of the card under its JSON name, in the type the specification gives it."""
    extensions: JsonObject = dict(card.extensions)
    languages: JsonObject = dict(card.creator_notes_multilingual)
    book: Json = None if card.book is None else dict(card.book)
    return {
        "name": card.name,
        "description": card.description,
        "personality": card.personality,
        "scenario": card.scenario,
        "first_mes": card.first_mes,
        "mes_example": card.mes_example,
        "creator_notes": card.creator_notes,
        "system_prompt": card.system_prompt,
        "post_history_instructions": card.post_history_instructions,
        "alternate_greetings": list(card.alternate_greetings),
        "tags": list(card.tags),
        "creator": card.creator,
        "character_version": card.character_version,
        "extensions": extensions,
        "character_book": book,
        "nickname": card.nickname,
        "creator_notes_multilingual": languages,
        "assets": [_asset_json(asset) for asset in card.assets],
        "source": list(card.source),
        "group_only_greetings": list(card.group_only_greetings),
        "creation_date": card.creation_date,
        "modification_date": card.modification_date,
    }


def _worth_writing(fields: JsonObject) -> JsonObject:
    """The fields without the optional ones that are empty."""
    empty: tuple[Json, ...] = (None, "", [], {}, 0)
    return {key: fields[key] for key in fields if key in _V2_ALWAYS or fields[key] not in empty}


def _asset_json(asset: Asset) -> JsonObject:
    known: JsonObject = {
        "type": asset.kind,
        "uri": asset.uri,
        "name": asset.name,
        "ext": asset.ext,
    }
    return {**known, **asset.extra}


def _without_decorators(top: JsonObject) -> JsonObject:
    data = top.get("data")
    book = data.get("character_book") if isinstance(data, dict) else None
    entries = book.get("entries") if isinstance(book, dict) else None
    if not isinstance(data, dict) or not isinstance(book, dict) or not isinstance(entries, list):
        return top
    stripped: list[Json] = [_stripped(entry) for entry in entries]
    return {**top, "data": {**data, "character_book": {**book, "entries": stripped}}}


def _stripped(entry: Json) -> Json:
    content = entry.get("content") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(content, str):
        return entry
    return {**entry, "content": parse_decorators(content).content}


def differing_fields(one: Card, other: Card) -> tuple[str, ...]:
    """JSON names of version 2 fields in which two readings of one card disagree.

    Decorator lines of lorebook entries do not count: a version 2 twin has none.
    """
    mine, theirs = (_comparable(card) for card in (one, other))
    names = (*_V2_ALWAYS, "character_book")
    return tuple(name for name in names if mine[name] != theirs[name])


def _comparable(card: Card) -> Mapping[str, Json]:
    fields = fields_json(card)
    data = _without_decorators({"data": fields}).get("data")
    return data if isinstance(data, dict) else fields
