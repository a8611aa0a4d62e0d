"""A chat of SillyTavern's of full size: read, planted, opened at its end, and written again.

Run: python bench/chats.py [--messages 20000] [--mb 50] [--record]. Half of the messages are the user's; each
reply has three swipes with their own facts. The file is made in another process and is not counted. Time
in processors stands beside waiting, for the machine may be shared. Memory is what the process grew by at
its highest; the file itself, which is held whole, comes on top of it.
"""

from __future__ import annotations

import asyncio
import json
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path

from huaben.config import load_settings
from huaben.domain.jsonvalue import Json, JsonObject, dump_json
from huaben.formats.chats.read import open_chats
from huaben.formats.chats.survey import survey
from huaben.formats.chats.values import ChatFile
from huaben.services import chats
from huaben.services.chats_export import export_story
from huaben.services.viewing import show_path
from huaben.studio import Studio

WORDS = "灯雨夜门桥河风雪茶酒剑书信影声路城山海云月星花树石火烟水人心手眼言笑泪梦旧新远近冷暖"
RESULTS = Path(__file__).parent / "results" / "chats.jsonl"


def prose(chance: random.Random, characters: int) -> str:
    return "".join(chance.choices(WORDS, k=characters))


def a_file(messages: int, size_mb: float) -> bytes:
    """The lines of a chat of about that size."""
    chance = random.Random(7)
    # A reply holds its text and three swipes; a character is three bytes.
    characters = int(size_mb * 1e6 / messages / 3 / 2.3)
    rows: list[JsonObject] = [
        {"user_name": "阿澄", "character_name": "渡船人", "chat_metadata": {}}
    ]
    for n in range(messages):
        at = f"2024-01-01T00:00:{n % 60:02}.000Z"
        if n % 2:
            rows.append(
                {"name": "阿澄", "is_user": True, "send_date": at, "mes": prose(chance, 60)}
            )
            continue
        texts: list[Json] = [prose(chance, characters) for _ in range(3)]
        infos: list[Json] = [
            {"send_date": at, "extra": {"model": "m", "reasoning": prose(chance, 40)}}
            for _ in range(3)
        ]
        own: JsonObject = {"mes": texts[1], "swipes": texts, "swipe_id": 1, "swipe_info": infos}
        rows.append(
            {"name": "渡船人", "is_user": False, "send_date": at, "extra": {"model": "m"}, **own}
        )
    return "\n".join(map(dump_json, rows)).encode()


def peak_mb() -> float:
    """The most memory that the process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def measured(data: bytes) -> dict[str, float]:
    result: dict[str, float] = {"file_mb": round(len(data) / 1e6, 1)}
    before, began = peak_mb(), time.perf_counter()
    found = open_chats(data, "chat.jsonl")
    assert isinstance(found, ChatFile)
    counted = survey(found.chats[0])
    result["messages"], result["turns"] = counted.messages, counted.turns
    result["read_s"] = round(time.perf_counter() - began, 2)
    result["read_grew_mb"] = round(peak_mb() - before, 1)
    with tempfile.TemporaryDirectory() as folder:
        async with Studio.open(settings=load_settings(data=Path(folder))) as studio:
            result |= await through(studio, data)
    return result


async def through(studio: Studio, data: bytes) -> dict[str, float]:
    house = studio.house
    before, began, cpu = peak_mb(), time.perf_counter(), time.process_time()
    (begun,) = await chats.import_chats(house, data, "chat.jsonl", chats.Wish(bare=True))
    due_s = time.perf_counter() - began
    await house.jobs.idle(begun.lane)
    planted_s = time.perf_counter() - began
    cpu_s = time.process_time() - cpu
    grew = peak_mb() - before
    began = time.perf_counter()
    _, entries, _ = await show_path(house, begun.project_id)
    assert len(entries) == 50
    opened_s = time.perf_counter() - began
    began = time.perf_counter()
    file = await export_story(house, begun.project_id, "jsonl")
    exported_s = time.perf_counter() - began
    written = zip(file.content.splitlines(), data.splitlines(), strict=True)
    assert all(json.loads(one) == json.loads(other) for one, other in written)
    return {
        "due_s": round(due_s, 2),
        "planted_s": round(planted_s, 1),
        "planted_cpu_s": round(cpu_s, 1),
        "planting_grew_mb": round(grew, 1),
        "end_shown_ms": round(opened_s * 1000, 1),
        "exported_s": round(exported_s, 2),
        "peak_mb": round(peak_mb(), 1),
    }


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--mb", type=float, default=50)
    parser.add_argument("--record", action="store_true", help="append to bench/results")
    parser.add_argument("--make", type=Path, help="only make the file, there")
    options = parser.parse_args()
    if options.make:
        options.make.write_bytes(a_file(options.messages, options.mb))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chat.jsonl"
        size = ["--messages", str(options.messages), "--mb", str(options.mb)]
        subprocess.run([sys.executable, __file__, *size, "--make", str(path)], check=True)
        data = path.read_bytes()
    result = asyncio.run(measured(data))
    print(json.dumps(result))
    if options.record:
        line = {
            "date": datetime.now(UTC).date().isoformat(),
            "command": f"python bench/{Path(__file__).name} {' '.join(sys.argv[1:])}",
            "python": platform.python_version(),
            **result,
        }
        with RESULTS.open("a") as file:
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
