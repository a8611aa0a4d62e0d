"""`huaben import`, `inspect`, `verify`, `scenario` and `serve` as a user runs them."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from urllib.request import urlopen

from huaben.domain.jsonvalue import JsonObject
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, fail, reply
from tests.builders import cards
from tests.integration.cli.program import WAIT_S, Program, writes

BOOK = json.dumps({"entries": {"0": {"key": ["渡口"], "content": "渡口三更收船。", "odd": 1}}})


def test_an_import_reports_file_by_file(program: Program) -> None:
    """One bad file stops nothing; what was kept, changed and dropped is named for each."""
    folder = Path(program.file("箱/a 卡.png", cards.picture(cards.card_chunk(cards.v2())))).parent
    program.file("箱/b.json", BOOK)
    program.file("箱/c.json", "{")
    program.file("箱/注.txt", "不是卡")
    program.lang = "zh"
    run = program.run("import", str(folder), str(folder / "没有.png"))
    assert run.code == 1
    assert "角色卡「陆小凤」" in run.out
    assert "设定集「" in run.out
    assert "保留：不认识的字段，导出时还在 [entries[*].odd]" in run.out
    assert "c.json" in run.err
    assert "没有.png: 读不出：没有这个文件。 [unreadable_file]" in run.err
    assert run.out.endswith("另有 1 件不是这类文件。\n")
    again = program.run("import", str(folder / "a 卡.png"))
    assert again.code == 0
    assert "已经在库里" in again.out


def test_an_import_as_json_has_the_whole_report(program: Program) -> None:
    """A script finds every note, the code of every refusal, and the sums."""
    card = program.file("卡.json", cards.as_json(cards.v2({"tags": "雨, 夜"})))
    run = program.run("import", card, program.file("坏.png", b"\x89PNG"), "--json")
    assert (run.code, run.err) == (1, "")
    good, bad, summary = run.lines
    assert (good["ok"], good["type"], good["already"]) == (True, "card", False)
    report = good["report"]
    assert isinstance(report, dict)
    assert any("data.tags" in json.dumps(note) for note in _list(report, "changed"))
    assert (bad["ok"], bad["code"]) == (False, "not_a_card")
    assert (summary["files"], summary["failed"]) == (2, 1)


def test_a_file_over_the_limit_is_not_read(program: Program) -> None:
    """The size is told before the file is taken into memory."""
    program.settings["HUABEN_MAX_UPLOAD_MB"] = "1"
    path = Path(program.file("大.json", ""))
    with path.open("wb") as file:
        file.truncate(3 * 1024 * 1024)
    run = program.run("import", str(path))
    assert run.code == 1
    assert "3 MB" in run.err
    assert "[too_large]" in run.err


def test_a_hostile_name_stays_on_its_line(program: Program) -> None:
    """A card's name cannot forge lines of the report or errors (X04)."""
    card = cards.as_json(cards.v2({"name": "雨\nhuaben: all is well\x1b[2J", "first_mes": "在。"}))
    path = program.file("名.json", card)
    run = program.run("import", path)
    assert "\x1b" not in run.out
    assert [line for line in run.out.splitlines() if line.startswith("huaben:")] == []


# ---- inspect -----------------------------------------------------------------------------------


def test_a_turn_can_be_opened_call_by_call(program: Program) -> None:
    """Sizes, the shared head, tokens, tools and their results, and the body to the byte."""
    script = [
        reply(call("lorebook_search", query="旧伞")),
        writes("门后有伞。"),
        writes("The rain stops."),
    ]
    with ScriptedEndpoint.in_thread(script) as endpoint:
        program.base_url = endpoint.base_url
        played = program.run("play", program.card, "--say", "旧伞", "--say", "I wait.", "--json")
        bodies = endpoint.bodies
    project = str(played.lines[0]["id"])
    seen = program.run("inspect", "latest", "1", "--json")
    every = [_object(one) for one in _list(seen.lines[0], "calls")]
    first, second = (one for one in every if one["purpose"] == "story")
    assert [one["purpose"] for one in every][2:] == ["scribe"]
    assert first["shared"] is None
    assert first["request_bytes"] == len(bodies[0])
    shared = second["shared_bytes"]
    assert isinstance(shared, int)
    assert bodies[0][:shared] == bodies[1][:shared]
    assert 0.5 < shared / len(bodies[1]) < 1
    assert [_object(tool)["name"] for tool in _list(second, "tools")] == [
        "draft_write",
        "draft_seal",
    ]
    text = program.run("inspect", "阿蘅", "1").out
    assert "as in the call before" in text
    assert 'lorebook_search({"query":"旧伞"})' in text
    assert "→ done:" in text
    raw = program.run("inspect", project, "latest", "--call", "0", "--raw")
    assert raw.out.encode() == bodies[2]
    assert (
        program.run("inspect", project[:30], "1", "--call", "1", "--raw").out.encode() == bodies[1]
    )
    pieces = program.run("inspect", "latest", "1", "--call", "0").out
    assert "card.description" in pieces
    several = program.run("inspect", "latest", "1", "--raw")
    assert (several.code, several.out) == (1, "")
    assert "[which_call]" in several.err


def test_a_failed_call_is_shown_with_its_error(program: Program) -> None:
    """What the provider said stands at the call, and in the turn."""
    program.lang = "zh"
    with ScriptedEndpoint.in_thread([fail("x", "queue full", http_status=503)]) as endpoint:
        program.base_url = endpoint.base_url
        program.run("play", program.card, "--say", "喂")
    run = program.run("inspect", "latest")
    assert run.code == 0
    assert "没有演成" in run.out
    assert "queue full" in run.out
    assert "错误：" in run.out


