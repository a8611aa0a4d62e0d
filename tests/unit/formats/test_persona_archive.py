"""Personas with their pictures in one file."""

from __future__ import annotations

import io
import zipfile

import pytest

from huaben.domain.persona import Link, SavedPersona
from huaben.formats import persona_archive
from huaben.formats.persona_archive import read_archive, write_archive
from huaben.formats.personas import Kept

LIN = Kept(SavedPersona("林", "借伞的人。", links=(Link("group", "g"),), avatar="林.png"), {"x": 1})
ANN = Kept(SavedPersona("Ann", avatar="a.png", default=True), {})


def test_what_goes_in_comes_out() -> None:
    """Both personas with every field, and the one picture, by the same bytes each time."""
    data = write_archive([LIN, ANN], {"林.png": b"face"})
    found = read_archive(data)
    assert found is not None
    assert found.file.personas == (LIN, ANN)
    assert found.pictures == {"林.png": b"face"}
    assert write_archive(found.file.personas, found.pictures) == data


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 torn", b'{"personas": {}}'])
def test_any_other_file_is_none(data: bytes) -> None:
    """Neither what is no archive, nor one without a backup in it."""
    assert read_archive(data) is None
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("personas.json", data)
        made.writestr("User Avatars/a.png", b"face")
    assert read_archive(packed.getvalue()) is None


def test_a_picture_that_unpacks_into_too_much_stays_out() -> None:
    """It is named; the persona comes all the same."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("personas.json", '{"personas": {"a.png": "Ann"}, "persona_descriptions": {}}')
        made.writestr("User Avatars/a.png", bytes(persona_archive.MAX_PICTURE + 1))
    found = read_archive(packed.getvalue())
    assert found is not None
    assert [one.persona.name for one in found.file.personas] == ["Ann"]
    assert found.pictures == {}
    assert [(one.code, one.path) for one in found.file.report.dropped] == [
        ("persona_picture_lost", "User Avatars/a.png")
    ]
