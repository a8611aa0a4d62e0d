"""A book to the bytes of a lorebook file; apart from reading, which recognises many more shapes."""

from typing import Literal, TypeAlias, overload

from huaben.domain.jsonvalue import JsonObject, dump_json
from huaben.domain.lore.values import Book
from huaben.formats.lorebook import character_book, sillytavern

FileDialect: TypeAlias = Literal["sillytavern", "lorebook_v3"]


@overload
def write_book(book: Book, dialect: FileDialect = "sillytavern") -> bytes: ...


@overload
def write_book(book: Book, dialect: Literal["character_book"]) -> JsonObject: ...


def write_book(
    book: Book, dialect: FileDialect | Literal["character_book"] = "sillytavern"
) -> bytes | JsonObject:
    """The book as a file, or for `character_book` as the object that a card holds.

    Every value that was not changed since the book was read is as its file had it, unknown ones
    included. A file is UTF-8, indented as the file that was read (four spaces if new, as
    SillyTavern writes).
    """
    if dialect == "character_book":
        return character_book.write(book)
    value = (
        sillytavern.write(book)
        if dialect == "sillytavern"
        else character_book.write_standalone(book)
    )
    return dump_json(value, indent=book.indent).encode()
