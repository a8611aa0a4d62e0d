"""Any lorebook's bytes to a book: decode, recognise, hand to its dialect.

Separate from the dialects, which know nothing of bytes or of each other.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, parse_json
from huaben.domain.lore.values import Book, BookDialect
from huaben.formats.base64ish import decode_base64
from huaben.formats.bounded import InflateFault, noted_text
from huaben.formats.lorebook import (
    agnai,
    ai_dungeon,
    character_book,
    kobold,
    novelai,
    risu,
    sillytavern,
)
from huaben.formats.lorebook.file import MAX_BYTES, BookFile, Refused
from huaben.formats.lorebook.sniff import recognise
from huaben.formats.png import SIGNATURE, PngFault, text_chunks, value_of, walk_png
from huaben.formats.report import Findings

_FIRST_MEMBER: Final = re.compile(r"\s*[\[{]\r?\n( {1,8})\S")


def read_book(data: bytes, filename: str = "") -> BookFile | Refused:
    """The lorebook in a file of any known program, or why it is none.

    JSON, or a picture that NovelAI put a lorebook in. At most `MAX_BYTES`. A name the file does not
    give is the file name without its ending.
    """
    if len(data) > MAX_BYTES:
        return Refused("too_large", f"{len(data)} bytes, at most {MAX_BYTES}")
    if data.startswith(SIGNATURE):
        inside = _in_picture(data)
        return inside if isinstance(inside, Refused) else _read_text(inside, filename)
    return _read_text(data, filename)


def _read_text(data: bytes, filename: str) -> BookFile | Refused:
    findings = Findings()
    text = noted_text(data, "", findings)
    value = parse_json(text)
    if isinstance(value, JsonFault):
        code = "too_large" if value.code == "too_large" else "corrupt"
        return Refused(code, value.detail)
    found = read_value(value, _stem(filename))
    if isinstance(found, Refused):
        return found
    book = replace(found.book, indent=_indent(text))
    return BookFile(book, findings.report() + found.report)


def _in_picture(data: bytes) -> bytes | Refused:
    """The JSON in the `naidata` chunk of a picture (formats §1.1)."""
    png = walk_png(data)
    if isinstance(png, PngFault):
        return Refused("corrupt", png.detail)
    texts = {text.keyword.lower(): text for text in text_chunks(png)}
    if "naidata" not in texts:
        if texts.keys() & {"chara", "ccv3"}:
            return Refused("card_file", "this is a character card; its own book is read with it")
        return Refused("not_a_lorebook", "a picture without a lorebook")
    packed = value_of(png, texts["naidata"], MAX_BYTES)
    if isinstance(packed, InflateFault):
        return Refused("corrupt", packed.detail)
    return packed if packed.lstrip().startswith(b"{") else decode_base64(packed)


def read_value(value: Json, name: str = "") -> BookFile | Refused:
    """The lorebook in an already parsed value, recognised by its shape."""
    recognised = recognise(value)
    if isinstance(recognised, Refused):
        return recognised
    dialect, raw = recognised
    findings = Findings()
    book = _read(dialect, raw, name, findings)
    return BookFile(book, findings.report())


def read_embedded(raw: Mapping[str, Json], name: str = "") -> BookFile:
    """The book inside a card; whatever it holds, some book comes of it and the report says how."""
    findings = Findings()
    book = character_book.read(dict(raw), name, findings)
    return BookFile(book, findings.report())


def _read(dialect: BookDialect, raw: JsonObject, name: str, findings: Findings) -> Book:
    match dialect:
        case "sillytavern":
            return sillytavern.read(raw, name, findings)
        case "character_book" | "lorebook_v3":
            return character_book.read(raw, name, findings, dialect=dialect)
        case "novelai":
            return novelai.read(raw, name, findings)
        case "agnai":
            return agnai.read(raw, name, findings)
        case "risu":
            return risu.read(raw, name, findings)
        case "kobold_lite" | "kobold_united":
            return kobold.read(raw, name, findings, dialect=dialect)
        case "ai_dungeon":
            return ai_dungeon.read(raw, name, findings)


def _stem(filename: str) -> str:
    base = filename.replace("\\", "/").rpartition("/")[2]
    return base.rpartition(".")[0] or base


def _indent(text: str) -> int | None:
    """How many spaces the first member stands in; None if the file is one line."""
    found = _FIRST_MEMBER.match(text)
    return len(found.group(1)) if found else None
