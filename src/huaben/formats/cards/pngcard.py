"""Cards in PNG and APNG text chunks, out and in; apart because one picture may hold several of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from huaben.domain.card import Card
from huaben.formats.base64ish import decode_base64, encode_base64
from huaben.formats.bounded import InflateFault, noted_text
from huaben.formats.cards.outcome import (
    MAX_INFLATED_BYTES,
    MAX_JSON_BYTES,
    Base64Slice,
    CardFile,
    Refused,
)
from huaben.formats.cards.overlay import differing_fields
from huaben.formats.cards.packed import Packed, pack
from huaben.formats.cards.payload import card_from_text
from huaben.formats.png import (
    Png,
    PngFault,
    TextChunk,
    default_picture,
    shows_picture,
    text_chunks,
    value_of,
    walk_png,
    with_text,
)
from huaben.formats.report import Findings

MAX_TRIES = 8
ASSET_PREFIX = "chara-ext-asset_"

_PRECEDENCE = ("ccv3", "chara")


@dataclass(frozen=True, slots=True)
class _Found:
    text: TextChunk
    card: Card
    findings: Findings


def read_png_card(data: bytes, filename: str) -> CardFile | Refused:
    """Reads the card in a PNG: `ccv3` before `chara` (card V3), the first that can be read.

    Keywords in any case, any text chunk kind, anywhere in the file; pixels are not decoded to find it.
    Another card that differs is named in the report.
    """
    png = walk_png(data)
    if isinstance(png, PngFault):
        return Refused("too_large" if png.code == "too_large" else "corrupt", png.detail)
    refusals: list[Refused] = []
    chosen: _Found | None = None
    for text in _candidates(png):
        found = _card_in(png, text, filename)
        if isinstance(found, Refused):
            refusals.append(found)
        elif chosen is None:
            chosen = found
        else:
            _note_conflict(chosen, found)
    if chosen is None:
        return _why_none(png, refusals)
    findings = chosen.findings
    findings.kept("card_chunk", f"png:{chosen.text.kind}:{chosen.text.keyword}")
    for refusal in refusals:
        findings.warn("unreadable_chunk", "png", refusal.detail, fault=refusal.detail)
    assets = pack(_packed_assets(png), chosen.card, findings)
    image = data if shows_picture(png) else None
    if image is None:
        findings.warn("picture_damaged", "png", "the picture cannot be shown; a default is used")
    container = "apng" if png.is_animated else "png"
    return CardFile(chosen.card, container, findings.report(), image, assets)


def write_png_card(image: bytes | None, v2: bytes, v3: bytes) -> bytes:
    """The picture with both cards in it, `chara` and `ccv3`, and no other card left anywhere in it.

    Every other byte of the picture stays. What is not a whole PNG is replaced by the default picture.
    """
    png = walk_png(default_picture() if image is None else image)
    if isinstance(png, PngFault) or not png.whole:
        return write_png_card(None, v2, v3)
    cards = (("chara", encode_base64(v2)), ("ccv3", encode_base64(v3)))
    return with_text(png, cards, without=lambda keyword: keyword.lower() in _PRECEDENCE)


def takes_card(image: bytes) -> bool:
    """Whether a picture is a whole PNG, so that a card can be put into it."""
    png = walk_png(image)
    return isinstance(png, Png) and png.whole


def without_cards(image: bytes) -> bytes:
    """The picture without any card in it; other pictures come back as they are."""
    png = walk_png(image)
    if isinstance(png, PngFault) or not png.whole:
        return image
    return with_text(png, (), without=lambda keyword: keyword.lower() in _PRECEDENCE)


def legacy_paths(image: bytes) -> frozenset[str]:
    """Paths of the assets that a PNG carries in text chunks."""
    png = walk_png(image)
    return (
        frozenset(file.path for file in _packed_assets(png))
        if isinstance(png, Png)
        else frozenset()
    )


def _candidates(png: Png) -> Iterator[TextChunk]:
    """Chunks to try, in order of precedence; few, so that many bombs cannot add up."""
    texts = [text for text in text_chunks(png) if text.keyword.lower() in _PRECEDENCE]
    texts.sort(key=lambda text: _PRECEDENCE.index(text.keyword.lower()))
    yield from texts[:MAX_TRIES]


def _card_in(png: Png, text: TextChunk, filename: str) -> _Found | Refused:
    limit = MAX_JSON_BYTES if text.kind == "tEXt" else MAX_INFLATED_BYTES
    value = value_of(png, text, limit)
    where = f"{text.kind} {text.keyword}"
    if isinstance(value, InflateFault):
        return Refused(value.code, f"{where}: {value.detail}")
    findings = Findings()
    if not value.lstrip().startswith((b"{", b"rcc||", b"\xef\xbb\xbf")):
        value = decode_base64(value)
    else:
        findings.changed("not_base64", f"png:{where}", "the chunk holds bare text")
    card = card_from_text(noted_text(value, f"png:{where}", findings), filename, findings)
    if isinstance(card, Refused):
        return Refused(card.code, f"{where}: {card.detail}")
    return _Found(text, card, findings)


def _why_none(png: Png, refusals: list[Refused]) -> Refused:
    if refusals:
        return refusals[0]
    if any(text.keyword.lower() == "naidata" for text in text_chunks(png)):
        return Refused("lorebook_file", "this picture holds a NovelAI lorebook, not a card")
    if not png.whole:
        return Refused("corrupt", "the PNG is cut short and no card was met before the cut")
    return Refused("not_a_card", "the PNG has no character data (no chara or ccv3 chunk)")


def _note_conflict(chosen: _Found, other: _Found) -> None:
    path = f"png:{other.text.kind}:{other.text.keyword}"
    differing = differing_fields(chosen.card, other.card)
    if differing:
        used, fields = chosen.text.keyword, ", ".join(differing)
        detail = f"differs from {used} in {fields}"
        chosen.findings.dropped("other_card", path, detail, value=used, fields=fields)


def _packed_assets(png: Png) -> Iterator[Packed]:
    """Legacy assets, addressed `__asset:{path}`; both spellings of the keyword exist."""
    for text in text_chunks(png):
        if text.kind != "tEXt" or not text.keyword.lower().startswith(ASSET_PREFIX):
            continue
        path = text.keyword[len(ASSET_PREFIX) :].removeprefix(":")
        start = text.chunk.body.start + len(text.keyword) + 1
        yield Packed(path, Base64Slice(png.data, start, text.chunk.body.stop))
