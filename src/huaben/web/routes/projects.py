"""Projects: founding them, finding them, moving about in their stories, following them."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from huaben.domain.project import Persona, ProjectKind
from huaben.services import branching, changing, founding, linking
from huaben.services.amending import stirrings
from huaben.services.house import House
from huaben.services.newer import newer_versions
from huaben.services.spending import project_usage
from huaben.services.stories import load_project, load_story
from huaben.web import bodies, schemas, shapes
from huaben.web.bodies_writing import MoveWanted
from huaben.web.documents import PROJECT_STREAM
from huaben.web.given import HouseGiven, Id, NamedPageGiven, Seen, StreamsGiven
from huaben.web.schemas_books import NewerList
from huaben.web.schemas_connections import UsageTold
from huaben.web.stream import BATCH, EventStream, follow_project

router = APIRouter(prefix="/api/projects", tags=["projects"])


@router.post("", status_code=201, response_model=schemas.ProjectFounded)
async def found_project(house: HouseGiven, wanted: bodies.ProjectWanted) -> JSONResponse:
    """Make a project on a card of the library; every greeting becomes an opening of its tree."""
    own = _own(wanted.persona) if wanted.persona else founding.NOBODY
    project, head = await founding.create_project(
        house,
        founding.Founding(
            title=wanted.title,
            mode=wanted.mode,
            card_id=wanted.card_id,
            lorebook_ids=tuple(wanted.lorebook_ids),
            persona=own,
            persona_id=wanted.persona_id,
            preset_id=wanted.preset_id,
            scenario=wanted.scenario,
            language=wanted.language,
            greeting_chapter=wanted.greeting_chapter,
        ),
    )
    place = f"/api/projects/{project.id}"
    body: dict[str, object] = {"id": project.id, "head": head.turn_id}
    linked = await linking.link_of_project(house, project)
    if linked is not None:
        body["notes"] = [linked.note()]
    return JSONResponse(body, 201, headers={"location": place})


@router.get("", response_model=schemas.PageOf[schemas.ProjectItem])
async def list_projects(
    house: HouseGiven, page: NamedPageGiven, kind: ProjectKind = "story"
) -> JSONResponse:
    """All projects, newest first; with `kind=precompiled` the records of what other front ends had
    passed on."""
    found, following = await house.store.projects(house.user_id, page, kind)
    return JSONResponse(shapes.page(found, following, shapes.project_item))


@router.get("/{project_id}", response_model=schemas.ProjectResource)
async def show_project(house: HouseGiven, project_id: Id) -> JSONResponse:
    """One project, where its story stands, and what runs or waits in it."""
    return await _told(house, project_id)


@router.get("/{project_id}/newer", response_model=NewerList)
async def list_newer(house: HouseGiven, project_id: Id) -> JSONResponse:
    """Newer versions of the card and the lorebooks of a story, which it goes on without until it is
    told to take them (`card_id`, `lorebook_ids`)."""
    found = await newer_versions(house, await load_project(house, project_id))
    items = [
        {"kind": one.kind, "pinned": one.pinned, "id": one.id, "name": one.name} for one in found
    ]
    return JSONResponse({"items": items})


@router.patch("/{project_id}", response_model=schemas.ProjectResource)
async def change_project(
    house: HouseGiven, project_id: Id, wanted: bodies.ProjectChanged
) -> JSONResponse:
    """Change what a project is made of. What is told stays told; the next turn names whatever of its
    prefix has moved."""
    change = changing.Change(
        title=wanted.title,
        lorebook_ids=None if wanted.lorebook_ids is None else tuple(wanted.lorebook_ids),
        persona=_own(wanted.persona) if wanted.persona else wanted.persona_id,
        scenario=wanted.scenario,
        card_id=wanted.card_id,
    )
    await changing.change_project(house, project_id, wanted.revision, change)
    return await _told(house, project_id)


async def _told(house: House, project_id: str) -> JSONResponse:
    # The number first: what happens while the rest is read is then told by the stream.
    seq = await house.store.last_seq(project_id)
    story = await load_story(house, project_id)
    return JSONResponse(shapes.project_resource(story, seq, await stirrings(house, project_id)))


@router.get("/{project_id}/events", response_class=Response, responses=PROJECT_STREAM)
async def follow(
    house: HouseGiven, streams: StreamsGiven, project_id: Id, seen: Seen
) -> EventStream:
    """What happens in a project, for a second tab or device; resumable, open for as long as
    somebody listens."""
    await load_project(house, project_id)
    begun = await house.store.project_events(project_id, seen, BATCH)
    return EventStream(follow_project(house.store, streams, project_id, seen, begun))


# ---- moving --------------------------------------------------------------------------------------


@router.post("/{project_id}/greeting", response_model=schemas.HeadMoved)
async def choose_greeting(
    house: HouseGiven, project_id: Id, wanted: bodies.GreetingWanted
) -> JSONResponse:
    """Stand on another opening; only before the first turn."""
    done = await branching.choose_greeting(house, project_id, wanted.index)
    return JSONResponse(shapes.moved(done))


@router.post("/{project_id}/undo", response_model=schemas.HeadMoved)
async def undo(house: HouseGiven, project_id: Id, wanted: MoveWanted | None = None) -> JSONResponse:
    """Take the last turn back; its words return to the box, the chapters that it changed become as before
    it. Nothing is deleted."""
    force = wanted is not None and wanted.force
    return JSONResponse(shapes.moved(await branching.undo(house, project_id, force=force)))


@router.post("/{project_id}/redo", response_model=schemas.HeadMoved)
async def redo(house: HouseGiven, project_id: Id, wanted: MoveWanted | None = None) -> JSONResponse:
    """Go forward again to where the story last came from, chapters and all."""
    force = wanted is not None and wanted.force
    return JSONResponse(shapes.moved(await branching.redo(house, project_id, force=force)))


@router.post("/{project_id}/head", response_model=schemas.HeadMoved)
async def move_head(house: HouseGiven, project_id: Id, wanted: bodies.HeadWanted) -> JSONResponse:
    """Stand on any node of the tree."""
    done = await branching.go_to(house, project_id, wanted.turn, force=wanted.force)
    return JSONResponse(shapes.moved(done))


@router.get("/{project_id}/usage", response_model=UsageTold)
async def show_usage(house: HouseGiven, project_id: Id) -> JSONResponse:
    """What its calls took: tokens fresh and cached, and cost, by turn and by purpose."""
    return JSONResponse(await project_usage(house, project_id))


def _own(given: bodies.PersonaGiven) -> Persona:
    return Persona(given.name, given.description)
