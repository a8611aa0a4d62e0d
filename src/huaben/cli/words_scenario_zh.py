"""情景与其错处的句子，中文；自成一表，与资料库的一样。"""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "scenario.faults": "有 {n} 处毛病。",
    "scenario.nearest": "是不是 {name}？",
    "scenario.broken": "{name}（有毛病：{what}）",
    "scenario.unknown_field": "不是会读的字段。",
    "scenario.must_be_text": "应当是文字。",
    "scenario.must_be_bool": "应当是 true 或 false。",
    "scenario.must_be_whole": "应当是整数。",
    "scenario.must_be_number": "应当是数字。",
    "scenario.too_deep": "套得太深。",
    "scenario.out_of_range": "应在 {low} 到 {high} 之间，不能是 {value}。",
    "scenario.not_a_choice": "应当是 {known} 之一，不能是 {value}。",
    "scenario.unreadable": "读不出：{what}",
    "scenario.no_sections": "应当是分节的表。",
}
