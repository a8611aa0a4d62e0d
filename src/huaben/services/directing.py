"""What a showrunner is given for a turn: its control model, the functions that exist, what is already paid for.
Apart from the context because the story's prompt does not depend on who directs.
"""

from __future__ import annotations

from collections.abc import Sequence

from huaben.agent.calling import Billing, Caller
from huaben.agent.showrunner import Direction
from huaben.domain.continuing import continues
from huaben.domain.messages import Reply
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.domain.story import Turn
from huaben.formats.scenario import scenario_of
from huaben.ports import CallRecord, Model
from huaben.prompt.segments import Piece
from huaben.prompt.showrunner import Offered, compose
from huaben.prompt.texts import phrase
from huaben.services import images
from huaben.services.house import House


def director(house: House, scenario: Scenario) -> Model | None:
    """The control model of a scenario; None where nobody directs. Raises `NoConnection`."""
    if scenario.performer.kind != "showrunner":
        return None
    return house.models.for_role("control", scenario.models.control or scenario.models.story)


def directed(
    house: House, project: Project, turn: Turn, calls: Sequence[CallRecord], plan: Piece
) -> Direction:
    """The direction of a turn. Where nothing draws, no picture can be asked for. Raises
    `NoConnection`."""
    scenario, language = scenario_of(project.config), project.language
    model = house.models.for_role("control", scenario.models.control or scenario.models.story)
    offered = Offered(
        images=images.painter_for(house, scenario) is not None,
        amendments=scenario.amendments.apply != "off",
    )
    words = phrase(language, "continue_sealed") if continues(turn) else turn.user_text
    seen = plan if scenario.showrunner.sees == "words+plan" else Piece("plan", "")
    prompt = compose(language, words, seen, offered)
    billing = Billing(turn.id, turn.project_id, turn.user_id, "control")
    caller = Caller(model, house.clock, house.ids, billing, prompt.outline(), house.prices)
    recorded: dict[tuple[str, int], Reply] = {
        (call.purpose, call.n): call.reply
        for call in calls
        if call.reply is not None and call.purpose in ("control", "story")
    }
    return Direction(turn.id, caller, prompt, offered, scenario.showrunner, recorded)
