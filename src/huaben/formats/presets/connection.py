"""What a preset says of a connection: found by name, told, never applied; apart because a preset that is
passed on must not take an address or a key along."""

import re
from dataclasses import dataclass
from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
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
_SECRET_WITHIN: Final = re.compile(
    r"api_?key|password|passwd|secret|authorization|bearer"
    r"|(?:access|auth|refresh|session)_?token|credential",
    re.IGNORECASE,
)
"""Deeper down words are used for other things as well: there only texts go by these."""
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
    """Takes out, at the top level, every field that may hold an address, a key or a header, and deeper
    down every text that may be a key. The same object again where there is none."""
    dropped = tuple(key for key in raw if _is_secret(key))
    named = tuple(key for key in raw if key not in dropped and _is_named(key))
    deeper: list[str] = []
    kept: JsonObject = {
        key: _without_keys(value, key, deeper) for key, value in raw.items() if key not in dropped
    }
    return Sorted(kept if dropped or deeper else raw, (*dropped, *deeper), named)


def without_connection(raw: JsonObject) -> JsonObject:
    """A preset as it is handed out: nothing of its former owner's connection."""
    return {key: value for key, value in raw.items() if not (_is_secret(key) or _is_named(key))}


def note(found: Sorted, raw: JsonObject, findings: Findings) -> None:
    """Tells what the preset says of a connection, never what it says there."""
    for key in found.dropped:
        if raw.get(key, key) not in ("", None, False, [], {}):
            findings.dropped("connection_field", key, "present; never kept, applied or exported")
    for key in found.named:
        if raw[key] not in ("", None, False, [], {}):
            findings.kept("connection_field", key, "present; never applied or exported")


def _is_secret(key: str) -> bool:
    return key in SECRET or _SECRET.search(key) is not None


def _is_named(key: str) -> bool:
    return key in NAMED or _NAMED.fullmatch(key) is not None


def _without_keys(value: Json, path: str, found: list[str]) -> Json:
    """The value without texts that are called like a key; their places are added to `found`."""
    if isinstance(value, list):
        return [_without_keys(one, f"{path}[{n}]", found) for n, one in enumerate(value)]
    if not isinstance(value, dict):
        return value
    kept: JsonObject = {}
    for key, one in value.items():
        if isinstance(one, str) and one and _SECRET_WITHIN.search(key):
            found.append(f"{path}.{key}")
        else:
            kept[key] = _without_keys(one, f"{path}.{key}", found)
    return kept
