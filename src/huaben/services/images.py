"""Pictures of turns: made due by the seal, drawn by a job in a lane of their own, shown, tried again. Apart
from what else follows a turn, because drawing is slow and must hold up neither ledger nor memory.

A picture's state is in the log of its turn (`events.ImageChange`); its bytes are an object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from huaben.domain.events import ImageChange, ProjectEvent
from huaben.domain.image import markers
from huaben.domain.scenario import Scenario
from huaben.domain.story import Turn
from huaben.domain.turnview import TurnView
from huaben.errors import Conflict, HuabenError, NoConnection, NotFound, StorageFailed
from huaben.formats.scenario import scenario_of
from huaben.ports import Commit, Due, DueJob, Effect, Images, Stale, Step
from huaben.services.effects import Made, once
from huaben.services.house import House
from huaben.services.image_calls import call_for
from huaben.services.page_settings import read_page_settings
from huaben.services.stories import load_project, load_turn, load_view

KIND: Final = "image"
CHANGED: Final = "images_changed"
REHEARSAL: Final = "rehearsal"
"""The embedded model by name, which is no connection."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """What a seal orders: the jobs that draw, and the events that say so."""

    events: tuple[ImageChange, ...] = ()
    due: tuple[Due, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of a turn as it is now."""

    project_id: str
    turn_id: str
    image: ImageChange


def lane_of(project_id: str) -> str:
    return f"{project_id}/image"


def painter_for(house: House, scenario: Scenario) -> Images | None:
    """What draws the pictures of a scenario; None where nothing can, and then none may be asked for.
    The rehearsal draws its own, whatever is connected."""
    if house.painters is None:
        return None
    own = REHEARSAL if scenario.models.story == REHEARSAL else ""
    return house.painters.painter(scenario.models.image or own)


def lacks_painter(house: House, scenario: Scenario) -> bool:
    """Whether a scenario whose performer asks for pictures has nobody to draw them: its turns then go
    without."""
    return scenario.performer.kind == "showrunner" and painter_for(house, scenario) is None


def order(turn: Turn, view: TurnView) -> Ordered:
    """The pictures that a turn wished for and whose places are in the text that is sealed."""
    placed = {marker.id for marker in markers(turn.final_text)}
    wanted = [one for one in view.images if one.state == "wished" and one.image in placed]
    events = tuple(replace(one, state="pending", attempt=one.attempt + 1) for one in wanted)
    return Ordered(events, tuple(_due(turn, event) for event in events))


def _due(turn: Turn, image: ImageChange) -> Due:
    payload = {"turn": turn.id, "image": image.image, "attempt": image.attempt}
    return Due(lane_of(turn.project_id), KIND, payload)


# ---- the job -----------------------------------------------------------------------------------


async def carry_out(house: House, job: DueJob, step: Step) -> str:
    """Draw one picture, once. What failed is said in the turn's log, where Retry finds it."""
    turn_id, image_id = str(job.payload["turn"]), str(job.payload["image"])
    try:
        await step("draw", lambda: _draw(house, job, turn_id, image_id))
    except HuabenError as fault:
        code, message = fault.code, fault.message
        await step("failed", lambda: _fail(house, job, code, message))
        return f"failed: {code}: {message}"
    return "done"


async def _draw(house: House, job: DueJob, turn_id: str, image_id: str) -> Mapping[str, object]:
    async def make() -> Made:
        turn = await load_turn(house, turn_id)
        image = await _image_in(house, turn, image_id)
        await _check_kept(house, turn)
        painter = painter_for(house, scenario_of(turn.config))
        if painter is None:
            raise NoConnection(
                "no_image_connection",
                "No connection draws pictures.",
                "Give a connection the role image, then try again.",
            )
        hosts = (await read_page_settings(house)).picture_hosts
        paid = await call_for(house, painter, turn, image.prompt, hosts)
        kept = await house.objects.put(paid.drawn.content)
        kind = paid.drawn.media_type
        ready = replace(image, state="ready", object_hash=kept, media_type=kind)
        return replace(_telling(turn, ready), rows=(paid.closed,)), {"object": kept}

    return await once(house, f"{job.id}/drawn", make)


