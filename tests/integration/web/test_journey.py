"""Whole journeys over HTTP, as a script or a page makes them."""

from __future__ import annotations

from pathlib import Path

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, reply
from tests.integration.web.table import serve


async def test_a_card_becomes_a_story(tmp_path: Path) -> None:
    """Import, found, say, follow: the final text is what the model wrote on the draft sheet."""
    script = [
        call("draft_write", version=0, content="沈砚合上账本。\n\n「只剩一间。」"),
        reply(call("draft_seal", version=1)),
    ]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        turn_id = await table.say(project.id, "我推开门：「有空房吗？」")
        screen = await table.over(turn_id)
        turn = await table.turn(turn_id)
    assert turn.status == "sealed"
    assert turn.final_text == "沈砚合上账本。\n\n「只剩一间。」"
    assert turn.parent == project.head
    assert screen.view.final is not None
    assert screen.view.final.text == turn.final_text
    assert screen.kinds[-1] == "end"
