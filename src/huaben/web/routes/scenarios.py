"""The scenarios that a project may be founded with: the shipped ones and the user's own."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse, Response

from huaben.errors import BadInput, Conflict
from huaben.formats.scenario import flat
from huaben.formats.scenario_text import scenario_fields
from huaben.services import images, scenariowriting
from huaben.services.house import House
from huaben.web import schemas, schemas_scenarios
from huaben.web.given import HouseGiven

router = APIRouter(prefix="/api/scenarios", tags=["scenarios"])


@router.get("", response_model=schemas.PageOf[schemas.ScenarioItem])
async def list_scenarios(house: HouseGiven) -> JSONResponse:
    """All scenarios with their resolved settings; a broken file is shown as broken and hides no
    other."""
    items = [_item(house, name) for name in house.scenarios.names()]
    return JSONResponse({"items": items, "next": None})


@router.get("/fields", response_model=schemas_scenarios.FieldsTold)
async def list_fields() -> JSONResponse:
    """Every field that may stand in a scenario, section by section."""
    return JSONResponse({"items": [asdict(field) for field in scenario_fields()]})


@router.post("/check", response_model=schemas_scenarios.ScenarioShown)
async def check_scenario(house: HouseGiven, given: schemas_scenarios.ScenarioTried) -> JSONResponse:
    """What a text would be under that name, or each fault in it. Nothing is kept."""
    return _shown(scenariowriting.try_text(_texts(house), given.name, given.text))


@router.get("/{name}", response_model=schemas_scenarios.ScenarioShown)
async def show_scenario(house: HouseGiven, name: str) -> JSONResponse:
    """One scenario as it is written, with the origin of every setting; a broken one with its faults."""
    return _shown(scenariowriting.look_at(_texts(house), name))


@router.put("/{name}", response_model=schemas_scenarios.ScenarioShown)
async def write_scenario(
    house: HouseGiven, name: str, given: schemas_scenarios.ScenarioWritten
) -> JSONResponse:
    """Keep a text as a scenario of one's own; one with faults is not kept. Stories go on with the
    settings that they have until they are given the scenario again."""
    return _shown(scenariowriting.write(_texts(house), name, given.text, given.hash))


@router.post("/{name}/copy", status_code=201, response_model=schemas_scenarios.ScenarioShown)
async def copy_scenario(
    house: HouseGiven, name: str, given: schemas_scenarios.CopyWanted
) -> JSONResponse:
    """Make a scenario of one's own that says the same as another."""
    return _shown(scenariowriting.copy(_texts(house), name, given.name), 201)


@router.delete("/{name}", status_code=204)
async def delete_scenario(
    house: HouseGiven, name: str, seen: Annotated[str, Query(alias="hash", max_length=64)]
) -> Response:
    """Take a scenario of one's own away. Stories go on with the settings that they have."""
    scenariowriting.remove(_texts(house), name, seen)
    return Response(status_code=204)


def _texts(house: House) -> scenariowriting.ScenarioTexts:
    if house.scenario_texts is None:
        raise Conflict("no_scenario_files", "This program keeps no scenario files.")
    return house.scenario_texts


def _shown(looked: scenariowriting.Looked, status: int = 200) -> JSONResponse:
    origins = looked.resolved.origins if looked.resolved else ()
    body: dict[str, object] = {
        "name": looked.name,
        "own": looked.own,
        "text": looked.text,
        "hash": looked.hash,
        "origins": [asdict(origin) for origin in origins],
        "faults": [asdict(fault) for fault in looked.faults],
    }
    return JSONResponse(body, status)


def _item(house: House, name: str) -> dict[str, object]:
    try:
        scenario = house.scenarios.named(name)
        lacks = ["image"] if images.lacks_painter(house, scenario) else []
        return {"name": name, "values": flat(scenario), "lacks": lacks}
    except BadInput as broken:
        return {"name": name, "fault": {"code": broken.code, "message": broken.message}}
