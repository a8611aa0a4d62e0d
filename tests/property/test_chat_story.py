"""A chat that became a story leaves as it came, whatever was in the file."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings

from huaben.domain.jsonvalue import parse_json
from huaben.domain.soundness import tree_faults
from huaben.services import chats
from huaben.services.chats import Wish
from huaben.services.chats_export import export_story
from tests.integration.chats.shelf import seen
from tests.integration.jobs.yard import a_yard
from tests.property.test_chat_roundtrip import files


async def through(data: bytes) -> bytes:
    """The file as the story that was made of it leaves."""
    yard = a_yard()
    yard.start()
    (begun,) = await chats.import_chats(yard.house, data, "x.jsonl", Wish(bare=True))
    await yard.patiently(yard.jobs.idle())
    shown = await seen(yard, begun.project_id)
    assert tree_faults(begun.project_id, [*shown.tree.nodes.values()], shown.head) == []
    file = await export_story(yard.house, begun.project_id, "jsonl")
    await yard.jobs.close()
    return file.content


@settings(max_examples=60)
@given(files())
def test_a_story_leaves_as_its_chat_came(data: bytes) -> None:
    """Line by line the same JSON, the torn ones byte for byte; and again from there."""
    out = asyncio.run(through(data))
    before, after = data.split(b"\n"), out.removesuffix(b"\n").split(b"\n")
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        assert one == other or parse_json(one.decode()) == parse_json(other.decode())
    assert asyncio.run(through(out)) == out
