"""The scenarios that a project may be founded with: the shipped ones and the user's own."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben.errors import BadInput
from huaben.formats.scenario import flat
from huaben.services import images
from huaben.services.house import House
from huaben.web import schemas
from huaben.web.given import HouseGiven

router = APIRouter(prefix="/api/scenarios", tags=["scenarios"])


@router.get("", response_model=schemas.PageOf[schemas.ScenarioItem])
async def list_scenarios(house: HouseGiven) -> JSONResponse:
    """All scenarios with their resolved settings; a broken file is shown as broken and hides no
    other."""
    items = [_item(house, name) for name in house.scenarios.names()]
    return JSONResponse({"items": items, "next": None})


def _item(house: House, name: str) -> dict[str, object]:
    try:
        scenario = house.scenarios.named(name)
        lacks = ["image"] if images.lacks_painter(house, scenario) else []
        return {"name": name, "values": flat(scenario), "lacks": lacks}
    except BadInput as broken:
        return {"name": name, "fault": {"code": broken.code, "message": broken.message}}
