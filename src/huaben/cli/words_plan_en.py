"""Sentences about plans in English; a table of its own, like that of the library."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "inspect.plan": "The planning beside the turn: what was asked of whom, what came of it, and the plan. It may tell what is to come.",
    "inspect.plan_none": "Nothing has been planned after this turn.",
    "inspect.plan_standing": "Plan at this turn: revision {n}, {age} turns behind",
    "inspect.plan_empty": "There is no plan at this turn yet.",
    "inspect.plan_job": "Planning {n}: {outcome}",
    "inspect.plan_made": "plan revision {n}",
    "inspect.plan_tokens": "{calls} calls · {prompt} tokens in · {completion} out",
    "inspect.plan_took": "{n} s",
    "inspect.plan_attempts": "{n} attempts",
    "inspect.plan_left_out": "left out: {what}",
    "inspect.plan_no_ground": "rests on nothing named: {line}",
    "inspect.plan_state.waiting": "waiting",
    "inspect.plan_state.running": "running",
    "inspect.plan_outcome.committed": "a new plan",
    "inspect.plan_outcome.retained": "the plan stays",
    "inspect.plan_outcome.unchanged": "nothing new was written",
    "inspect.plan_outcome.invalid": "what was written cannot be a plan",
    "inspect.plan_outcome.failed": "failed",
    "inspect.plan_outcome.stale_write_rejected": "the plan had changed meanwhile",
    "inspect.plan_outcome.superseded": "a later turn was planned instead",
    "inspect.plan_outcome.cancelled": "cancelled",
    "inspect.plan_status.done": "done",
    "inspect.plan_status.failed": "failed",
    "inspect.plan_status.refused": "not done",
    "inspect.plan_status.skipped": "nothing to do",
}
