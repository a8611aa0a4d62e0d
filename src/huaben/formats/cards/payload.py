"""From a text to a card, the same for every container; apart so that a chunk and a file are read alike."""

import re
from dataclasses import replace
from pathlib import PurePosixPath

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json, JsonFault, parse_json
from huaben.formats.cards.dialects import View, view_of
from huaben.formats.cards.fields import card_of
from huaben.formats.cards.outcome import MAX_JSON_BYTES, Refused
from huaben.formats.cards.private import without_private
from huaben.formats.lorebook import character_book
from huaben.formats.report import Findings

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_MAX_NAME = 200
_KEPT_OF_A_BOOK = frozenset({"entry_not_an_object"})


def card_from_text(text: str, filename: str, findings: Findings) -> Card | Refused:
    """Reads a card from JSON text, or says what is wrong with it."""
    if text.lstrip("\ufeff \t\r\n").startswith("rcc||"):
        return Refused("encrypted_risu", "an encrypted RisuAI card (rcc||); export it unencrypted")
    if len(text) > MAX_JSON_BYTES:
        return Refused("too_large", f"the card's JSON is longer than {MAX_JSON_BYTES}")
    value = parse_json(text)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = parse_json(value)  # some tools encode twice
    if isinstance(value, JsonFault):
        return _refused(value)
    return card_from_json(value, filename, findings)


def card_from_json(value: Json, filename: str, findings: Findings) -> Card | Refused:
    """Reads a card from a JSON value; an empty name is replaced by the file's."""
    if isinstance(value, dict):
        value = without_private(value, findings)
    view = view_of(value, findings)
    if not isinstance(view, View):
        return view
    card = card_of(view, findings)
    _note_book(card, view.prefix, findings)
    if card.name.strip():
        return card
    name = stem_of(filename) or card.nickname.strip() or "Unnamed"
    findings.changed("name_from_file", f"{view.prefix}name", name, value=name)
    return replace(card, name=name)


def stem_of(filename: str) -> str:
    """A file name without folders, ending and control characters, for showing."""
    name = PurePosixPath(_CONTROL.sub("", filename).replace("\\", "/")).name
    return PurePosixPath(name).stem.strip()[:_MAX_NAME] if name else ""


def _note_book(card: Card, prefix: str, findings: Findings) -> None:
    """Reads the card's own lorebook for what there is to say of it; play reads it anew."""
    if card.book is not None:
        found = Findings()
        character_book.read(dict(card.book), "", found)
        findings.take(found, f"{prefix}character_book.", kept=_KEPT_OF_A_BOOK)


def _refused(fault: JsonFault) -> Refused:
    match fault.code:
        case "too_deep":
            return Refused("too_deep", fault.detail)
        case "too_large":
            return Refused("too_large", fault.detail)
        case "syntax" | "not_finite":
            return Refused("corrupt", f"not valid JSON: {fault.detail}")
