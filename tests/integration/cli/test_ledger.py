"""`huaben ledger`, `recompute` and `summary` as a user runs them."""

from __future__ import annotations

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, Step, say
from tests.integration.cli.program import Program, writes

PATCH = """{"patch": {"inventory": ["旧伞"], "characters": {"沈砚": {"affinity": 5}},
 "flags": {"暗号": "三长两短"}}, "evidence": {"inventory": "旧伞", "characters.沈砚.affinity": "旧伞"}}"""


def scribe(asked: Asked) -> Step:
    return say(PATCH if "旧伞" in asked.last_text.split("【读者的话】")[1] else "{}")


def test_a_story_leaves_a_ledger_that_can_be_changed(program: Program) -> None:
    """What the scribe wrote is shown, what nothing supports is marked; edits, locks and taking back are
    versions."""
    program.lang = "zh"
    with ScriptedEndpoint.in_thread([writes("门后有一把旧伞。")], scribe=scribe) as endpoint:
        program.base_url = endpoint.base_url
        assert program.run("play", program.card, "--say", "门后有什么？").code == 0
    shown = program.run("ledger", "latest")
    assert shown.code == 0, shown.err
    assert shown.out.splitlines() == [
        "沈砚  +5",
        "暗号  三长两短  〔未证实〕",
        "随身  旧伞",
        "登场  沈砚、旧伞",
    ]
    edit = ["--set", "time=子时", "--set", "characters.沈砚.status=着凉", "--lock", "inventory"]
    changed = program.run("ledger", "latest", *edit)
    assert changed.out.splitlines()[:2] == ["时间  子时", "沈砚  +5 · 着凉"]
    assert "随身  旧伞  〔已锁〕" in changed.out
    history = program.run("ledger", "latest", "--history").out
    assert history.count("读者") == 1
    assert "time： → 子时" in history
    back = program.run("ledger", "latest", "--revert", "1")
    assert "子时" not in back.out
    (told,) = program.run("ledger", "latest", "--json").of("ledger")
    assert isinstance(told["ledger"], dict)
    assert told["ledger"]["claimed"] == ["flags.暗号"]


def test_wrong_edits_change_nothing(program: Program) -> None:
    """They are refused in words, by their place."""
    with ScriptedEndpoint.in_thread([writes("门后有一把旧伞。")], scribe=scribe) as endpoint:
        program.base_url = endpoint.base_url
        assert program.run("play", program.card, "--say", "门后有什么？").code == 0
    before = program.run("ledger", "latest").out
    for wrong in (
        ["--set", "weather=rain"],
        ["--set", "time"],
        ["--patch", "[1]"],
        ["--patch", '{"time": 3}'],
        ["--lock", "nowhere"],
        ["--revert", "99"],
    ):
        run = program.run("ledger", "latest", *wrong)
        assert run.code == 1, wrong
        assert len(run.err.strip().splitlines()) <= 2, run.err
    assert program.run("ledger", "latest").out == before
    assert program.run("summary", "latest").err.startswith("Nothing has been summarised")


def test_a_turn_is_read_again(program: Program) -> None:
    """First the difference; with --yes it is applied."""
    with ScriptedEndpoint.in_thread(
        [writes("门后有一把旧伞。")], scribe=[say("{}"), say(PATCH), say(PATCH)]
    ) as endpoint:
        program.base_url = endpoint.base_url
        assert program.run("play", program.card, "--say", "门后有什么？").code == 0
        looked = program.run("recompute", "latest", "1")
        assert looked.code == 0, looked.err
        assert 'inventory: [] → ["旧伞"]' in looked.out
        assert "Nothing is recorded" in program.run("ledger", "latest").err
        assert program.run("recompute", "latest", "1", "--yes").code == 0
    assert "旧伞" in program.run("ledger", "latest").out
