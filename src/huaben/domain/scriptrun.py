"""Running regex scripts over texts within limits of time and size; apart from the scripts as values because
only this can be stopped. Pure: the clock is handed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
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
PER_PASSAGE_MS: Final = 1.0
"""A turn's limit grows with a story beyond `FREE_PASSAGES`: work that is only much is not hostile."""
_TRIES: Final = 3
MAX_CHARS: Final = 4_000_000
"""What one script may make of one text."""

ClockMs: TypeAlias = Callable[[], float]
Expand: TypeAlias = Callable[[str, int], str]
"""Resolves the macros of a script's own text with that seed; never given what a person or model wrote."""
Memory: TypeAlias = MutableMapping[bytes, "tuple[str, tuple[str, ...]] | None"]
"""What scripts made of texts before, with the names of those that changed them: None for none."""

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
    """What a run works with. `ready` holds, by script and seed, what is the same for many texts."""

    watch: Watch
    expand: Expand
    memory: Memory
    ready: dict[tuple[str, int], _Ready]


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
    tools = _Tools(watch, expand, {} if memory is None else memory, {})
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
    marks = {script.id: _mark(script) for script in scripts}
    for passage in passages:
        acting = in_force(scripts, moment, passage)
        if not acting:
            done.append(Scripted(passage.text))
            continue
        key = _key(acting, marks, passage)
        try:
            found = tools.memory[key]
        except KeyError:  # asking first would be a race with whoever forgets it
            found = _carried_out(acting, passage, tools)
            if len(tools.watch.off) != known:
                return None
            tools.memory[key] = found
        done.append(_scripted(passage, found))
    return tuple(done)


def _scripted(passage: Passage, found: tuple[str, tuple[str, ...]] | None) -> Scripted:
    if found is None:
        return Scripted(passage.text)
    text, changed = found
    return Scripted(text, changed, not text.strip() and bool(passage.text.strip()))


def _carried_out(
    scripts: Sequence[Script], passage: Passage, tools: _Tools
) -> tuple[str, tuple[str, ...]] | None:
    """The text after these scripts, one after the other; None if none changed it."""
    text, changed = passage.text, list[str]()
    for script in scripts:
        after = _after(script, text, passage.seed, tools)
        if after != text:
            changed.append(script.name)
            text = after
    return (text, tuple(changed)) if changed else None


def _after(script: Script, text: str, seed: int, tools: _Tools) -> str:
    at = (script.id, seed if _holds_macros(script) else 0)
    ready = tools.ready.get(at)
    if ready is None:
        ready = tools.ready[at] = _made_ready(script, seed, tools.expand)
    if isinstance(ready, str):
        tools.watch.off[script.id] = ready
        return text
    return _substituted(script, ready, text, tools.watch)


def _mark(script: Script) -> bytes:
    """What a script makes of a text depends on this alone."""
    parts = (script.pattern, script.flags, script.replacement, script.macros, *script.trim)
    body = "\0".join((script.name, *parts)).encode("utf-8", "surrogatepass")
    return blake2b(body, digest_size=16).digest()


def _key(acting: Sequence[Script], marks: Mapping[str, bytes], passage: Passage) -> bytes:
    seed = str(passage.seed) if any(_holds_macros(script) for script in acting) else ""
    body = f"{seed}\0{passage.text}".encode("utf-8", "surrogatepass")
    whole = b"".join((*(marks[script.id] for script in acting), body))
    return blake2b(whole, digest_size=16).digest()


def _holds_macros(script: Script) -> bool:
    """Whether what it does may differ from message to message."""
    own = (script.replacement, *script.trim, "" if script.macros == "none" else script.pattern)
    return any("{{" in part or "<" in part for part in own)


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


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A script ready for texts: its pattern, the pieces of its replacement with the numbers of groups
    among them, and what is trimmed off those."""

    pattern: Pattern
    pieces: tuple[str | int, ...]
    trim: tuple[str, ...]


_Ready: TypeAlias = "_Prepared | str"
"""What is ready, or why it cannot run."""


def _made_ready(script: Script, seed: int, expand: Expand) -> _Ready:
    """Macros of the script's own text are resolved here, with a private character in the place of each
    group: what is matched later is never read as a template."""
    pattern = compile_pattern(_source(script, seed, expand), script.flags)
    if isinstance(pattern, str):
        return pattern
    names = dict(pattern.names)
    groups: dict[str, int] = {}

    def stand_in(found: re.Match[str]) -> str:
        char = chr(_STAND_INS + len(groups))
        number, name = found[1], found[2]
        groups[char] = names.get(name, -1) if name else int(number[:6]) if number else 0
        return char

    template = expand(_REFERENCE.sub(stand_in, script.replacement), seed)
    pieces = tuple(groups.get(piece, piece) for piece in _split(template, groups) if piece)
    trim = tuple(filter(None, (expand(one, seed) for one in script.trim)))
    return _Prepared(pattern, pieces, trim)


def _substituted(script: Script, ready: _Prepared, text: str, watch: Watch) -> str:
    left_ms = watch.limit_ms - watch.spent_ms
    if left_ms <= 0:
        watch.off[script.id] = f"the turn's {watch.limit_ms:g} ms for scripts are spent"
        return text
    limit_ms = min(SCRIPT_LIMIT_MS, left_ms)
    for _ in range(_TRIES):
        begun_ms = watch.clock_ms()
        put = _Replacement(ready, watch.clock_ms, begun_ms + limit_ms)
        try:
            return _replaced(ready.pattern, put, text, limit_ms / 1000)
        except TimeoutError:
            # The module counts what other threads do meanwhile; our clock has the last word.
            if watch.clock_ms() - begun_ms >= limit_ms / 2:
                break
        except _TooMuch:
            watch.off[script.id] = f"made more than {MAX_CHARS:,} characters of one text"
            return text
        finally:
            watch.spent_ms += min(limit_ms, max(0.0, watch.clock_ms() - begun_ms))
    watch.off[script.id] = f"stopped after {limit_ms:.0f} ms"
    return text


def _replaced(pattern: Pattern, put: _Replacement, text: str, limit_s: float) -> str:
    # Without `concurrent` a hostile pattern would hold every other thread as well.
    if pattern.sticky:
        found = pattern.compiled.match(text, timeout=limit_s, concurrent=True)
        return text if found is None else put(found) + text[found.end() :]
    count = 0 if pattern.every else 1
    return pattern.compiled.sub(put, text, count, timeout=limit_s, concurrent=True)


class _Replacement:
    """What stands in the place of the matches in one text."""

    def __init__(self, ready: _Prepared, clock_ms: ClockMs, until_ms: float) -> None:
        self._ready = ready
        self._clock_ms = clock_ms
        self._until_ms = until_ms
        self._made = 0

    def __call__(self, found: regex.Match[str]) -> str:
        if self._clock_ms() > self._until_ms:
            raise TimeoutError
        text = "".join(
            piece if isinstance(piece, str) else self._group(found, piece)
            for piece in self._ready.pieces
        )
        self._made += len(text)
        if self._made > MAX_CHARS:
            raise _TooMuch
        return text

    def _group(self, found: regex.Match[str], number: int) -> str:
        """A group without what is to be trimmed off; one that matched nothing is empty."""
        known = 0 <= number <= found.re.groups
        text = (found[number] or "") if known else ""
        for unwanted in self._ready.trim:
            text = text.replace(unwanted, "")
        return text


def _split(template: str, marks: Iterable[str]) -> list[str]:
    chars = "".join(marks)
    return re.split(f"([{chars}])", template) if chars else [template]
