"""The one typed settings object, from the environment and a `huaben.toml` in the data folder; read
nowhere else."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from huaben.domain.connection import Connection, Secret, Timeouts
from huaben.domain.providers import PROVIDERS, provider_at
from huaben.errors import BadInput

CONFIG_NAME = "huaben.toml"
EASEL = "environment-pictures"
"""The name of the connection that the environment gives for drawing."""


class Settings(BaseSettings):
    """`HUABEN_…` in the environment wins over the file, the file over the defaults.

    `base_url`, `api_key` and `model` describe one connection, OpenAI-compatible unless its host is
    known to speak otherwise; `context_window` is its window in tokens. `model` alone is the model of
    the first provider whose key is found. `image_model` is one that draws pictures at the same
    `base_url`. `requests_per_minute` and `reply_tokens_per_minute` limit what
    is passed on for other front ends (0: no limit). Times are in seconds. `allowed_hosts` are further names (`host` or
    `host:port`) that the server answers to, such as those of a proxy in front of it.
    """

    model_config = SettingsConfigDict(env_prefix="HUABEN_", extra="ignore", frozen=True)

    data: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("huaben", False)))
    database_url: str = ""
    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    model: str = ""
    image_model: str = ""
    context_window: int | None = Field(default=None, gt=0)
    connect_s: float = Field(default=15.0, gt=0)
    first_token_s: float = Field(default=180.0, gt=0)
    idle_s: float = Field(default=90.0, gt=0)
    total_s: float = Field(default=1800.0, gt=0)
    retries: int = Field(default=2, ge=0, le=10)
    host: str = "127.0.0.1"
    port: int = Field(default=8720, ge=0, le=65535)
    password: SecretStr = SecretStr("")
    max_upload_mb: int = Field(default=256, gt=0)
    requests_per_minute: int = Field(default=120, ge=0)
    reply_tokens_per_minute: int = Field(default=0, ge=0)
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """The environment has no lists: commas stand between the names."""
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return value

    @cached_property
    def connection(self) -> Connection | None:
        """The connection of the environment, or None when no endpoint is named."""
        if not self.base_url or not self.model:
            return None
        key = Secret(self.api_key.get_secret_value())
        named = Connection("environment", self.base_url.rstrip("/"), self.model, key)
        provider = provider_at(named)
        if provider is not None:
            usual = provider.connection(key, self.model)
            named = replace(usual, name=named.name, base_url=named.base_url)
        return replace(named, window=self.context_window)

    @cached_property
    def easel(self) -> Connection | None:
        """The connection of the environment that draws pictures, or None."""
        if not self.base_url or not self.image_model:
            return None
        key = Secret(self.api_key.get_secret_value())
        return Connection(EASEL, self.base_url.rstrip("/"), self.image_model, key)

    @cached_property
    def found(self) -> tuple[Connection, ...]:
        """A connection for each provider whose key is in the environment."""
        found: list[Connection] = []
        for provider in PROVIDERS:
            keys = (os.environ.get(variable, "").strip() for variable in provider.variables)
            key = next(filter(None, keys), "")
            if key:
                # The model that is named without an address belongs to the first of them.
                model = self.model if not self.base_url and not found else ""
                found.append(provider.connection(Secret(key), model))
        return tuple(found)

    def timed(self, connection: Connection) -> Connection:
        """The connection with the times and retries that are set for all."""
        timeouts = Timeouts(self.connect_s, self.first_token_s, self.idle_s, self.total_s)
        return replace(connection, timeouts=timeouts, retries=self.retries)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        toml = TomlConfigSettingsSource(settings_cls, _config_file(init_settings, env_settings))
        return init_settings, env_settings, toml


def load_settings(**overrides: object) -> Settings:
    """The settings with what the command line named on top. Raises `BadInput` naming the field."""
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # pyright: ignore[reportArgumentType] - validated right here
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInput("bad_setting", f"The setting {field}: {first['msg']}.") from None


def _config_file(*sources: PydanticBaseSettingsSource) -> Path:
    """The settings file lies in the data folder, which only the sources before it can name."""
    for source in sources:
        found = source().get("data")
        if found:
            return Path(str(found)) / CONFIG_NAME
    return Path(platformdirs.user_data_dir("huaben", False)) / CONFIG_NAME
