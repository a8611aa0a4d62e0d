"""Backups of the whole library, and the way back: a preview first, then the word."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, JSONResponse, Response

from huaben.services import restoring
from huaben.services.backup import back_up, backup_state, made_json, vault_of
from huaben.web.given import BoardGiven, CompanyGiven, HouseGiven, Id
from huaben.web.receiving import file_pieces
from huaben.web.schemas_backup import BackupMade, BackupState, RestoreDone, RestoreOffered

router = APIRouter(prefix="/api", tags=["backup"])

_FORM: dict[str, object] = {
    "requestBody": {
        "required": False,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            }
        },
    }
}
_FILE: dict[int | str, dict[str, object]] = {
    200: {"description": "The archive.", "content": {"application/zip": {}}}
}
ArchiveNamed = Annotated[
    str | None,
    Query(max_length=200, description="A backup of the list, in the place of a file."),
]


@router.get("/backup", response_model=BackupState)
async def show_backups(house: HouseGiven) -> JSONResponse:
    """How long ago the last backup was, whether it is time for another, and which there are."""
    state = await backup_state(house)
    last = state.last
    told: dict[str, object] = {
        "last": None if last is None else {"at": last.at, "file": last.file, "bytes": last.bytes},
        "days": state.days,
        "turns": state.turns,
        "due": state.due,
        "items": [asdict(one) for one in state.archives],
    }
    return JSONResponse(told)


@router.post("/backup", status_code=201, response_model=BackupMade)
async def make_backup(house: HouseGiven) -> JSONResponse:
    """Back up the whole library into its own folder, while turns go on. Answers when the archive was
    written, synced and read back. No key of a connection is in it."""
    made = await back_up(house)
    return JSONResponse(made_json(made), 201, headers={"location": f"/api/backup/{made.path.name}"})


@router.get("/backup/{name}", response_class=FileResponse, responses=_FILE)
async def download_backup(house: HouseGiven, name: Id) -> FileResponse:
    """A backup as a file, to be kept elsewhere."""
    path = vault_of(house).place(name)
    return FileResponse(path, media_type="application/zip", filename=path.name)


@router.post("/restore", response_model=RestoreOffered, openapi_extra=_FORM)
async def preview_restore(
    request: Request, house: HouseGiven, archive: ArchiveNamed = None
) -> JSONResponse:
    """Look into a backup: what is in it, and what of the present library is not. Nothing is changed;
    the token that is given restores it."""
    if archive is not None:
        token, preview = await restoring.offer_kept(house, archive)
    else:
        kind = request.headers.get("content-type", "")
        pieces = file_pieces(request.stream(), kind)
        token, preview = await restoring.offer_received(house, pieces)
    return JSONResponse({"token": token, **restoring.preview_json(preview)})


@router.post("/restore/{token}", response_model=RestoreDone)
async def restore(
    house: HouseGiven, company: CompanyGiven, board: BoardGiven, token: Id
) -> JSONResponse:
    """Put the library of the backup in the place of the present one, all or nothing. The present one
    is backed up first. Refused while a turn runs. Whoever has the library open loads it anew."""
    restored = await restoring.restore(house, company, board, token)
    return JSONResponse(restoring.restored_json(restored))


@router.delete("/restore/{token}", status_code=204)
async def withdraw_restore(house: HouseGiven, token: Id) -> Response:
    """Let a preview go, and what was sent for it."""
    await restoring.withdraw(house, token)
    return Response(status_code=204)
