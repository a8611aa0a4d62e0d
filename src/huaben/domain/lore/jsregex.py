"""JavaScript's regular expressions in the dialect of the `regex` module.

Separate because lorebook keys and regex scripts both bring them, and a pattern that means something
else in Python is worse than one refused.
"""

from dataclasses import dataclass, field, replace
from typing import Final, NoReturn

import regex

from huaben.domain.lore.jsclass import Mode, char_class, literal
from huaben.domain.lore.jsescape import Escape, FaultCode, PatternFault, read_escape

MAX_SOURCE_CHARS: Final = 20_000
MAX_NESTING: Final = 100
MAX_REPEAT: Final = 65_535
MAX_WEIGHT: Final = 100_000
"""How many atoms a pattern may come to with its least repetitions written out, and each repeated
part once more: compiling does about that, doubly for every level of `((a+)+)+`."""

_NEWLINES: Final = r"\n\r\u2028\u2029"
_WORD: Final = "[0-9A-Za-z_]"
_UNICODE_WORD: Final = r"[0-9A-Za-z_\u017f\u212a]"
_QUANTIFIER: Final = regex.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_GROUP_NAME: Final = regex.compile(r"<([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)>")
_MODIFIERS: Final = regex.compile(r"\?([ims]*)(?:-([ims]*))?:")
_DIGITS: Final = regex.compile(r"[1-9][0-9]{0,4}")
_CAPTURES: Final = regex.compile(
    r"\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?|(\((?!\?)|\(\?<(?![=!])(?:([^>]*)>)?)"
)


@dataclass(frozen=True, slots=True)
class Translated:
    """A pattern for `regex.compile` and what its flags asked for besides.

    `groups` counts the capturing groups, numbered as in JavaScript; `names` are the named ones.
    """

    pattern: str
    ignore_case: bool = False
    every: bool = False
    sticky: bool = False
    groups: int = 0
    names: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Untranslatable:
    """Why a pattern has no translation: `syntax` and `flags` are faults in JavaScript as well."""

    code: FaultCode
    detail: str


def translate(source: str, flags: str = "") -> Translated | Untranslatable:
    """The same pattern for Python's `regex`, by ECMA-262 with its Annex B; never raises.

    Matching is by code points with or without the flag u, so that `.` takes a whole emoji and no
    half of one. Three things differ in rare cases: letters beyond ASCII fold as with the flag u,
    groups inside a repetition keep their last capture where JavaScript clears them, and `(|a)?` may
    be content with its empty branch.
    """
    if len(source) > MAX_SOURCE_CHARS:
        return Untranslatable("too_large", f"{len(source)} characters, at most {MAX_SOURCE_CHARS}")
    if not set(flags) <= set("dgimsuy") or len(set(flags)) != len(flags):
        return Untranslatable("flags", f"flags {flags[:20]!r}")
    mode = Mode("i" in flags, "m" in flags, "s" in flags, "u" in flags)
    captures = [found for found in _CAPTURES.finditer(source) if found.group(1)]
    names = [(found.group(2), at + 1) for at, found in enumerate(captures) if found.group(2)]
    if len({name for name, _ in names}) != len(names):
        return Untranslatable("syntax", "a group name twice")
    reader = _Reader(source, mode.unicode, len(captures), dict(names))
    try:
        pattern = reader.alternatives(mode, 0)
        if reader.at < len(source):
            reader.fail("unmatched )")
        regex.compile(pattern, regex.IGNORECASE if mode.ignore_case else 0)
    except PatternFault as fault:
        return Untranslatable(fault.code, fault.detail)
    except (regex.error, RecursionError, OverflowError, MemoryError) as why:
        return Untranslatable("unsupported", str(why)[:200])
    return Translated(
        pattern=pattern,
        ignore_case=mode.ignore_case,
        every="g" in flags,
        sticky="y" in flags,
        groups=len(captures),
        names=tuple(names),
    )


