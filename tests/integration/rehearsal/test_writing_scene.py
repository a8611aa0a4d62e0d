"""The rehearsal's writing scene: with no model connected chapters are read, written and changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from huaben.adapters.models.rehearsal.writing import load_scene
from huaben.domain.project import Language
from huaben.domain.story import Tree
from huaben.services import branching, chores, rehearsing
from huaben.services.performing import Company
from huaben.services.standing import ledger_at
from huaben.services.writing import chapters, reporting
from huaben.testing.manuscripts import MemoryManuscripts
from tests.integration.rehearsal.conftest import OpenHall
from tests.integration.rehearsal.hall import Hall, Watched


class Prompting(Watched):
    """The watched rehearsal, which knows what leads on at the desk too."""

    def desk_cue(self, language: Language, reports: list[str]) -> str:
        return self._inner.desk_cue(language, reports)


async def at_the_desk(hall_in: OpenHall, language: Language) -> Hall:
    """The hall with a manuscript of the shipped story."""
    hall = await hall_in(language, Prompting())
    house = replace(hall.house, manuscripts=MemoryManuscripts())
    project, _ = await rehearsing.found_rehearsal(house, language, mode="writing")
    await chores.begin(house)
    return Hall(house, Company(house), project, hall.models)


async def texts(hall: Hall) -> list[str]:
    names = (await chapters.list_chapters(hall.house, hall.project.id)).files
    found = [await chapters.read_chapter(hall.house, hall.project.id, name) for name in names]
    return [one.text for one in found]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_scene_is_played_from_its_cues(hall_in: OpenHall, language: Language) -> None:
    """Three chapters, two changed of three that were read, a fourth; off script and at the end a sentence that is
    honest; undo leads back to the same cue; the scribe has what the chapters tell."""
    hall = await at_the_desk(hall_in, language)
    scene = load_scene(language)
    first_cue = await hall.cue()
    assert first_cue == scene.turns[0].cue
    aside = await hall.say("Sing!" if language == "en" else "唱一段。")
    assert first_cue in aside.final_text
    assert await hall.cue() == first_cue
    first = await hall.say(first_cue)
    assert first.final_text == scene.turns[0].steps[-1].say
    before = await texts(hall)
    assert len(before) == 3
    assert not set(before) & {first.final_text}

    second = await hall.say(await hall.cue())
    after = await texts(hall)
    assert (after[2], len(after)) == (before[2], 3)
    assert after[0] != before[0]
    assert after[1].startswith(before[1].rstrip("\n"))
    reads = [tool.name for tool in (await hall.view(second)).tools]
    assert reads == ["read"] * 3 + ["edit"] * 2
    await branching.undo(hall.house, hall.project.id)
    assert await texts(hall) == before
    assert await hall.cue() == scene.turns[1].cue
    await branching.redo(hall.house, hall.project.id)

    await hall.say(await hall.cue())
    assert len(await texts(hall)) == 4
    assert await hall.cue() == ""
    assert (await hall.say("?")).final_text == scene.over
    await hall.house.jobs.idle()
    head = await hall.house.store.head(hall.project.id)
    assert head is not None
    tree = Tree(await hall.house.store.skeleton(hall.project.id))
    ledger = (await ledger_at(hall.house, tree, head.turn_id)).stood.standing.ledger
    assert ledger.flags

    await reporting.check(hall.house, hall.project.id)
    await hall.house.jobs.idle()
    report = (await reporting.show(hall.house, hall.project.id)).report
    assert report is not None
    assert [one.advisory for one in report.findings] == [False]
    await hall.house.jobs.close()


async def test_a_chapter_that_the_author_changed_is_left_alone(hall_in: OpenHall) -> None:
    """Where the prepared words stand no more the scene says so and changes nothing."""
    hall = await at_the_desk(hall_in, "zh")
    await hall.say(await hall.cue())
    names = sorted((await chapters.list_chapters(hall.house, hall.project.id)).files.items())
    (name, seen) = names[0]
    await chapters.save_chapter(hall.house, hall.project.id, name, "作者自己的话。", seen)
    said = await hall.say(await hall.cue())
    assert said.final_text == load_scene("zh").moved
    assert (await texts(hall))[0] == "作者自己的话。"
    await hall.house.jobs.close()
