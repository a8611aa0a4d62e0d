"""The exception tree; apart from every room because every room may raise from it.

A refusal that belongs to the domain (a stale version, an ambiguous quotation) is a value, not an
exception. Exceptions are for what the caller could not have known or cannot mend by itself::

    HuabenError                 code, message, hint; an HTTP status
    ├── NotFound                404  the thing does not exist, or belongs to somebody else
    ├── Conflict                409  the state moved on: stale revision, ask open, has children …
    ├── PreconditionFailed      412  the expected revision is not the one in force
    ├── PreconditionRequired    428  a write that could overwrite came without a revision
    ├── BadInput                422  the request or file cannot be understood
    ├── TooLarge                413  over a stated limit, with the sizes
    ├── NoConnection            503  no model endpoint is configured
    ├── ReadOnly                503  the data folder vanished or was replaced
    ├── DataFolderInUse         503  another process holds the data folder
    ├── StorageFailed           500  a read or write of stored data failed; nothing was changed
    └── ProviderFailed          502  the endpoint refused, broke off or stalled
"""

from __future__ import annotations

from typing import ClassVar


class HuabenError(Exception):
    """Base of all: `code` is stable for scripts, `message` says what happened to what, `hint`
    says what to do next (may be empty)."""

    status: ClassVar[int] = 500

    def __init__(
        self, code: str, message: str, hint: str = "", **facts: str | int | tuple[str, ...] | None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.facts = facts


class NotFound(HuabenError):
    status = 404

    @classmethod
    def of(cls, kind: str, thing_id: str) -> NotFound:
        """The answer for what does not exist or is not the user's: the two are never told apart."""
        return cls(f"{kind}_not_found", f"There is no {kind} with the id {thing_id}.")


class Conflict(HuabenError):
    status = 409


class PreconditionFailed(HuabenError):
    status = 412


class PreconditionRequired(HuabenError):
    status = 428


class BadInput(HuabenError):
    status = 422


class TooLarge(HuabenError):
    status = 413


class NoConnection(HuabenError):
    status = 503


class ReadOnly(HuabenError):
    status = 503


class DataFolderInUse(HuabenError):
    status = 503


class StorageFailed(HuabenError):
    status = 500


class ProviderFailed(HuabenError):
    """The endpoint failed. `http_status` is the provider's own (None: no answer at all);
    `retryable` says whether the same request may succeed later; `retry_after_s` is the wait the
    provider asked for. `message` is redacted."""

    status = 502

    def __init__(
        self,
        code: str,
        message: str,
        hint: str = "",
        *,
        http_status: int | None = None,
        retryable: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(code, message, hint, http_status=http_status)
        self.http_status = http_status
        self.retryable = retryable
        self.retry_after_s = retry_after_s
