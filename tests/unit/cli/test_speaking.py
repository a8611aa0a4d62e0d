"""What may reach a terminal, and how sentences stand beside each other."""

from __future__ import annotations

import pytest

from huaben.cli.failing import Told, line_of, sentences
from huaben.cli.helping import columns
from huaben.cli.speaking import Voice, one_line, printable, shortened
from huaben.errors import DataFolderInUse, NoConnection


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("她\x1b]0;夺题\x07抬头", "她␛]0;夺题␇抬头"),
        ("a\x1b[2Jb", "a␛[2Jb"),
        ("一\r二", "一␍二"),
        ("一\r\n二\t三", "一\n二\t三"),
        ("x\x9b31my", "x�31my"),
        ("\x7f", "␡"),
        ("[bold]雨[/bold] 👩‍👩‍👧", "[bold]雨[/bold] 👩‍👩‍👧"),
    ],
)
def test_text_cannot_command_the_terminal(text: str, shown: str) -> None:
    """A card or a model cannot retitle the window, clear it, or forge a line (X04)."""
    assert printable(text) == shown


def test_a_sentence_stays_on_its_line() -> None:
    """An error is one line, whatever its facts hold."""
    assert one_line("雨\n停了。\x1b[31m\r\n 走吧") == "雨 停了。␛[31m 走吧"


def test_what_is_cut_is_marked() -> None:
    """A shortened text does not pass for the whole."""
    assert shortened("旧伞在门后", 5) == "旧伞在门后"
    assert shortened("旧伞在门后面", 5) == "旧伞在门…"


def test_sentences_join_as_their_language_does() -> None:
    """Chinese sentences stand without a space, and an empty one leaves no gap."""
    assert Voice("zh").join("没有连接。", "", "请设好。") == "没有连接。请设好。"
    assert Voice("en").join("No model.", "", "Set one.") == "No model. Set one."
    assert (
        Voice("en").join("answered 503: queue full", "Wait.") == "answered 503: queue full. Wait."
    )
    assert Voice("zh").join("服务商：queue full", "再试。") == "服务商：queue full。再试。"


def test_a_han_character_takes_two_columns() -> None:
    """Help in Chinese is aligned too."""
    assert columns("--say 文字") == 10


def test_an_error_is_its_message_its_hint_and_its_code() -> None:
    """A person reads the line, a script finds the code."""
    error = NoConnection("no_connection", "No model\nis connected.", "Set HUABEN_BASE_URL.")
    assert line_of(error) == "No model is connected. Set HUABEN_BASE_URL. [no_connection]"


def test_an_error_without_its_facts_is_still_told() -> None:
    """A translation that wants a fact which is missing does not become a second error."""
    from huaben.cli.errors_zh import ERRORS

    message, _ = ERRORS["data_folder_in_use"]
    assert "{pid}" in message
    error = DataFolderInUse("data_folder_in_use", "in use", "Stop it.")
    assert sentences(error) == ("in use", "Stop it.")


def test_what_the_command_line_found_needs_no_translation() -> None:
    """A failure that is already in the user's language is told as it is."""
    assert sentences(Told("ask_open", "等你来选：去不去？", "加上 --answer。")) == (
        "等你来选：去不去？",
        "加上 --answer。",
    )
