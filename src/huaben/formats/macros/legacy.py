"""The first generation: one sweep per macro in a fixed order, no nesting; apart because order is its whole grammar."""

from __future__ import annotations

import re
from typing import Final

from huaben.formats.macros.card import CARD
from huaben.formats.macros.chat import CHAT
from huaben.formats.macros.names import NAMES
from huaben.formats.macros.page import allowance, size
from huaben.formats.macros.random import split_commas
from huaben.formats.macros.run import Definition, Known, Refused, Run, Template, digest
from huaben.formats.macros.state import STATE
from huaben.formats.macros.who import WHO

_ORDER: Final = (
    ("roll",),
    ("setvar",),
    ("addvar",),
    ("incvar",),
    ("decvar",),
    ("getvar",),
    ("setglobalvar",),
    ("addglobalvar",),
    ("incglobalvar",),
    ("decglobalvar",),
    ("getglobalvar",),
    ("newline",),
    ("noop",),
    (*WHO, *CARD, *STATE),
    (*CHAT,),
    ("reverse",),
    ("comment", "hidden_key"),
    ("time", "date", "weekday", "isotime", "isodate", "datetimeformat", "idle_duration"),
    ("outlet",),
    ("timeDiff",),
    ("banned",),
    ("random",),
    ("pick",),
)

_FLAT = r"(?P<body>(?:(?!\{\{|\}\}).)*+)"
"""The inside of a macro that holds no other: an outer macro waits until the inner one is gone."""

_FLAGS = re.IGNORECASE | re.DOTALL | re.ASCII  # ASCII: a long s must not pass for an s
_TAG = re.compile(r"<(user|bot|char|group|charifnotgroup)>", _FLAGS)
_TRIM = re.compile(r"\{\{trim\}\}", _FLAGS)
_LEFT = re.compile(r"\{\{\s*+([^\W\d_][\w-]*+)(?:(?!\{\{|\}\}).)*+((?=\{\{))?", re.DOTALL)
_SWEEPS: Final = (
    *(
        re.compile(
            r"\{\{(?P<name>" + "|".join(names) + r")(?:(?:\s*+::?\s*+|\s++)" + _FLAT + r")?\}\}",
            _FLAGS,
        )
        for names in _ORDER
    ),
    re.compile(r"\{\{(?P<name>//)" + _FLAT + r"\}\}", _FLAGS),
    re.compile(r"\{\{(?P<name>time)_(?P<body>utc[+-]\d+)\}\}", _FLAGS),
)
_SWEPT: Final = frozenset(name.lower() for names in _ORDER for name in names)


class _Sheet:
    """A template under the sweeps. What a macro said is under a seal that no later sweep can read
    into: `U+FDD0 number U+FDD1`, noncharacters that no text may hold (one that does is sealed too).
    """

    def __init__(self, template: str, depth: int) -> None:
        self.key = digest(template)
        self.depth = depth
        self.answered = 0
        self._sealed: list[str] = []
        self._counts: dict[str, int] = {}
        self.text = re.sub("\ufdd0", lambda found: self.seal(found.group()), template)

    def seal(self, text: str) -> str:
        if not text:
            return ""
        self._sealed.append(text)
        return f"\ufdd0{len(self._sealed) - 1}\ufdd1"

    def opened(self, text: str) -> str:
        return re.sub("\ufdd0([0-9]+)\ufdd1", lambda found: self._sealed[int(str(found[1]))], text)

    def place(self, name: str) -> str:
        """Names this occurrence by its number among its kind, which no value can move."""
        self._counts[name] = self._counts.get(name, 0) + 1
        return f"{self.key}:{name}:{self._counts[name]}"


class LegacyExpander:
    """Expands templates for one run.

    A macro that holds another one is read only once the inner one is gone: inner macros of its own
    kind or of a kind that is swept earlier work, others leave it as typed.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._room = 0

    def expand(self, template: str) -> str:
        self._room = allowance(template, self._run.limits.max_bytes)
        self._run.enter(digest(template))
        return self._text(template, 0)

    def _text(self, template: str, depth: int) -> str:
        sheet = _Sheet(template, depth)
        sheet.text = _TAG.sub(lambda found: self._tag(found, sheet), sheet.text)
        sheet.text = self._trimmed(sheet.text)
        for pattern in _SWEEPS:
            self._sweep(pattern, sheet)
        self._report_left(sheet)
        return sheet.opened(sheet.text)

    def _trimmed(self, text: str) -> str:
        first, *rest = _TRIM.split(text)
        if not rest:
            return text
        middle = [part.strip("\r\n") for part in rest[:-1]]
        return "".join((first.rstrip("\r\n"), *middle, rest[-1].lstrip("\r\n")))

    def _sweep(self, pattern: re.Pattern[str], sheet: _Sheet) -> None:
        """Sweeps until nothing is answered any more: inner macros of the same kind go first."""
        for _ in range(self._run.depth):
            before = sheet.answered
            sheet.text = pattern.sub(lambda found: self._macro(found, sheet), sheet.text)
            if sheet.answered == before:
                return
        if pattern.search(sheet.text):
            self._run.warn("too_deep", f"limit {self._run.depth}")

    def _tag(self, found: re.Match[str], sheet: _Sheet) -> str:
        name = str(found[1]).lower()
        return self._answer(NAMES["char" if name == "bot" else name], (), found.group(), sheet)

    def _macro(self, found: re.Match[str], sheet: _Sheet) -> str:
        known = NAMES[str(found["name"]).lower()]
        body = found["body"]
        parts = () if body is None else _arguments(known.definition, str(body))
        args = tuple(sheet.opened(part) for part in parts)
        return self._answer(known, args, found.group(), sheet)

    def _answer(self, known: Known, args: tuple[str, ...], typed: str, sheet: _Sheet) -> str:
        """What stands in the text instead of `typed` from now on."""
        if not self._run.spend(1):
            return typed
        outcome = self._run.ask(known, args, sheet.place(known.name))
        if isinstance(outcome, Refused):
            return typed
        text = outcome if isinstance(outcome, str) else outcome.text
        if size(text) > self._room:
            self._run.warn("too_large", sheet.opened(typed))
            return typed
        self._room -= size(text)
        if isinstance(outcome, Template):
            nested = self._nested(text, typed, sheet)
            if nested is None:
                return typed
            text = nested
        sheet.answered += 1
        return sheet.seal(text)

    def _nested(self, template: str, typed: str, sheet: _Sheet) -> str | None:
        key = digest(template)
        if sheet.depth >= self._run.depth:
            self._run.warn("too_deep", sheet.opened(typed))
            return None
        if not self._run.enter(key):
            self._run.warn("cycle", sheet.opened(typed))
            return None
        text = self._text(template, sheet.depth + 1)
        self._run.leave(key)
        return text

    def _report_left(self, sheet: _Sheet) -> None:
        """Names what is still there: macros of no name here, and those that held others."""
        for found in _LEFT.finditer(sheet.text):
            if str(found[1]).lower() not in _SWEPT:
                self._run.warn("unknown_macro", sheet.opened(found.group()))
            elif found[2] is not None:
                self._run.warn("nested", sheet.opened(found.group()))


def _arguments(definition: Definition, body: str) -> tuple[str, ...]:
    """Splits as the first generation does; nested answers in it are still sealed and stay whole."""
    if definition.form == "comment":
        return ("",)
    if definition.form == "choice":
        items = body.split("::") if "::" in body else split_commas(body)
        return tuple(item.strip() for item in items)
    if definition.most == 2:
        head, separator, tail = body.partition("::")
        return (head.strip(), tail) if separator else (head.strip(),)
    return (body.strip(),)
