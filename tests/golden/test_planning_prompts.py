"""The exact prompts of the planning room in both languages, as files that are read like prose.

To accept a change: delete the file and run the test once; it then fails naming what it wrote.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.domain.plan.notes import PlanNote
from huaben.domain.plan.projection import for_writer
from huaben.domain.plan.rules import DIRECTOR, FUNCTIONS, Asked
from huaben.domain.project import Language
from huaben.prompt.planning import (
    compose_director,
    compose_expert,
    compose_route,
    labels,
    plan_block,
    plan_explained,
)
from huaben.prompt.segments import Prompt
from tests.unit.prompt.plan_scenes import first_turn, later_turn

FOLDER = Path(__file__).with_name("prompts")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_planners_prompts_are_byte_for_byte(language: Language) -> None:
    """Route, an expert, the director, and what a writer is shown."""
    scene = later_turn(language)
    advice = (PlanNote(4, "npc", "…", "judge_npc", 2, "…", True),)
    plan = scene.material.plan
    shown = plan_block(
        language, for_writer(plan, language, labels(language), 10_000, secrets=False)
    )
    told = [
        _told("route", compose_route(first_turn(language), FUNCTIONS)),
        *(
            f"tool {tool.name}: {tool.description}"
            for tool in compose_route(scene, FUNCTIONS).tools
        ),
        _told("second route", compose_route(scene, (DIRECTOR,), advice, as_text=True)),
        _told("expert", compose_expert(scene, Asked("audit_knowledge", "…", "…"))),
        _told("director", compose_director(scene, Asked(DIRECTOR), advice)),
        f"===== writer\n{plan_explained(language).text}\n\n{shown.text}",
        plan_block(language, None).text,
    ]
    file = FOLDER / f"planning.{language}.txt"
    text = "\n\n".join(told) + "\n"
    if not file.exists():
        file.write_text(text, "utf-8")
        pytest.fail(f"wrote {file.name}; read it and commit it")
    assert file.read_text("utf-8") == text


def _told(name: str, prompt: Prompt) -> str:
    return "\n".join(f"===== {name}: {one.zone} {one.role}\n{one.text}" for one in prompt.segments)
