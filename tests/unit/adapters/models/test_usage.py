"""Token counts in every provider's spelling."""

import pytest

from huaben.adapters.models.usage import merged, usage_in
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.messages import Usage


@pytest.mark.parametrize(
    ("chunk", "expected"),
    [
        (
            {
                "usage": {
                    "prompt_tokens": 10,
                    "completion_tokens": 5,
                    "prompt_tokens_details": {"cached_tokens": 8},
                    "completion_tokens_details": {"reasoning_tokens": 2},
                }
            },
            Usage(10, 5, 2, 8),
        ),
        (
            {
                "usage": {
                    "prompt_tokens": 10,
                    "prompt_cache_hit_tokens": 8,
                    "prompt_cache_miss_tokens": 2,
                }
            },
            Usage(prompt=10, cached=8),
        ),
        (
            {
                "usage": {
                    "input_tokens": 10,
                    "output_tokens": 5,
                    "cache_read_input_tokens": 6,
                    "cache_creation_input_tokens": 3,
                    "output_tokens_details": {"reasoning_tokens": 1},
                }
            },
            Usage(10, 5, 1, 6, 3),
        ),
        (
            {"usage": {"prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 9}}},
            Usage(cached=0, cache_written=9),
        ),
        ({"usage": {"prompt_tokens": 4, "cached_tokens": 3}}, Usage(prompt=4, cached=3)),
        ({"choices": [{"usage": {"prompt_tokens": 4}}]}, Usage(prompt=4)),
        ({"x_groq": {"usage": {"prompt_tokens": 4}}}, Usage(prompt=4)),
        (
            {"timings": {"prompt_n": 3, "cache_n": 7, "predicted_n": 5}},
            Usage(prompt=10, completion=5, cached=7),
        ),
        ({"usage": {"prompt_tokens": "12", "completion_tokens": 3.0}}, Usage(12, 3)),
        (
            {
                "usage": {
                    "prompt_tokens": -1,
                    "completion_tokens": "many",
                    "reasoning_tokens": True,
                    "cached_tokens": 1.5,
                    "prompt_tokens_details": None,
                }
            },
            Usage(),
        ),
        (
            {
                "usage": {
                    "prompt_tokens": 10,
                    "completion_tokens": 5,
                    "total_tokens": 15,
                    "cost": 0.0001234,
                    "cost_details": {"upstream_inference_cost": None},
                }
            },
            Usage(10, 5, billed_micros=123),
        ),
        ({"usage": {"cost": 0}}, Usage(billed_micros=0)),
        ({"usage": {"cost": "free"}}, Usage()),
        (
            {"usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40}},
            Usage(10, 30),
        ),
        ({"usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 1}}, Usage(9, 3)),
        ({"usage": {"prompt_tokens": 26, "completion_tokens": 298}}, Usage(26, 298)),
        ({"usage": None}, None),
        ({"usage": "?", "choices": [], "x_groq": 1, "timings": 2}, None),
        ({}, None),
    ],
    ids=[
        "OpenAI",
        "DeepSeek",
        "Anthropic names",
        "OpenRouter cache writes",
        "Moonshot, top",
        "Moonshot, in a choice",
        "Groq",
        "llama.cpp timings",
        "strings and floats",
        "nonsense",
        "OpenRouter's own cost",
        "nothing charged",
        "no amount",
        "Gemini: thought in the total only",
        "a total that does not add up",
        "Ollama",
        "null",
        "odd types",
        "absent",
    ],
)
def test_usage_is_read_in_every_known_spelling(chunk: JsonObject, expected: Usage | None) -> None:
    """Each field is found wherever a provider puts it; what is not reported stays unknown."""
    assert usage_in(chunk) == expected


def test_later_reports_replace_earlier_ones_field_by_field() -> None:
    """Counts are totals: a later one wins, silence does not erase."""
    assert merged(Usage(1, 2, 3), Usage(completion=0, cached=9)) == Usage(1, 0, 3, 9)
    assert merged(Usage(billed_micros=7), Usage()) == Usage(billed_micros=7)


def test_an_absurd_count_is_not_reported() -> None:
    """A number that no call can have would only be one that no store can hold."""
    found = usage_in({"usage": {"prompt_tokens": 10**30, "completion_tokens": 5}})
    assert found is not None
    assert (found.prompt, found.completion) == (None, 5)
