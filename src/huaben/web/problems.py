"""Errors as `application/problem+json` (RFC 9457); apart because every refusal must read the same,
whether it comes from a service, from the framework or from the guard at the door."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

import structlog
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from huaben.errors import HuabenError
from huaben.web.completion_form import ROOT, in_form

if TYPE_CHECKING:
    from fastapi import FastAPI

MEDIA_TYPE = "application/problem+json"
_log = structlog.get_logger("huaben.web")

_CODES: Mapping[int, tuple[str, str]] = {
    400: ("bad_body", "The body of the request cannot be read."),
    404: ("no_such_route", "There is nothing at this address; see /api/openapi.json."),
    405: ("method_not_allowed", "This address does not take that method."),
}
_FIELD_CODES = {
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "json_invalid": "bad_json",
}


class Problem(JSONResponse):
    """A refusal. `code` is stable for scripts, `detail` says what happened, `hint` what to do."""

    media_type = MEDIA_TYPE

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        hint: str = "",
        *,
        facts: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.code, self.detail, self.hint = code, detail, hint
        body: dict[str, object] = {
            **(facts or {}),
            "type": "about:blank",
            "title": HTTPStatus(status).phrase,
            "status": status,
            "code": code,
            "detail": detail,
            "hint": hint,
        }
        super().__init__(body, status, headers)


class BodyTooLarge(HTTPException):
    """The body passed the limit while it was read. An `HTTPException`, because the framework takes
    any other exception that is raised while it reads a body for a body that cannot be parsed."""

    def __init__(self, limit: int) -> None:
        super().__init__(413)
        self.limit = limit

    def problem(self) -> Problem:
        detail = f"The request is larger than the {self.limit:,} bytes that this address takes."
        hint = "Uploads: HUABEN_MAX_UPLOAD_MB sets the limit."
        return Problem(413, "body_too_large", detail, hint, facts={"limit": self.limit})


def told_at(path: str, problem: Problem) -> JSONResponse:
    """The refusal in the form that is read at that address."""
    if not f"{path}/".startswith(ROOT):
        return problem
    told = f"{problem.detail} {problem.hint}".strip()
    return in_form(problem.status_code, problem.code, told, problem.headers)


def answer_problems(app: FastAPI) -> None:
    """Make the application answer each known kind of error as a problem."""
    app.add_exception_handler(HuabenError, _of_huaben)
    app.add_exception_handler(HTTPException, of_framework)
    app.add_exception_handler(RequestValidationError, _of_invalid)


async def _of_huaben(request: Request, error: Exception) -> Problem:
    assert isinstance(error, HuabenError)
    if error.status == HTTPStatus.INTERNAL_SERVER_ERROR:
        _log.error("failed", code=error.code, path=request.url.path, where=_place(error))
    facts = {name: value for name, value in error.facts.items() if value is not None}
    return Problem(error.status, error.code, error.message, error.hint, facts=facts)


async def of_framework(request: Request, error: Exception) -> JSONResponse:
    """What the framework refused by itself."""
    assert isinstance(error, HTTPException)
    return told_at(request.url.path, _refusal(error))


def _refusal(error: HTTPException) -> Problem:
    if isinstance(error, BodyTooLarge):
        return error.problem()
    phrase = HTTPStatus(error.status_code).phrase
    known = (phrase.lower().replace(" ", "_"), error.detail)
    code, detail = _CODES.get(error.status_code, known)
    return Problem(error.status_code, code, detail, headers=error.headers)


# ---- requests that do not validate ---------------------------------------------------------------


async def _of_invalid(request: Request, error: Exception) -> Problem:
    """Names every field that is wrong; never quotes what was sent, which may be story text."""
    assert isinstance(error, RequestValidationError)
    faults = [_fault(fault) for fault in cast("Sequence[Mapping[str, object]]", error.errors())]
    first = faults[0]
    if any(fault["in"] == "path" for fault in faults):
        return Problem(404, "not_found", "There is no such thing: the id cannot be one of ours.")
    code, field = str(first["code"]), first["field"]
    if code == "unknown_field":
        detail = f"The field {field} is not known here."
        hint = "/api/openapi.json names the fields that are."
    elif code == "missing_field":
        detail, hint = f"The field {field} is missing.", ""
    elif field == "body":
        detail, hint = "The body must be JSON.", "Send it with Content-Type: application/json."
    else:
        detail, hint = f"The field {field}: {first['message']}.", ""
    return Problem(422, code, detail, hint, facts={"errors": faults})


def _fault(fault: Mapping[str, object]) -> dict[str, object]:
    kind = str(fault["type"])
    where, *path = (str(part) for part in cast("Sequence[str | int]", fault["loc"]))
    # A syntax error carries a position where other errors carry a path.
    field = ".".join(path) if path and kind != "json_invalid" else where
    code = _FIELD_CODES.get(kind, "invalid_field")
    return {"field": field, "in": where, "code": code, "message": str(fault["msg"])}


# ---- the last resort -----------------------------------------------------------------------------


class Boundary:
    """The web's error boundary: what nobody foresaw is logged by place, without words of a story,
    and answered as a problem without a traceback. A stream that has begun is torn off, so that its
    reader cannot take it for complete."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except ClientDisconnect:
            return  # nobody is left who could be told, and nothing of ours failed
        except Exception as error:  # noqa: BLE001 - the boundary of the web
            kind = type(error).__name__
            _log.error("unexpected", error=kind, path=scope["path"], where=_place(error))
            if not begun:
                detail = "The program failed in a way that it did not foresee."
                hint = "Nothing that was acknowledged is lost. The log names the place."
                problem = Problem(500, "unexpected", detail, hint)
                await told_at(scope["path"], problem)(scope, receive, send)


def _place(error: BaseException) -> str:
    """Where an error arose, innermost last, without its message, which may quote a story."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    return " > ".join(f"{PurePath(f.filename).name}:{f.lineno} {f.name}" for f in frames)
