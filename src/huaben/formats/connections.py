"""The settings of a connection as the library keeps them, without key and headers, and back.

What equals the default of the connection's provider is left out, so that a better default reaches
connections that were made earlier. Reading is tolerant: a field that a newer program wrote is ignored,
one that is not of its kind keeps its default; what people type is checked where it comes in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Final, cast, get_args

from huaben.domain.connection import (
    SAMPLERS,
    Alternation,
    Capabilities,
    Connection,
    Kind,
    MaxTokensField,
    RepetitionField,
    Secret,
    ThinkingPolicy,
    ToolProtocol,
)
from huaben.domain.messages import Sampling
from huaben.domain.providers import Provider, known, provider_at

Settings = Mapping[str, object]

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "kind": get_args(Kind),
    "tools": ("auto", *get_args(ToolProtocol)),
    "alternation": get_args(Alternation),
    "thinking": get_args(ThinkingPolicy),
    "max_tokens_field": get_args(MaxTokensField),
    "repetition_field": get_args(RepetitionField),
}
"""Fields that are one of several words."""
_SWITCHES: Final = ("usage_option", "schema_option")
_COUNTS: Final = ("window",)


def settings_of(connection: Connection) -> dict[str, object]:
    """What is kept of a connection; `connection_of` is its inverse."""
    usual = _usual(connection)
    kept: dict[str, object] = {"base_url": connection.base_url, "model": connection.model}
    for name in (*CHOICES, *_SWITCHES, *_COUNTS, "think_tag"):
        value: object = getattr(connection, name)
        if value != getattr(usual, name):
            kept[name] = value
    if connection.accepts != usual.accepts:
        kept["accepts"] = sorted(connection.accepts)
    sampling = {
        field.name: value
        for field in fields(Sampling)
        if (value := getattr(connection.sampling, field.name)) not in (None, (), {})
    }
    if sampling:
        kept["sampling"] = sampling
    return kept


def connection_of(
    name: str, settings: Settings, key: Secret, headers: Mapping[str, str]
) -> Connection:
    """The connection of kept settings with its secrets."""
    address, model = settings.get("base_url"), settings.get("model")
    made = Connection(
        name,
        address if isinstance(address, str) else "",
        model if isinstance(model, str) else "",
        key,
        headers=headers,
    )
    made = _usual(made)
    found: dict[str, object] = {}
    for field, choices in CHOICES.items():
        if settings.get(field) in choices:
            found[field] = settings[field]
    found |= {n: settings[n] for n in _SWITCHES if isinstance(settings.get(n), bool)}
    found |= {n: v for n in _COUNTS if (v := _count(settings.get(n))) is not None}
    if isinstance(tag := settings.get("think_tag"), str) and tag:
        found["think_tag"] = tag
    if isinstance(accepts := settings.get("accepts"), list):
        found["accepts"] = SAMPLERS & set(cast("list[object]", accepts))
    if isinstance(sampling := settings.get("sampling"), Mapping):
        found["sampling"] = sampling_of(cast("Settings", sampling))  # the keys of a JSON object
    return replace(made, **found)


def sampling_of(values: Settings) -> Sampling:
    """Samplers from their names; a value that is not of its kind is left out."""
    found: dict[str, object] = {}
    for name, value in values.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name in ("seed", "max_tokens", "top_k"):
            sound = number and isinstance(value, int)
        elif name == "reasoning_effort":
            sound = isinstance(value, str)
        elif name == "stop" and isinstance(value, list | tuple):
            texts = cast("list[object]", value)
            sound, value = True, tuple(text for text in texts if isinstance(text, str))
        elif name == "extra":
            sound = isinstance(value, Mapping)
        else:
            sound = number and name in SAMPLERS
        if sound:
            found[name] = value
    return Sampling(**found)  # pyright: ignore[reportArgumentType] - each checked above


def capabilities_to(found: Capabilities, origin: str) -> dict[str, object]:
    """What a test found, bound to the model that was tested."""
    values = {field.name: getattr(found, field.name) for field in fields(Capabilities)}
    return {**values, "models": list(found.models), "origin": origin}


def capabilities_of(values: Settings, origin: str) -> Capabilities:
    """What was found of the model at that origin; nothing when another one was tested."""
    if values.get("origin") != origin:
        return Capabilities()
    found: dict[str, object] = {}
    for field in fields(Capabilities):
        value = values.get(field.name)
        if field.name == "models":
            names = cast("list[object]", value) if isinstance(value, list) else []
            found["models"] = tuple(name for name in names if isinstance(name, str))
        elif value is not None and type(value) in _KINDS[field.name]:
            found[field.name] = value
    return Capabilities(**found)  # pyright: ignore[reportArgumentType] - each checked above


_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    field.name: (str,)
    if field.name in ("tested_at", "failure")
    else (int,)
    if field.name in ("first_token_ms", "window")
    else (bool,)
    for field in fields(Capabilities)
}


def _usual(connection: Connection) -> Connection:
    """The connection as its provider has it by default."""
    provider = _provider(connection)
    if provider is None:
        return Connection(
            connection.name,
            connection.base_url,
            connection.model,
            connection.api_key,
            headers=connection.headers,
        )
    usual = provider.connection(connection.api_key, connection.model)
    return replace(
        usual,
        name=connection.name,
        base_url=connection.base_url,
        model=connection.model,
        headers=connection.headers,
    )


def _provider(connection: Connection) -> Provider | None:
    return provider_at(connection) or (None if connection.base_url else known(connection.name))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
