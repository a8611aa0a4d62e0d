"""The samplers of a chat-completion preset as our own; apart because each has had several names, and what
changes nothing must not be sent (P02)."""

from dataclasses import dataclass
from typing import Final

from huaben.domain.card import number_of
from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, parse_json
from huaben.domain.messages import Sampling
from huaben.formats.report import Findings

NAMES: Final = {
    "temperature": ("temperature", "temp_openai"),
    "top_p": ("top_p", "top_p_openai"),
    "frequency_penalty": ("frequency_penalty", "freq_pen_openai"),
    "presence_penalty": ("presence_penalty", "pres_pen_openai"),
    "top_k": ("top_k", "top_k_openai"),
    "min_p": ("min_p", "min_p_openai"),
    "repetition_penalty": ("repetition_penalty", "repetition_penalty_openai"),
    "seed": ("seed",),
    "max_tokens": ("openai_max_tokens",),
}
"""Each sampler by the names under which files keep it: a preset's own, and those of the settings."""
STOPS: Final = ("stop", "stop_sequences", "stopping_strings", "custom_stopping_strings")
EFFORTS: Final = {"min": "minimal", "low": "low", "medium": "medium", "high": "high", "max": "high"}
"""What an endpoint is sent for a preset's word; `auto` sends nothing."""
MAX_STOPS: Final = 64


@dataclass(frozen=True, slots=True)
class _Range:
    low: float
    high: float
    idle: float | None = None
    """The value that changes nothing and is not sent."""


_RANGES: Final = {
    "temperature": _Range(0, 5),
    "top_p": _Range(0, 1, 1),
    "frequency_penalty": _Range(-2, 2, 0),
    "presence_penalty": _Range(-2, 2, 0),
    "top_k": _Range(0, 10_000, 0),
    "min_p": _Range(0, 1, 0),
    "repetition_penalty": _Range(0, 5, 1),
    "seed": _Range(0, 2**31 - 1),
    "max_tokens": _Range(1, 1_000_000),
}


def read_sampling(raw: JsonObject, findings: Findings) -> Sampling:
    """The samplers that would change something. One out of its range is named and not sent."""
    found = {name: _sampler(raw, name, findings) for name in NAMES}
    top_k, seed, tokens = found["top_k"], found["seed"], found["max_tokens"]
    return Sampling(
        temperature=found["temperature"],
        top_p=found["top_p"],
        frequency_penalty=found["frequency_penalty"],
        presence_penalty=found["presence_penalty"],
        seed=None if seed is None else int(seed),
        stop=_stops(raw, findings),
        max_tokens=None if tokens is None else int(tokens),
        reasoning_effort=_effort(raw, findings),
        top_k=None if top_k is None else int(top_k),
        min_p=found["min_p"],
        repetition_penalty=found["repetition_penalty"],
    )


def _sampler(raw: JsonObject, name: str, findings: Findings) -> float | None:
    field = next((one for one in NAMES[name] if raw.get(one) is not None), None)
    if field is None:
        return None
    value, limits = number_of(raw[field]), _RANGES[name]
    if value is None:
        findings.warn("unreadable_field", field, "not a number", why="not a number")
        return None
    if value == limits.idle or (name in ("seed", "max_tokens") and value < limits.low):
        return None
    if not limits.low <= value <= limits.high:
        was, low, high = f"{value:g}", f"{limits.low:g}", f"{limits.high:g}"
        detail = f"{was} is not between {low} and {high}; not sent"
        findings.warn("sampler_out_of_range", field, detail, was=was, low=low, high=high)
        return None
    return value


def _effort(raw: JsonObject, findings: Findings) -> str | None:
    value = raw.get("reasoning_effort")
    if value in (None, "", "auto"):
        return None
    sent = EFFORTS.get(value) if isinstance(value, str) else None
    if sent is None:
        findings.warn("sampler_out_of_range", "reasoning_effort", "an unknown word; not sent")
    elif sent != value:
        findings.changed(
            "sampler_word",
            "reasoning_effort",
            f"{value} is sent as {sent}",
            was=str(value),
            now=sent,
        )
    return sent


def _stops(raw: JsonObject, findings: Findings) -> tuple[str, ...]:
    """Stop strings, as a list, as one text, or as a list written into a text."""
    found: dict[str, None] = {}
    for field in STOPS:
        value = raw.get(field)
        if isinstance(value, str) and value.lstrip().startswith("["):
            parsed = parse_json(value)
            value = value if isinstance(parsed, JsonFault) else parsed
        members: list[Json] = value if isinstance(value, list) else [value]
        found.update((text, None) for text in members if isinstance(text, str) and text)
    if len(found) > MAX_STOPS:
        detail = f"{len(found)}; the first {MAX_STOPS} are sent"
        findings.warn("too_many_stops", "stop", detail, n=len(found), most=MAX_STOPS)
    return tuple(found)[:MAX_STOPS]