async def _check_kept(house: House, turn: Turn) -> None:
    """A story in the trash costs nothing more; its pictures can be tried again once it is back."""
    try:
        await load_project(house, turn.project_id)
    except NotFound:
        raise Conflict(
            "story_in_trash",
            "The story lies in the trash; its picture was not drawn.",
            "Take the story back, then try again.",
        ) from None


async def _fail(house: House, job: DueJob, code: str, message: str) -> Mapping[str, object]:
    async def make() -> Made:
        turn = await load_turn(house, str(job.payload["turn"]))
        image = await _image_in(house, turn, str(job.payload["image"]))
        return _telling(turn, replace(image, state="failed", code=code, message=message)), {}

    return await once(house, f"{job.id}/failed", make)


def _telling(turn: Turn, image: ImageChange) -> Commit:
    """Only what says so: a picture changes no text."""
    told = ProjectEvent(CHANGED, turn.id, {"image": image.image, "state": image.state})
    return Commit(events=((turn.id, image),), project_events=((turn.project_id, told),))


# ---- for the front doors -----------------------------------------------------------------------


async def show_image(house: House, image_id: str) -> Shown:
    """Raises `NotFound`, also for a picture of another user's turn."""
    turn_id, _, place = image_id.rpartition("-")
    if not turn_id or not place.isdecimal():
        raise NotFound.of("image", image_id)
    try:
        turn = await load_turn(house, turn_id)
    except NotFound:
        raise NotFound.of("image", image_id) from None
    return Shown(turn.project_id, turn.id, await _image_in(house, turn, image_id))


async def picture_of(house: House, image: ImageChange) -> bytes:
    """The bytes of a picture that is ready. Raises `NotFound("image_not_ready")`, `StorageFailed`."""
    if image.state != "ready":
        raise NotFound("image_not_ready", f"The picture {image.image} is {image.state}.")
    content = await house.objects.get(image.object_hash)
    if content is None:
        raise StorageFailed(
            "object_missing",
            f"The picture {image.image} lacks its object {image.object_hash}.",
            "Draw it again, or restore a backup.",
        )
    return content


async def retry(house: House, image_id: str) -> Shown:
    """Order a picture again that failed, or whose bytes or job are gone. Raises `NotFound`, and
    `Conflict` (`image_not_failed`, `image_pending`) where there is nothing to try."""
    shown = await show_image(house, image_id)
    before = shown.image
    await _check_lost(house, shown)
    turn = await load_turn(house, shown.turn_id)
    again = replace(
        before, state="pending", attempt=before.attempt + 1, code="", message="", object_hash=""
    )
    # Two that press it at once order one picture.
    ordered = Effect(f"{turn.project_id}/image/{image_id}/{again.attempt}", {})
    commit = replace(_telling(turn, again), rows=(ordered,), due=(_due(turn, again),))
    if isinstance(await house.store.commit(commit), Stale):
        return await show_image(house, image_id)
    house.jobs.nudge()
    return replace(shown, image=again)


async def _check_lost(house: House, shown: Shown) -> None:
    image = shown.image
    match image.state:
        case "failed":
            return
        case "ready" if await house.objects.has(image.object_hash):
            raise Conflict("image_not_failed", f"The picture {image.image} is there.")
        case "ready":
            return
        case "pending" | "wished":
            jobs = await house.store.due(lane_of(shown.project_id))
            if image.state == "wished" or any(j.payload["image"] == image.image for j in jobs):
                raise Conflict("image_pending", f"The picture {image.image} is still to be drawn.")


async def _image_in(house: House, turn: Turn, image_id: str) -> ImageChange:
    view = await load_view(house, turn.id)
    for image in view.images:
        if image.image == image_id:
            return image
    raise NotFound.of("image", image_id)
