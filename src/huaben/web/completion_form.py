"""Refusals in the form of the address `/v1`, whose callers read no other; apart because the guard at the door refuses
there too."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from starlette.responses import JSONResponse

from huaben.domain.completions_spelled import error_json
from huaben.errors import HuabenError
from huaben.services.precompiled_errors import error_of, kind_of, retry_after, status_of

ROOT: Final = "/v1/"
TURN: Final = "huaben-turn"
"""The header that names the turn whose trace holds the request."""
NEVER_KEPT: Final[Mapping[str, str]] = {"cache-control": "no-store", "x-accel-buffering": "no"}


def refused(failure: HuabenError) -> JSONResponse:
    """A failure as the form tells it, with the turn that was begun for it, if any."""
    wait_s = retry_after(failure)
    headers = dict(NEVER_KEPT)
    if wait_s is not None:
        headers["retry-after"] = str(math.ceil(wait_s))
    turn = failure.facts.get("turn")
    if isinstance(turn, str):
        headers[TURN] = turn
    return JSONResponse(error_of(failure), status_of(failure), headers)


def in_form(status: int, code: str, told: str, headers: Mapping[str, str]) -> JSONResponse:
    """A refusal of ours as the form tells it. Of `headers` those of a body are left out."""
    kept = {k: v for k, v in headers.items() if k not in ("content-type", "content-length")}
    return JSONResponse(error_json(told, kind_of(status), code), status, {**kept, **NEVER_KEPT})
