"""`huaben play` by a script: what is printed, how it ends, how a story goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from huaben.domain.events import from_data
from huaben.domain.turnview import replay
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import call, fail, reply, say
from tests.integration.cli.program import Program, writes

ASKS = reply(call("ask", question="去河边吗？", options=["去", "不去"]))


def test_json_tells_the_project_the_events_and_the_turn(program: Program) -> None:
    """Each line is an object; the events replay to the prose that the turn's own object gives."""
    with ScriptedEndpoint.in_thread([writes("雨停了。")]) as endpoint:
        program.base_url = endpoint.base_url
        run = program.run("play", program.card, "--say", "我推门", "--json")
    assert (run.code, run.err) == (0, "")
    first, *events, last = run.lines
    assert (first["kind"], first["title"], first["new"]) == ("project", "阿蘅", True)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert all(event["turn"] == last["id"] for event in events)
    view = replay(from_data(str(event["kind"]), event) for event in events)
    assert view.final is not None
    assert view.final.text == "雨停了。"
    assert (last["kind"], last["status"], last["final_text"]) == ("turn", "sealed", "雨停了。")
    assert last["project"] == first["id"]


def test_text_is_the_final_prose_alone(program: Program) -> None:
    """A pipe gets the prose of each turn and nothing else, to the character."""
    tales = ["雨停了。\n\n她抬头。", "[bold]Dawn[/bold] 👩‍👩‍👧 \t."]
    with ScriptedEndpoint.in_thread([writes(tale) for tale in tales]) as endpoint:
        program.base_url = endpoint.base_url
        run = program.run("play", program.card, "--say", "我推门", "--say", "I wait.")
        assert json.loads(endpoint.bodies[1])["messages"][-2]["content"] == tales[0]
    assert (run.code, run.err) == (0, "")
    assert run.out == f"{tales[0]}\n\n{tales[1]}\n"


def test_the_same_card_continues_its_story_unless_told_otherwise(program: Program) -> None:
    """The bytes of the card decide, not the name of its file; `--new` begins another story."""
    copy = program.file("copies/另一个名字.json", Path(program.card).read_bytes())
    with ScriptedEndpoint.in_thread([writes(f"第{n}拍。") for n in range(3)]) as endpoint:
        program.base_url = endpoint.base_url
        one = program.run("play", program.card, "--say", "一", "--json")
        two = program.run("play", copy, "--say", "二", "--json")
        three = program.run("play", "阿蘅", "--say", "三", "--json", "--new")
        assert "第0拍。" in endpoint.bodies[1].decode()
        assert "第0拍。" not in endpoint.bodies[2].decode()
    assert two.lines[0]["id"] == one.lines[0]["id"]
    assert two.lines[0]["new"] is False
    assert two.turn["number"] == 2
    assert three.lines[0]["id"] != one.lines[0]["id"]
    assert three.turn["number"] == 1


def test_a_question_without_an_answer_waits_for_the_next_run(program: Program) -> None:
    """Exit 1 and the question; the next run answers it by number, and pays no call twice."""
    with ScriptedEndpoint.in_thread([ASKS, writes("她去了。")]) as endpoint:
        program.base_url = endpoint.base_url
        asked = program.run("play", program.card, "--say", "走吧", "--say", "然后呢", "--json")
        assert asked.code == 1
        assert asked.turn["status"] == "waiting"
        assert asked.turn["ask"] == {"question": "去河边吗？", "options": ["去", "不去"]}
        assert "去河边吗？" in asked.err
        assert "1. 去; 2. 不去" in asked.err
        assert "[ask_open]" in asked.err
        assert "One line was not said." in asked.err
        again = program.run("play", program.card, "--say", "喂")
        assert again.code == 1
        assert "[ask_open]" in again.err
        assert again.out == ""
        answered = program.run("play", program.card, "--answer", "1", "--json")
        assert len(endpoint.received) == 2
        assert '{\\"answer\\":\\"去\\"' in endpoint.bodies[1].decode().replace(" ", "")
    assert (answered.code, answered.err) == (0, "")
    assert answered.of("answered")[0]["answer"] == "去"
    assert answered.turn["id"] == asked.turn["id"]
    assert answered.turn["final_text"] == "她去了。"


def test_a_question_with_an_answer_goes_on(program: Program) -> None:
    """Answers are used in order; one that nobody asked for is named."""
    with ScriptedEndpoint.in_thread([ASKS, writes("她留下了。")]) as endpoint:
        program.base_url = endpoint.base_url
        line = ["--say", "走吧", "--answer", "再等等", "--answer", "多余"]
        run = program.run("play", program.card, *line)
    assert (run.code, run.out) == (0, "她留下了。\n")
    assert run.err == "One answer was not needed.\n"


