"""Finding the scribe's object in whatever it answered."""

import pytest

from huaben.domain.ledgerchange import Warned
from huaben.domain.scribereply import FaultCode, ReplyFault, ScribeReply, read_reply

GOOD = '{"patch": {"time": "次日"}, "evidence": {"time": "天亮了"}}'
READ = ScribeReply({"time": "次日"}, {"time": "天亮了"})


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\ufeff\n {GOOD} \n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}```",
        f"好的，这一拍的账：\n\n{GOOD}\n\n以上。",
        f"The turn, with {{braces}} and {{ more }} of them: {GOOD} Done {{.",
        f'He said "{{" and then {GOOD}',
        f"{{'patch': {{}}}} {GOOD}",
        f'{{"note": "x"}}\n{GOOD}',
        f"{{}}\n{GOOD}",
        f'{{"time": "夜"}}\n{GOOD}',
        f'{{"patch": {{"time": }}}}\n{GOOD}',
        f'{{"patch": ["time"]}}\n{GOOD}',
        f'{GOOD}\n{{"patch": {{"time": "第三日"}}}}',
        f'{{"result": {GOOD}}}',
        f'[{{"answer": [{GOOD}]}}]',
        f'{{"thought": "it dawns", oops, {GOOD}',
    ],
)
def test_the_object_is_found(text: str) -> None:
    """Whatever stands around it, and the first one that holds a patch."""
    assert read_reply(text) == READ


def test_a_nested_object_may_come_with_more() -> None:
    """What else stands in the object is named, not taken."""
    reply = read_reply('{"thoughts": "雨停了", "patch": {}, "evidence": {}}')
    assert reply == ScribeReply(warnings=(Warned("unknown_key", "thoughts"),))


@pytest.mark.parametrize(
    "text", ['{"patch": {}, "evidence": {}}', '{"patch": {}}', "{}", "无事。{}"]
)
def test_nothing_changed_is_an_answer(text: str) -> None:
    """An empty patch is a valid one, bare or not."""
    assert read_reply(text) == ScribeReply()


def test_a_bare_patch_is_taken() -> None:
    """A patch without its envelope is a patch without evidence."""
    text = 'Here: {"flags": {"暗号": "雨"}, "characters": {"patch": {"affinity": 1}}}'
    assert read_reply(text) == ScribeReply(
        {"flags": {"暗号": "雨"}, "characters": {"patch": {"affinity": 1}}}
    )
    assert read_reply('{}\n{"time": "夜"}\n{"time": "晨"}') == ScribeReply({"time": "夜"})


def test_evidence_of_the_wrong_type_is_left_out() -> None:
    """The patch stands without it."""
    assert read_reply('{"patch": {"time": "夜"}, "evidence": ["天黑"]}') == ScribeReply(
        {"time": "夜"}, warnings=(Warned("wrong_type", "evidence"),)
    )
    assert read_reply(
        '{"patch": {}, "evidence": {"time": null, "flags.a": ["x"], "location": "在渡口"}}'
    ) == ScribeReply(
        {},
        {"location": "在渡口"},
        (Warned("wrong_type", "evidence.time"), Warned("wrong_type", "evidence.flags.a")),
    )


def test_quotations_may_run_over_lines() -> None:
    """Prose has line ends, and models copy them as they are."""
    assert read_reply('{"patch": {}, "evidence": {"time": "天\n亮"}}') == ScribeReply(
        {}, {"time": "天\n亮"}
    )


def test_half_characters_are_replaced() -> None:
    """What no store can keep does not get in."""
    reply = read_reply('{"patch": {"time": "\\ud83d"}}')
    assert reply == ScribeReply({"time": "\ufffd"})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "blank"),
        (" \n\u200b", "blank"),
        ("什么也没有发生。", "no_object"),
        ("Nothing {happened}.", "no_object"),
        ("[]", "no_object"),
        ("null", "no_object"),
        ('{"note": "x"}', "no_patch"),
        ('{"patch": null}', "no_patch"),
        ('{"patch": [], "evidence": {}}', "no_patch"),
        ('{"time": "夜", "evidence": {}}', "no_patch"),
        ('{"patch": {"time": "夜"}, "evidence": {"time": "天', "broken"),
        ('{"patch": {"characters": {"阿迟": {"location": "渡口"}, "Mira": {', "broken"),
        ('{"patch": {"time": "夜"}, evidence: {}}', "broken"),
        ('{"patch": {"time": "夜",}}', "broken"),
        ('{"patch": {"affinity": NaN}}', "broken"),
        ('{"patch": {"affinity": 1e999}}', "broken"),
        ('{"patch": {"affinity": ' + "9" * 5000 + "}}", "broken"),
        ('{"patch": {"time": "夜"', "broken"),
        ('{"', "broken"),
    ],
)
def test_a_reply_without_a_patch_has_a_named_fault(text: str, code: FaultCode) -> None:
    """And what is left of a broken object never passes for a patch."""
    fault = read_reply(text)
    assert isinstance(fault, ReplyFault)
    assert fault.code == code


def test_a_broken_object_tells_where() -> None:
    """So that whoever wrote it can mend it."""
    fault = read_reply('{"patch": {"time" "夜"}}')
    assert fault == ReplyFault("broken", "Expecting ':' delimiter at 18")


@pytest.mark.parametrize(
    "unit", ['{"k": 1, ', '{"', '{"a":"b', '{"k": [', '{"a":{"b":[', '{"k": 1} ', "{}"]
)
def test_a_reply_of_a_thousand_objects_is_given_up(unit: str) -> None:
    """However short each is: looking for one more costs, and a patch behind them is none."""
    assert read_reply(unit * 20 + GOOD) == READ
    assert read_reply(unit * 1000 + GOOD) == ReplyFault("tangled")


def test_a_text_that_is_read_again_and_again_is_given_up() -> None:
    """Objects that break at its very end are tried only a few times, as each costs the whole text."""
    assert read_reply('{"k": ' * 4 + '"' + "雨" * 500 + GOOD) == READ
    assert read_reply('{"k": [' * 300 + "1, " * 5_000 + GOOD) == ReplyFault("tangled")


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 200_000,
        '{"a":{"b":' + "[" * 500_000,
        "{ " * 300_000,
        "{" + " " * 500_000 + "{",
        '{"a": "' + "\\" * 500_001,
        '{"patch": ' * 30_000 + "1" + "}" * 30_000,
    ],
)
def test_a_hostile_reply_is_a_fault(text: str) -> None:
    """Depth and length harm nothing."""
    assert isinstance(read_reply(text), ReplyFault)
