"""Presets, personas, regex scripts and quick replies come in by their content, one by one and many at once,
and nothing that opens a connection is stored anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from huaben.errors import BadInput, HuabenError
from huaben.ports import Page
from huaben.services import importing, items, library
from huaben.services.importing import Item
from tests.integration.jobs.yard import Yard, uploads

PRESET = {
    "temperature": 0.8,
    "openai_max_tokens": 400,
    "reverse_proxy": "https://hunter2.example",
    "proxy_password": "hunter2",
    "prompts": [{"identifier": "main", "content": "写。"}],
    "prompt_order": [{"character_id": 100001, "order": [{"identifier": "main"}]}],
}
SCRIPT = {"scriptName": "藏状态", "findRegex": "/<s>.*<\\/s>/g", "placement": [2]}
PERSONAS = {
    "personas": {"a.png": "Ann", "l.png": "林"},
    "persona_descriptions": {"a.png": {"description": "x", "position": 0}},
    "default_persona": None,
}
REPLIES = {"version": 2, "name": "常用", "qrList": [{"label": "hi", "message": "/echo hi"}]}
SETTINGS = {
    "power_user": {**PERSONAS, "theme": "dark"},
    "oai_settings": {"proxy_password": "hunter2"},
    "extension_settings": {"regex": [SCRIPT]},
}
CARD = {"name": "沈砚", "description": "账房。", "first_mes": "「打烊了。」"}


def packed(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (PRESET, "preset"),
        (SCRIPT, "scripts"),
        ([SCRIPT], "scripts"),
        (PERSONAS, "persona"),
        (REPLIES, "quick_replies"),
        (SETTINGS, "persona"),
        (CARD, "card"),
        ({"name": "s", "content": "Write."}, "preset"),
    ],
)
async def test_a_file_is_told_by_its_content(yard: Yard, value: object, kind: str) -> None:
    """And the very bytes a second time add nothing."""
    done = await library.import_any(yard.house, packed(value), "file.json")
    assert done.kind == kind
    again = await library.import_any(yard.house, packed(value), "other.json")
    assert (again.kind, again.already) == (kind, True)


async def test_a_file_of_several_brings_each(yard: Yard) -> None:
    """Two personas, and of an installation's settings its scripts too."""
    done = await library.import_any(yard.house, packed(SETTINGS), "settings.json")
    assert [one.kind for one in done.also] == ["persona", "scripts"]
    found, _ = await items.list_items(yard.house, "persona", Page())
    assert {one.name for one in found} == {"Ann", "林"}


async def taken(yard: Yard, files: Mapping[str, object]) -> list[Item]:
    """Import these files as one job and give the results."""
    arriving: dict[str, bytes | HuabenError] = {name: packed(files[name]) for name in files}
    import_id = await importing.begin(yard.house, uploads(arriving))
    await yard.patiently(yard.jobs.idle())
    job = await importing.load_import(yard.house, import_id)
    return (await importing.items(yard.house, job, Page()))[0]


async def test_nothing_of_a_connection_is_stored(yard: Yard) -> None:
    """Not in rows, not in objects, also on the way of a bulk import."""
    yard.start()
    await library.import_any(yard.house, packed(PRESET), "p.json")
    await library.import_any(yard.house, packed(SETTINGS), "s.json")
    keys = {"api_key_openai": "hunter2"}
    files = {"p.json": PRESET, "t.json": {**PRESET, "temperature": 1}, "secrets.json": keys}
    shown = await taken(yard, files)
    assert [(one.fate, one.kind) for one in shown] == [
        ("already", "preset"),
        ("imported", "preset"),
        ("refused", ""),
    ]
    found, _ = await items.list_items(yard.house, "preset", Page())
    assert "hunter2" not in json.dumps([one.content for one in found])
    assert b"hunter2" not in b"".join(yard.objects.contents.values())
    assert "proxy_password" in json.dumps(found[1].report)


async def test_many_files_at_once_are_told_apart(yard: Yard) -> None:
    """Each with its own kind; a second import adds nothing."""
    yard.start()
    values = (PRESET, [SCRIPT], SETTINGS, REPLIES, CARD, PRESET)
    files = {f"{number}.json": value for number, value in enumerate(values)}
    first, second = await taken(yard, files), await taken(yard, files)
    kinds = ["preset", "scripts", "persona", "quick_replies", "card", "preset"]
    assert [one.kind for one in first] == kinds
    assert [one.fate for one in first] == [*["imported"] * 5, "already"]
    assert {one.fate for one in second} == {"already"}


async def test_an_item_goes_out_as_it_came(yard: Yard) -> None:
    """A preset without its connection, one script as one object, a persona as a backup of one."""
    preset = await library.import_any(yard.house, packed({**PRESET, "openai_model": "m"}), "p.json")
    file = await items.export_item(yard.house, "preset", preset.id)
    assert b"hunter2" not in file.content
    assert json.loads(file.content)["prompts"] == PRESET["prompts"]
    assert "openai_model" not in json.loads(file.content)
    script = await library.import_any(yard.house, packed(SCRIPT), "s.json")
    assert json.loads((await items.export_item(yard.house, "scripts", script.id)).content) == SCRIPT
    personas = await library.import_any(yard.house, packed(PERSONAS), "x.json")
    one = json.loads((await items.export_item(yard.house, "persona", personas.id)).content)
    assert one["personas"] == {"a.png": "Ann"}
    replies = await library.import_any(yard.house, packed(REPLIES), "x.json")
    sent = await items.export_item(yard.house, "quick_replies", replies.id)
    assert json.loads(sent.content) == REPLIES


async def test_a_file_of_another_kind_is_refused(yard: Yard) -> None:
    """By the door of one kind."""
    with pytest.raises(BadInput, match="preset"):
        await library.import_item(yard.house, "preset", packed(SCRIPT), "s.json")
    done = await library.import_item(yard.house, "scripts", packed(SETTINGS), "s.json")
    assert done.kind == "persona"
    with pytest.raises(BadInput):
        await library.import_any(yard.house, b'{"unknown": 1}', "x.json")


async def test_what_is_read_is_not_run(yard: Yard) -> None:
    """A set that would start by itself is only listed."""
    eager = {**REPLIES, "qrList": [{"label": "x", "message": "/del", "executeOnStartup": True}]}
    done = await library.import_any(yard.house, packed(eager), "q.json")
    assert "quick_reply_by_itself" in json.dumps(done.report)
