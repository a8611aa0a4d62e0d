"""CharX in and out: a zip of card.json and assets, also behind a picture; apart as the one container of files."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from huaben.domain.card import Card
from huaben.formats.archive import Archive, ArchiveFault, Member, open_archive
from huaben.formats.bounded import decode_text, noted_text
from huaben.formats.cards.byaf import card_from_byaf, is_byaf
from huaben.formats.cards.outcome import (
    MAX_ASSET_BYTES,
    MAX_JSON_BYTES,
    AssetFile,
    CardFile,
    Container,
    Refused,
)
from huaben.formats.cards.packed import Packed, embedded_path, pack
from huaben.formats.cards.payload import card_from_text
from huaben.formats.cards.pictures import is_picture
from huaben.formats.report import Findings

CARD_NAME = "card.json"
RISU_MODULE = "module.risum"

_OLDEST = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class MemberBytes:
    """A file in an archive, unpacked at each reading."""

    archive: Archive
    member: Member

    def read(self) -> bytes | Refused:
        """The unpacked bytes."""
        found = self.archive.read(self.member, MAX_ASSET_BYTES)
        return refused(found) if isinstance(found, ArchiveFault) else found


@dataclass(slots=True)
class _Texts:
    """Text members of an archive, at most `MAX_JSON_BYTES` of them in all."""

    archive: Archive
    members: Mapping[str, Member]
    left: int = MAX_JSON_BYTES

    def read(self, path: str) -> str | Refused:
        member = self.members.get(path)
        if member is None:
            return Refused("corrupt", f"the archive has no {path}"[:300])
        found = self.archive.read(member, self.left)
        if isinstance(found, ArchiveFault):
            return refused(found)
        self.left -= len(found)
        return decode_text(found).text


def read_archive_card(data: bytes, filename: str) -> CardFile | Refused:
    """Reads a CharX or BYAF archive; other bytes may stand before it.

    `card.json` is looked for at the root, then in any case, then one level or more down, where the
    folder becomes the root.
    """
    archive = open_archive(data)
    if isinstance(archive, ArchiveFault):
        return refused(archive)
    findings = Findings()
    members = {name.replace("\\", "/"): member for name, member in archive.members.items()}
    path = _card_path(members)
    if path is None and is_byaf(members):
        return _read_byaf(archive, members, filename)
    if path is None:
        names = ", ".join(sorted(members)[:5])
        return Refused("not_a_card", f"the zip has no card.json; it begins with {names}"[:300])
    if path != CARD_NAME:
        findings.changed("card_not_at_root", f"zip:{path}", "card.json is not at the root")
    text = archive.read(members[path], MAX_JSON_BYTES)
    if isinstance(text, ArchiveFault):
        return refused(text)
    card = card_from_text(noted_text(text, f"zip:{path}", findings), filename, findings)
    if isinstance(card, Refused):
        return card
    root = path[: -len(CARD_NAME)]
    files = {name.removeprefix(root): member for name, member in members.items() if name != path}
    if RISU_MODULE in files:
        findings.warn("risu_module", RISU_MODULE, "a packed RisuAI module, kept but not read")
    return _card_file(card, "charx", archive, files, findings)


def write_charx_card(card_json: bytes, files: Mapping[str, bytes]) -> bytes:
    """A CharX of a card and the files that lie beside it, the same bytes for the same input."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        for path, data in {CARD_NAME: card_json, **files}.items():
            member = zipfile.ZipInfo(path, _OLDEST)
            packed = path.lower().endswith((".json", ".txt", ".svg", ".risum"))
            member.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
            made.writestr(member, data)
    return buffer.getvalue()


def refused(fault: ArchiveFault) -> Refused:
    """An archive's fault as a refusal of the card."""
    match fault.code:
        case "encrypted":
            return Refused("encrypted_archive", fault.detail)
        case "too_large":
            return Refused("too_large", fault.detail)
        case "unsupported":
            return Refused("unsupported", fault.detail)
        case "not_zip" | "corrupt":
            return Refused("corrupt", fault.detail)


def _read_byaf(
    archive: Archive, members: Mapping[str, Member], filename: str
) -> CardFile | Refused:
    findings = Findings()
    card = card_from_byaf(_Texts(archive, members).read, filename, findings)
    if isinstance(card, Refused):
        return card
    files = {name: member for name, member in members.items() if not name.endswith(".json")}
    return _card_file(card, "byaf", archive, files, findings)


def _card_path(members: Mapping[str, Member]) -> str | None:
    if CARD_NAME in members:
        return CARD_NAME
    found = [name for name in members if name.lower().rpartition("/")[2] == CARD_NAME]
    return min(found, key=lambda name: (name.count("/"), name), default=None)


def _card_file(
    card: Card,
    container: Container,
    archive: Archive,
    files: Mapping[str, Member],
    findings: Findings,
) -> CardFile:
    packed = (Packed(name, MemberBytes(archive, member)) for name, member in files.items())
    assets = pack(packed, card, findings)
    image = _icon(card, assets) or _picture_before(archive)
    if image is None:
        findings.warn("picture_missing", "", "no picture that can be shown")
    return CardFile(card, container, findings.report(), image, assets)


def _icon(card: Card, assets: Sequence[AssetFile]) -> bytes | None:
    path = embedded_path(card.main_icon.uri)
    file = next((asset for asset in assets if asset.path == path), None)
    data = None if file is None else file.read()
    return data if isinstance(data, bytes) and is_picture(data) else None


def _picture_before(archive: Archive) -> bytes | None:
    before = archive.data[: archive.start]
    return before if is_picture(before) else None
