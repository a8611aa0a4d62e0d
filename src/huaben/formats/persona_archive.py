"""Personas with their pictures in one file: a backup of personas and the folder of pictures beside it, as an
installation of SillyTavern has them; apart from the backup, which cannot hold a picture."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from huaben.formats.archive import Archive, open_archive
from huaben.formats.personas import MAX_BYTES, Kept, PersonasFile, read_file, write_file
from huaben.formats.report import Findings

BACKUP: Final = "personas.json"
FOLDER: Final = "User Avatars/"
MAX_PICTURE: Final = 10 * 1024 * 1024
MAX_PICTURES: Final = 256 * 1024 * 1024
"""Bytes of all pictures of a file together: they are held in memory."""
_OLDEST: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Archived:
    """What such a file holds; `pictures` by the file names that the personas are known by, unlooked at."""

    file: PersonasFile
    pictures: Mapping[str, bytes]


def read_archive(data: bytes) -> Archived | None:
    """The personas of an archive and their pictures; None for any other file. A picture over a limit
    stays out, and the report names it."""
    archive = open_archive(data) if data.startswith(b"PK\x03\x04") else None
    if not isinstance(archive, Archive) or BACKUP not in archive.members:
        return None
    backup = archive.read(archive.members[BACKUP], MAX_BYTES)
    file = read_file(backup) if isinstance(backup, bytes) else None
    if not isinstance(file, PersonasFile):
        return None
    findings = Findings()
    pictures: dict[str, bytes] = {}
    left = MAX_PICTURES
    for kept in file.personas:
        member = archive.members.get(FOLDER + kept.persona.avatar)
        if member is None:
            continue
        content = archive.read(member, min(left, MAX_PICTURE))
        if isinstance(content, bytes):
            pictures[kept.persona.avatar] = content
            left -= len(content)
        else:
            findings.dropped("persona_picture_lost", member.name, content.detail)
    return Archived(PersonasFile(file.personas, file.report + findings.report()), pictures)


def write_archive(kept: Sequence[Kept], pictures: Mapping[str, bytes]) -> bytes:
    """An archive of personas whose avatars differ, and of their pictures by avatar; the same bytes for
    the same input."""
    buffer = io.BytesIO()
    files = {FOLDER + avatar: content for avatar, content in pictures.items()}
    with zipfile.ZipFile(buffer, "w") as made:
        for path, content in {BACKUP: write_file(kept), **files}.items():
            member = zipfile.ZipInfo(path, _OLDEST)
            packed = path == BACKUP
            member.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
            made.writestr(member, content)
    return buffer.getvalue()
