"""SillyTavern's regex scripts, from a file, a card or a preset (formats §4.4); apart from the values, which
play runs without knowing where they came from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal

from huaben.domain.card import number_of
from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, dump_json, parse_json
from huaben.domain.lore.jsregex import Untranslatable, translate
from huaben.domain.scripts import Macros, Placement, Scope, Script
from huaben.formats.bounded import noted_text
from huaben.formats.cards.payload import stem_of
from huaben.formats.report import Findings, Report

MAX_BYTES: Final = 16 * 1024 * 1024
MAX_SCRIPTS: Final = 1000
FIELDS: Final = (
    "id",
    "scriptName",
    "findRegex",
    "replaceString",
    "trimStrings",
    "placement",
    "disabled",
    "markdownOnly",
    "promptOnly",
    "runOnEdit",
    "substituteRegex",
    "minDepth",
    "maxDepth",
)
_PLACEMENTS: Final[Mapping[int, Placement]] = {
    1: "user",
    2: "reply",
    3: "slash",
    5: "lore",
    6: "reasoning",
}
_OLD_DISPLAY, _OLD_SEND_AS = 0, 4
_EVERYWHERE: Final[frozenset[Placement]] = frozenset(_PLACEMENTS.values())
_IDLE_PLACEMENTS: Final[tuple[Placement, ...]] = ("slash", "reasoning")
_MACROS: Final[tuple[Macros, ...]] = ("none", "raw", "escaped")
_WRITTEN: Final = re.compile(r"/(.+)/([A-Za-z]*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ScriptsFile:
    """The scripts of a file. `raw` is the file, one object or a list, as it is written out again."""

    name: str
    raw: Json
    scripts: tuple[Script, ...]
    report: Report


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a file is not taken as regex scripts; `detail` is a technical fact in English."""

    code: Literal["not_scripts", "corrupt", "too_large"]
    detail: str


def is_scripts(value: Json) -> bool:
    """Whether a JSON value is one script or a list of them."""
    members = value if isinstance(value, list) else [value]
    return bool(members) and all(
        isinstance(member, dict) and isinstance(member.get("findRegex"), str) for member in members
    )


def read_file(data: bytes, filename: str = "") -> ScriptsFile | Refused:
    """The scripts in a file, told by its content. Any bytes at all end in one of the two."""
    if len(data) > MAX_BYTES:
        return Refused("too_large", f"{len(data)} bytes, at most {MAX_BYTES}")
    findings = Findings()
    value = parse_json(noted_text(data, "", findings))
    if isinstance(value, JsonFault):
        return Refused("too_large" if value.code == "too_large" else "corrupt", value.detail)
    return read_value(value, filename, findings)


def read_value(
    value: Json, filename: str = "", findings: Findings | None = None
) -> ScriptsFile | Refused:
    """The same from a JSON value."""
    if not is_scripts(value):
        return Refused("not_scripts", "not one regex script nor a list of them")
    members = value if isinstance(value, list) else [value]
    if len(members) > MAX_SCRIPTS:
        return Refused("too_large", f"{len(members)} scripts, at most {MAX_SCRIPTS}")
    found = findings or Findings()
    scripts = scripts_of(members, "global", "", found)
    alone = scripts[0].name if len(scripts) == 1 else ""
    return ScriptsFile(alone or stem_of(filename) or "Scripts", value, scripts, found.report())


def scripts_of(
    members: Sequence[Json], scope: Scope, owner: str, findings: Findings | None = None
) -> tuple[Script, ...]:
    """The scripts of a list as a card, a preset or a file holds it; what is none is passed over."""
    found = findings or Findings()
    scripts: list[Script] = []
    for index, member in enumerate(members[:MAX_SCRIPTS]):
        if isinstance(member, dict) and isinstance(member.get("findRegex"), str):
            scripts.append(_Reader(member, f"[{index}]", found).script(scope, owner, index))
        else:
            found.warn(
                "unreadable_field", f"[{index}]", "not a regex script", why="not a regex script"
            )
    return tuple(scripts)


