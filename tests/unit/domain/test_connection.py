"""A connection as a value, and the key that does not leak out of it."""

import copy
import json
import pickle
from dataclasses import asdict

import pytest

from huaben.domain.connection import Connection, Secret, ThinkingPolicy

KEY = "sk-1234567890"
CONNECTION = Connection(
    "test", "https://API.DeepSeek.com/v1", "m", Secret(f" {KEY}\n"), headers={"x-key": KEY}
)


def test_a_secret_shows_itself_only_when_asked() -> None:
    """No printing, formatting, copying or serialising gives the key away."""
    secret = CONNECTION.api_key
    assert secret.reveal() == KEY
    shown = [repr(secret), str(secret), f"{secret}", f"{secret!r:>20}", repr(CONNECTION)]
    shown.append(repr({**asdict(CONNECTION), "headers": {}}))
    assert not [text for text in shown if KEY in text]
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        json.dumps(secret)


def test_secrets_compare_by_value() -> None:
    """Equal keys are equal, also after a copy; an empty one is falsy."""
    assert Secret("a") == copy.deepcopy(Secret("a")) == copy.copy(Secret("a"))
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert hash(Secret("a")) == hash(Secret("a"))
    assert not Secret(" ")
    assert repr(Secret()) == "Secret()"


def test_thought_is_bound_to_model_and_host() -> None:
    """Another model or another host is another origin."""
    assert CONNECTION.origin == "m@api.deepseek.com"
    assert Connection("x", "not an address", "m").origin == "m@"


@pytest.mark.parametrize(
    ("base_url", "policy", "in_force"),
    [
        ("https://api.deepseek.com/v1", "auto", "demanded"),
        ("https://api.deepseek.com/v1", "never", "never"),
        ("https://notdeepseek.com/v1", "auto", "kept"),
        ("https://deepseek.com.example/v1", "auto", "kept"),
        ("http://127.0.0.1:8080/v1", "demanded", "demanded"),
    ],
)
def test_auto_follows_what_a_host_is_known_to_demand(
    base_url: str, policy: ThinkingPolicy, in_force: str
) -> None:
    """Only the host decides, and only where nothing was set."""
    assert Connection("x", base_url, "m", thinking=policy).thinking_in_force == in_force
