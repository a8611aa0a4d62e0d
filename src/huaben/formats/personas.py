"""Personas in and out: a backup of them, the settings of a whole installation, and the form in which the
library keeps one (formats §4.6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, cast, get_args

from huaben.domain.card import number_of, role_of
from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, dump_json, parse_json
from huaben.domain.persona import (
    DEFAULT_DEPTH,
    PLACES,
    Link,
    LinkKind,
    PersonaPlace,
    SavedPersona,
)
from huaben.formats.bounded import noted_text
from huaben.formats.report import Findings, Report

MAX_BYTES: Final = 64 * 1024 * 1024
MAX_PERSONAS: Final = 2000
DESCRIPTION_FIELDS: Final = (
    "description",
    "position",
    "depth",
    "role",
    "lorebook",
    "title",
    "connections",
)
_PLACES: Final[Mapping[int, PersonaPlace]] = {
    0: "in_prompt",
    1: "in_prompt",
    2: "note_top",
    3: "note_bottom",
    4: "at_depth",
    9: "none",
}
_NUMBERS: Final[Mapping[PersonaPlace, int]] = {
    "in_prompt": 0,
    "note_top": 2,
    "note_bottom": 3,
    "at_depth": 4,
    "none": 9,
}
_ROLES: Final = ("system", "user", "assistant")
_LINKS: Final = cast("tuple[LinkKind, ...]", get_args(LinkKind))  # the literal's own values


@dataclass(frozen=True, slots=True)
class Kept:
    """A persona and, under their own names, the fields of its description that mean nothing here."""

    persona: SavedPersona
    extra: JsonObject


@dataclass(frozen=True, slots=True)
class PersonasFile:
    """The personas of a file, in its order."""

    personas: tuple[Kept, ...]
    report: Report


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a file is not taken as personas; `detail` is a technical fact in English."""

    code: Literal["not_personas", "corrupt", "too_large"]
    detail: str


def is_personas(value: Json) -> bool:
    """Whether a JSON value is a backup of personas or the settings of an installation."""
    return _source(value) is not None


def read_file(data: bytes) -> PersonasFile | Refused:
    """The personas in a file, told by its content. Of settings nothing else is looked at."""
    if len(data) > MAX_BYTES:
        return Refused("too_large", f"{len(data)} bytes, at most {MAX_BYTES}")
    findings = Findings()
    value = parse_json(noted_text(data, "", findings))
    if isinstance(value, JsonFault):
        return Refused("too_large" if value.code == "too_large" else "corrupt", value.detail)
    return read_value(value, findings)


def read_value(value: Json, findings: Findings | None = None) -> PersonasFile | Refused:
    """The same from a JSON value."""
    source = _source(value)
    if source is None:
        return Refused("not_personas", "no names of personas")
    found = findings or Findings()
    names = source.get("personas")
    described = source.get("persona_descriptions")
    texts = described if isinstance(described, dict) else {}
    default = source.get("default_persona")
    kept: list[Kept] = []
    for avatar, name in (names if isinstance(names, dict) else {}).items():
        if len(kept) == MAX_PERSONAS:
            found.warn(
                "too_many_personas", "personas", f"only {MAX_PERSONAS} are taken", most=MAX_PERSONAS
            )
            break
        about = texts.get(avatar)
        reader = _Reader(_described(about), f"persona_descriptions.{avatar}", found)
        kept.append(reader.persona(name, avatar, default == avatar))
    for avatar in texts:
        if not isinstance(names, dict) or avatar not in names:
            found.warn("persona_without_name", f"persona_descriptions.{avatar}", "not taken")
    return PersonasFile(tuple(kept), found.report())


def only_personas(value: Json) -> JsonObject:
    """The part of a file that personas are read from: of an installation's settings nothing else is
    kept, for they hold addresses and keys."""
    source = _source(value) or {}
    names = ("personas", "persona_descriptions", "default_persona")
    return {name: source[name] for name in names if name in source}


def apart(kept: Sequence[Kept]) -> list[Kept]:
    """The personas, each with an avatar that no other has."""
    known: set[str] = set()
    found: list[Kept] = []
    for number, one in enumerate(kept):
        avatar = one.persona.avatar or f"persona-{number + 1}.png"
        while avatar in known:
            avatar = f"{number + 1}-{avatar}"
        known.add(avatar)
        found.append(replace(one, persona=replace(one.persona, avatar=avatar)))
    return found


def write_file(kept: Sequence[Kept]) -> bytes:
    """Personas as a backup that their former home reads; two of one avatar get one each."""
    personas: JsonObject = {}
    described: JsonObject = {}
    default: Json = None
    for one in apart(kept):
        avatar = one.persona.avatar
        personas[avatar] = one.persona.name
        described[avatar] = _description(one)
        if one.persona.default and default is None:
            default = avatar
    whole: JsonObject = {
        "personas": personas,
        "persona_descriptions": described,
        "default_persona": default,
    }
    return dump_json(whole, indent=4).encode()


