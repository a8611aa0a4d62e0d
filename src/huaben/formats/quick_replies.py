"""Sets of quick replies: recognised, listed and kept, for what they run is another program's language."""

from dataclasses import dataclass
from typing import Final, Literal

from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, parse_json
from huaben.formats.bounded import noted_text
from huaben.formats.cards.payload import stem_of
from huaben.formats.report import Findings, Report

MAX_BYTES: Final = 16 * 1024 * 1024
_BY_ITSELF: Final = (
    "executeOnStartup",
    "executeOnUser",
    "executeOnAi",
    "executeOnChatChange",
    "executeOnGroupMemberDraft",
    "executeOnNewChat",
    "executeBeforeGeneration",
)


@dataclass(frozen=True, slots=True)
class Reply:
    """One quick reply: what its button says, what it would do, and whether it would do so unasked."""

    label: str
    message: str
    by_itself: bool = False


@dataclass(frozen=True, slots=True)
class RepliesFile:
    """A set of quick replies. `raw` is the whole file."""

    name: str
    raw: JsonObject
    replies: tuple[Reply, ...]
    report: Report


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a file is not taken as quick replies; `detail` is a technical fact in English."""

    code: Literal["not_quick_replies", "corrupt", "too_large"]
    detail: str


def is_quick_replies(value: Json) -> bool:
    """Whether a JSON value is a set of either age."""
    return isinstance(value, dict) and any(
        isinstance(value.get(key), list) for key in ("qrList", "quickReplySlots")
    )


def read_file(data: bytes, filename: str = "") -> RepliesFile | Refused:
    """The set in a file, told by its content."""
    if len(data) > MAX_BYTES:
        return Refused("too_large", f"{len(data)} bytes, at most {MAX_BYTES}")
    findings = Findings()
    value = parse_json(noted_text(data, "", findings))
    if isinstance(value, JsonFault):
        return Refused("too_large" if value.code == "too_large" else "corrupt", value.detail)
    return read_value(value, filename, findings)


def read_value(
    value: Json, filename: str = "", findings: Findings | None = None
) -> RepliesFile | Refused:
    """The same from a JSON value."""
    if not isinstance(value, dict) or not is_quick_replies(value):
        return Refused("not_quick_replies", "no list of quick replies")
    found = findings or Findings()
    replies = _replies(value)
    found.kept(
        "quick_replies_not_run", "", f"{len(replies)} replies: kept, never run", n=len(replies)
    )
    for reply in replies:
        if reply.by_itself:
            found.warn(
                "quick_reply_by_itself",
                "",
                f"{reply.label}: it would have run by itself",
                value=reply.label,
            )
    name = value.get("name")
    named = name.strip() if isinstance(name, str) else ""
    return RepliesFile(
        named or stem_of(filename) or "Quick replies", value, replies, found.report()
    )


def _replies(raw: JsonObject) -> tuple[Reply, ...]:
    new, old = raw.get("qrList"), raw.get("quickReplySlots")
    if isinstance(new, list):
        members = [member for member in new if isinstance(member, dict)]
        return tuple(
            Reply(
                _word(member.get("label")),
                _word(member.get("message")),
                any(member.get(key) is True for key in _BY_ITSELF),
            )
            for member in members
        )
    slots = old if isinstance(old, list) else []
    members = [member for member in slots if isinstance(member, dict)]
    return tuple(Reply(_word(one.get("label")), _word(one.get("mes"))) for one in members)


def _word(value: Json) -> str:
    return value if isinstance(value, str) else ""
