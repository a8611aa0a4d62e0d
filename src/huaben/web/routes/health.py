"""Whether the server lives, and whether it can work."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben import __version__
from huaben.config import Settings
from huaben.errors import NoConnection
from huaben.ports import Page
from huaben.services.house import House
from huaben.web import schemas
from huaben.web.given import CompanyGiven, HouseGiven, SettingsGiven

router = APIRouter(prefix="/api", tags=["health"])


@router.get("/health", response_model=schemas.Health)
async def health() -> JSONResponse:
    """The server answers."""
    return JSONResponse({"status": "ok", "version": __version__})


@router.get("/ready", response_model=schemas.Readiness)
async def ready(house: HouseGiven, company: CompanyGiven, settings: SettingsGiven) -> JSONResponse:
    """The stored stories can be read; a problem when they cannot. Says whether a model is
    connected: without one everything but new turns works."""
    await house.store.projects(house.user_id, Page(limit=1))
    name = connected_model(house, settings)
    return JSONResponse(
        {
            "status": "ready",
            "version": __version__,
            "model": {"connected": name is not None, "name": name or ""},
            "running": len(company.running),
        }
    )


def connected_model(house: House, settings: Settings) -> str | None:
    """The name of the model that tells stories, or None. A connection says which model it reaches;
    a model without one has only its own name."""
    try:
        name = house.models.for_role("story").name
    except NoConnection:
        return None
    connection = settings.connection
    return connection.model if connection and connection.name == name else name
