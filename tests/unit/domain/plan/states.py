"""Plan states for tests, in both languages; apart so that each test names only what it is about."""

from __future__ import annotations

from collections.abc import Mapping

from huaben.domain.plan.notes import NoteGroup
from huaben.domain.plan.projection import Labels
from huaben.domain.plan.state import headings
from huaben.domain.project import Language

GROUPS: Mapping[NoteGroup, str] = {
    "event": "（事件）",
    "knowledge": "（所知）",
    "world": "（世界）",
    "npc": "（人物）",
    "callback": "（伏笔）",
    "camera": "（镜头）",
    "agency": "（自主）",
}
LABELS = Labels(GROUPS, "〔推测〕")


def a_state(language: Language = "zh", **lines: str) -> str:
    """A valid state; `s0` … `s7` give the lines of a section, several parted by line breaks."""
    parts = [
        "\n".join((heading, *([lines[f"s{at}"]] if f"s{at}" in lines else ())))
        for at, heading in enumerate(headings(language))
    ]
    return "\n\n".join(parts)
