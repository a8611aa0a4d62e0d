"""The plans of one project as the in-memory store keeps them; apart because the state fills its file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from huaben.domain.plan.revision import PlanRevision, plan_from_json, plan_to_json
from huaben.domain.plan.trace import PlanTrace, nodes_from_json, nodes_to_json
from huaben.errors import StorageFailed
from huaben.ports import Key


@dataclass(frozen=True, slots=True)
class Plans:
    """All revisions in the order of their writing, whose number is the revision, and the traces of
    jobs by their numbers."""

    revisions: tuple[PlanRevision, ...] = ()
    traces: Mapping[int, PlanTrace] = field(default_factory=dict[int, PlanTrace])
    revision: int = 0


class Holder(Protocol):
    """The part of the state that plans are kept in."""

    @property
    def counted(self) -> Mapping[Key, object]: ...


def plans(state: Holder, project_id: str) -> Plans:
    found = state.counted.get(("plan", project_id))
    return found if isinstance(found, Plans) else Plans()


def written(state: Holder, row: PlanRevision | PlanTrace) -> Mapping[Key, Plans]:
    """The plans of the row's project with the row, and where they are kept. A trace counts nothing."""
    node = row.node if isinstance(row, PlanRevision) else row.turn_id
    for key in (("project", row.project_id), ("turn", node)):
        if key not in state.counted:
            raise StorageFailed("missing_row", f"{key[0]} {key[1]} does not exist")
    before = plans(state, row.project_id)
    if isinstance(row, PlanRevision):
        plan = plan_from_json(json.loads(json.dumps(plan_to_json(row.plan))))
        serial = before.revision + 1
        new = replace(row, plan=plan, serial=serial)
        after = replace(before, revisions=(*before.revisions, new), revision=serial)
    else:
        nodes = nodes_from_json(json.loads(json.dumps(nodes_to_json(row.nodes))))
        after = replace(before, traces={**before.traces, row.seq: replace(row, nodes=nodes)})
    return {("plan", row.project_id): after}