def test_an_answer_without_a_question_is_refused(program: Program) -> None:
    """An answer is not taken for words."""
    program.base_url = "http://127.0.0.1:9/v1"
    run = program.run("play", program.card, "--answer", "去")
    assert run.code == 1
    assert "[no_open_ask]" in run.err


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "or HUABEN_BASE_URL"), ("zh", "还没有接上模型。请设服务商的密钥")],
)
def test_without_a_model_it_says_what_to_set(program: Program, lang: str, said: str) -> None:
    """One line with the code and what to do, in the user's language; nothing is stored as said."""
    program.lang = lang
    run = program.run("play", program.card, "--say", "我推门")
    assert (run.code, run.out) == (1, "")
    assert said in run.err
    assert run.err.endswith("[no_connection]\n")
    assert run.err.count("\n") == 1


def test_an_endpoint_that_is_not_there_is_named(program: Program) -> None:
    """The turn has failed with the reason; what comes after it was not said."""
    program.base_url = "http://127.0.0.1:9/v1"
    run = program.run("play", program.card, "--say", "一", "--say", "二", "--json")
    assert run.code == 1
    assert run.turn["status"] == "failed"
    assert run.of("error")[0]["code"] == "connection_failed"
    assert "[connection_failed]" in run.err
    assert "One line was not said." in run.err


def test_a_refusal_of_the_provider_is_told_with_what_to_do(program: Program) -> None:
    """The provider's status and the hint of its code stand in the line."""
    program.lang = "zh"
    refusal = fail("x", "bad key", http_status=401, retryable=False)
    with ScriptedEndpoint.in_thread([refusal]) as endpoint:
        program.base_url = endpoint.base_url
        run = program.run("play", program.card, "--say", "一")
    assert run.code == 1
    assert "401" in run.err
    assert "检查这个连接的密钥。" in run.err
    assert "[unauthorized]" in run.err


def test_a_turn_that_is_not_sealed_has_not_worked(program: Program) -> None:
    """A draft that was left open is no final text: nothing is printed as one, and it is kept."""
    script = [reply(call("draft_write", version=0, content="半稿。")), say(""), say("")]
    with ScriptedEndpoint.in_thread(script) as endpoint:
        program.base_url = endpoint.base_url
        run = program.run("play", program.card, "--say", "一")
    assert (run.code, run.out) == (1, "")
    assert "[not_sealed]" in run.err


def test_a_story_begins_with_what_was_named_for_it(program: Program) -> None:
    """Persona and lorebook reach the prompt; on a story that goes on they are named as ignored."""
    persona = program.file("我.md", "# 青衣客\n从北边来，不带伞。")
    book = program.file(
        "设定.json", json.dumps({"entries": {"0": {"key": ["渡口"], "content": "渡口三更收船。"}}})
    )
    options = ["--persona", persona, "--lorebook", book, "--scenario", "stage"]
    with ScriptedEndpoint.in_thread([writes("一。"), writes("二。")]) as endpoint:
        program.base_url = endpoint.base_url
        first = program.run("play", program.card, *options, "--say", "我到了渡口")
        sent = endpoint.bodies[0].decode()
        assert "青衣客" in sent
        assert "从北边来" in sent
        assert "渡口三更收船" in sent
        other = program.file("别人.txt", "Mira")
        second = program.run("play", program.card, *options[2:], "--persona", other, "--say", "二")
        assert "Mira" not in endpoint.bodies[1].decode()
    assert (first.code, first.err) == (0, "")
    assert second.code == 0
    assert "--persona" in second.err
    assert "--new" in second.err
    assert "--lorebook" not in second.err


def test_a_card_that_is_nowhere_is_named(program: Program) -> None:
    """Neither a file nor in the library: said with what was meant."""
    run = program.run("play", "查无此人", "--say", "喂")
    assert run.code == 1
    assert "查无此人" in run.err
    assert "[card_not_found]" in run.err


def test_a_file_that_is_no_card_is_refused(program: Program) -> None:
    """The reader's own reason and code."""
    run = program.run("play", program.file("笔记.json", '{"a": 1}'), "--say", "喂")
    assert run.code == 1
    assert "[not_a_card]" in run.err


def test_each_line_of_standard_input_is_said_or_answers(program: Program) -> None:
    """A file or a program speaks as a script does; a command would be prose, so it is refused."""
    script = [writes("雨停了。"), ASKS, writes("她留下了。"), writes("天亮了。"), ASKS]
    with ScriptedEndpoint.in_thread(script) as endpoint:
        program.base_url = endpoint.base_url
        lines = "\ufeff我推门\n\n走吧\r\n2\n//me waves\n/undo\n等\n"
        run = program.run("play", program.card, piped=lines)
        said = [json.loads(body)["messages"][-1]["content"] for body in endpoint.bodies]
        left = program.run("play", program.card, piped="问")
    assert run.out == "雨停了。\n\n她留下了。\n\n天亮了。\n"
    assert run.code != 0
    assert "Commands such as /undo need a terminal" in run.err
    assert "我推门" in said[0]
    assert '"answer":"不去"' in said[2]
    assert "/me waves" in said[3]
    assert "//me" not in said[3]
    assert left.code != 0
    assert "去河边吗？" in left.err
