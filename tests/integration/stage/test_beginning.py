"""Which scenarios stories may be told with."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from huaben.domain.scenario import Entry, Scenario
from huaben.errors import BadInput
from huaben.services import changing, founding, library
from huaben.services.changing import Change
from huaben.services.founding import Founding
from huaben.testing.models import ScriptedModel
from huaben.testing.script import reply, say
from huaben.testing.store import MemoryStore
from tests.integration.stage.conftest import make_house


@dataclass(frozen=True)
class Two:
    """One scenario for stories, and one whose words come in finished."""

    def named(self, name: str) -> Scenario:
        kind = "precompiled" if name == "转交" else "closed_loop"
        return Scenario(name=name, entry=Entry(kind))

    def names(self) -> list[str]:
        return ["stage", "转交"]


async def test_no_story_is_told_with_a_scenario_that_assembles_nothing() -> None:
    """Neither begun with it nor given it later; the refusal names it and says what to do."""
    house = make_house(MemoryStore(), ScriptedModel(lambda _: reply(say("好。"))))
    house = replace(house, scenarios=Two())
    card = await library.import_card(house, b'{"name": "\xe9\x98\xbf\xe8\x98\x85"}', "a.json")
    for wish in (
        Founding(card_id=card.id, scenario="转交"),
        Founding(mode="writing", title="A book", scenario="转交"),
    ):
        with pytest.raises(BadInput, match="转交") as refused:
            await founding.create_project(house, wish)
        assert refused.value.code == "precompiled_entry"
        assert "closed_loop" in refused.value.hint
    project, _ = await founding.create_project(house, Founding(card_id=card.id))
    with pytest.raises(BadInput, match="no story can be told with it"):
        await changing.change_project(house, project.id, 1, Change(scenario="转交"))
