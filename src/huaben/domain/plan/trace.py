"""What happened in a planning job, node by node, and what came of it; apart from the job because a trace is
told to people and may be lost without harm (`planner.md` §7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Final, Literal, TypeAlias, cast, get_args

Outcome: TypeAlias = Literal[
    "committed",
    "retained",
    "unchanged",
    "invalid",
    "failed",
    "stale_write_rejected",
    "superseded",
    "cancelled",
]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
NodeKind: TypeAlias = Literal["snapshot", "route", "expert", "director", "validate", "commit"]
NodeStatus: TypeAlias = Literal["done", "failed", "refused", "skipped"]


@dataclass(frozen=True, slots=True)
class TraceNode:
    """One node. `under` names the node that led to it. Tokens are None where nothing was reported;
    `sizes` are characters of what went in, `left_out` counts what did not. `seconds` is the time
    taken with all attempts."""

    id: str
    kind: NodeKind
    name: str
    status: NodeStatus
    under: str = ""
    detail: str = ""
    model: str = ""
    call: str = ""
    attempts: int = 0
    seconds: float = 0.0
    prompt: int | None = None
    completion: int | None = None
    cached: int | None = None
    cost_micros: int | None = None
    currency: str = ""
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])
    lines: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        return (self.prompt or 0) + (self.completion or 0)


@dataclass(frozen=True, slots=True)
class PlanTrace:
    """The trace of a job: number `seq` of the project's plan lane. `base` and `revision` are the
    serials of the plan that it started from and of the one that it made (0: none). `outcome` is
    empty while it runs. Times are ISO-8601 UTC."""

    project_id: str
    seq: int
    turn_id: str
    beat: str
    began_at: str
    ended_at: str = ""
    outcome: Outcome | Literal[""] = ""
    detail: str = ""
    base: int = 0
    revision: int = 0
    turn: int = 0
    nodes: tuple[TraceNode, ...] = ()

    @property
    def tokens(self) -> int:
        return sum(node.tokens for node in self.nodes)


def nodes_to_json(nodes: Iterable[TraceNode]) -> list[object]:
    """`nodes_from_json` reads it back to equal values."""
    return [asdict(node) for node in nodes]


def nodes_from_json(value: object) -> tuple[TraceNode, ...]:
    """Raises `ValueError` or `TypeError` for what is none of ours. Fields that a newer program added
    are ignored."""
    if not isinstance(value, list):
        raise ValueError("the nodes of a trace are no list")
    known = {one.name for one in fields(TraceNode)}
    nodes: list[TraceNode] = []
    for one in cast("list[object]", value):  # each is looked at
        if not isinstance(one, dict):
            raise ValueError("a node of a trace is no object")
        stored = cast("dict[str, object]", one)  # keys of a JSON object are texts
        data = {name: given for name, given in stored.items() if name in known}
        data["lines"] = tuple(cast("list[str]", data.get("lines") or []))  # as `asdict` gave it
        nodes.append(TraceNode(**data))  # pyright: ignore[reportArgumentType] - written by us alone
    return tuple(nodes)
