"""Personas as files with their pictures, out and in, and what may be such a picture; apart from the items of
the library, whose files hold no bytes of others."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from huaben.domain.image import PICTURE_TYPES, picture_type
from huaben.errors import BadInput, HuabenError, StorageFailed, TooLarge
from huaben.formats import persona_archive, personas
from huaben.formats.personas import Kept, PersonasFile
from huaben.formats.report import Findings
from huaben.services import thumbnails
from huaben.services.exporting import File, Picture
from huaben.services.filenames import safe_name
from huaben.services.house import House

MAX_BYTES: Final = persona_archive.MAX_PICTURE


@dataclass(frozen=True, slots=True)
class Brought:
    """What an archive of personas holds: each names its picture by the object that this will be, and
    `pictures` are to be stored. `data` is the archive with nothing else in it."""

    file: PersonasFile
    pictures: tuple[bytes, ...]
    data: bytes


def check_picture(content: bytes) -> str:
    """The media type of what may be a persona's picture: PNG, JPEG, GIF or WebP, whole, at most
    `MAX_BYTES` and `thumbnails.MAX_PIXELS` large. Blocks. Raises `TooLarge("picture_too_large")`,
    `BadInput("not_a_picture")`."""
    if len(content) > MAX_BYTES:
        raise TooLarge(
            "picture_too_large",
            f"The picture has {len(content):,} bytes, at most {MAX_BYTES:,} are taken.",
            "Make it smaller, then try again.",
        )
    kind = picture_type(content)
    if kind is not None and thumbnails.has_too_many_pixels(content):
        raise TooLarge(
            "picture_too_large",
            f"The picture has more than {thumbnails.MAX_PIXELS:,} pixels.",
            "Make it smaller, then try again.",
        )
    if kind is None or thumbnails.small(Picture(content, kind), 160) == thumbnails.NOTHING:
        raise BadInput(
            "not_a_picture",
            "The file is no whole picture.",
            "Take a PNG, JPEG, GIF or WebP file.",
        )
    return kind


def read_archive(data: bytes) -> Brought | None:
    """What an archive of personas holds; None for any other file. Blocks; only reads. What is no picture
    stays out, and the report names it."""
    found = persona_archive.read_archive(data)
    if found is None:
        return None
    findings = Findings()
    whole: dict[str, bytes] = {}
    for avatar, content in found.pictures.items():
        try:
            check_picture(content)
        except HuabenError as refusal:
            findings.dropped("persona_picture_lost", avatar, refusal.message)
        else:
            whole[avatar] = content
    kept = tuple(_with_picture(one, whole) for one in found.file.personas)
    file = PersonasFile(kept, found.file.report + findings.report())
    return Brought(file, tuple(whole.values()), persona_archive.write_archive(kept, whole))


def _with_picture(kept: Kept, whole: Mapping[str, bytes]) -> Kept:
    content = whole.get(kept.persona.avatar)
    name = "" if content is None else hashlib.sha256(content).hexdigest()
    return replace(kept, persona=replace(kept.persona, picture=name))


async def write_personas(house: House, kept: Sequence[Kept], name: str) -> File:
    """Personas as a backup that their former home reads; with the pictures beside it, as their former
    home keeps them, where any has one. The report names pictures whose bytes are gone."""
    findings = Findings()
    named, pictures = await _pictured(house, kept, findings)
    report = cast("Mapping[str, object]", findings.report().to_json())  # JSON is less
    if not pictures:
        data = personas.write_file(kept)
        return File(data, safe_name(name, "json"), "application/json", report)
    data = await asyncio.to_thread(persona_archive.write_archive, named, pictures)
    return File(data, safe_name(name, "zip"), "application/zip", report)


async def _pictured(
    house: House, kept: Sequence[Kept], findings: Findings
) -> tuple[list[Kept], Mapping[str, bytes]]:
    """The personas under file names that differ and are safe, and their pictures by those."""
    named: list[Kept] = []
    pictures: dict[str, bytes] = {}
    left = persona_archive.MAX_PICTURES
    for one in personas.apart(kept):
        content = await _content(house, one.persona.picture) if one.persona.picture else b""
        if content is None or len(content) > left:
            why = "its bytes are gone" if content is None else "the pictures together are too large"
            findings.dropped("persona_picture_lost", one.persona.name, why)
        elif content:
            left -= len(content)
            taken = {other.persona.avatar for other in named}
            one = replace(one, persona=replace(one.persona, avatar=_safe(one, content, taken)))
            pictures[one.persona.avatar] = content
        named.append(one)
    return named, pictures


async def _content(house: House, name: str) -> bytes | None:
    try:
        return await house.objects.get(name)
    except StorageFailed:
        return None


def _safe(kept: Kept, content: bytes, taken: set[str]) -> str:
    """The file name of a persona's picture: the one it came with, if that is safe everywhere."""
    stem, _, ending = kept.persona.avatar.rpartition(".")
    if ending.lower() not in (*PICTURE_TYPES, "jpeg"):
        kind = picture_type(content)
        stem = kept.persona.avatar
        ending = next((one for one, of in PICTURE_TYPES.items() if of == kind), "png")
    found, number = safe_name(stem, ending), 1
    while found in taken:
        number += 1
        found = safe_name(f"{number}-{stem}", ending)
    return found
