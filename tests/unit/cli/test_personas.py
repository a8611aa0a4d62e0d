"""Persona files."""

from __future__ import annotations

from pathlib import Path

import pytest

from huaben.cli.failing import Told
from huaben.cli.personas import read_persona
from huaben.domain.project import Persona


@pytest.mark.parametrize(
    ("name", "content", "persona"),
    [
        ("我.json", '{"name": "阿青", "description": "撑伞的人"}', Persona("阿青", "撑伞的人")),
        ("me.json", '{"description": "A traveller."}', Persona("", "A traveller.")),
        ("我.md", "# 阿青\n\n撑伞的人。\n从北边来。", Persona("阿青", "撑伞的人。\n从北边来。")),
        ("me.txt", "\ufeffMira\nA traveller.\n", Persona("Mira", "A traveller.")),
        ("me.txt", "Mira", Persona("Mira", "")),
    ],
)
def test_a_persona_is_read_from_either_shape(
    tmp_path: Path, name: str, content: str, persona: Persona
) -> None:
    """A JSON object, or a text whose first line is the name."""
    path = tmp_path / name
    path.write_text(content, "utf-8")
    assert read_persona(path) == persona


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"{", "not valid JSON"),
        ("a.json", b"[1]", "must be an object"),
        ("a.json", b'{"name": 3}', "name must be a text"),
        ("a.json", b'{"nmae": "Mira"}', "nmae"),
        ("a.json", b"{}", "says nothing"),
        ("a.json", b"[" * 10_000, "not valid JSON"),
        ("a.txt", b"  \n ", "says nothing"),
        ("a.txt", b"\xff\xfe\x00", "not a UTF-8 text"),
        ("a.txt", ("雨" * 81).encode(), "more than 80 characters"),
    ],
)
def test_a_file_that_is_no_persona_is_refused(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    """What is wrong is named; nothing is guessed or left out in silence."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(Told, match=said):
        read_persona(path)
