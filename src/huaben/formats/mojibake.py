"""Finds UTF-8 that an earlier tool read as Latin-1 and saved so; apart because a repair is only ever offered."""

import re

from huaben.domain.jsonvalue import Json

_CP1252 = {bytes([byte]).decode("cp1252", errors="replace"): byte for byte in range(0x80, 0x100)}
_HIGH = {chr(byte): byte for byte in range(0x80, 0x100)} | {
    letter: byte for letter, byte in _CP1252.items() if letter != "\ufffd"
}
_RUN = re.compile("[" + re.escape("".join(_HIGH)) + "]+")


def unbaked(text: str) -> str | None:
    """The text as it was before its UTF-8 bytes were taken for Latin-1 or Windows-1252, else None.

    Answers only when every run of such characters is valid UTF-8, so `Zoë` and `“CAFÉ”` are left
    alone. It is a guess: offer it, never apply it silently.
    """
    runs = _RUN.findall(text)
    if not runs or not all(_decoded(run) for run in runs):
        return None
    return _RUN.sub(lambda run: _decoded(run[0]) or run[0], text)


def unbaked_json(value: Json) -> Json:
    """A copy with every text that `unbaked` can take back taken back; keys are left alone."""
    if isinstance(value, str):
        return unbaked(value) or value
    if isinstance(value, list):
        return [unbaked_json(item) for item in value]
    if isinstance(value, dict):
        return {key: unbaked_json(item) for key, item in value.items()}
    return value


def _decoded(run: str) -> str | None:
    try:
        return bytes(_HIGH[letter] for letter in run).decode("utf-8")
    except UnicodeDecodeError:
        return None
