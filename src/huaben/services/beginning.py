"""Which scenarios stories may be told with; apart from founding and changing because both ask it."""

from __future__ import annotations

from huaben.domain.scenario import Scenario
from huaben.errors import BadInput
from huaben.services.house import House


def scenario_for(house: House, name: str) -> Scenario:
    """The scenario of that name, for a story. Raises `NotFound`, `BadInput` for a broken one, and
    `BadInput("precompiled_entry")` for one whose words come in finished: it assembles nothing, and a
    story told with it would be told as if it said something else (performers §5)."""
    scenario = house.scenarios.named(name)
    if scenario.entry.kind == "precompiled":
        raise BadInput(
            "precompiled_entry",
            f"The scenario {name} passes on finished messages; no story can be told with it.",
            "Choose one whose entry.kind is closed_loop. Finished messages go to "
            "POST /v1/chat/completions.",
            scenario=name,
        )
    return scenario
