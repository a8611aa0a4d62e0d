"""From messages to turns: nothing is lost, and the story reads on."""

from __future__ import annotations

from huaben.domain.jsonvalue import JsonObject
from huaben.formats.chats.staging import Row, Staged, staged
from huaben.formats.report import Findings
from tests.builders.chats import HEADER, json_file, lines, node, only, row, said, webui


def turns(*rows: JsonObject | bytes) -> list[Staged]:
    found, _ = staged(only(lines(HEADER, *rows)).entries.read(Findings()))
    return found


def told(found: list[Staged]) -> list[tuple[int | None, str, str, str]]:
    return [(turn.parent, turn.fate, turn.words, turn.text) for turn in found]


def test_a_greeting_is_a_root_and_its_swipes_are_others() -> None:
    """Each alternate is an opening; the story goes on from the one in force."""
    found = turns(row("b", swipes=["a", "b"], swipe_id=1), said("我上船。"), row("好。"))
    assert [(t.is_opening, t.text, t.goes_on) for t in found[:2]] == [
        (True, "a", False),
        (True, "b", True),
    ]
    assert told(found)[2:] == [(1, "told", "我上船。", "好。")]
    assert found[2].rows == (Row(3), Row(4))


def test_swipes_are_variants_of_one_beat() -> None:
    """They share parent, words and beat; the next turn hangs on the active one."""
    found = turns(
        row("g"), said("q"), row("y", swipes=["x", "y", "z"], swipe_id=1), said("r"), row("w")
    )
    assert told(found) == [
        (None, "told", "", "g"),
        (0, "told", "q", "x"),
        (0, "told", "q", "y"),
        (0, "told", "q", "z"),
        (2, "told", "r", "w"),
    ]
    assert {turn.beat for turn in found[1:4]} == {1}
    assert [turn.rows[-1] for turn in found[1:4]] == [Row(4, 0), Row(4, 1), Row(4, 2)]


def test_replies_in_a_row_and_words_in_a_row() -> None:
    """A reply to nobody is a turn without words, several messages are the words of one."""
    found = turns(
        row("g"), row("甲", name="甲"), row("乙", name="乙"), said("一"), said("二"), row("答")
    )
    assert told(found) == [
        (None, "told", "", "g"),
        (0, "told", "", "甲"),
        (1, "told", "", "乙"),
        (2, "told", "一\n\n二", "答"),
    ]
    assert [turn.speaker for turn in found] == ["渡船人", "甲", "乙", "渡船人"]


def test_hidden_and_torn_rows_are_turns_that_no_model_sees() -> None:
    """They stand in the story at their place; words before them are answered after them."""
    found = turns(
        row("g"),
        said("(hi)", is_system=True),
        b'{"mes":"torn',
        said("q"),
        row("-", is_system=True),
        row("a"),
    )
    assert told(found) == [
        (None, "told", "", "g"),
        (0, "hidden", "(hi)", ""),
        (1, "quarantined", "", '{"mes":"torn'),
        (2, "hidden", "", "-"),
        (3, "told", "q", "a"),
    ]
    assert [row.place for turn in found for row in turn.rows] == [2, 3, 4, 6, 5, 7]


def test_words_without_a_reply_wait_for_it() -> None:
    """At the end of a chat, and where a telling of them was given up."""
    found = turns(
        row("g"), said("b", swipes=["a", "b"], swipe_id=1), row("x"), said("q"), said("r")
    )
    assert told(found) == [
        (None, "told", "", "g"),
        (0, "unanswered", "a", ""),
        (0, "told", "b", "x"),
        (2, "unanswered", "q\n\nr", ""),
    ]
    assert [turn.goes_on for turn in found] == [True, False, True, True]


def test_a_chat_that_begins_otherwise_has_an_empty_opening() -> None:
    """Words first, something hidden first, nothing at all."""
    assert told(turns(said("q"), row("a"))) == [(None, "told", "", ""), (0, "told", "q", "a")]
    assert told(turns(row("n", is_system=True), row("g"))) == [
        (None, "told", "", ""),
        (0, "hidden", "", "n"),
        (1, "told", "", "g"),
    ]
    assert told(turns()) == [(None, "told", "", "")]


def test_branches_are_branches_and_retellings_variants() -> None:
    """Replies to one message share its beat, other words make another; the story stands where it
    did."""
    value = webui(
        "d",
        a=node(None, "user", "问"),
        b=node("a", "assistant", "甲"),
        c=node("a", "assistant", "乙"),
        d=node("c", "user", "再问"),
        e=node("c", "user", "别的"),
        f=node("e", "assistant", "丙"),
    )
    chat = only(json_file(value))
    found, stage = staged(chat.entries.read(Findings()))
    assert told(found) == [
        (None, "told", "", ""),
        (0, "told", "问", "甲"),
        (0, "told", "问", "乙"),
        (2, "told", "别的", "丙"),
        (2, "unanswered", "再问", ""),
    ]
    assert found[1].beat == found[2].beat == 1
    assert stage.stands(chat.stands) == 4
