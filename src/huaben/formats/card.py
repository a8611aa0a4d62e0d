"""Character cards in and out, whatever file they come in: the door to `formats.cards`, apart from its rooms."""

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json, dump_json
from huaben.formats.bounded import decode_text
from huaben.formats.cards.outcome import (
    MAX_FILE_BYTES,
    MAX_JSON_BYTES,
    AssetFile,
    CardFile,
    Container,
    Refused,
)
from huaben.formats.cards.overlay import json_as, own_json
from huaben.formats.cards.payload import card_from_json, card_from_text
from huaben.formats.cards.pngcard import read_png_card, write_png_card
from huaben.formats.png import SIGNATURE as PNG_SIGNATURE
from huaben.formats.report import Findings, Report

__all__ = [
    "AssetFile",
    "CardFile",
    "Container",
    "Refused",
    "card_of_json",
    "read_card",
    "write_json",
    "write_png",
]


def read_card(data: bytes, filename: str = "") -> CardFile | Refused:
    """Reads a character card from a file of any known kind, told by its content, never by its name.

    `filename` only supplies a name for a card without one. Any bytes at all end in a `CardFile` or a
    `Refused`, in bounded time and memory; nothing is fetched, executed or written.
    """
    if len(data) > MAX_FILE_BYTES:
        return Refused("too_large", f"the file has more than {MAX_FILE_BYTES} bytes")
    if data.startswith(PNG_SIGNATURE):
        return read_png_card(data, filename)
    return _read_text(data, filename)


def card_of_json(value: Json, filename: str = "") -> tuple[Card, Report] | Refused:
    """Reads a card from a JSON value, such as a card's stored `raw`."""
    findings = Findings()
    card = card_from_json(value, filename, findings)
    return card if isinstance(card, Refused) else (card, findings.report())


def write_json(card: Card) -> bytes:
    """The card as indented UTF-8 JSON in its own version, unknown fields included."""
    return dump_json(own_json(card, Findings()), indent=2).encode()


def write_png(card: Card, image: bytes | None) -> bytes:
    """The card in a PNG, as `chara` (version 2) and `ccv3` (version 3).

    The picture's other bytes stay, animation included; without a whole PNG a default picture is used.
    """
    findings = Findings()
    v2, v3 = (dump_json(json_as(card, target, findings)).encode() for target in ("v2", "v3"))
    return write_png_card(image, v2, v3)


def _read_text(data: bytes, filename: str) -> CardFile | Refused:
    if len(data) > MAX_JSON_BYTES:
        return Refused("too_large", f"the text has more than {MAX_JSON_BYTES} bytes")
    findings = Findings()
    decoded = decode_text(data)
    if decoded.encoding not in ("utf-8", "utf-16"):
        findings.warn("bad_encoding", "", f"read as {decoded.encoding}")
    card = card_from_text(decoded.text, filename, findings)
    if isinstance(card, Refused):
        return card
    return CardFile(card, "json", findings.report())
