"""Base64 as files really carry it: unpadded, URL-safe, wrapped; apart because Python's own decoder refuses those."""

import base64
import string

_ALPHABET = (string.ascii_letters + string.digits + "+/").encode()
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_JUNK = bytes(byte for byte in range(256) if byte not in _ALPHABET + b"-_=")


def decode_base64(text: bytes) -> bytes:
    """Decodes as JavaScript readers do; never fails.

    Everything outside the alphabet is skipped, `-_` read as `+/`, the first `=` ends the data, and
    missing padding is supplied (formats.md §0, trap 3). A single last letter carries no byte and is
    dropped. The result has at most three quarters of the length of the input.
    """
    letters = text.translate(_URL_SAFE, _JUNK).partition(b"=")[0]
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))


def encode_base64(data: bytes) -> bytes:
    """Standard base64 with padding, on one line."""
    return base64.b64encode(data)
