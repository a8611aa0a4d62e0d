"""How long the difference by words of two long Chinese chapters takes.

Run: python bench/worddiff.py [--chars 50000] [--times 9] [--record].
The chapters are prose by chance, in paragraphs of 120 characters. The figure of the design: 200 ms for
50,000 characters each. Processor time is told too, because waiting says as much of what else the
machine does. `--record` adds the result to bench/results.
"""

from __future__ import annotations

import json
import os
import platform
import random
import shlex
import sys
import time
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from huaben.domain.worddiff import diff_words

RESULTS = Path(__file__).with_name("results") / "worddiff.jsonl"
HAN = (
    "灯雨夜门桥河风雪茶酒剑书信影声路城山海云月星花树石火烟水人心手眼言笑泪梦旧新远近冷暖一不是了在有他"
    "她我你来去说道见得知天地的上下出入开关过还给问答走停等"
)
PARAGRAPH = 120


def chapter(chars: int, seed: int) -> str:
    draw = random.Random(seed)
    paragraphs = (
        "".join(draw.choices(HAN + "，，。", k=PARAGRAPH)) for _ in range(chars // PARAGRAPH)
    )
    return "\n\n".join(paragraphs)


def reworded(text: str, share: float) -> str:
    """The text with that share of its characters replaced, doubled or left out."""
    draw = random.Random(7)
    return "".join(
        draw.choice(HAN) * draw.randrange(3) if c != "\n" and draw.random() < share else c
        for c in text
    )


def cases(chars: int) -> Mapping[str, tuple[str, str]]:
    text = chapter(chars, 1)
    turned = text.split("\n\n")
    random.Random(3).shuffle(turned)
    one_line = text.replace("\n", "")
    return {
        "one sentence changed": (text, text[: chars // 2] + "他忽然停下了。" + text[chars // 2 :]),
        "every paragraph changed": (text, reworded(text, 0.01)),
        "every fifth character changed": (text, reworded(text, 0.2)),
        "every second character changed": (text, reworded(text, 0.5)),
        "one paragraph, some changes": (one_line, reworded(one_line, 0.02)),
        "paragraphs in another order": (text, "\n\n".join(turned)),
        "two chapters of nothing alike": (text, chapter(chars, 2)),
    }


def timed(old: str, new: str, times: int) -> tuple[float, float, int]:
    """The median wait and processor time in milliseconds, and how many spans there are."""
    waits: list[float] = []
    worked: list[float] = []
    spans = 0
    for _ in range(times):
        began, busy = time.perf_counter(), time.process_time()
        spans = len(diff_words(old, new))
        waits.append((time.perf_counter() - began) * 1000)
        worked.append((time.process_time() - busy) * 1000)
    return sorted(waits)[times // 2], sorted(worked)[times // 2], spans


def measure(chars: int, times: int) -> dict[str, list[float]]:
    rows: dict[str, list[float]] = {}
    for name, (old, new) in cases(chars).items():
        wait, worked, spans = timed(old, new, times)
        print(f"{name:<32} {wait:7.1f} ms   processor {worked:7.1f} ms   {spans:6} spans")
        rows[name] = [round(wait, 1), round(worked, 1)]
    return rows


def record(rows: Mapping[str, object]) -> None:
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": shlex.join(["python", "bench/worddiff.py", *sys.argv[1:]]),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "cores": os.cpu_count(),
        "p50_cpu_ms": rows,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result, ensure_ascii=False) + "\n")


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("--chars", type=int, default=50_000)
    options.add_argument("--times", type=int, default=9)
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    rows = measure(chosen.chars, chosen.times)
    if chosen.record:
        record(rows)


if __name__ == "__main__":
    main()
