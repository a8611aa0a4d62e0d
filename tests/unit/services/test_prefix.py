"""What two requests of a session have in common, and what ended it."""

from __future__ import annotations

from dataclasses import replace

from huaben.domain.messages import Usage, WireRequest
from huaben.ports import CallRecord
from huaben.services.prefix import Sent, shared_head

RECORD = CallRecord(
    id="c1",
    turn_id="t1",
    n=0,
    purpose="story",
    model="small",
    state="done",
    reply=None,
    error="",
    usage=Usage(),
    outline=[{"zone": "prefix", "role": "system", "pieces": []}],
    break_cause="",
    request_bytes=0,
    opened_at="",
    closed_at="",
    first_token_ms=None,
)
BEFORE = Sent(RECORD, WireRequest((b"head small", b"system", b"end"), ("head", "message", "tail")))


def test_another_model_is_named_as_the_cause() -> None:
    """The head names the model, so nothing behind it is shared, and nothing else is to blame."""
    record = replace(RECORD, id="c2", turn_id="t2", model="large")
    now = Sent(record, WireRequest((b"head large", b"system", b"end"), BEFORE.request.shape))
    shared = shared_head(BEFORE, now)
    assert shared.parts == 0
    assert shared.ended is not None
    assert shared.ended.code == "model"


def test_what_closes_the_body_is_not_missed_inside_a_turn() -> None:
    """A call that adds messages repeats all of the one before it but its end."""
    parts = (b"head small", b"system", b"more", b"end")
    now = Sent(
        replace(RECORD, id="c2", n=1),
        WireRequest(parts, ("head", "message", "message", "tail")),
    )
    shared = shared_head(BEFORE, now)
    assert (shared.parts, shared.ended) == (2, None)
