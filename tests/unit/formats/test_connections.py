"""What the library keeps of a connection: all that its user chose, and never its key."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.connection import SAMPLERS, Capabilities, Connection, Secret
from huaben.domain.messages import Sampling
from huaben.domain.providers import LOCAL, PROVIDERS, Provider, known, provider_at
from huaben.formats.connections import (
    CHOICES,
    capabilities_of,
    capabilities_to,
    connection_of,
    sampling_of,
    settings_of,
)

KEY = Secret("sk-0123456789")
HEADERS = {"x-team": "secret-team"}

CONNECTIONS = st.builds(
    Connection,
    name=st.text(min_size=1, max_size=8),
    base_url=st.sampled_from(
        [
            "https://models.example/v1",
            "http://localhost:8080/v1/",
            *(p.base_url for p in (*PROVIDERS, *LOCAL)),
        ]
    ),
    model=st.text(max_size=8),
    api_key=st.just(KEY),
    headers=st.just(HEADERS),
    window=st.none() | st.integers(1, 10**6),
    accepts=st.frozensets(st.sampled_from(sorted(SAMPLERS))),
    usage_option=st.booleans(),
    schema_option=st.booleans(),
    think_tag=st.sampled_from(["think", "思考"]),
    sampling=st.builds(
        Sampling,
        temperature=st.none() | st.floats(0, 2),
        seed=st.none() | st.integers(0, 9),
        stop=st.lists(st.text(max_size=3), max_size=2).map(tuple),
        reasoning_effort=st.none() | st.just("low"),
        extra=st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    ),
    **{name: st.sampled_from(choices) for name, choices in CHOICES.items()},
)


@given(CONNECTIONS)
def test_what_is_kept_makes_the_same_connection(connection: Connection) -> None:
    """Through JSON and back every choice survives; key and headers come from elsewhere."""
    kept = json.loads(json.dumps(settings_of(connection), ensure_ascii=False))
    assert KEY.reveal() not in str(kept)
    assert "secret-team" not in str(kept)
    assert connection_of(connection.name, kept, KEY, HEADERS) == connection


@pytest.mark.parametrize("provider", [*PROVIDERS, *LOCAL], ids=lambda p: p.name)
def test_only_what_was_chosen_is_kept(provider: Provider) -> None:
    """A connection as its provider has it by default is its address and its model, so that a
    better default reaches it later."""
    usual = provider.connection(KEY)
    kept = settings_of(usual)
    assert kept == {"base_url": provider.base_url, "model": provider.model}
    assert connection_of("mine", kept, KEY, {}) == replace(usual, name="mine")


def test_what_cannot_be_used_keeps_its_default() -> None:
    """A field of another program, or of another kind, is passed over."""
    odd: dict[str, object] = {
        "base_url": "https://models.example/v1",
        "model": 7,
        "kind": "telepathy",
        "tools": "json",
        "window": -1,
        "retries": 9,
        "usage_option": "yes",
        "accepts": ["temperature", "telepathy", 3],
        "sampling": {"temperature": "hot", "top_p": 0.5, "seed": 1.5, "stop": ["a", 1], "mood": 1},
        "future": {},
    }
    expected = Connection(
        "x",
        "https://models.example/v1",
        "",
        tools="json",
        accepts=frozenset({"temperature"}),
        sampling=Sampling(top_p=0.5, stop=("a",)),
    )
    assert connection_of("x", odd, Secret(), {}) == expected
    assert sampling_of({"extra": [], "max_tokens": True}) == Sampling()


def test_capabilities_hold_for_the_model_that_was_tested() -> None:
    """Another model, or another host, has to be tested itself."""
    found = Capabilities(
        "2026-11-01", True, ("a", "b"), True, False, None, True, False, True, window=9
    )
    kept = json.loads(json.dumps(capabilities_to(found, "m@h")))
    assert capabilities_of(kept, "m@h") == found
    assert capabilities_of(kept, "n@h") == Capabilities()
    odd = {**kept, "streams": "yes", "models": ["a", 1], "window": True, "first_token_ms": 1.5}
    assert capabilities_of(odd, "m@h") == replace(found, streams=None, models=("a",), window=None)
    assert capabilities_of({}, "") == Capabilities()


def test_a_provider_is_known_by_its_host() -> None:
    """Local servers by their whole address."""
    assert provider_at(Connection("x", "https://api.deepseek.com/beta", "m")) == known("deepseek")
    assert provider_at(Connection("x", "http://localhost:11434/v1/", "m")) == known("ollama")
    assert provider_at(Connection("x", "http://127.0.0.1:9999/v1", "m")) is None
    assert known("nobody") is None


def test_names_variables_and_hosts_are_told_apart() -> None:
    """No two providers share one, or one key would open two."""
    names = [one.name for one in (*PROVIDERS, *LOCAL)]
    variables = [variable for one in PROVIDERS for variable in one.variables]
    assert len(set(names)) == len(names)
    assert len(set(variables)) == len(variables)
    assert all(one.accepts <= SAMPLERS for one in (*PROVIDERS, *LOCAL))
