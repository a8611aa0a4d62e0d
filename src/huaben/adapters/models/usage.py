"""Token counts out of every field that providers report them in; apart because each spells its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.messages import Usage

_ABSURD: Final = 10**12
"""No call has so many tokens; a larger number is nonsense and no store need hold it."""


@dataclass(frozen=True, slots=True)
class _Spellings:
    """Paths to one number, the most specific first; `a.b` is field b of object a."""

    paths: tuple[tuple[str, ...], ...]

    @staticmethod
    def of(*paths: str) -> _Spellings:
        return _Spellings(tuple(tuple(path.split(".")) for path in paths))


_PROMPT: Final = _Spellings.of("prompt_tokens", "input_tokens")
_COMPLETION: Final = _Spellings.of("completion_tokens", "output_tokens")
_REASONING: Final = _Spellings.of(
    "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens",
    "reasoning_tokens",
)
_CACHED: Final = _Spellings.of(
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "prompt_cache_hit_tokens",
    "cache_read_input_tokens",
    "cached_tokens",
)
_CACHE_WRITTEN: Final = _Spellings.of(
    "cache_creation_input_tokens",
    "prompt_tokens_details.cache_write_tokens",
    "prompt_tokens_details.cache_creation_tokens",
)


def usage_in(chunk: JsonObject) -> Usage | None:
    """What one chunk reports, wherever it stands; None when it reports nothing.

    Looked for at the top, in the first choice (Moonshot), under `x_groq`, and as llama.cpp's
    `timings`. Numbers may be strings; negative ones and nonsense count as not reported."""
    reported = chunk.get("usage") or _first_choice(chunk).get("usage")
    groq = chunk.get("x_groq")
    if not reported and isinstance(groq, dict):
        reported = groq.get("usage")
    if isinstance(reported, dict):
        return _read(reported)
    timings = chunk.get("timings")
    return _from_timings(timings) if isinstance(timings, dict) else None


def merged(known: Usage, newer: Usage) -> Usage:
    """`newer` where it says something, else `known`: counts are totals, not increments."""
    return Usage(
        prompt=_either(newer.prompt, known.prompt),
        completion=_either(newer.completion, known.completion),
        reasoning=_either(newer.reasoning, known.reasoning),
        cached=_either(newer.cached, known.cached),
        cache_written=_either(newer.cache_written, known.cache_written),
        billed_micros=_either(newer.billed_micros, known.billed_micros),
    )


def _read(usage: JsonObject) -> Usage:
    prompt = _first(usage, _PROMPT)
    return Usage(
        prompt=prompt,
        completion=_whole_completion(usage, prompt),
        reasoning=_first(usage, _REASONING),
        cached=_first(usage, _CACHED),
        cache_written=_first(usage, _CACHE_WRITTEN),
        billed_micros=_billed(usage.get("cost")),
    )


def _whole_completion(usage: JsonObject, prompt: int | None) -> int | None:
    """The completion with what was thought: some leave thought out of it but not out of the total
    (Gemini's compatible endpoint, xAI)."""
    completion, total = _first(usage, _COMPLETION), count_in(usage.get("total_tokens"))
    if completion is None or prompt is None or total is None:
        return completion
    return max(completion, total - prompt)


def _billed(cost: Json) -> int | None:
    """OpenRouter says what it charged, in US dollars."""
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return None
    return round(cost * 1_000_000) if 0 <= cost < 10_000 else None


def _from_timings(timings: JsonObject) -> Usage:
    fresh, cached = count_in(timings.get("prompt_n")), count_in(timings.get("cache_n"))
    prompt = None if fresh is None else fresh + (cached or 0)
    return Usage(prompt=prompt, completion=count_in(timings.get("predicted_n")), cached=cached)


def _first_choice(chunk: JsonObject) -> JsonObject:
    choices = chunk.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _first(usage: JsonObject, spellings: _Spellings) -> int | None:
    for path in spellings.paths:
        found: Json = usage
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        count = count_in(found)
        if count is not None:
            return count
    return None


def count_in(value: Json) -> int | None:
    """A number of tokens, however it is written; None for what is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None
    if isinstance(value, float):
        value = int(value) if value.is_integer() else None
    return value if isinstance(value, int) and 0 <= value <= _ABSURD else None


def _either(newer: int | None, known: int | None) -> int | None:
    return known if newer is None else newer
