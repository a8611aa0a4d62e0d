"""How the command line speaks: in whose language, in which colours, to which stream; apart so that no
command decides that for itself."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, TextIO, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console

Language: TypeAlias = Literal["zh", "en"]
Fact: TypeAlias = str | int | float

_ENDS = frozenset(".!?:;…。！？：；”」)）")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def language_of(environment: Mapping[str, str]) -> Language:
    """The language of messages: `HUABEN_LANG`, else the locale as POSIX reads it (`LC_ALL`,
    `LC_MESSAGES`, `LANG`); Chinese for anything that begins with `zh`, English for the rest."""
    names = ("HUABEN_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    chosen = next((environment[name] for name in names if environment.get(name)), "")
    return "zh" if chosen.lower().startswith("zh") else "en"


@dataclass(frozen=True, slots=True)
class Voice:
    """The program's own sentences in one language."""

    language: Language

    def say(self, key: str, **facts: Fact) -> str:
        """The sentence of that key with its facts filled in. Raises `KeyError` for an unknown
        key: that is a slip of ours, found by a test."""
        return self._table[key].format_map(facts)

    def count(self, key: str, number: int, **facts: Fact) -> str:
        """The same, with `{n}`; where English says one thing otherwise there is a `key.one`."""
        single = f"{key}.one"
        chosen = single if number == 1 and single in self._table else key
        return self.say(chosen, n=number, **facts)

    def join(self, *sentences: str) -> str:
        """Sentences one after the other, each ended (a provider's often are not); Chinese ones need
        no space between them."""
        said = [one for sentence in sentences if (one := sentence.strip())]
        joint, stop = ("", "。") if self.language == "zh" else (" ", ".")
        ended = [one if one[-1] in _ENDS else f"{one}{stop}" for one in said[:-1]]
        return joint.join([*ended, *said[-1:]])

    def knows(self, key: str) -> bool:
        return key in self._table

    @property
    def _table(self) -> Mapping[str, str]:
        if self.language == "zh":
            from huaben.cli.words_zh import WORDS
        else:
            from huaben.cli.words_en import WORDS
        return WORDS


@cache
def voice() -> Voice:
    """The voice for this process. Language is no setting of the data folder: it must be known
    before anything is loaded, to print `--help`."""
    return Voice(language_of(os.environ))


def printable(text: str) -> str:
    """Text that cannot command a terminal: control characters (escape sequences that would retitle
    the window, fill the clipboard or forge a line) become visible signs. Line ends and tabs stay."""
    return _CONTROLS.sub(_sign, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The text on one line, however it was broken, safe for a terminal."""
    return printable(" ".join(text.split()))


def shortened(text: str, width: int) -> str:
    """One line of at most `width` characters; what is cut is marked."""
    line = one_line(text)
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _sign(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "�"


# ---- streams -----------------------------------------------------------------------------------


def out() -> Console:
    """What the command was asked for: standard output."""
    return _console(sys.stdout)


def err() -> Console:
    """What is said beside it: standard error."""
    return _console(sys.stderr)


def tell(sentence: str, style: str = "") -> None:
    """One line beside the output."""
    err().print(
        one_line(sentence), style=style or None, markup=False, highlight=False, soft_wrap=True
    )


def put(text: str = "", style: str = "") -> None:
    """A line of the output, at once. Text for a terminal is made safe; a pipe gets it to the
    character."""
    if not sys.stdout.isatty():
        print(text, flush=True)
        return
    out().print(printable(text), style=style or None, markup=False, highlight=False, soft_wrap=True)


def put_json(value: Mapping[str, object]) -> None:
    """One JSON object on one line of UTF-8, flushed at once whatever the locale. A lone surrogate
    (a file name that is no UTF-8) is written as its escape, which JSON allows."""
    import json

    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    put_bytes(line.encode("utf-8", "backslashreplace") + b"\n")


def put_bytes(data: bytes) -> None:
    """Bytes to the output as they are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def prepare_streams() -> None:
    """A locale that cannot write a character must not end the program in mid-sentence."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # replaced by something that is no file
            _reconfigure(stream)


def _reconfigure(stream: TextIO) -> None:
    from io import TextIOWrapper

    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _console(stream: TextIO) -> Console:
    # Loaded when something is first said in colour: `--help` needs none of it.
    from rich.console import Console

    return Console(
        file=stream,
        force_terminal=stream.isatty(),
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=True,
        legacy_windows=False,
    )
