"""The files of a multipart form one by one, while they arrive; apart from `uploads`, because a form
of thousands of files must be held neither in memory nor in open temporary files."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable, AsyncIterator

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from huaben.errors import BadInput, TooLarge
from huaben.services.importing import Upload
from huaben.web.uploads import plain_name


async def arriving(
    body: AsyncIterable[bytes], content_type: str, max_file_bytes: int
) -> AsyncIterator[Upload]:
    """Each file as soon as it is whole; one over the limit arrives as its refusal. Fields that are
    no files are passed over. Raises `BadInput` for a body that is no form or ends too early."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise BadInput(
            "not_multipart", "The body must be a form of files.", "Send multipart/form-data."
        )
    parts = _Parts(max_file_bytes)
    try:
        parser = parts.parser(boundary)
        async for piece in body:
            parser.write(piece)
            while parts.whole:
                yield parts.whole.popleft()
    except FormParserError as fault:
        raise BadInput("bad_body", f"The form cannot be read: {fault}") from fault
    if not parts.ended:
        raise BadInput("bad_body", "The form ended in the middle of a file.")


class _Parts:
    """The parser's callbacks: what has come of the present part, and the files that are whole."""

    def __init__(self, max_file_bytes: int) -> None:
        self._limit = max_file_bytes
        self._name: str | None = None
        self._content = bytearray()
        self._size = 0
        self._field = self._value = b""
        self.whole: deque[Upload] = deque()
        self.ended = False

    def parser(self, boundary: bytes) -> MultipartParser:
        return MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._add_field,
                "on_header_value": self._add_value,
                "on_header_end": self._end_header,
                "on_part_data": self._add_data,
                "on_part_end": self._end_part,
                "on_end": self._end,
            },
        )

    def _begin(self) -> None:
        self._name, self._size = None, 0
        self._content.clear()

    def _add_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        if self._field.lower() == b"content-disposition":
            _, options = parse_options_header(self._value)
            if b"filename" in options:
                self._name = plain_name(options[b"filename"].decode("utf-8", "replace"))
        self._field = self._value = b""

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        self._size += end - start
        if self._name is not None and self._size <= self._limit:
            self._content += data[start:end]

    def _end_part(self) -> None:
        if self._name is None:
            return
        if self._size > self._limit:
            refusal = TooLarge(
                "file_too_large",
                f"The file has {self._size:,} bytes, at most {self._limit:,} are taken.",
                "HUABEN_MAX_UPLOAD_MB sets the limit.",
            )
            self.whole.append(Upload(self._name, refusal))
        else:
            self.whole.append(Upload(self._name, bytes(self._content)))
        self._content.clear()

    def _end(self) -> None:
        self.ended = True
