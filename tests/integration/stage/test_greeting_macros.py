"""What a greeting decides holds for its whole story (M11)."""

from __future__ import annotations

from huaben.services import branching
from huaben.services.stories import load_story
from tests.integration.stage.conftest import Table
from tests.integration.wearing.test_presets_played import a_table, card_with

WEARS = "{{setvar::coat::{{random::red::blue}}}}He wears {{getvar::coat}}."
GREEN = "{{setvar::coat::绿}}他穿着{{getvar::coat}}衣。"


def coats(table: Table, call: int) -> tuple[str, str]:
    """The coat that the description tells, and the greeting."""
    (_, system), (_, greeting), *_ = table.contents(call)
    told = system.partition("Coat: ")[2].split()[0]
    return told, greeting.rpartition(" ")[2].rstrip(".")


async def test_m11_a_greetings_choice_is_the_storys() -> None:
    """One value in greeting and description, the same in every turn; stories choose apart."""
    seen: set[str] = set()
    for _ in range(12):
        table = await a_table(card_with(first_mes=WEARS, description="Coat: {{getvar::coat}}"))
        await table.say("我推门。")
        await table.say("And then?")
        first, later = coats(table, 0), coats(table, 1)
        assert first == later == (first[0], first[0])
        seen.add(first[0])
    assert seen == {"red", "blue"}


async def test_m11_another_greeting_decides_anew_before_the_first_turn() -> None:
    """The description follows the opening that the story begins with."""
    described = card_with(
        first_mes=WEARS, alternate_greetings=[GREEN], description="Coat: {{getvar::coat}}"
    )
    table = await a_table(described)
    roots = (await load_story(table.house, table.project.id)).tree.roots()
    await branching.go_to(table.house, table.project.id, roots[1].id)
    await table.say("我推门。")
    (_, system), (_, greeting), *_ = table.contents(0)
    assert "Coat: 绿" in system
    assert greeting.endswith("他穿着绿衣。")
