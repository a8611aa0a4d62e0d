"""Sentences about lasting changes of a story in Chinese; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "jobs.amendment": "办理长久的改动",
    "amendments.short": "故事里提出过的长久改动。",
    "amendments.help": """列出 PROJECT 里记下的长久改动，或对其中一项作出决定。

    接受之后开始的拍才按改动来写；角色卡和设定集本身不变。TURN 是提出改动的那一拍的编号，或编号的末尾。""",
    "amendments.turn_name": "TURN",
    "amendments.accept": "接受，以后的拍按它来。",
    "amendments.refuse": "不接受，一切照旧。",
    "amendments.undo": "撤回已接受的改动。",
    "amendments.row": "{turn}  {state}  {request}",
    "amendments.none": "这个故事里没有记下长久的改动。",
    "amendments.unknown": "这个故事里没有改动 {turn}。",
    "amendments.proposed": "等你决定",
    "amendments.applied": "已生效",
    "amendments.refused": "未接受",
    "amendments.undone": "已撤回",
    "amendments.failed": "没有办成",
}
