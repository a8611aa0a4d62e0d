"""What is known of providers before they are asked: where they are, which key opens them, what they
accept; a literal table, apart from connections because a connection need not have a provider."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from huaben.domain.connection import (
    SAMPLERS,
    Connection,
    Kind,
    MaxTokensField,
    RepetitionField,
    Secret,
)

_USUAL: Final = frozenset({"temperature", "top_p", "stop", "max_tokens", "extra"})
_PENALTIES: Final = frozenset({"frequency_penalty", "presence_penalty"})


@dataclass(frozen=True, slots=True)
class Provider:
    """`variables` are the environment variables that may hold its key. `model` is the one that is
    asked when nobody names another: a name that the provider keeps pointing at a current model;
    empty where there is none, so that one has to be chosen."""

    name: str
    title: str
    base_url: str
    variables: tuple[str, ...] = ()
    model: str = ""
    kind: Kind = "openai"
    accepts: frozenset[str] = field(default=SAMPLERS)
    max_tokens_field: MaxTokensField = "max_tokens"
    repetition_field: RepetitionField = "repetition_penalty"

    def connection(self, key: Secret, model: str = "") -> Connection:
        """A connection with this provider."""
        return Connection(
            self.name,
            self.base_url,
            model or self.model,
            key,
            accepts=self.accepts,
            kind=self.kind,
            max_tokens_field=self.max_tokens_field,
            repetition_field=self.repetition_field,
        )

    @property
    def host(self) -> str:
        return Connection("", self.base_url, "").host


PROVIDERS: Final = (
    Provider(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        "gpt-5.6-terra",
        accepts=_USUAL | _PENALTIES | {"seed", "reasoning_effort"},
        max_tokens_field="max_completion_tokens",
    ),
    Provider(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com",
        ("DEEPSEEK_API_KEY",),
        "deepseek-flash",
        accepts=_USUAL | _PENALTIES | {"reasoning_effort"},
    ),
    Provider(
        "anthropic",
        "Anthropic",
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        "claude-sonnet-5-5",
        "anthropic",
        accepts=_USUAL | {"top_k", "reasoning_effort"},
    ),
    Provider(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        ("OPENROUTER_API_KEY",),
        "openrouter/auto",
    ),
    Provider(
        "gemini",
        "Google Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "gemini-flash-latest",
        "gemini",
        accepts=_USUAL | _PENALTIES | {"seed", "reasoning_effort"},
    ),
    Provider(
        "moonshot",
        "Moonshot",
        "https://api.moonshot.cn/v1",
        ("MOONSHOT_API_KEY",),
        "kimi-latest",
        accepts=_USUAL | _PENALTIES,
    ),
    Provider(
        "zhipu",
        "智谱",
        "https://open.bigmodel.cn/api/paas/v4",
        ("ZHIPUAI_API_KEY", "ZHIPU_API_KEY"),
        accepts=_USUAL,
    ),
    Provider(
        "dashscope",
        "通义千问",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        ("DASHSCOPE_API_KEY",),
        "qwen-plus",
        accepts=_USUAL | {"presence_penalty", "seed", "top_k", "repetition_penalty"},
    ),
)
"""In the order in which one is taken when several keys are found and nobody chose."""

LOCAL: Final = (
    Provider(
        "ollama",
        "Ollama",
        "http://127.0.0.1:11434/v1",
        accepts=_USUAL | _PENALTIES | {"seed", "reasoning_effort"},
    ),
    Provider(
        "llama.cpp",
        "llama.cpp",
        "http://127.0.0.1:8080/v1",
        repetition_field="repeat_penalty",
    ),
    Provider(
        "lmstudio",
        "LM Studio",
        "http://127.0.0.1:1234/v1",
        repetition_field="repeat_penalty",
    ),
)
"""Servers that people run on their own machine, on their usual ports."""


def known(name: str) -> Provider | None:
    """The provider or local server of that name."""
    return next((one for one in (*PROVIDERS, *LOCAL) if one.name == name), None)


def provider_at(connection: Connection) -> Provider | None:
    """The provider that a connection leads to, by its host; local servers by their whole address,
    for a machine has many ports."""
    for one in PROVIDERS:
        if connection.host == one.host:
            return one
    address = connection.base_url.rstrip("/").replace("//localhost:", "//127.0.0.1:")
    return next((one for one in LOCAL if address == one.base_url), None)
