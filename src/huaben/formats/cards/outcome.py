"""What reading a card file comes to, a card or a reason; apart so that every container answers alike."""

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from huaben.domain.card import Asset, Card
from huaben.formats.base64ish import decode_base64
from huaben.formats.report import Report

MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_JSON_BYTES = 64 * 1024 * 1024
MAX_INFLATED_BYTES = 32 * 1024 * 1024
MAX_ASSET_BYTES = 64 * 1024 * 1024

Container: TypeAlias = Literal["png", "apng", "json", "charx", "webp", "byaf", "yaml"]

RefusalCode: TypeAlias = Literal[
    "not_a_card",
    "lorebook_file",
    "encrypted_risu",
    "encrypted_archive",
    "too_large",
    "too_deep",
    "corrupt",
    "unsupported",
]


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a file is not taken; `detail` is a technical fact in English, safe to show as text."""

    code: RefusalCode
    detail: str


class AssetSource(Protocol):
    """Bytes that are read when asked for and not before."""

    def read(self) -> bytes | Refused:
        """The bytes, at most `MAX_ASSET_BYTES` of them."""
        ...


@dataclass(frozen=True, slots=True)
class HeldBytes:
    """Bytes already in memory."""

    data: bytes

    def read(self) -> bytes | Refused:
        """The bytes as they are."""
        return self.data


@dataclass(frozen=True, slots=True)
class Base64Slice:
    """Base64 text inside a larger file, decoded anew at each reading."""

    file: bytes
    start: int
    stop: int

    def read(self) -> bytes | Refused:
        """The decoded bytes."""
        if (self.stop - self.start) // 4 * 3 > MAX_ASSET_BYTES:
            return Refused("too_large", f"the asset has more than {MAX_ASSET_BYTES} bytes")
        return decode_base64(self.file[self.start : self.stop])


@dataclass(frozen=True, slots=True)
class AssetFile:
    """A file that came with the card.

    `path` is its address inside the container, confined: relative, no `..`, `/` between names.
    `stored_name` is a file name without folders, safe on every system, unique within the card file.
    `asset` is the declaration that names it, None when nothing does.
    """

    path: str
    stored_name: str
    source: AssetSource
    asset: Asset | None = None

    def read(self) -> bytes | Refused:
        """The file's bytes, unpacked now; refused when too large or damaged."""
        return self.source.read()


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card read from a file: the card, what was decided about it, its picture and its other files.

    `image` is PNG, JPEG or WebP bytes to show, None when there is none or it is damaged.
    """

    card: Card
    container: Container
    report: Report
    image: bytes | None = None
    assets: tuple[AssetFile, ...] = ()
