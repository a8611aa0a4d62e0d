"""Running regex scripts over texts within limits of time and size; apart from the scripts as values because
only this can be stopped. Pure: the clock is handed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeAlias

import regex

from huaben.domain.lore.jsregex import Untranslatable, translate
from huaben.domain.scripts import Moment, Passage, Script, in_force

SCRIPT_LIMIT_MS: Final = 50.0
TURN_LIMIT_MS: Final = 250.0
FREE_PASSAGES: Final = 1000
PER_PASSAGE_MS: Final = 0.25
"""A turn's limit grows with a story beyond `FREE_PASSAGES`: work that is only much is not hostile."""
MAX_CHARS: Final = 4_000_000
"""What one script may make of one text."""

ClockMs: TypeAlias = Callable[[], float]
Expand: TypeAlias = Callable[[str, int], str]
"""Resolves the macros of a script's own text with that seed; never given what a person or model wrote."""
Memory: TypeAlias = MutableMapping[bytes, str | None]
"""What scripts made of texts before: None where nothing changed."""

_REFERENCE: Final = re.compile(r"\{\{match\}\}|\$(\d+)|\$<([^>]+)>", re.IGNORECASE | re.ASCII)
_MACRO: Final = re.compile(r"\{\{[^{}]*\}\}")
_SPECIAL: Final = re.compile(r"[\n\r\t\v\f\0.^$*+?{}\[\]\\/|()]")
_ESCAPES: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v", "\f": r"\f", "\0": r"\0"}
_STAND_INS: Final = 0xF0000
"""Where private characters begin; one stands for each group while macros are resolved."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """A text after its scripts, and the names of those that changed it."""

    text: str
    changed: tuple[str, ...] = ()
    emptied: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """What became of the passages, in their order; `off` names each script that was stopped or that
    cannot run, with the reason."""

    passages: tuple[Scripted, ...]
    off: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Watch:
    """The time of one evaluation in milliseconds of the injected clock. A script that exceeds its
    limit for one text, or begins after the turn's is spent, is off and stays named."""

    clock_ms: ClockMs
    limit_ms: float = TURN_LIMIT_MS
    spent_ms: float = 0.0
    off: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class _Tools:
    watch: Watch
    expand: Expand
    memory: Memory


def run(
    scripts: Sequence[Script],
    moment: Moment,
    passages: Sequence[Passage],
    clock_ms: ClockMs,
    expand: Expand,
    memory: Memory | None = None,
) -> Run:
    """Each passage after the scripts that it meets.

    A script that is stopped in one passage is off for all of them, those before it included: a turn
    is either with it or without it. Blocks for as long as the limits allow; call it in a thread.
    """
    beyond = max(0, len(passages) - FREE_PASSAGES)
    watch = Watch(clock_ms, TURN_LIMIT_MS + beyond * PER_PASSAGE_MS)
    tools = _Tools(watch, expand, {} if memory is None else memory)
    while True:
        known = len(watch.off)
        left = [script for script in scripts if script.id not in watch.off]
        done = _pass(left, moment, passages, tools, known)
        if done is not None:
            break
    names = {script.id: script.name for script in scripts}
    off = tuple((names[script_id], why) for script_id, why in watch.off.items())
    return Run(done, off)


def _pass(
    scripts: Sequence[Script],
    moment: Moment,
    passages: Sequence[Passage],
    tools: _Tools,
    known: int,
) -> tuple[Scripted, ...] | None:
    """All passages; None as soon as one more script is off."""
    done: list[Scripted] = []
    for passage in passages:
        text, changed = passage.text, list[str]()
        for script in in_force(scripts, moment, passage):
            after = _carried_out(script, text, passage.seed, tools)
            if len(tools.watch.off) != known:
                return None
            if after != text:
                changed.append(script.name)
                text = after
        emptied = not text.strip() and bool(passage.text.strip())
        done.append(Scripted(text, tuple(changed), emptied))
    return tuple(done)


def _carried_out(script: Script, text: str, seed: int, tools: _Tools) -> str:
    """The text after one script, from memory if it was done before."""
    key = _key(script, text, seed)
    try:
        found = tools.memory[key]
    except KeyError:
        pass  # asking first would be a race with whoever forgets it
    else:
        return text if found is None else found
    source = _source(script, seed, tools.expand)
    compiled = compile_pattern(source, script.flags)
    if isinstance(compiled, str):
        tools.watch.off[script.id] = compiled
        return text
    after = _substituted(script, compiled, text, seed, tools)
    if script.id not in tools.watch.off:
        tools.memory[key] = None if after == text else after
    return after


def _key(script: Script, text: str, seed: int) -> bytes:
    parts = (script.pattern, script.flags, script.replacement, *script.trim, script.macros)
    used = str(seed) if any("{{" in part or "<" in part for part in parts) else ""
    body = "\0".join((*parts, used, text)).encode("utf-8", "surrogatepass")
    return blake2b(body, digest_size=16).digest()


