"""One large file of a multipart form, piece by piece while it arrives; apart from `arriving`, which gives
whole files, because this one is as large as a library."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable, AsyncIterator

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from huaben.errors import BadInput


async def file_pieces(body: AsyncIterable[bytes], content_type: str) -> AsyncIterator[bytes]:
    """The bytes of the form's first file. Raises `BadInput` for a body that is no form, has no file
    or ends too early."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise BadInput(
            "not_multipart", "The body must be a form with a file.", "Send multipart/form-data."
        )
    part = _FirstFile()
    try:
        parser = part.parser(boundary)
        async for piece in body:
            parser.write(piece)
            while part.pieces:
                yield part.pieces.popleft()
    except FormParserError as fault:
        raise BadInput("bad_body", f"The form cannot be read: {fault}") from fault
    if not part.ended:
        raise BadInput("bad_body", "The form ended in the middle of a file.")
    if not part.found:
        raise BadInput("missing_field", "The form has no file.", "Send it as the field `file`.")


class _FirstFile:
    """The parser's callbacks: what has come of the first part that is a file."""

    def __init__(self) -> None:
        self._field = self._value = b""
        self._taking = False
        self.found = False
        self.ended = False
        self.pieces: deque[bytes] = deque()

    def parser(self, boundary: bytes) -> MultipartParser:
        return MultipartParser(
            boundary,
            {
                "on_header_field": self._add_field,
                "on_header_value": self._add_value,
                "on_header_end": self._end_header,
                "on_part_data": self._add_data,
                "on_part_end": self._end_part,
                "on_end": self._end,
            },
        )

    def _add_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        if self._field.lower() == b"content-disposition" and not self.found:
            _, options = parse_options_header(self._value)
            self.found = self._taking = b"filename" in options
        self._field = self._value = b""

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        if self._taking:
            self.pieces.append(bytes(data[start:end]))

    def _end_part(self) -> None:
        self._taking = False

    def _end(self) -> None:
        self.ended = True
