"""Character cards in and out, whatever file they come in: the door to `formats.cards`, apart from its rooms."""

from collections.abc import Sequence

from huaben.domain.card import Card
from huaben.domain.jsonvalue import Json
from huaben.formats.archive import has_archive
from huaben.formats.bounded import noted_text
from huaben.formats.cards.charx import read_archive_card
from huaben.formats.cards.export import Exported, Form, export_card
from huaben.formats.cards.outcome import (
    MAX_FILE_BYTES,
    MAX_JSON_BYTES,
    AssetFile,
    CardFile,
    Container,
    HeldBytes,
    Refused,
)
from huaben.formats.cards.overlay import own_json
from huaben.formats.cards.packed import find_asset
from huaben.formats.cards.payload import card_from_json, card_from_text
from huaben.formats.cards.pictures import is_picture
from huaben.formats.cards.pngcard import read_png_card
from huaben.formats.cards.webp import is_webp, read_webp_card
from huaben.formats.cards.yamlcard import looks_like_yaml_card, read_yaml_card
from huaben.formats.mojibake import unbaked_json
from huaben.formats.png import SIGNATURE as PNG_SIGNATURE
from huaben.formats.report import Findings, Report

__all__ = [
    "AssetFile",
    "CardFile",
    "Container",
    "Exported",
    "Form",
    "HeldBytes",
    "Refused",
    "card_of_json",
    "export_card",
    "find_asset",
    "read_card",
    "repaired",
    "write_charx",
    "write_json",
    "write_png",
]

_TEXT_STARTS = ("{", "[", '"', "rcc||")


def read_card(data: bytes, filename: str = "") -> CardFile | Refused:
    """Reads a character card from a file of any known kind, told by its content, never by its name.

    `filename` only supplies a name for a card without one. Any bytes at all end in a `CardFile` or a
    `Refused`, in bounded time and memory; nothing is fetched, executed or written.
    """
    if len(data) > MAX_FILE_BYTES:
        return Refused("too_large", f"the file has more than {MAX_FILE_BYTES} bytes")
    found = _read_outer(data, filename)
    if isinstance(found, CardFile) or found.code in ("encrypted_risu", "too_large"):
        return found
    if has_archive(data):
        inner = read_archive_card(data, filename)
        if isinstance(inner, CardFile) or found.code == "unsupported":
            return inner
    return found


def card_of_json(value: Json, filename: str = "") -> tuple[Card, Report] | Refused:
    """Reads a card from a JSON value, such as a card's stored `raw`."""
    findings = Findings()
    card = card_from_json(value, filename, findings)
    return card if isinstance(card, Refused) else (card, findings.report())


def repaired(card: Card) -> Card:
    """The card with mojibake taken back wherever it is certain enough, lorebook included.

    Only for when the user accepted the offer that a `mojibake` warning is.
    """
    found = card_of_json(unbaked_json(own_json(card, Findings())), card.name)
    return card if isinstance(found, Refused) else found[0]


def write_json(card: Card) -> bytes:
    """The card as indented UTF-8 JSON in its own version, unknown fields included."""
    return export_card(card, "json").data


def write_png(card: Card, image: bytes | None) -> bytes:
    """The card in a PNG, as `chara` (version 2) and `ccv3` (version 3).

    The picture's other bytes stay, animation included; without a whole PNG a default picture is used.
    """
    return export_card(card, "png", image=image).data


def write_charx(
    card: Card, assets: Sequence[AssetFile] = (), *, image: bytes | None = None
) -> bytes:
    """The card as CharX, version 3, with its files; `image` becomes the portrait if no file is it."""
    return export_card(card, "charx", image=image, assets=assets).data


def _read_outer(data: bytes, filename: str) -> CardFile | Refused:
    """Reads the file as what its first bytes say it is."""
    if data.startswith(PNG_SIGNATURE):
        return read_png_card(data, filename)
    if is_webp(data):
        return read_webp_card(data, filename)
    if has_archive(data):
        return Refused("unsupported", "an archive")
    if is_picture(data):
        return Refused("unsupported", "this kind of picture holds no character data")
    return _read_text(data, filename)


def _read_text(data: bytes, filename: str) -> CardFile | Refused:
    if len(data) > MAX_JSON_BYTES:
        return Refused("too_large", f"the text has more than {MAX_JSON_BYTES} bytes")
    findings = Findings()
    text = noted_text(data, "", findings).lstrip("\ufeff")
    if not text.lstrip().startswith(_TEXT_STARTS):
        if looks_like_yaml_card(text):
            return read_yaml_card(text, filename, findings)
        return Refused("not_a_card", "neither a known container nor JSON nor a YAML card")
    card = card_from_text(text, filename, findings)
    return card if isinstance(card, Refused) else CardFile(card, "json", findings.report())