def digest_of(members: Sequence[Json]) -> str:
    """What consent is bound to: other scripts have another."""
    return sha256(dump_json(list(members)).encode()).hexdigest()


def scoped(extensions: Mapping[str, Json]) -> list[Json]:
    """The scripts that a card or preset brings along, raw."""
    found = extensions.get("regex_scripts")
    return found if isinstance(found, list) else []


def split_pattern(written: str) -> tuple[str, str]:
    """Pattern and flags of `/pattern/flags`, or a bare pattern without flags. A newline in it is part
    of it, where SillyTavern reads only what stands before."""
    found = _WRITTEN.fullmatch(written)
    if found is None or not set(found[2]) <= set("dgimsuy"):
        return written, ""
    return found[1], found[2]


@dataclass(frozen=True, slots=True)
class _Reader:
    raw: JsonObject
    where: str
    findings: Findings

    def script(self, scope: Scope, owner: str, index: int) -> Script:
        placements, old_display = self.placements()
        pattern, flags = split_pattern(self.text("findRegex"))
        script = Script(
            id=f"{scope}/{owner}/{index}",
            name=self.text("scriptName") or f"#{index + 1}",
            pattern=pattern,
            flags=flags,
            replacement=self.text("replaceString"),
            trim=self.texts("trimStrings"),
            placements=placements,
            disabled=self.raw.get("disabled") is True,
            display=old_display or self.raw.get("markdownOnly") is True,
            prompt=old_display or self.raw.get("promptOnly") is True,
            run_on_edit=self.raw.get("runOnEdit") is True,
            macros=self.macros(),
            min_depth=self.depth("minDepth", -1),
            max_depth=self.depth("maxDepth", 0),
            scope=scope,
            owner=owner,
        )
        self.note(script)
        return script

    def text(self, key: str) -> str:
        value = self.raw.get(key)
        return value if isinstance(value, str) else ""

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.raw.get(key)
        members = value if isinstance(value, list) else []
        return tuple(member for member in members if isinstance(member, str) and member)

    def placements(self) -> tuple[frozenset[Placement], bool]:
        """Where it applies, and whether it is of the age when one placement was the display."""
        value = self.raw.get("placement")
        members = value if isinstance(value, list) else [] if value is None else [value]
        numbers = {int(number) for one in members if (number := number_of(one)) is not None}
        found: set[Placement] = {_PLACEMENTS[one] for one in numbers if one in _PLACEMENTS}
        if _OLD_SEND_AS in numbers:
            found.add("slash")
        old = _OLD_DISPLAY in numbers
        if old:
            self.findings.changed("placement_migrated", f"{self.where}.placement", "0 was display")
        return _EVERYWHERE if old and not found else frozenset(found), old

    def macros(self) -> Macros:
        value = self.raw.get("substituteRegex")
        number = 1 if value is True else number_of(value)
        return _MACROS[int(number)] if number in (0, 1, 2) else "none"

    def depth(self, key: str, least: int) -> int | None:
        value = self.raw.get(key)
        number = number_of(value)
        if number is None and value not in (None, ""):
            self.findings.changed("number_normalised", f"{self.where}.{key}", "read as no limit")
        return int(number) if number is not None and number >= least else None

    def note(self, script: Script) -> None:
        """What it will not do, and what is not known of it."""
        compiled = translate(script.pattern, script.flags)
        if script.macros == "none" and isinstance(compiled, Untranslatable):
            detail = f"{script.name}: {compiled.code}: {compiled.detail}"
            self.findings.warn(
                "script_unsupported", f"{self.where}.findRegex", detail, fault=detail
            )
        for idle in _IDLE_PLACEMENTS:
            if idle in script.placements:
                self.findings.kept("placement_idle", f"{self.where}.placement", idle, value=idle)
        for key in self.raw:
            if key not in FIELDS:
                self.findings.kept("unknown_field", f"{self.where}.{key}", "kept for export")
