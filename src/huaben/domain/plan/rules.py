"""What a planning job may and must do: the functions on offer, what forces one, and the budgets; apart from
running them because all of it follows from values (`planner.md` §3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, get_args

from huaben.domain.plan.notes import Expert

Director: TypeAlias = Literal["update_director_state"]
Function: TypeAlias = Literal[
    "analyze_plot",
    "judge_npc",
    "audit_knowledge",
    "simulate_world",
    "manage_callbacks",
    "direct_scene",
    "update_director_state",
]
"""The experts and the director; spelled out, because a scenario's file is held against it."""
DIRECTOR: Final[Director] = "update_director_state"
FUNCTIONS: Final[tuple[Function, ...]] = get_args(Function)
FIRST_TURN: Final[tuple[Expert, ...]] = ("judge_npc", "direct_scene")
NAMES_EXPERT: Final[Expert] = "judge_npc"

Refusal: TypeAlias = Literal["not_offered", "asked_twice", "over_calls"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A call of a function. `forced` says which rule wanted it, where no model did."""

    function: Function
    reason: str = ""
    focus: str = ""
    forced: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that is not carried out; `name` is as the model wrote it."""

    name: str
    why: Refusal


@dataclass(frozen=True, slots=True)
class Routed:
    """What a route came to: what is carried out, in the fixed order of the functions, and what was
    refused."""

    asked: tuple[Asked, ...]
    refused: tuple[Refused, ...] = ()

    @property
    def experts(self) -> tuple[tuple[Expert, Asked], ...]:
        return tuple((one.function, one) for one in self.asked if one.function != DIRECTOR)

    @property
    def director(self) -> Asked | None:
        return next((one for one in self.asked if one.function == DIRECTOR), None)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call as a model wrote it, not held against anything yet."""

    name: str
    reason: str = ""
    focus: str = ""


def source_turn(user_messages: int, messages: int) -> int:
    """Which turn of the story this is: the number of user messages, or half of all messages, rounded
    up, if that is more."""
    return max(user_messages, -(-messages // 2))


def forced(
    enabled: Sequence[Function], *, first_turn: bool, new_names: Sequence[str]
) -> tuple[Asked, ...]:
    """The experts that must be asked, whatever a model routes."""
    found: dict[Function, Asked] = {}
    if first_turn:
        found |= {name: Asked(name, forced="first_turn") for name in FIRST_TURN if name in enabled}
    if new_names and NAMES_EXPERT in enabled and NAMES_EXPERT not in found:
        names = ", ".join(new_names)
        found[NAMES_EXPERT] = Asked(NAMES_EXPERT, focus=names, forced=f"new_name: {names}")
    return _in_order(found.values())


def admitted(
    wanted: Sequence[Wanted], must: Sequence[Asked], offered: Sequence[Function], calls: int
) -> Routed:
    """Hold a model's calls against what is on offer and against the budget of `calls`; what must be
    done comes first and takes over the model's reason and focus."""
    refused: list[Refused] = []
    chosen: dict[Function, Asked] = {one.function: one for one in must}
    asked: set[Function] = set()
    for one in wanted:
        function: Function | None = next((each for each in offered if each == one.name), None)
        if function is None:
            refused.append(Refused(one.name, "not_offered"))
        elif function in asked:
            refused.append(Refused(function, "asked_twice"))
        else:
            asked.add(function)
            chosen[function] = _merged(function, one, chosen.get(function))
    within = list(chosen.values())[: max(0, calls)]
    refused += [Refused(one.function, "over_calls") for one in list(chosen.values())[len(within) :]]
    return Routed(_in_order(within), tuple(refused))


def _merged(function: Function, one: Wanted, must: Asked | None) -> Asked:
    if must is None:
        return Asked(function, one.reason, one.focus)
    return replace(must, reason=one.reason, focus=one.focus or must.focus)


def _in_order(asked: Iterable[Asked]) -> tuple[Asked, ...]:
    return tuple(sorted(asked, key=lambda one: FUNCTIONS.index(one.function)))
