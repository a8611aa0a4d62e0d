"""What an endpoint's refusal means, and what to send differently; apart because the words are many.

Providers demand opposite things of the same request. Which one it is shows in the refusal, so the
connection that comes out of `adapted` is tried next. Each rule goes one way only: it ends.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Final

from huaben.adapters.models.retry import is_passing
from huaben.domain.connection import Connection
from huaben.domain.jsonvalue import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error as the provider told it, not yet redacted. `status` is the HTTP status, or the one
    that an error inside a stream names."""

    status: int | None
    text: str
    kind: str = ""
    param: str = ""

    @property
    def code(self) -> str:
        """Our stable name for it."""
        if _TOO_LONG.search(self.text) or self.kind == "context_length_exceeded":
            return "context_too_long"
        if self.is_unpaid:
            return "payment_required"
        if self.is_of_tools:
            return "tools_refused"
        if self.status is None:
            return "provider_error"
        return _BY_STATUS.get(
            self.status, "provider_unavailable" if self.status >= 500 else "request_refused"
        )

    @property
    def hint(self) -> str:
        return _HINTS.get(self.code, "")

    @property
    def is_unpaid(self) -> bool:
        """Out of funds: a 429 of this kind never passes by waiting."""
        kinds = ("insufficient_quota", "billing_hard_limit_reached")
        return self.status == 402 or self.kind in kinds or bool(_UNPAID.search(self.text))

    @property
    def is_of_tools(self) -> bool:
        """The model, or the server before it, calls no tools at all: never a matter of waiting,
        even behind a 500 (llama.cpp) or a 404 (OpenRouter)."""
        return self.status not in _NOT_OF_TOOLS and bool(_NO_TOOLS.search(self.text))

    @property
    def retryable(self) -> bool:
        if self.is_unpaid or self.code in ("context_too_long", "tools_refused"):
            return False
        return is_passing(self.status) or self.kind in ("overloaded_error", "server_error")


def refusal_of(status: int | None, body: str) -> Refusal:
    """Read a refused response's body: an error object of any known nesting, or plain text."""
    try:
        value: Json = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return Refusal(status, body)
    error = error_in(value)
    return Refusal(status, body) if error is None else _read(error, status)


def error_in(chunk: JsonObject) -> Json:
    """The error that a chunk or body reports, if any: under `error`, or the object itself."""
    error = chunk.get("error")
    if error:
        return error
    if chunk.get("object") == "error" or chunk.get("type") == "error":
        return chunk
    if "choices" not in chunk:
        return chunk.get("detail") or (chunk if chunk.get("message") else None)
    return None


def refusal_in(error: Json) -> Refusal:
    """The refusal that an error inside a stream stands for."""
    return _read(error, None)


def adapted(refusal: Refusal, connection: Connection) -> Connection | None:
    """The connection to ask through next, shaped as the refusal demands; None when the refusal is
    about something else, or that was tried already."""
    if refusal.status not in (400, 422, 500, None):
        return None
    text = refusal.text
    if "stream_options" in text and connection.usage_option:
        return replace(connection, usage_option=False)
    if "prefill" in text.lower() and connection.prefills:
        return replace(connection, prefills=False)
    if "response_format" in text and connection.schema_option:
        return replace(connection, schema_option=False)
    if "max_completion_tokens" in text and connection.max_tokens_field == "max_tokens":
        return replace(connection, max_tokens_field="max_completion_tokens")
    if _ROLES.search(text) and connection.alternation != "strict":
        return replace(connection, alternation="strict")
    return _without_sampler(refusal, connection) or _other_thinking(text, connection)


def _other_thinking(text: str, connection: Connection) -> Connection | None:
    if not _THOUGHT.search(text):
        return None
    policy = connection.thinking_in_force
    if _UNWANTED.search(text):
        return replace(connection, thinking="never") if policy != "never" else None
    if _DEMANDED.search(text) and policy == "kept":
        return replace(connection, thinking="demanded")
    return None


def _without_sampler(refusal: Refusal, connection: Connection) -> Connection | None:
    if not _UNWANTED.search(refusal.text):
        return None
    spelled = {"repetition_penalty": connection.repetition_field}
    for name in sorted(connection.accepts - {"extra"}):
        field = spelled.get(name, name)
        named = re.search(rf"['\"`]{field}['\"`]|supplied: {field}\b", refusal.text)
        if refusal.param == field or named is not None:
            return replace(connection, accepts=connection.accepts - {name})
    return None


