"""Plans over HTTP: what is in force, how it came about, what the user does with it (`web.md` §2)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import cast

import httpx

from huaben.testing.script import reply, stall
from huaben.web import schemas_plan as schemas
from huaben.web.app import create_app
from tests.integration.planning.stage import Room, a_room, state
from tests.integration.web.lobby import ADDRESS, theatre_in_memory
from tests.integration.web.table import settings_for
from tests.integration.web.test_story import undocumented


@asynccontextmanager
async def client_of(room: Room) -> AsyncGenerator[httpx.AsyncClient]:
    theatre = replace(
        theatre_in_memory(room.house.store, room.story), house=room.house, company=room.company
    )
    app = create_app(settings_for(Path("nowhere"), port=8720), lambda _: nullcontext(theatre))
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 50_000))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=ADDRESS, trust_env=False) as client,
    ):
        yield client


def at(room: Room, path: str = "") -> str:
    return f"/api/projects/{room.project.id}/plan{path}"


async def shown(client: httpx.AsyncClient, room: Room) -> schemas.PlanTold:
    answer = await client.get(at(room))
    assert answer.status_code == 200, answer.text
    told = schemas.PlanTold.model_validate_json(answer.content)
    assert undocumented(told) == []
    return told


async def changed(
    client: httpx.AsyncClient, room: Room, body: Mapping[str, object]
) -> schemas.PlanTold:
    answer = await client.patch(at(room), json=body)
    assert answer.status_code == 200, answer.text
    return schemas.PlanTold.model_validate_json(answer.content)


async def test_a_plan_before_the_first_commit_and_after() -> None:
    """Revision 0 with an empty state, but the headings are there; then what was committed, and how
    far it is behind."""
    async with a_room() as room, client_of(room) as client:
        before = await shown(client, room)
        assert (before.revision, before.state, before.age_turns) == (0, "", 0)
        assert before.headings[0] == "## 场景与时间"
        assert before.enabled
        await room.say("一。", plan=False)
        waiting = await shown(client, room)
        assert (waiting.revision, waiting.age_turns, waiting.planning) == (0, 1, [1])
        await room.plan()
        after = await shown(client, room)
        assert (after.revision, after.author, after.turn, after.age_turns) == (1, "planner", 1, 0)
        assert [
            line for line in after.state.splitlines() if line.startswith("## ")
        ] == after.headings
        assert [note.label for note in after.notes] == ["n1", "n2", "n3", "n4", "n5"]
        assert [note.advisory for note in after.notes] == [False, True, False, True, False]
        await room.say("二。")
        assert (await shown(client, room)).age_turns == 1


async def test_a_job_is_shown_as_a_tree_with_what_it_took() -> None:
    """Nodes under nodes, tokens, and the requests as they were sent."""
    async with a_room() as room, client_of(room) as client:
        turn = await room.say("一。")
        jobs = schemas.PlanJobs.model_validate_json((await client.get(at(room, "/jobs"))).content)
        assert undocumented(jobs) == []
        (job,) = jobs.items
        assert (job.number, job.turn, job.state, job.outcome) == (1, turn.id, "over", "committed")
        assert (job.base, job.revision, job.source_turn, job.calls) == (0, 1, 1, 5)
        assert job.prompt > 0
        under = {node.id: node.under for node in job.nodes}
        assert under["expert:judge_npc"] == "route:1"
        assert (under["commit"], under["validate"], under["director"]) == (
            "validate",
            "director",
            "route:2",
        )
        assert job.nodes[0].detail == "judge_npc: first_turn; direct_scene: first_turn"
        one = await client.get(at(room, "/jobs/1"))
        assert one.json() == jobs.model_dump()["items"][0]
        calls = (await client.get(at(room, "/jobs/1/calls"))).json()["items"]
        assert [call["purpose"] for call in calls].count("planner.expert") == 2
        trace = (await client.get(f"/api/turns/{turn.id}/trace")).json()["items"]
        assert {call["purpose"] for call in trace} == {"story"}
        usage = (await client.get(f"/api/projects/{room.project.id}/usage")).json()
        assert {"story", "planner.route", "planner.expert", "planner.director"} <= set(
            usage["purposes"]
        )
        assert (await client.get(at(room, "/jobs/9"))).status_code == 404


async def test_the_user_edits_locks_pins_and_drops() -> None:
    """Each a revision with its author; a lock that a director loses is put back."""
    async with a_room() as room, client_of(room) as client:
        await room.say("一。")
        mine = await changed(client, room, {"revision": 1, "state": state(0, s6="- 只用近景")})
        assert (mine.revision, mine.author) == (2, "user")
        locked = await changed(client, room, {"revision": 2, "locks": ["只用近景"]})
        assert locked.locked == ["- 只用近景"]
        marked = await changed(
            client,
            room,
            {
                "revision": 3,
                "notes": [{"number": 1, "pinned": True}, {"number": 2, "dropped": True}],
            },
        )
        assert [(n.pinned, n.dropped) for n in marked.notes[:2]] == [(True, False), (False, True)]
        room.planners.says["route"] = ["update_director_state"]
        await room.say("二。")
        after = await shown(client, room)
        assert (after.revision, after.locked) == (5, ["- 只用近景"])
        assert "第 2 版" in after.state
        await room.say("三。", plan=False)
        assert "只用近景" in room.written_to()
        answer = await client.get(at(room, "/revisions"))
        revisions = schemas.PlanRevisions.model_validate_json(answer.content)
        assert undocumented(revisions) == []
        told = [(one.revision, one.author, one.why) for one in revisions.items]
        assert told == [
            (5, "planner", "director"), (4, "user", "note"), (3, "user", "lock"),
            (2, "user", "edit"), (1, "planner", "director"),
        ]  # fmt: skip
        assert [(one.op, one.line) for one in revisions.items[3].changes] == [
            ("removed", "- 第 1 版 [m1]"),
            ("added", "- 第 0 版 [m1]"),
            ("added", "- 只用近景"),
        ]
        assert len(revisions.items[4].new_notes) == 5


async def test_pages_go_on_where_they_ended() -> None:
    """Revisions and jobs, newest first."""
    async with a_room({"route": ["update_director_state"]}) as room, client_of(room) as client:
        for text in ("一。", "二。", "三。"):
            await room.say(text)
        for path, key in (("/revisions", "serial"), ("/jobs", "number")):
            first = (await client.get(at(room, path), params={"limit": 2})).json()
            assert [one[key] for one in first["items"]] == [3, 2]
            rest = (await client.get(at(room, path), params={"before": first["next"]})).json()
            assert ([one[key] for one in rest["items"]], rest["next"]) == ([1], None)


async def test_what_cannot_be_done_is_refused_by_name() -> None:
    """Stale revisions, states without headings, lines and notes that are not there."""
    async with a_room() as room, client_of(room) as client:
        turn = await room.say("一。")

        async def refused(body: Mapping[str, object]) -> tuple[int, str]:
            answer = await client.patch(at(room), json=body)
            return answer.status_code, cast("str", answer.json()["code"])

        assert await refused({"revision": 0, "state": state(9)}) == (409, "stale")
        assert await refused({"revision": 1, "state": "没有标题"}) == (422, "plan_heading_missing")
        assert await refused({"revision": 1, "state": state(1, s1="长" * 9000)}) == (
            422,
            "plan_too_long",
        )
        assert await refused({"revision": 1, "locks": ["没有这一行"]}) == (
            422,
            "plan_line_not_found",
        )
        assert await refused({"revision": 1, "notes": [{"number": 99}]}) == (
            404,
            "plan_note_not_found",
        )
        assert await refused({"revision": 1, "sate": ""}) == (422, "unknown_field")
        over = await client.post(at(room, "/jobs/1/cancel"))
        assert (over.status_code, over.json()["code"]) == (409, "job_over")
        elsewhere = await client.post(at(room, "/jobs"), json={"turn": "nowhere"})
        assert elsewhere.status_code == 404
        await room.say("二。")
        again = await client.post(at(room, "/jobs"), json={"turn": turn.id})
        assert again.status_code == 202
        room.planners.says["update_director_state"] = state(5)
        await room.plan()
        assert await room.outcome() == "committed"
        assert (await shown(client, room)).state == state(5)


async def test_a_turn_is_planned_again_and_a_job_cancelled() -> None:
    """Both answer at once with the job; a plan that has gone on is not planned from behind."""
    async with a_room({"route": ["update_director_state"]}) as room, client_of(room) as client:
        first = await room.say("一。")
        second = await room.say("二。")
        behind = await client.post(at(room, "/jobs"), json={"turn": first.id})
        assert (behind.status_code, behind.json()["code"]) == (409, "plan_moved_on")
        room.planners.says["route"] = reply(stall())
        job = await client.post(at(room, "/jobs"), json={"turn": second.id})
        assert (job.status_code, job.json()["number"]) == (202, 3)
        twice = await client.post(at(room, "/jobs"), json={"turn": second.id})
        assert (twice.status_code, twice.json()["code"]) == (409, "plan_due")
        await room.planner.stalled.wait()
        running = schemas.PlanJobs.model_validate_json(
            (await client.get(at(room, "/jobs"))).content
        )
        assert [one.state for one in running.items] == ["running", "over", "over"]
        assert (await client.post(at(room, "/jobs/3/cancel"))).status_code == 202
        await room.jobs.idle()
        cancelled = (await client.get(at(room, "/jobs/3"))).json()
        assert (cancelled["state"], cancelled["outcome"]) == ("over", "cancelled")


async def test_the_planner_can_be_switched_off() -> None:
    """And on again; the plan stays readable."""
    async with a_room() as room, client_of(room) as client:
        await room.say("一。")
        answer = await client.put(at(room, "/enabled"), json={"enabled": False})
        assert (answer.json()["enabled"], answer.json()["revision"]) == (False, 1)
        await room.say("二。", plan=False)
        assert await room.due() == []
        await client.put(at(room, "/enabled"), json={"enabled": True})
        await room.say("三。")
        assert await room.outcome() == "retained"


async def test_a_project_tells_of_its_plan() -> None:
    """Its stream names who changed it, the turn's what came of its planning."""
    async with a_room() as room, client_of(room) as client:
        turn = await room.say("一。")
        await changed(client, room, {"revision": 1, "state": state(0)})
        logged = await room.house.store.project_events(room.project.id)
        told = [one.event.detail for one in logged if one.event.kind == "plan_changed"]
        assert told == [
            {"revision": 1, "author": "planner", "why": "director"},
            {"job": 1, "outcome": "committed"},
            {"revision": 2, "author": "user", "why": "edit"},
        ]
        events = [one.event for one in await room.house.store.events(turn.id)]
        assert [event.kind for event in events].count("plan") == 2
