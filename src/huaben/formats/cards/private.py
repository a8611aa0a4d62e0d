"""Clears what is the former owner's alone, going in and out; apart because it is the one thing not kept."""

from huaben.domain.jsonvalue import JsonObject
from huaben.formats.report import Findings

FAVOURITE = "fav"
"""The former owner's mark; a card that has it has it as false, which is nothing to tell of."""


def without_private(raw: JsonObject, findings: Findings) -> JsonObject:
    """The same card without the reader's own marks (formats.md §1.3): no `chat`, `fav` false.

    `fav` is cleared at the top level and in the extensions, also where it is text. Everything else is
    shared with `raw`, which is not changed. A card without such marks comes back as it is.
    """
    cleared: JsonObject = _unfavoured(raw, "", findings)
    if "chat" in cleared:
        cleared = {key: value for key, value in cleared.items() if key != "chat"}
        findings.dropped("private_field", "chat", "the name of the former owner's chat")
    cleared = _extensions_cleared(cleared, "", findings)
    data = cleared.get("data")
    if not isinstance(data, dict):
        return cleared
    kept = _extensions_cleared(_unfavoured(data, "data.", findings), "data.", findings)
    return cleared if kept is data else {**cleared, "data": kept}


def _extensions_cleared(owner: JsonObject, prefix: str, findings: Findings) -> JsonObject:
    extensions = owner.get("extensions")
    if not isinstance(extensions, dict):
        return owner
    kept = _unfavoured(extensions, f"{prefix}extensions.", findings)
    return owner if kept is extensions else {**owner, "extensions": kept}


def _unfavoured(owner: JsonObject, prefix: str, findings: Findings) -> JsonObject:
    if owner.get(FAVOURITE, False) is False:
        return owner
    findings.dropped("private_field", f"{prefix}{FAVOURITE}", "a favourite mark, now false")
    return {**owner, FAVOURITE: False}
