"""The end of a chat is known as soon as the file has been read once."""

from __future__ import annotations

from huaben.domain.jsonvalue import Json
from huaben.formats.chats.ending import LAST, MAX_CHARS, Spoken
from huaben.formats.chats.read import open_chats
from huaben.formats.chats.survey import survey
from huaben.formats.chats.values import ChatFile
from tests.builders.chats import HEADER, json_file, lines, row, said


def end_of(data: bytes) -> tuple[Spoken, ...]:
    found = open_chats(data, "x")
    assert isinstance(found, ChatFile)
    return survey(found.chats[0]).end


def test_the_last_messages_are_told_in_their_order() -> None:
    """What is hidden or torn is passed over; of a swiped message the text in force."""
    rows = [one for n in range(40) for one in (said(f"问 {n}"), row(f"答 {n}"))]
    swiped = row("then?", swipes=["now?", "then?"], swipe_id=1)
    end = end_of(lines(HEADER, *rows, row("旁白", is_system=True), b"{torn", swiped))
    assert [one.text for one in end][-4:] == ["答 38", "问 39", "答 39", "then?"]
    assert len(end) == LAST
    assert end[-2] == Spoken("渡船人", "assistant", "答 39")


def test_of_a_long_message_the_last_part_is_kept() -> None:
    """Reading on begins where it ended."""
    (only,) = end_of(lines(HEADER, row("雨" * MAX_CHARS + "停了。")))
    assert len(only.text) == MAX_CHARS
    assert only.text.endswith("停了。")


def test_of_a_tree_it_is_the_branch_where_the_chat_stands() -> None:
    """Not what happens to stand last in the file."""

    def node(key: str, parent: str | None, role: str) -> Json:
        content: Json = {"parts": [f"text of {key}"]}
        message: Json = {"author": {"role": role}, "content": content}
        return {"id": key, "parent": parent, "children": [], "message": message}

    mapping: Json = {
        "a": node("a", None, "user"),
        "b": node("b", "a", "assistant"),
        "c": node("c", "a", "assistant"),
    }
    end = end_of(json_file({"title": "T", "mapping": mapping, "current_node": "b"}))
    assert [one.text for one in end] == ["text of a", "text of b"]


def test_a_chat_of_nothing_has_no_end() -> None:
    """A header alone."""
    assert end_of(lines(HEADER, b"{torn")) == ()
