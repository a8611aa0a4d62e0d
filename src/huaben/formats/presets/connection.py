"""What a preset says of a connection: found by name, told, never applied; apart because a preset that is
passed on must not take an address or a key along."""

import re
from dataclasses import dataclass
from typing import Final

from huaben.domain.jsonvalue import JsonObject
from huaben.formats.report import Findings

SECRET: Final = ("reverse_proxy", "proxy_password", "custom_url", "custom_include_headers")
"""Where it leads and what opens it: not even kept."""
NAMED: Final = ("chat_completion_source", "custom_include_body", "custom_exclude_body")
"""Kept, shown, never applied, and left out of an export."""

_SECRET: Final = re.compile(
    r"proxy|password|passwd|secret|api_?key|apikey|_key$|_url$|base_?url|headers?$|authorization"
    r"|bearer|(?:access|auth|refresh|session)_?token|credential",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r".+_model$|.+_endpoint$|azure_.+|vertexai_.+|openrouter_.+|bypass_status_check", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Sorted:
    """A preset's fields without what opens a connection, and the names of both kinds."""

    raw: JsonObject
    dropped: tuple[str, ...]
    named: tuple[str, ...]


def sorted_out(raw: JsonObject) -> Sorted:
    """Takes out, at the top level, every field that may hold an address, a key or a header. The
    same object again where there is none."""
    dropped = tuple(key for key in raw if _is_secret(key))
    named = tuple(key for key in raw if key not in dropped and _is_named(key))
    kept = {key: value for key, value in raw.items() if key not in dropped} if dropped else raw
    return Sorted(kept, dropped, named)


def without_connection(raw: JsonObject) -> JsonObject:
    """A preset as it is handed out: nothing of its former owner's connection."""
    return {key: value for key, value in raw.items() if not (_is_secret(key) or _is_named(key))}


def note(found: Sorted, raw: JsonObject, findings: Findings) -> None:
    """Tells what the preset says of a connection, never what it says there."""
    for key in found.dropped:
        if raw[key] not in ("", None, False, [], {}):
            findings.dropped("connection_field", key, "present; never kept, applied or exported")
    for key in found.named:
        if raw[key] not in ("", None, False, [], {}):
            findings.kept("connection_field", key, "present; never applied or exported")


def _is_secret(key: str) -> bool:
    return key in SECRET or _SECRET.search(key) is not None


def _is_named(key: str) -> bool:
    return key in NAMED or _NAMED.fullmatch(key) is not None
