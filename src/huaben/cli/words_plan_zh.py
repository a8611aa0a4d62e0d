"""规划的句子，中文；自成一表，与资料库的一样。"""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "inspect.plan": "这一拍旁边的规划：请过谁，结果怎样，规划怎么写。会说破后面的事。",
    "inspect.plan_none": "这一拍之后没有做过规划。",
    "inspect.plan_standing": "这一拍的规划：第 {n} 版，落后 {age} 拍",
    "inspect.plan_empty": "这一拍还没有规划。",
    "inspect.plan_job": "第 {n} 次规划：{outcome}",
    "inspect.plan_made": "规划第 {n} 版",
    "inspect.plan_tokens": "{calls} 次调用 · 送出 {prompt} token · 收到 {completion}",
    "inspect.plan_took": "{n} 秒",
    "inspect.plan_attempts": "试了 {n} 次",
    "inspect.plan_left_out": "没有放进去：{what}",
    "inspect.plan_no_ground": "没有注明出处：{line}",
    "inspect.plan_state.waiting": "等着",
    "inspect.plan_state.running": "正在做",
    "inspect.plan_outcome.committed": "写成了新的规划",
    "inspect.plan_outcome.retained": "维持原样",
    "inspect.plan_outcome.unchanged": "没有写出新东西",
    "inspect.plan_outcome.invalid": "写出来的不成规划",
    "inspect.plan_outcome.failed": "失败",
    "inspect.plan_outcome.stale_write_rejected": "规划已被别人改过，没有覆盖",
    "inspect.plan_outcome.superseded": "改为规划更新的一拍",
    "inspect.plan_outcome.cancelled": "已取消",
    "inspect.plan_status.done": "完成",
    "inspect.plan_status.failed": "失败",
    "inspect.plan_status.refused": "没有做",
    "inspect.plan_status.skipped": "不必做",
}
