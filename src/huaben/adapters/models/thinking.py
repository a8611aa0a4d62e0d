"""Thought and prose told apart in one stream of text; apart because tags may be cut anywhere."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["text", "thought", "turned"]
"""`turned` carries no text: a close tag came without an open one, so all text so far was thought."""

_BLANK: Final = " \t\r\n"


class ThinkSplitter:
    """Splits `<think>…</think>` out of streamed text.

    A tag right after a backtick is talked about, not used. Blank space around a block belongs to
    neither side; an ideographic space does, because Chinese paragraphs begin with it."""

    def __init__(self, tag: str = "think") -> None:
        self._open, self._close = f"<{tag}>", f"</{tag}>"
        self._mark = re.compile(f"(?<!`)</?{re.escape(tag)}>")
        self._held = ""
        self._before = ""
        self._trim = False
        self._fresh = True
        self.inside = False
        self.opened = False

    def feed(self, text: str) -> list[tuple[Kind, str]]:
        """The pieces that are certain now, in order."""
        if not (self._held or self._trim or self._fresh) and "<" not in text:
            self._before = text[-1:] or self._before
            return [("thought" if self.inside else "text", text)]
        return self._split(self._held + text, last=False)

    def close(self) -> list[tuple[Kind, str]]:
        """What was held back because a tag might have followed."""
        return self._split(self._held, last=True)

    def _split(self, text: str, *, last: bool) -> list[tuple[Kind, str]]:
        out: list[tuple[Kind, str]] = []
        at = 0
        # The character before is looked at by the pattern, so it travels with the text.
        joined = self._before + text
        shift = len(self._before)
        for mark in self._mark.finditer(joined, shift):
            if self.inside and mark.group() == self._open:
                continue
            before = joined[shift + at : mark.start()]
            if not (self._fresh and not before.strip(_BLANK)):
                self._emit(before, out)
            at = mark.end() - shift
            self._pass(mark.group(), out)
        rest = text[at:]
        held = 0 if last else self._undecided(rest)
        self._held = rest[len(rest) - held :]
        self._emit(rest[: len(rest) - held], out)
        self._before = joined[: len(joined) - held][-1:]
        return out

    def _pass(self, tag: str, out: list[tuple[Kind, str]]) -> None:
        if tag == self._open:
            self.inside = self.opened = True
        elif self.inside:
            self.inside = False
        elif not self.opened:
            self.opened = True
            out.append(("turned", ""))
        self._trim = not self.inside

    def _emit(self, text: str, out: list[tuple[Kind, str]]) -> None:
        if self._trim and not self.inside:
            text = text.lstrip(_BLANK)
        if text:
            self._trim = self._fresh = False
            out.append(("thought" if self.inside else "text", text))

    def _undecided(self, rest: str) -> int:
        """How many characters at the end may yet become a tag, or blank space before one."""
        if self._fresh and not rest.strip(_BLANK):
            return len(rest)
        at = rest.rfind("<")
        tail = rest[at:] if at >= 0 else ""
        if tail and (self._open.startswith(tail) or self._close.startswith(tail)):
            blank = rest[:at]
            return len(rest) if self._fresh and not blank.strip(_BLANK) else len(tail)
        return 0


class SurrogateMender:
    """Joins surrogate pairs that a provider cut between two pieces; lone halves become U+FFFD.

    Providers that cut text by UTF-16 units send half an emoji as `"\\ud83d"`."""

    __slots__ = ("_high",)

    def __init__(self) -> None:
        self._high = ""

    def feed(self, text: str) -> str:
        if not self._high and _SURROGATE.search(text) is None:
            return text
        text = self._high + text
        self._high = text[-1] if "\ud800" <= text[-1] <= "\udbff" else ""
        whole = text[:-1] if self._high else text
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def close(self) -> str:
        lone, self._high = self._high, ""
        return "\ufffd" if lone else ""


_SURROGATE: Final = re.compile("[\ud800-\udfff]")
