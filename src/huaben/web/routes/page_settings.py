"""What the user allows the page; in force when it is loaded next."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import JSONResponse

from huaben.services.page_settings import PageSettings, read_page_settings, write_page_settings
from huaben.web.bodies import Asked, Text
from huaben.web.given import HouseGiven
from huaben.web.schemas import Told

router = APIRouter(prefix="/api/settings", tags=["settings"])


class PageSettingsGiven(Asked):
    """`revision` is the one that was seen, 0 where nothing was set."""

    picture_hosts: list[Text] = Field(max_length=200)
    revision: int = Field(ge=0)


class PageSettingsTold(Told):
    """`picture_hosts`: pictures of these hosts are fetched, by HTTPS; those of no others are."""

    picture_hosts: list[str]
    revision: int


@router.get("/page", response_model=PageSettingsTold)
async def show(house: HouseGiven) -> JSONResponse:
    """What the page may do."""
    return JSONResponse(_told(await read_page_settings(house)))


@router.put("/page", response_model=PageSettingsTold)
async def change(house: HouseGiven, given: PageSettingsGiven) -> JSONResponse:
    """Put settings in the place of those with that revision."""
    wanted = PageSettings(tuple(given.picture_hosts), given.revision)
    return JSONResponse(_told(await write_page_settings(house, wanted)))


def _told(settings: PageSettings) -> dict[str, object]:
    return {"picture_hosts": list(settings.picture_hosts), "revision": settings.revision}
