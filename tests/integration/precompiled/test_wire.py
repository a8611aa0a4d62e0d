"""What a connection answers, passed back in the form that was asked for, whatever form it came in."""

from __future__ import annotations

import json

import pytest

from huaben.adapters.models.endpoint import open_client
from huaben.adapters.models.passing import MORE_CHOICES, Passing
from huaben.adapters.system import SystemClock
from huaben.domain.completions import Completion, read_completion
from huaben.domain.connection import Connection, Secret
from huaben.domain.messages import Finished, Reply
from huaben.errors import ProviderFailed
from huaben.ports import Content
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Raw, ScriptedReply, Step, say

KEY = "sk-in-the-wire-0123456789"


def wish(**fields: object) -> Completion:
    body = {"model": "m", "messages": [{"role": "user", "content": "雨"}], **fields}
    asked = read_completion(json.dumps(body).encode())
    assert isinstance(asked, Completion)
    return asked


async def passed(step: Step, asked: Completion) -> tuple[bytes, Reply, int]:
    """What the caller is sent, what was heard, and how often something first was said."""
    async with ScriptedEndpoint([step]) as endpoint, open_client() as client:
        connection = Connection("c", endpoint.base_url, "m", Secret(KEY))
        way = Passing(connection, client=client, clock=SystemClock())
        sent, begun, reply = b"", 0, Reply()
        async for piece in way.forward(asked, way.wire(asked), "chatcmpl-1"):
            if isinstance(piece, bytes):
                sent += piece
            elif isinstance(piece, Content):
                begun += 1
            else:
                assert isinstance(piece, Finished)
                reply = piece.reply
        return sent, reply, begun


async def test_the_bytes_of_a_stream_come_back_as_they_came() -> None:
    """Comments, several choices, fields of the provider's own, its usage; heard beside."""
    chunks = (
        b': hello\r\n\r\ndata: {"choices":[{"index":0,"delta":{"content":"\xe9\x9b\xa8"}}],"own":1}\r\n\r\n'
        b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
        b'data: {"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"stop"}],'
        b'"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\ndata: [DONE]\n\n'
    )
    script = ScriptedReply((Raw(chunks),), finish="", done=False)
    sent, reply, begun = await passed(script, wish(stream=True, n=2))
    assert sent.startswith(chunks)
    assert (reply.text, reply.usage.completion, begun) == ("雨", 2, 1)
    assert MORE_CHOICES in reply.flags


async def test_a_stream_without_an_end_mark_is_given_one() -> None:
    """A front end that waits for it would wait for ever."""
    sent, reply, _ = await passed(ScriptedReply((say("雨停了。"),), done=False), wish(stream=True))
    assert sent.endswith(b"data: [DONE]\n\n")
    assert reply.text == "雨停了。"


async def test_a_whole_answer_to_who_asked_for_a_stream_is_made_one() -> None:
    """Some servers never stream."""
    sent, reply, _ = await passed(
        ScriptedReply((say("雨停了。"),), stream=False), wish(stream=True)
    )
    assert sent.startswith(b"data: {")
    assert "雨停了。".encode() in sent
    assert sent.endswith(b"data: [DONE]\n\n")
    assert reply.text == "雨停了。"


async def test_a_key_that_is_told_back_is_hidden() -> None:
    """Also where no error is told; and an error within a stream is never passed on."""
    sent, _, _ = await passed(
        say(
            f"your key is {KEY}",
        ),
        wish(),
    )
    assert KEY.encode() not in sent
    broken = Raw(b'data: {"error":{"message":"no ' + KEY.encode() + b'"}}\n\n')
    with pytest.raises(ProviderFailed) as failed:
        await passed(ScriptedReply((broken,), finish="", done=False), wish(stream=True))
    assert KEY not in failed.value.message
