"""Failures in the words of the chat-completions form; apart because the answer and the stream tell them alike."""

from __future__ import annotations

from typing import ClassVar

from huaben.domain.completions_spelled import error_json
from huaben.domain.jsonvalue import JsonObject
from huaben.errors import HuabenError, ProviderFailed


class TooMany(HuabenError):
    """More was asked for in a minute than is allowed; `retry_after_s` says when to come again."""

    status: ClassVar[int] = 429

    def __init__(self, message: str, retry_after_s: int) -> None:
        super().__init__("rate_limit_exceeded", message, retry_after_s=retry_after_s)
        self.retry_after_s = retry_after_s


_KINDS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


def status_of(failure: HuabenError) -> int:
    """The provider's own status where it gave one; what a caller got wrong is 400 in this form."""
    if isinstance(failure, ProviderFailed) and failure.http_status is not None:
        return failure.http_status if 400 <= failure.http_status < 600 else failure.status
    return 400 if failure.status == 422 else failure.status


def kind_of(status: int) -> str:
    """The form's word for errors of that status."""
    return _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")


def retry_after(failure: HuabenError) -> float | None:
    """Seconds after which the same request may succeed, where somebody said so."""
    return failure.retry_after_s if isinstance(failure, TooMany | ProviderFailed) else None


def error_of(failure: HuabenError) -> JsonObject:
    """The error object of a failure. Its message is redacted already."""
    status = status_of(failure)
    message = " ".join(part for part in (failure.message, failure.hint) if part)
    return error_json(message, kind_of(status), failure.code, str(failure.facts.get("param") or ""))