# ---- the stored form ---------------------------------------------------------------------------


def to_json(kept: Kept) -> JsonObject:
    """A persona as the library keeps it; `of_json` is its inverse."""
    one = kept.persona
    links: list[Json] = [{"kind": link.kind, "id": link.id} for link in one.links]
    return {
        "name": one.name,
        "description": one.description,
        "title": one.title,
        "place": one.place,
        "depth": one.depth,
        "role": one.role,
        "lorebook": one.lorebook,
        "links": links,
        "avatar": one.avatar,
        "picture": one.picture,
        "default": one.default,
        "extra": kept.extra,
    }


def of_json(content: Mapping[str, Json]) -> Kept:
    """A stored persona; a field that a newer program wrote otherwise takes its default."""
    links = content.get("links")
    extra = content.get("extra")
    return Kept(
        SavedPersona(
            name=_word(content.get("name")),
            description=_word(content.get("description")),
            title=_word(content.get("title")),
            place=_place_named(content.get("place")),
            depth=_whole(content.get("depth")),
            role=role_of(content.get("role")),
            lorebook=_word(content.get("lorebook")),
            links=_links(links, "kind"),
            avatar=_word(content.get("avatar")),
            picture=_word(content.get("picture")),
            default=content.get("default") is True,
        ),
        extra if isinstance(extra, dict) else {},
    )


# ---- reading -----------------------------------------------------------------------------------


def _source(value: Json) -> JsonObject | None:
    if not isinstance(value, dict):
        return None
    inner = value.get("power_user")
    for source in (value, inner if isinstance(inner, dict) else {}):
        if isinstance(source.get("personas"), dict) and (
            source is inner or "persona_descriptions" in source or "default_persona" in source
        ):
            return source
    return None


def _described(about: Json) -> JsonObject:
    """Of the oldest files a description is a bare text."""
    if isinstance(about, str):
        return {"description": about}
    return about if isinstance(about, dict) else {}


@dataclass(frozen=True, slots=True)
class _Reader:
    raw: JsonObject
    where: str
    findings: Findings

    def persona(self, name: Json, avatar: str, default: bool) -> Kept:
        called = _word(name).strip()
        if not called:
            called = avatar.rpartition(".")[0] or avatar
            self.findings.changed("name_from_file", f"personas.{avatar}", called, value=called)
        extra = {key: item for key, item in self.raw.items() if key not in DESCRIPTION_FIELDS}
        for key in extra:
            self.findings.kept("unknown_field", f"{self.where}.{key}", "kept for export")
        persona = SavedPersona(
            name=called,
            description=_word(self.raw.get("description")),
            title=_word(self.raw.get("title")),
            place=self.place(),
            depth=_whole(self.raw.get("depth")),
            role=role_of(self.raw.get("role")),
            lorebook=_word(self.raw.get("lorebook")),
            links=_links(self.raw.get("connections"), "type"),
            avatar=avatar,
            default=default,
        )
        return Kept(persona, extra)

    def place(self) -> PersonaPlace:
        value = self.raw.get("position")
        number = number_of(value)
        if number is None or int(number) not in _PLACES:
            if value is not None:
                self.findings.changed(
                    "number_normalised", f"{self.where}.position", "read as 0", now=0
                )
            return "in_prompt"
        return _PLACES[int(number)]


def _description(kept: Kept) -> JsonObject:
    one = kept.persona
    links: list[Json] = [{"type": link.kind, "id": link.id} for link in one.links]
    return {
        **kept.extra,
        "description": one.description,
        "position": _NUMBERS[one.place],
        "depth": one.depth,
        "role": _ROLES.index(one.role),
        "lorebook": one.lorebook,
        "title": one.title,
        "connections": links,
    }


def _place_named(value: Json) -> PersonaPlace:
    named: list[PersonaPlace] = [one for one in PLACES if one == value]
    return named[0] if named else "in_prompt"


def _links(value: Json, kind_key: str) -> tuple[Link, ...]:
    members = value if isinstance(value, list) else []
    found: list[Link] = []
    for member in members:
        if isinstance(member, dict) and _word(member.get("id")):
            kinds: list[LinkKind] = [one for one in _LINKS if one == member.get(kind_key)]
            found += [Link(kind, _word(member["id"])) for kind in kinds]
    return tuple(found)


def _whole(value: Json) -> int:
    number = number_of(value)
    return DEFAULT_DEPTH if number is None else max(0, int(number))


def _word(value: Json) -> str:
    return value if isinstance(value, str) else ""
