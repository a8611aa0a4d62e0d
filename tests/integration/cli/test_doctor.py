"""`huaben doctor` as its users run it: what is told, what is kept, how it ends."""

from __future__ import annotations

import json

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Asked, ScriptedReply, Status, Step, call, reply, say
from tests.integration.cli.program import Program

KEY = "sk-doctor-0123456789"


def without_tools(asked: Asked) -> Step:
    """A server that ignores its tool list, and whose model keeps to a schema."""
    body = json.dumps(asked.body)
    if "response_format" not in body:
        return say("one, two, three, four, five")
    if "colour" in body:
        return say('{"colour":"red"}')
    if len(asked.messages) > 3:
        return say('{"calls":[{"tool":"draft_seal","arguments":{"version":1}}]}')
    content = '{"version":0,"content":"雨停了。"}'
    return say(f'{{"calls":[{{"tool":"draft_write","arguments":{content}}}]}}')


def with_tools(asked: Asked) -> Step:
    if asked.body.get("tools"):
        return reply(call("remember_word", word="rain"))
    return ScriptedReply((say('{"colour":"red"}'),))


def test_what_is_found_is_told_and_kept(program: Program) -> None:
    """A model without function calling plays its next turn by the JSON protocol, unasked."""
    with ScriptedEndpoint.in_thread(without_tools) as endpoint:
        program.base_url = endpoint.base_url
        found = program.run("doctor", "environment")
        assert found.code == 0, found.err
        assert "environment · scripted · http://127.0.0.1" in found.out
        assert "✓ reachable" in found.out
        assert "✗ tools" in found.out
        assert "✓ JSON" in found.out
        assert "calls tools by JSON" in found.out
        asked = len(endpoint.received)
        played = program.run("play", program.card, "--say", "走", "--json")
        assert played.code == 0, played.err
        assert played.turn["final_text"] == "雨停了。"
        first = endpoint.received[asked].asked.body
    assert "tools" not in first
    assert "response_format" in first


def test_json_has_one_object_for_each_connection(program: Program) -> None:
    """For scripts; a key is nowhere in it."""
    program.settings = {"HUABEN_API_KEY": KEY}
    with ScriptedEndpoint.in_thread(with_tools) as endpoint:
        program.base_url = endpoint.base_url
        run = program.run("doctor", "environment", "--json")
    (told,) = run.lines
    assert (told["name"], told["tools"], told["calls_tools"]) == ("environment", "native", True)
    assert (told["has_key"], told["reachable"], told["models"]) == (True, True, ["scripted"])
    assert KEY not in run.out + run.err


def test_a_connection_that_cannot_be_used_ends_with_1(program: Program) -> None:
    """With what went wrong, in the user's language, and without the key."""
    program.settings = {"HUABEN_API_KEY": KEY}
    program.lang = "zh"
    refused = Status(401, body=json.dumps({"error": {"message": f"no such key {KEY}"}}))
    with ScriptedEndpoint.in_thread(lambda _: refused) as endpoint:
        program.base_url = endpoint.base_url
        run = program.run("doctor", "environment")
    assert run.code == 1
    assert "answered 401" in run.out
    assert KEY not in run.out + run.err
    unknown = program.run("doctor", "谁")
    assert unknown.code == 1
    assert unknown.err.rstrip().endswith("[connection_not_found]")


def test_a_key_in_the_environment_is_a_connection(program: Program) -> None:
    """It is named even where its provider cannot be reached, and asks for a model where it needs
    one."""
    program.settings = {"ZHIPUAI_API_KEY": KEY, "HTTPS_PROXY": "http://127.0.0.1:9"}
    refused = program.run("play", program.card, "--say", "走")
    assert refused.code == 1
    assert refused.err.rstrip().endswith("[no_model_chosen]")
    assert KEY not in refused.out + refused.err


def test_help_tells_what_a_test_costs(program: Program) -> None:
    """Nobody is charged by surprise."""
    told = program.run("doctor", "--help")
    assert told.code == 0
    assert "charge" in told.out