@dataclass(slots=True)
class _Reader:
    """A place in a pattern and what is known of the whole.

    `opened` counts the capturing groups so far, `open` are those not closed yet, `behind` the
    look-behinds around this place, which match backwards.
    """

    source: str
    unicode: bool
    groups: int
    names: dict[str, int]
    at: int = 0
    opened: int = 0
    behind: int = 0
    weight: int = 0
    open: set[int] = field(default_factory=set[int])

    def fail(self, detail: str, code: FaultCode = "syntax") -> NoReturn:
        raise PatternFault(code, f"{detail} at {self.at}")

    def peek(self, text: str) -> bool:
        return self.source.startswith(text, self.at)

    def take(self, text: str) -> bool:
        """Steps over the text if it comes next."""
        if not self.peek(text):
            return False
        self.at += len(text)
        return True

    def alternatives(self, mode: Mode, depth: int) -> str:
        if depth > MAX_NESTING:
            self.fail("nested too deep", "too_large")
        branches = [self.sequence(mode, depth)]
        while self.take("|"):
            branches.append(self.sequence(mode, depth))
        return "|".join(branches)

    def sequence(self, mode: Mode, depth: int) -> str:
        terms: list[str] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            terms.append(self.term(mode, depth))
        return "".join(terms)

    def term(self, mode: Mode, depth: int) -> str:
        char = self.source[self.at]
        if char == "^":
            self.at += 1
            return rf"(?:\A|(?<=[{_NEWLINES}]))" if mode.multiline else r"\A"
        if char == "$":
            self.at += 1
            return rf"(?:\Z|(?=[{_NEWLINES}]))" if mode.multiline else r"\Z"
        if char == "\\" and self.source[self.at + 1 : self.at + 2] in ("b", "B"):
            inverted = self.source[self.at + 1] == "B"
            self.at += 2
            return _edge(mode, inverted)
        if char == "(":
            return self.group(mode, depth)
        start = self.weight
        self.weight += 1
        return self.quantified(self.atom(mode), start)

    def group(self, mode: Mode, depth: int) -> str:
        self.at += 1
        for opening in ("(?=", "(?!", "(?<=", "(?<!"):
            if self.take(opening[1:]):
                return self.look(opening, mode, depth)
        if self.peek("?<") or not self.peek("?"):
            return self.capture(mode, depth)
        opening, inner = self.modifiers(mode)
        start = self.weight
        return self.quantified(opening + self.inside(inner, depth), start)

    def look(self, opening: str, mode: Mode, depth: int) -> str:
        behind, start = opening.startswith("(?<"), self.weight
        self.behind += behind
        # Python's look-arounds take no quantifier of their own.
        written = f"(?:{opening}{self.inside(mode, depth)})"
        self.behind -= behind
        if not behind and not self.unicode:
            return self.quantified(written, start)
        if self.quantifier()[0]:
            self.fail("nothing to repeat")
        return written

    def capture(self, mode: Mode, depth: int) -> str:
        if self.take("?"):
            self.name()
        self.opened += 1
        index, start = self.opened, self.weight
        self.open.add(index)
        written = "(" + self.inside(mode, depth)
        self.open.discard(index)
        return self.quantified(written, start)

    def inside(self, mode: Mode, depth: int) -> str:
        """What a group holds, with the parenthesis that closes it."""
        body = self.alternatives(mode, depth + 1)
        if not self.take(")"):
            self.fail("a group is not closed")
        return body + ")"

    def modifiers(self, mode: Mode) -> tuple[str, Mode]:
        """`(?:`, or `(?ims-ims:` that changes flags inside the group."""
        found = _MODIFIERS.match(self.source, self.at)
        if found is None:
            self.fail("an unknown kind of group")
        on, off = found.group(1), found.group(2) or ""
        both = on + off
        if len(set(both)) != len(both) or (found.group(2) is not None and not both):
            self.fail("flags of a group")
        self.at = found.end()
        inner = replace(
            mode,
            ignore_case=("i" in on) or (mode.ignore_case and "i" not in off),
            multiline=("m" in on) or (mode.multiline and "m" not in off),
            dot_all=("s" in on) or (mode.dot_all and "s" not in off),
        )
        if inner.ignore_case == mode.ignore_case:
            return "(?:", inner
        return ("(?i:" if inner.ignore_case else "(?-i:"), inner

    def name(self) -> str:
        found = _GROUP_NAME.match(self.source, self.at)
        if found is None:
            self.fail("a group name")
        self.at = found.end()
        return found.group(1)

    def quantifier(self) -> tuple[str, int]:
        """The quantifier that comes next, empty if none does, and how much it adds to the weight."""
        for sign, times in (("*", 1), ("+", 2), ("?", 1)):
            if self.take(sign):
                return sign + ("?" if self.take("?") else ""), times
        found = _QUANTIFIER.match(self.source, self.at)
        if found is None:
            return "", 1
        self.at = found.end()
        low = _count(found.group(1))
        high = low if found.group(2) is None else _count(found.group(3))
        if low is None:
            self.fail("too many repetitions", "too_large")
        if high is not None and high < low:
            self.fail("numbers of a quantifier out of order")
        top = "" if high is None else str(high)
        return f"{{{low},{top}}}" + ("?" if self.take("?") else ""), low + 1

    def quantified(self, atom: str, start: int) -> str:
        """An atom and its quantifier; `start` is the weight of all before the atom."""
        quantifier, times = self.quantifier()
        if quantifier and self.quantifier()[0]:
            self.fail("nothing to repeat")
        self.weight = start + (self.weight - start) * times
        if self.weight > MAX_WEIGHT:
            self.fail("too many repetitions", "too_large")
        return atom + quantifier

    def atom(self, mode: Mode) -> str:
        char = self.source[self.at]
        if char == "\\":
            return self.escaped_atom(mode)
        if char == "[":
            return self.char_class(mode)
        if char == ".":
            self.at += 1
            return "(?s:.)" if mode.dot_all else f"[^{_NEWLINES}]"
        if char in "*+?" or _QUANTIFIER.match(self.source, self.at):
            self.fail("nothing to repeat")
        if char in "{}]" and self.unicode:
            self.fail(f"a lone {char}")
        self.at += 1
        return literal(ord(char), mode)

    def escaped_atom(self, mode: Mode) -> str:
        """A back-reference, or whatever else a backslash begins outside a class."""
        if self.peek("\\k") and (self.unicode or self.names):
            self.at += 2
            index = self.names.get(self.name())
            if index is None:
                self.fail("a reference to no group")
            return self.back(index)
        digits = _DIGITS.match(self.source, self.at + 1)
        if digits is not None and int(digits.group()) <= self.groups:
            self.at = digits.end()
            return self.back(int(digits.group()))
        return self.written(read_escape(self.source, self.at, mode), mode)

    def back(self, index: int) -> str:
        """A back-reference; to a group that has matched nothing it is empty, which fails in Python."""
        if index in self.open or (index > self.opened and not self.behind):
            return "(?:)"
        return f"(?:(?({index})\\{index}|))"

    def written(self, escape: Escape, mode: Mode) -> str:
        self.at = escape.end
        if escape.point is not None:
            return literal(escape.point, mode)
        properties = (escape.property,) if escape.property else ()
        return char_class(escape.ranges, properties, False, mode)

    def char_class(self, mode: Mode) -> str:
        self.at += 1
        negated = self.take("^")
        ranges: list[tuple[int, int]] = []
        properties: list[str] = []
        while not self.take("]"):
            first = self.member(mode)
            if first.point is None and self.unicode and self.peek("-") and not self.peek("-]"):
                self.fail("a class at the start of a range")
            if first.point is None or not self.peek("-") or self.peek("-]"):
                self.add(first, ranges, properties)
                continue
            self.at += 1
            last = self.member(mode)
            if last.point is None:
                if self.unicode:
                    self.fail("a class at the end of a range")
                # Annex B: then the hyphen stands for itself.
                self.add(first, ranges, properties)
                ranges.append((ord("-"), ord("-")))
                self.add(last, ranges, properties)
            elif last.point < first.point:
                self.fail("a range out of order")
            else:
                ranges.append((first.point, last.point))
        return char_class(tuple(ranges), tuple(properties), negated, mode)

    def member(self, mode: Mode) -> Escape:
        """One member of a class."""
        if self.at >= len(self.source):
            self.fail("a class is not closed")
        if self.peek("\\b"):
            found = Escape(self.at + 2, 8)
        elif self.peek("\\"):
            found = read_escape(self.source, self.at, mode, in_class=True)
        else:
            found = Escape(self.at + 1, ord(self.source[self.at]))
        self.at = found.end
        return found

    def add(self, member: Escape, ranges: list[tuple[int, int]], properties: list[str]) -> None:
        if member.point is not None:
            ranges.append((member.point, member.point))
        ranges.extend(member.ranges)
        if member.property:
            properties.append(member.property)


def _edge(mode: Mode, inverted: bool) -> str:
    r"""`\b` or `\B` between ASCII words."""
    word = _UNICODE_WORD if mode.unicode and mode.ignore_case else _WORD
    same = f"(?<={word})(?={word})|(?<!{word})(?!{word})"
    other = f"(?<={word})(?!{word})|(?<!{word})(?={word})"
    return f"(?-i:{same if inverted else other})"


def _count(digits: str) -> int | None:
    """A number of repetitions; None if there is none or it is as good as endless."""
    return int(digits) if 0 < len(digits) <= 6 and int(digits) <= MAX_REPEAT else None