def _source(script: Script, seed: int, expand: Expand) -> str:
    match script.macros:
        case "none":
            return script.pattern
        case "raw":
            return expand(script.pattern, seed)
        case "escaped":
            return _MACRO.sub(lambda found: escaped(expand(found[0], seed)), script.pattern)


def escaped(text: str) -> str:
    """The text as a pattern that matches it letter by letter."""
    return _SPECIAL.sub(lambda found: _ESCAPES.get(found[0], f"\\{found[0]}"), text)


# ---- patterns ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pattern:
    """A translated pattern; `every` replaces all matches, `sticky` only one at the very start."""

    compiled: regex.Pattern[str]
    every: bool
    sticky: bool
    names: tuple[tuple[str, int], ...]


@lru_cache(maxsize=2048)
def compile_pattern(source: str, flags: str) -> Pattern | str:
    """The pattern in our dialect, or why it cannot run."""
    translated = translate(source, flags)
    if isinstance(translated, Untranslatable):
        return f"{translated.code}: {translated.detail}"
    mode = regex.IGNORECASE if translated.ignore_case else 0
    compiled = regex.compile(translated.pattern, mode)
    return Pattern(compiled, translated.every, translated.sticky, translated.names)


class _TooMuch(Exception):
    """A script makes more of a text than may be."""


def _substituted(script: Script, pattern: Pattern, text: str, seed: int, tools: _Tools) -> str:
    watch = tools.watch
    left_ms = watch.limit_ms - watch.spent_ms
    if left_ms <= 0:
        watch.off[script.id] = f"the turn's {watch.limit_ms:g} ms for scripts are spent"
        return text
    limit_ms = min(SCRIPT_LIMIT_MS, left_ms)
    begun_ms = watch.clock_ms()
    replacement = _Replacement(script, pattern, seed, tools, begun_ms + limit_ms)
    try:
        return _replaced(pattern, replacement, text, limit_ms / 1000)
    except TimeoutError:
        watch.off[script.id] = f"stopped after {limit_ms:.0f} ms"
    except _TooMuch:
        watch.off[script.id] = f"made more than {MAX_CHARS:,} characters of one text"
    finally:
        # A machine that is busy with others must not charge their time to the scripts that follow.
        watch.spent_ms += min(limit_ms, max(0.0, watch.clock_ms() - begun_ms))
    return text


def _replaced(pattern: Pattern, replacement: _Replacement, text: str, limit_s: float) -> str:
    # Without `concurrent` a hostile pattern would hold every other thread as well.
    if pattern.sticky:
        found = pattern.compiled.match(text, timeout=limit_s, concurrent=True)
        return text if found is None else replacement(found) + text[found.end() :]
    count = 0 if pattern.every else 1
    return pattern.compiled.sub(replacement, text, count, timeout=limit_s, concurrent=True)


class _Replacement:
    """What stands in the place of a match. Macros of the script's own text are resolved first, with a
    private character in the place of each group: what was matched is never read as a template."""

    def __init__(
        self, script: Script, pattern: Pattern, seed: int, tools: _Tools, until_ms: float
    ) -> None:
        self._watch = tools.watch
        self._until_ms = until_ms
        self._made = 0
        self._trim = [expanded for one in script.trim if (expanded := tools.expand(one, seed))]
        self._groups: dict[str, int] = {}
        names = dict(pattern.names)

        def stand_in(found: re.Match[str]) -> str:
            char = chr(_STAND_INS + len(self._groups))
            number, name = found[1], found[2]
            self._groups[char] = names.get(name, -1) if name else int(number[:6]) if number else 0
            return char

        marked = _REFERENCE.sub(stand_in, script.replacement)
        template = tools.expand(marked, seed)
        self._pieces = [piece for piece in _split(template, self._groups) if piece]

    def __call__(self, found: regex.Match[str]) -> str:
        if self._watch.clock_ms() > self._until_ms:
            raise TimeoutError
        text = "".join(
            self._group(found, self._groups[piece]) if piece in self._groups else piece
            for piece in self._pieces
        )
        self._made += len(text)
        if self._made > MAX_CHARS:
            raise _TooMuch
        return text

    def _group(self, found: regex.Match[str], number: int) -> str:
        """A group without what is to be trimmed off; one that matched nothing is empty."""
        known = 0 <= number <= found.re.groups
        text = (found[number] or "") if known else ""
        for unwanted in self._trim:
            text = text.replace(unwanted, "")
        return text


def _split(template: str, marks: Iterable[str]) -> list[str]:
    chars = "".join(marks)
    return re.split(f"([{chars}])", template) if chars else [template]
