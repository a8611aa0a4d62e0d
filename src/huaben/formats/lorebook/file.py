"""What reading a lorebook yields, apart so that every dialect and its callers share the words."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.domain.lore.values import Book
from huaben.formats.report import Report

RefusalCode: TypeAlias = Literal["not_a_lorebook", "card_file", "corrupt", "too_large"]

MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class BookFile:
    """A lorebook and what its reading decided."""

    book: Book
    report: Report


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a file is not taken as a lorebook; `detail` is a technical fact in English."""

    code: RefusalCode
    detail: str