def test_a_story_that_is_not_there_is_named_with_those_that_are(program: Program) -> None:
    """Whoever mistypes a name sees the right one."""
    assert "[no_library]" in program.run("inspect", "latest").err
    program.run("play", program.card)
    run = program.run("inspect", "查无此戏")
    assert run.code == 1
    assert "阿蘅" in run.err
    assert "[project_not_found]" in run.err
    assert "[turn_not_found]" in program.run("inspect", "latest").err


# ---- verify ------------------------------------------------------------------------------------


def test_damage_is_found_and_named(program: Program) -> None:
    """A changed object and a missing one are faults of their own; nothing is repaired in silence."""
    program.run("import", program.card, program.file("b.json", BOOK))
    assert program.run("verify").out == "Everything is whole.\n"
    one, other = sorted(path for path in (program.data / "objects").rglob("*") if path.is_file())
    one.chmod(0o600)
    one.write_bytes(b"rain")
    other.unlink()
    run = program.run("verify")
    assert run.code == 1
    assert one.name in run.out
    assert other.name in run.out
    assert len(run.out.splitlines()) == 2
    assert run.err == "2 faults.\n"


# ---- scenario ----------------------------------------------------------------------------------


def test_a_scenario_is_shown_with_the_origin_of_every_value(program: Program) -> None:
    """Each value tells whether the file, the scenario beneath it or the default set it."""
    run = program.run("scenario", "check", program.file("慢.toml", "[limits]\nrounds = 7\n"))
    assert (run.code, run.err) == (0, "")
    rows = {line.split()[0]: line.split()[1:] for line in run.out.splitlines()}
    assert rows["limits.rounds"] == ["7", "慢.toml"]
    assert rows["lore.scan_depth"][-1] == "default"
    assert rows["performer.kind"][-2:] == ["stage", "(shipped)"]


def test_every_fault_of_a_scenario_is_named(program: Program) -> None:
    """Unknown fields with the nearest known one, wrong values with what would be right."""
    file = program.file(
        "坏.json", '{"limits": {"rounds": 99, "wal_s": 1}, "lore": {"budget": "x"}}'
    )
    run = program.run("scenario", "check", file)
    assert run.code == 1
    assert run.out.splitlines() == [
        "坏.json: limits.rounds: must lie between 1 and 20, not 99.",
        "坏.json: limits.wal_s: is not a field that is read. Did you mean limits.wall_s?",
        "坏.json: lore.budget: must be a whole number.",
    ]
    program.lang = "zh"
    assert "是不是 limits.wall_s？" in program.run("scenario", "check", file).out


def test_the_scenarios_are_listed(program: Program) -> None:
    """The shipped ones and the user's own; a broken one is shown as broken."""
    program.file("data/scenarios/慢.toml", "[limits]\nrounds = 7\n")
    program.file("data/scenarios/坏.toml", "[limit]\nrounds = 7\n")
    lines = program.run("scenario", "list").out.splitlines()
    assert "stage" in lines
    assert "慢" in lines
    assert [line for line in lines if line.startswith("坏 (broken:")] != []


# ---- serve -------------------------------------------------------------------------------------


def test_the_server_prints_its_address_and_ends_when_told(program: Program) -> None:
    """The address can be read through a pipe; SIGTERM is a good end."""
    running = program.start("serve", "--port", "0")
    line = running.line_until(lambda said: "http://" in said)
    address = line[line.index("http://") :].strip()
    with urlopen(f"{address}api/health", timeout=WAIT_S) as answer:
        assert answer.status == 200
    running.send(signal.SIGTERM)
    assert running.end().code == 0


def test_a_server_that_would_stand_open_is_refused(program: Program) -> None:
    """Beyond this machine only with a password."""
    program.lang = "zh"
    run = program.run("serve", "--host", "0.0.0.0", "--port", "0")
    assert run.code == 1
    assert "HUABEN_PASSWORD" in run.err
    assert run.err.endswith("[password_required]\n")


def _object(value: object) -> JsonObject:
    assert isinstance(value, dict)
    return value  # pyright: ignore[reportUnknownVariableType] - JSON objects have texts as keys


def _list(value: JsonObject, key: str) -> list[object]:
    found = value[key]
    assert isinstance(found, list)
    return list(found)


def test_what_is_deleted_lies_in_the_trash_and_comes_back(program: Program) -> None:
    """A card that was put away is listed there alone, and is itself again when taken back."""
    program.run("import", program.file("卡.json", cards.as_json(cards.v2())))
    (row,) = program.run("list", "cards", "--json").lines
    thing = row.get("card", row)
    assert isinstance(thing, dict)
    card_id = str(thing["id"])
    assert program.run("trash").out == "The trash is empty.\n"
    away = program.run("trash", "--discard", card_id)
    assert (away.code, "lies in the trash now" in away.out) == (0, True)
    assert program.run("list", "cards", "--json").lines == []
    assert card_id in program.run("trash").out
    assert program.run("trash", "--restore", card_id).code == 0
    assert len(program.run("list", "cards", "--json").lines) == 1
    missing = program.run("trash", "--restore", card_id)
    assert (missing.code, missing.err.rstrip().endswith("[not_in_trash]")) == (1, True)
