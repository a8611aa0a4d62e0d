"""One turn: shown, followed, answered, stopped, resumed, sealed, told again, changed."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from huaben.services import branching, playing
from huaben.services.continuing import continue_sealed
from huaben.services.house import House
from huaben.services.scripts_shown import displayed_turn
from huaben.services.stories import load_turn
from huaben.services.viewing import show_turn, turn_json
from huaben.web import bodies, schemas, shapes
from huaben.web.documents import TURN_STREAM
from huaben.web.given import CompanyGiven, HouseGiven, Id, Seen, StreamsGiven
from huaben.web.stream import BATCH, EventStream, follow_turn
from huaben.web.tags import IfMatch, tag_of, version_in

router = APIRouter(prefix="/api/turns/{turn_id}", tags=["turns"])


async def _told(house: House, turn_id: str) -> Mapping[str, object]:
    shown = await show_turn(house, turn_id)
    displayed = await displayed_turn(house, shown)
    return {**displayed.beside(turn_json(shown)), "events": shapes.events_of(turn_id)}


@router.get("", response_model=schemas.TurnResource)
async def show(house: HouseGiven, turn_id: Id) -> JSONResponse:
    """A turn with its draft, its question and its text in force."""
    return JSONResponse(await _told(house, turn_id))


@router.get("/events", response_class=Response, responses=TURN_STREAM)
async def follow(house: HouseGiven, streams: StreamsGiven, turn_id: Id, seen: Seen) -> EventStream:
    """The turn as it happens: resumable, closes at the `end` of its newest run. Whoever leaves
    changes nothing."""
    await load_turn(house, turn_id)
    begun = await house.store.events(turn_id, seen, BATCH)
    return EventStream(follow_turn(house.store, streams, turn_id, seen, begun))


# ---- while it runs -------------------------------------------------------------------------------


@router.post("/answer", status_code=202, response_model=schemas.TurnResource)
async def answer(
    house: HouseGiven, company: CompanyGiven, turn_id: Id, given: bodies.AnswerGiven
) -> JSONResponse:
    """Answer the open question; of several clients the first wins."""
    await playing.answer(house, company, turn_id, given.answer)
    return JSONResponse(await _told(house, turn_id), 202)


@router.post("/stop", response_model=schemas.TurnResource)
async def stop(house: HouseGiven, company: CompanyGiven, turn_id: Id) -> JSONResponse:
    """Stop the turn; what was written is kept. A queued turn is taken back."""
    turn = await playing.stop(house, company, turn_id)
    if turn.deleted:
        return JSONResponse({**shapes.begun(turn), "user_text": turn.user_text})
    return JSONResponse(await _told(house, turn_id))


@router.post("/resume", status_code=202, response_model=schemas.TurnResource)
async def resume(house: HouseGiven, company: CompanyGiven, turn_id: Id) -> JSONResponse:
    """Go on with an unfinished turn: Resume, Retry, Continue."""
    await playing.resume(house, company, turn_id)
    return JSONResponse(await _told(house, turn_id), 202)


# ---- when it has ended ---------------------------------------------------------------------------


@router.post("/seal", response_model=schemas.TurnResource)
async def seal(
    house: HouseGiven,
    company: CompanyGiven,
    turn_id: Id,
    wanted: bodies.SealWanted | None = None,
) -> JSONResponse:
    """Seal an unfinished turn; a partial write becomes a version first."""
    with_tail = wanted is None or wanted.with_tail
    await playing.seal(house, company, turn_id, with_tail=with_tail)
    return JSONResponse(await _told(house, turn_id))


@router.post("/discard", response_model=schemas.TurnResource)
async def discard(house: HouseGiven, company: CompanyGiven, turn_id: Id) -> JSONResponse:
    """Give an unfinished turn up: the head goes back, its words return to the box."""
    await playing.discard(house, company, turn_id)
    return JSONResponse(await _told(house, turn_id))


@router.post("/variants", status_code=202, response_model=schemas.TurnBegun)
async def tell_again(
    house: HouseGiven,
    company: CompanyGiven,
    turn_id: Id,
    wanted: bodies.VariantWanted | None = None,
) -> JSONResponse:
    """Another telling of the turn; with other words it is edit and resend."""
    text = wanted.text if wanted else None
    turn = await playing.make_variant(house, company, turn_id, text)
    place = {"location": f"/api/turns/{turn.id}"}
    return JSONResponse(shapes.begun(turn), 202, headers=place)


@router.post("/continue", status_code=202, response_model=schemas.TurnBegun)
async def go_on(house: HouseGiven, company: CompanyGiven, turn_id: Id) -> JSONResponse:
    """Go on from the end of the latest sealed reply: what the model writes is appended to it, by a
    revision that Undo takes back."""
    turn = await continue_sealed(house, company, turn_id)
    place = {"location": f"/api/turns/{turn.id}"}
    return JSONResponse(shapes.begun(turn), 202, headers=place)


@router.post("/draft", response_model=schemas.TurnResource)
async def restore_draft(
    house: HouseGiven, turn_id: Id, wanted: bodies.VersionWanted
) -> JSONResponse:
    """Put an earlier version of the draft back, as a new version."""
    await playing.restore_draft(house, turn_id, wanted.restore)
    return JSONResponse(await _told(house, turn_id))


@router.delete("", response_model=schemas.HeadMoved)
async def delete(house: HouseGiven, turn_id: Id) -> JSONResponse:
    """Put a variant aside; never generates. The only variant of a turn is undone instead."""
    return JSONResponse(shapes.moved(await branching.delete_variant(house, turn_id)))


# ---- the final text ------------------------------------------------------------------------------


@router.get("/final", response_model=schemas.FinalText)
async def show_final(house: HouseGiven, turn_id: Id) -> JSONResponse:
    """The final text in force at the head, with its version as `ETag`."""
    return await _final(house, turn_id)


@router.put("/final", response_model=schemas.FinalText)
async def change_final(
    house: HouseGiven,
    turn_id: Id,
    given: bodies.TextGiven,
    if_match: IfMatch = None,
) -> JSONResponse:
    """Change a final text of this branch. `If-Match` names the version that was changed; the old
    text stays on other branches and behind Undo."""
    await branching.rewrite_final(house, turn_id, given.text, version_in(if_match))
    return await _final(house, turn_id)


async def _final(house: House, turn_id: str) -> JSONResponse:
    shown = await show_turn(house, turn_id)
    text = shown.text
    body = {"text": text.text, "version": text.version}
    return JSONResponse(body, headers=tag_of(text.version))
