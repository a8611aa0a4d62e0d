"""Whoever leaves while still sending is no fault of the program."""

from __future__ import annotations

import pytest
import structlog
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from huaben.web.problems import Boundary


@pytest.mark.parametrize("faulty", [False, True])
async def test_only_what_the_program_did_wrong_is_logged(*, faulty: bool) -> None:
    """A body that breaks off is dropped in silence; a fault is logged and answered."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        body = await Request(scope, receive).body()
        raise ValueError(len(body))

    async def receive() -> Message:
        return {"type": "http.request"} if faulty else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "method": "POST", "path": "/v1/chat/completions", "headers": []}
    with structlog.testing.capture_logs() as logged:
        await Boundary(app)(scope, receive, send)
    assert [one["event"] for one in logged] == (["unexpected"] if faulty else [])
    assert len(sent) == (2 if faulty else 0)
    if faulty:
        assert b'"type":"server_error"' in sent[1]["body"]
