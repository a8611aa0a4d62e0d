"""The address that other front ends ask as if it were a provider: their messages go on untouched, the answer comes
back as it came. Errors are in the form of that address, not in ours."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, Header, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from huaben.errors import HuabenError
from huaben.services.precompiled import Desk, Relay
from huaben.services.precompiled_plan import Wish
from huaben.web.completion_form import NEVER_KEPT, TURN, refused

# Its form is another's, described elsewhere; the document is of ours.
router = APIRouter(prefix="/v1", include_in_schema=False)


async def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


PlanNamed: TypeAlias = Annotated[str, Header(alias="Huaben-Plan")]
PlanPlace: TypeAlias = Annotated[str, Header(alias="Huaben-Plan-Inject")]
DeskGiven: TypeAlias = Annotated[Desk, Depends(_desk)]


@router.get("/models", response_class=JSONResponse)
async def list_models(desk: DeskGiven) -> JSONResponse:
    """Every name that a request may ask for."""
    listed = [
        {"id": name, "object": "model", "created": 0, "owned_by": "huaben"}
        for name in desk.models()
    ]
    return JSONResponse({"object": "list", "data": listed}, headers=NEVER_KEPT)


@router.get("/models/{model_id:path}", response_class=JSONResponse)
async def show_model(desk: DeskGiven, model_id: str) -> JSONResponse:
    """One of these names."""
    try:
        desk.passage(model_id)
    except HuabenError as failure:
        return refused(failure)
    return JSONResponse({"id": model_id, "object": "model", "created": 0, "owned_by": "huaben"})


@router.post("/chat/completions", response_class=Response)
async def complete(
    desk: DeskGiven, request: Request, plan: PlanNamed = "", inject: PlanPlace = ""
) -> Response:
    """Pass a finished request on. Its messages, tools and unknown fields travel to the byte; only
    `model` is put in the connection's own words. With `Huaben-Plan` the planner works on it too, and
    `Link` leads to the plan, which is shown to the model only with `Huaben-Plan-Inject: tail`."""
    try:
        relay = await desk.ask(await request.body(), Wish(plan, inject))
    except HuabenError as failure:
        return refused(failure)
    headers = {**NEVER_KEPT, TURN: relay.turn_id}
    if relay.planned:
        headers["link"] = f'</api/projects/{relay.planned}/plan>; rel="related"; title="plan"'
    if relay.streams:
        return StreamingResponse(
            relay.pieces(), headers=headers, media_type="text/event-stream; charset=utf-8"
        )
    return await _whole(relay, headers)


async def _whole(relay: Relay, headers: Mapping[str, str]) -> Response:
    pieces: AsyncIterator[bytes] = relay.pieces()
    body = b"".join([piece async for piece in pieces])
    return Response(body, headers=dict(headers), media_type="application/json")
