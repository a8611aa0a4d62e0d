"""How much of each request repeats the one before it, beside what arithmetic allows at most.

The reference session: 100 turns of 5 calls, with a tail of about 4,000 characters of lore in each
last user message, over HTTP on the real store; the scribe reads each turn, nothing is recalled and
nothing summarised. `limit` is the share that the design itself allows: everything up to the former
request's user message, inside a turn all of it.

    python bench/prefix.py [TURNS]
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from huaben import Studio
from huaben.agent.tools.table import listed, specs
from huaben.config import load_settings
from huaben.domain.project import Language
from huaben.prompt.texts import shipped
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, ScriptedReply, call, reply

TAIL_CHARS = 4000
SCENARIO = 'name = "bench"\n[memory]\nsources = []\n[compaction]\nevery = 0\n'
PROSE = "雨点顺着伞骨往下坠，一滴一滴敲在青石板上。他把灯芯拨亮，等她开口。" * 8 + "檐下忽然静了。"


def card() -> dict[str, object]:
    entry: dict[str, object] = {
        "id": 1,
        "keys": ["伞"],
        "content": "伞的来历。" * (TAIL_CHARS // 5),
        "enabled": True,
        "insertion_order": 1,
        "comment": "旧伞",
    }
    nothing: dict[str, object] = {}
    book: dict[str, object] = {"extensions": nothing, "entries": [entry]}
    data: dict[str, object] = {"name": "沈砚", "first_mes": "「打烊了。」", "character_book": book}
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}


def script(asked: Asked) -> ScriptedReply:
    """Five calls: two looks, a write, an edit, the seal."""
    words = [m for m in asked.messages if m["role"] == "user"]
    since = [m["role"] for m in asked.messages[asked.messages.index(words[-1]) :]].count("tool")
    steps = (
        reply(call("lorebook_search", query="旧伞")),
        reply(call("card_read")),
        reply(call("draft_write", version=0, content=PROSE)),
        reply(call("draft_edit", version=1, edits=[{"old": "忽然静了", "new": "忽然亮了"}])),
        reply(call("draft_seal", version=2)),
    )
    return steps[since]


async def record(turns: int) -> list[bytes]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "card.json").write_text(json.dumps(card(), ensure_ascii=False), "utf-8")
        async with ScriptedEndpoint(script) as endpoint:
            settings = load_settings(
                data=folder / "data", base_url=endpoint.base_url, model="scripted"
            )
            async with Studio.open(settings=settings) as studio:
                imported = await studio.import_card(folder / "card.json")
                scenarios = folder / "data" / "scenarios"
                await asyncio.to_thread(scenarios.mkdir, exist_ok=True)
                await asyncio.to_thread((scenarios / "bench.toml").write_text, SCENARIO, "utf-8")
                project = await studio.create_project(card=imported.id, scenario="bench")
                for number in range(turns):
                    async for _ in studio.play(project.id, f"第{number}拍，我看着那把伞。"):
                        pass
            return endpoint.bodies


def parts(body: bytes) -> tuple[bytes, int]:
    """Tool list and messages as sent, and where this turn's user message begins in them."""
    value = json.loads(body)
    text = body.decode()
    start = text.index('"tools":')
    end = text.rindex("]", 0, text.rindex('"stream"')) if '"stream"' in text else len(text)
    stream = text[start:end]
    last = [m for m in value["messages"] if m["role"] == "user"][-1]
    content = json.dumps(last["content"], ensure_ascii=False)
    return stream.encode(), len(stream[: stream.rindex(content)].encode())


def common(left: bytes, right: bytes) -> int:
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if left[:middle] == right[:middle] else (low, middle - 1)
    return low


def figures(bodies: list[bytes]) -> None:
    sent = hit = limit = late_sent = late_hit = 0
    read = [parts(body) for body in bodies]
    for number, ((former, words), (later, later_words)) in enumerate(pairwise(read)):
        shared = common(former, later)
        allowed = len(former) if words == later_words else words
        sent, hit, limit = sent + len(later), hit + shared, limit + min(allowed, len(later))
        if number >= 10:  # from turn 3 on
            late_sent, late_hit = late_sent + len(later), late_hit + shared
    print(f"requests {len(bodies)}, bytes sent {sent:,}")
    print(
        f"prefix hit {hit / sent:.2%}, arithmetic limit {limit / sent:.2%}, ratio {hit / limit:.4f}"
    )
    print(f"cumulative from turn 3 on: {late_hit / late_sent:.2%}")


def sizes() -> None:
    languages: tuple[Language, ...] = ("zh", "en")
    for language in languages:
        tools = specs(listed(lore=True, card=True, memory=True, ledger=True), language)
        listing = json.dumps(
            [[t.name, t.description, t.parameters] for t in tools], ensure_ascii=False
        )
        system = len(shipped(language, "base")) + len(shipped(language, "stage"))
        print(f"{language}: tool list {len(listing):,} characters, shipped system text {system:,}")


if __name__ == "__main__":
    figures(asyncio.run(record(int(sys.argv[1]) if len(sys.argv) > 1 else 100)))
    sizes()
