"""Presets, personas, regex scripts and the author's note from the command line."""

from __future__ import annotations

import json

from tests.integration.cli.program import CARD, Program

PRESET = {
    "openai_max_tokens": 1,
    "temperature": 0.5,
    "proxy_password": "hunter2",
    "prompts": [{"identifier": "main", "content": "写。"}],
    "prompt_order": [{"character_id": 100001, "order": [{"identifier": "main"}]}],
}
TEMPLATE = {"name": "Lines", "input_sequence": "> ", "output_sequence": "< "}
PERSONAS = {
    "personas": {"a.png": "Ann", "l.png": "林"},
    "persona_descriptions": {"l.png": {"description": "借伞的人。"}},
}
SCRIPT = {"scriptName": "藏", "findRegex": "/<s>/", "placement": [2], "promptOnly": True}


def test_all_kinds_come_in_and_are_listed(program: Program) -> None:
    """By their content; what a preset says of a connection is told and not kept."""
    files = {"t.json": TEMPLATE, "p.json": PRESET, "q.json": PERSONAS, "s.json": [SCRIPT]}
    paths = [program.file(name, json.dumps(value).encode()) for name, value in files.items()]
    done = program.run("import", *map(str, paths), "--json")
    assert [one["type"] for one in done.of("import")] == [
        *("preset", "preset", "persona", "scripts")
    ]
    assert "hunter2" not in done.out
    assert "proxy_password" in done.out
    names = [one["name"] for one in program.run("list", "personas", "--json").lines]
    assert sorted(map(str, names)) == ["Ann", "林"]
    assert "runs" in program.run("scripts").out
    listed = {
        str(one["name"]): one.get("unused")
        for one in program.run("list", "presets", "--json").lines
    }
    assert listed == {"Lines": "instruct", "p": None}


def test_a_story_is_dressed_and_given_a_note(program: Program) -> None:
    """By names; and shown again as it is."""
    preset = program.file("夜.json", json.dumps(PRESET).encode())
    personas = program.file("q.json", json.dumps(PERSONAS).encode())
    card = program.file("卡.json", json.dumps(CARD).encode())
    program.run("import", str(preset), str(personas), str(card))
    from_list = program.run("list", "cards", "--json").lines[0]["id"]
    founded = program.run("play", str(from_list), "--json", "--scenario", "rehearsal")
    assert founded.code in (0, 1), founded.err
    worn = program.run("wear", "latest", "--preset", "夜", "--persona", "林", "--json").lines[0]
    assert worn["preset_id"]
    assert worn["persona_id"]
    assert "林" in program.run("wear", "latest").out
    note = program.run("note", "latest", "--set", "慢些。", "--interval", "2", "--json").lines[0]
    assert (note["text"], note["interval"]) == ("慢些。", 2)
    assert "慢些。" in program.run("note", "latest").out
    off = program.run("wear", "latest", "--preset", "none", "--json").lines[0]
    assert off["preset_id"] is None
    unknown = program.run("wear", "latest", "--preset", "没有")
    assert unknown.code == 1


def test_items_leave_as_files(program: Program) -> None:
    """By name; a preset without what opens a connection, and a name that several have by its kind."""
    ann: dict[str, object] = {**PRESET, "reverse_proxy": "https://hidden.example"}
    files = {"Ann.json": ann, "q.json": PERSONAS, "s.json": [SCRIPT]}
    paths = [program.file(name, json.dumps(value).encode()) for name, value in files.items()]
    program.run("import", *map(str, paths))
    assert json.loads(program.run("export", "藏", "-o", "-").out) == [SCRIPT]
    several = program.run("export", "Ann", "-o", "-")
    assert (several.code, "ambiguous_name" in several.err) == (1, True)
    left = json.loads(program.run("export", "Ann", "--to", "preset", "-o", "-").out)
    assert left == {key: value for key, value in PRESET.items() if key != "proxy_password"}
    assert "item_not_found" in program.run("export", "Ann", "--to", "quick-replies").err
