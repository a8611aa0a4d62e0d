"""Lorebook files of many programs to books and back without loss; pure."""

from huaben.formats.lorebook.file import BookFile, RefusalCode, Refused
from huaben.formats.lorebook.read import read_book, read_embedded, read_value
from huaben.formats.lorebook.write import write_book

__all__ = [
    "BookFile",
    "RefusalCode",
    "Refused",
    "read_book",
    "read_embedded",
    "read_value",
    "write_book",
]
