"""Named saves and the map over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import say
from huaben.web.schemas import PageOf
from huaben.web.schemas_saves import MapPointTold, MapRunTold, MapTold, SaveTold
from tests.integration.web.lobby import lobby
from tests.integration.web.table import Table, problem, read, serve


async def saves_of(table: Table, project_id: str) -> list[SaveTold]:
    answer = await table.client.get(f"/api/projects/{project_id}/saves")
    assert answer.status_code == 200, answer.text
    return PageOf[SaveTold].model_validate_json(answer.content).items


async def test_a_save_goes_through_its_life(tmp_path: Path) -> None:
    """Made at a turn, renamed, gone to, put into the trash and taken back; the project's stream
    tells of each change."""
    script = [say("灯还亮着。"), say("The rain stops.")]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        first = await table.play(project.id, "看灯。")
        await table.play(project.id, "等雨停。")
        path = f"/api/projects/{project.id}/saves"
        made = await table.post(path, {"name": " 灯下 ", "turn": first.id})
        save = SaveTold.model_validate_json(made.content)
        assert (made.status_code, made.headers["location"]) == (201, f"/api/saves/{save.id}")
        assert (save.name, save.turn, save.number, save.on_branch) == ("灯下", first.id, 1, True)
        await table.told(path, {"name": "此刻"})
        assert [one.name for one in await saves_of(table, project.id)] == ["此刻", "灯下"]
        renamed = await table.client.patch(
            f"/api/saves/{save.id}", json={"name": "By the lamp", "revision": save.revision}
        )
        assert SaveTold.model_validate_json(renamed.content).name == "By the lamp"
        moved = await table.told(f"/api/projects/{project.id}/head", {"turn": save.turn})
        assert moved["head"] == first.id
        assert [one.on_branch for one in await saves_of(table, project.id)] == [False, True]
        gone = await table.client.delete(f"/api/saves/{save.id}")
        assert (gone.status_code, gone.content) == (204, b"")
        assert [one.name for one in await saves_of(table, project.id)] == ["此刻"]
        assert (await table.client.get(f"/api/saves/{save.id}")).status_code == 404
        await table.told(f"/api/trash/save/{save.id}/restore")
        shown = read(await table.client.get(f"/api/saves/{save.id}"))
        assert shown["name"] == "By the lamp"
        events = await table.theatre.house.store.project_events(project.id)
        changed = [one.event.turn for one in events if one.event.kind == "saves_changed"]
        assert changed == [first.id, save_turn(await saves_of(table, project.id)), *[first.id] * 2]


def save_turn(saves: list[SaveTold]) -> str:
    return next(one.turn for one in saves if one.name == "此刻")


async def test_a_map_folds_the_tree(tmp_path: Path) -> None:
    """Runs with their turns, forks with the words that begin their branches, saves by name."""
    script = [say(f"第{n}拍。") for n in range(6)]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        fork = await table.play(project.id, "一")
        for words in ("二", "三"):
            await table.play(project.id, words)
        await table.told(f"/api/projects/{project.id}/saves", {"name": "三之后"})
        await table.told(f"/api/projects/{project.id}/head", {"turn": fork.id})
        last = await table.play(project.id, "另一条路：\n往东")
        answer = await table.client.get(f"/api/projects/{project.id}/map")
        told = MapTold.model_validate_json(answer.content)
        assert told.head == last.id
        opening, point, run, save, present = told.items
        assert isinstance(opening, MapRunTold)
        assert isinstance(run, MapRunTold)
        assert isinstance(point, MapPointTold)
        assert isinstance(save, MapPointTold)
        assert isinstance(present, MapPointTold)
        assert (opening.turns, opening.variants, point.marks) == (0, 1, ["fork"])
        assert (run.turns, run.words, run.on_path) == (1, "二", False)
        assert (save.marks, [one.name for one in save.saves]) == (["save"], ["三之后"])
        assert (present.marks, present.words) == (["present"], "另一条路： 往东")
        assert [item.after for item in told.items] == [
            None,
            opening.id,
            point.id,
            run.id,
            point.id,
        ]


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("GET", "/api/projects/missing/saves", None, "project_not_found"),
        ("GET", "/api/projects/missing/map", None, "project_not_found"),
        ("POST", "/api/projects/missing/saves", {"name": "x"}, "project_not_found"),
        ("POST", "/api/projects/missing/saves", {"name": " "}, "blank_name"),
        ("POST", "/api/projects/missing/saves", {"name": "雨" * 101}, "name_too_long"),
        ("POST", "/api/projects/missing/saves", {"title": "x"}, "missing_field"),
        ("PATCH", "/api/saves/missing", {"name": "x", "revision": 1}, "save_not_found"),
        ("PATCH", "/api/saves/missing", {"name": "x"}, "missing_field"),
        ("DELETE", "/api/saves/missing", None, "save_not_found"),
        ("GET", "/api/saves/missing", None, "save_not_found"),
    ],
)
async def test_what_is_not_there_or_not_a_name_is_refused(
    method: str, path: str, body: dict[str, object] | None, code: str
) -> None:
    """With a code for scripts."""
    async with lobby() as client:
        _, told = problem(await client.request(method, path, json=body))
        assert told.code == code
