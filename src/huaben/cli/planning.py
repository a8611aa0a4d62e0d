"""`huaben inspect --plan`: the stored trace of a turn's planning, and the plan in force there; apart from the
calls of a reply because it is told as a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from huaben.cli.speaking import one_line, printable, put, put_json, shortened, voice

if TYPE_CHECKING:
    from huaben.services.house import House
    from huaben.services.planning.showing import Shown

WIDTH = 160
_STYLES: Mapping[str, str] = {"failed": "red", "refused": "yellow", "skipped": "dim"}
_say = voice().say


async def show_planning(house: House, project_id: str, turn_id: str, *, as_json: bool) -> None:
    """What was planned after a turn, and the plan that is in force there."""
    from huaben.services.planning.showing import jobs_of, show_plan

    plan = await show_plan(house, project_id, turn_id)
    jobs = await jobs_of(house, project_id, turn_id)
    if as_json:
        put_json({"kind": "plan", "plan": dict(plan), "jobs": [dict(job) for job in jobs]})
        return
    if not jobs:
        put(_say("inspect.plan_none"), "dim")
    for job in jobs:
        _print_job(job)
    if plan["revision"] == 0:
        put(_say("inspect.plan_empty"), "dim")
        return
    numbers = (str(plan["revision"]), str(plan["age_turns"]))
    put(_say("inspect.plan_standing", n=numbers[0], age=numbers[1]), "bold")
    put(printable(str(plan["state"])))


def _print_job(job: Shown) -> None:
    outcome = str(job["outcome"])
    key = f"plan_outcome.{outcome}" if outcome else f"plan_state.{job['state']}"
    put(_say("inspect.plan_job", n=str(job["number"]), outcome=_say(f"inspect.{key}")), "bold")
    if job["detail"]:
        put(f"  {one_line(str(job['detail']))}")
    tokens = {name: str(job[name]) for name in ("calls", "prompt", "completion")}
    put(f"  {_say('inspect.plan_tokens', **tokens)}", "dim")
    nodes = cast("Sequence[Mapping[str, object]]", job["nodes"])  # as `showing` gives them
    depth: dict[str, int] = {}
    for node in nodes:
        depth[str(node["id"])] = depth.get(str(node["under"]), 0) + 1
        _print_node(node, depth[str(node["id"])])


def _print_node(node: Mapping[str, object], depth: int) -> None:
    status = str(node["status"])
    facts = [str(node["name"] or node["kind"]), _say(f"inspect.plan_status.{status}")]
    if node["model"]:
        facts.append(one_line(str(node["model"])))
    if node["prompt"] is not None:
        facts.append(f"{node['prompt']} + {node['completion'] or 0}")
    if node["seconds"]:
        facts.append(_say("inspect.plan_took", n=str(node["seconds"])))
    if isinstance(node["attempts"], int) and node["attempts"] > 1:
        facts.append(_say("inspect.plan_attempts", n=node["attempts"]))
    pad = "  " * depth
    put(f"{pad}{' · '.join(facts)}", _STYLES.get(status, "cyan"))
    if node["detail"]:
        put(f"{pad}  {shortened(str(node['detail']), WIDTH)}", "dim")
    left_out = cast("Mapping[str, int]", node["left_out"])  # as `trace` writes it
    for what, count in left_out.items():
        put(f"{pad}  {_say('inspect.plan_left_out', what=f'{count} {what}')}", "dim")
    for line in cast("Sequence[str]", node["lines"]):  # as `trace` writes it
        put(f"{pad}  {_say('inspect.plan_no_ground', line=shortened(line, WIDTH))}", "yellow")
