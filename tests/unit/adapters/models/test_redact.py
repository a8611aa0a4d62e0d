"""No key leaves in an error, whatever the endpoint quotes back."""

from base64 import b64encode

import pytest

from huaben.adapters.models.redact import HIDDEN, Redactor
from huaben.domain.connection import Connection, Secret

KEY = "sk-proj/Ab+1234567890=="
CONNECTION = Connection(
    "test",
    "https://user:pass-word@models.example/v1?api-version=2026&key=query-secret",
    "story-1",
    Secret(KEY),
    headers={"x-gateway": "gateway-secret-1", "x-title": "Huaben"},
)
redact = Redactor(CONNECTION)


@pytest.mark.parametrize(
    "secret",
    [
        KEY,
        "sk-proj%2FAb%2B1234567890%3D%3D",
        b64encode(KEY.encode()).decode(),
        "gateway-secret-1",
        "pass-word",
        "query-secret",
    ],
    ids=["as it is", "in an address", "in base64", "another header", "password", "query"],
)
def test_the_connections_own_secrets_are_hidden(secret: str) -> None:
    """In any spelling, in any place."""
    for text in (secret, f"密钥“{secret}”无效", f"x={secret}&y=1", f'{{"k":"{secret}"}}'):
        assert secret not in redact(text)
        assert HIDDEN in redact(text)


@pytest.mark.parametrize("secret", [KEY, "gateway-secret-1", "pass-word", "query-secret"])
def test_a_secret_in_another_case_is_hidden_too(secret: str) -> None:
    """What is echoed may have been folded on the way; the key can still be read off it."""
    for spelled in (secret.upper(), secret.lower(), secret.swapcase()):
        redacted = redact(f"Incorrect value {spelled} / 密钥“{spelled}”无效")
        assert redacted == f"Incorrect value {HIDDEN} / 密钥“{HIDDEN}”无效"


@pytest.mark.parametrize(
    ("text", "leak"),
    [
        ("Incorrect API key provided: sk-ab****wxyz.", "wxyz"),
        ("Authorization: Bearer abc.def-123", "abc.def"),
        ("{'authorization': 'Bearer q1w2e3r4'}", "q1w2"),
        ('{"Authorization": "Basic dXNlcjpwYXNz"}', "dXNl"),
        ("used bearer eyJhbGciOi1.x.y there", "eyJ"),
        ("api_key=abcdef12345, retry", "abcdef"),
        ('{"apiKey": "abcdef12345"}', "abcdef"),
        ("Your api key: ****7f3a is invalid", "7f3a"),
        ("GET https://h.example/v1?key=AbCdEf123&alt=sse", "AbCdEf"),
        ("AIzaSyA1234567890abcdef", "Sy"),
        ("gsk_abcdefgh12345678 and hf_abcdefgh12345678", "abcdefgh"),
    ],
)
def test_what_looks_like_a_key_is_hidden(text: str, leak: str) -> None:
    """Other people's keys and starred ones are nobody's business either."""
    assert leak not in redact(text)
    assert HIDDEN in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "The bearer of this token has no basic subscription.",
        "模型 story-1 不存在",
        "Rate limit reached for gpt-x on tokens per min (TPM): Limit 200000",
        "Huaben may not ask that often; task-force risk-averse",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    """A message that hides everything helps nobody."""
    assert redact(text) == text


def test_an_excerpt_is_redacted_before_it_is_cut() -> None:
    """Half a key at the edge of an excerpt would still be half a key."""
    text = "x" * 20 + "\n " + KEY
    excerpt = redact.excerpt(text, max_chars=26)
    assert excerpt == "x" * 20 + " [red…"
    assert redact.excerpt("雨\n\n停") == "雨 停"


def test_a_connection_without_secrets_redacts_patterns_only() -> None:
    """No key, nothing to look for: nothing is blotted out."""
    bare = Redactor(Connection("local", "http://127.0.0.1:11434/v1", "m"))
    assert bare("nothing here") == "nothing here"
    assert bare("Bearer abcdef123") == f"Bearer {HIDDEN}"