_ROLES: Final = re.compile(
    r"(?i)roles? must alternate|alternate (?:between )?user|alternating (?:user|roles)"
    r"|system (?:message|prompt)s? (?:must|should|can only) (?:be|come|appear)"
    r"|(?:only one|single|multiple) system message|first (?:message|content) (?:must|should)"
    r"|must (?:start|begin) with (?:a )?user|consecutive (?:messages|user|assistant)"
)
_THOUGHT: Final = re.compile(
    r"(?i)reasoning_content|reasoning_details|thinking_blocks|thinking (?:mode|block)"
)
_DEMANDED: Final = re.compile(r"(?i)must be|missing|required|passed back|expected|need")
_UNWANTED: Final = re.compile(
    r"(?i)unsupported|not supported|unknown|unrecogni[sz]ed|not permitted|not allowed|unexpected"
    r"|additional properties|extra (?:inputs|fields)|does not support|invalid (?:field|parameter)"
)
_TOO_LONG: Final = re.compile(
    r"(?i)context[ _]length|maximum context|context window|too many tokens|prompt is too long"
)
_BY_KIND: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status that an error inside a stream stands for, where it names only its kind (Anthropic)."""
_NOT_OF_TOOLS: Final = frozenset({401, 402, 403, 408, 409, 429})
_TOOLS: Final = (
    r"(?:tools?|functions?)(?:[ _-](?:use|usage|calls?|calling))?"
    r"(?![a-z_]|[ _-]?(?:choice|选择))['\"`\]]*"
)
_NO_TOOLS: Final = re.compile(
    rf"(?i)(?:does not|doesn['’]t|do not|don['’]t|cannot) (?:currently )?support (?:the )?"
    rf"(?:parameters?:? )?['\"`\[]*{_TOOLS}"
    rf"|(?<!parallel )\b{_TOOLS}(?: (?:is|are))? (?:not (?:supported|enabled|available)|unsupported)"
    rf"|(?:unsupported|unknown|unrecogni[sz]ed) (?:parameter|field)s?:? ['\"`]?{_TOOLS}"
    r"|no endpoints found that support tool use"
    r"|requires --(?:enable-auto-tool-choice|jinja)"
    rf"|[不未]支持\s*['\"`“]?(?:{_TOOLS}|(?:工具|函数)(?!选择))"
    rf"|(?:{_TOOLS}|工具(?:调用)?|函数(?:调用)?)\s*(?:功能)?[暂尚]?[不未](?:受|被)?支持"
)
_UNPAID: Final = re.compile(r"(?i)credit balance is too low|insufficient (?:balance|credits)")
_BY_STATUS: Final = {
    401: "unauthorized",
    403: "unauthorized",
    404: "not_found_at_provider",
    408: "provider_timeout",
    409: "provider_busy",
    413: "context_too_long",
    429: "rate_limited",
}
_HINTS: Final = {
    "unauthorized": "Check the key of this connection.",
    "payment_required": "The account at the provider has no funds or quota left.",
    "not_found_at_provider": "Check the address and the model name of this connection.",
    "rate_limited": "The provider limits how often it may be asked; wait, or use another connection.",
    "context_too_long": "The request is longer than the model's window; compact, or use another model.",
    "tools_refused": "This model calls no tools: test the connection with `huaben doctor`, or set "
    "`tools = json` on it.",
    "provider_unavailable": "The provider has trouble; try again later.",
}


def _read(error: Json, status: int | None) -> Refusal:
    if not isinstance(error, dict):
        text = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
        return Refusal(status, text)
    inner = error.get("error")
    if isinstance(inner, dict):
        error = inner
    message = error.get("message") or error.get("msg") or error.get("detail")
    text = message if isinstance(message, str) else json.dumps(error, ensure_ascii=False)
    return Refusal(
        status=_status_in(error) if status is None else status,
        text=text + _behind(error),
        kind=_first_text(error, "code", "type"),
        param=_first_text(error, "param"),
    )


def _behind(error: JsonObject) -> str:
    """What stands behind a routed error (OpenRouter puts the provider's own words there)."""
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    return f" ({raw})" if isinstance(raw, str) and raw else ""


def _status_in(error: JsonObject) -> int | None:
    for name in ("status", "code", "status_code"):
        value = error.get(name)
        number = (
            int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value
        )
        if isinstance(number, int) and 400 <= number < 600:
            return number
    return _BY_KIND.get(_first_text(error, "type"))


def _first_text(error: JsonObject, *names: str) -> str:
    for name in names:
        value = error.get(name)
        if isinstance(value, str) and value:
            return value
    return ""
