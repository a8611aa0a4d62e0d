"""Chats that are trees: branches stay branches, and what is broken is mended (case H16)."""

from __future__ import annotations

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.chats.grove import RECOVERED, Node, mended
from huaben.formats.chats.values import Message, Variant
from huaben.formats.report import Findings
from tests.builders.chats import json_file, messages, node, only, opened, webui


def placed(value: Json) -> list[tuple[str, str | None]]:
    return [(message.id, message.parent) for message in messages(json_file(value))]


def test_h16_orphans_and_a_current_message_that_is_not_there() -> None:
    """All messages load; the orphan hangs on the recovered branch; the story stands at the newest
    leaf that has its place."""
    value = webui(
        "gone",
        a=node(None, "user", "问", timestamp=1),
        b=node("a", "assistant", "答", timestamp=5),
        c=node("a", "assistant", "又答", timestamp=9),
        lost=node("missing", "assistant", "孤", timestamp=99),
        root=node(None, "user", "另一个开头", timestamp=2),
    )
    assert placed(value) == [
        ("a", None),
        ("b", "a"),
        ("c", "a"),
        ("root", None),
        (RECOVERED, None),
        ("lost", RECOVERED),
    ]
    chat = only(json_file(value))
    assert chat.stands == "c"
    codes = {note.code for note in opened(json_file(value)).report.changed}
    assert codes == {"orphan_recovered", "current_missing"}


def test_h16_a_missing_beginning_does_not_cut_the_story() -> None:
    """Where the first message is gone, what follows is still the story."""
    value = webui("b", a=node("gone", "user", "问"), b=node("a", "assistant", "答"))
    assert placed(value) == [("a", None), ("b", "a")]
    assert only(json_file(value)).stands == "b"


def test_h16_a_child_that_lost_its_parent_is_found_by_it() -> None:
    """A parent's own list puts right what the child does not say."""
    value = webui(
        "b",
        b=node("gone", "assistant", "答"),
        a=node(None, "user", "问", childrenIds=["b"]),
    )
    assert placed(value) == [("a", None), ("b", "a")]


def test_circles_and_doubles_end() -> None:
    """A node that is its own ancestor, ids that occur twice: all messages are there, each once."""

    def of(node_id: str, parent: str | None) -> Node:
        message = Message(node_id, parent, "user", "", (Variant(node_id),))
        return Node(node_id, parent, message)

    nodes = [of("r", None), of("x", "y"), of("y", "z"), of("z", "x"), of("s", "s"), of("r", "r")]
    findings = Findings()
    held = mended(nodes, None, findings).held
    found = [entry for entry in held.entries if isinstance(entry, Message)]
    assert sorted(m.text for m in found if m.id != RECOVERED) == ["r", "r", "s", "x", "y", "z"]
    known: set[str | None] = {None}
    for message in found:
        assert message.parent in known
        known.add(message.id)
    assert "doubled_id" in {note.code for note in findings.report().changed}


def test_a_chain_of_empty_nodes_takes_linear_time() -> None:
    """Ten thousand nodes without a message, and as many hanging at their end."""
    nodes = [Node("0", None, None)]
    nodes += [Node(str(n), str(n - 1), None) for n in range(1, 10_000)]
    message = Message("", None, "user", "", (Variant("x"),))
    nodes += [Node(f"m{n}", "9999", message) for n in range(10_000)]
    held = mended(nodes, None, Findings()).held
    assert len(held.entries) == 10_000


def test_chatgpts_mapping_is_read() -> None:
    """Nodes without a message are passed over, tools and instructions hidden, thoughts kept."""

    def inner(role: str, *parts: str, **more: Json) -> JsonObject:
        content: JsonObject = {"content_type": "text", "parts": [*parts]}
        return {"author": {"role": role}, "content": content, "create_time": 1700000000.5, **more}

    thoughts: JsonObject = {
        "author": {"role": "assistant"},
        "content": {"content_type": "thoughts", "thoughts": [{"content": "想"}]},
    }
    mapping: JsonObject = {
        "root": {"message": None, "parent": None, "children": ["s"]},
        "s": {"message": inner("system", ""), "parent": "root"},
        "u": {"message": inner("user", "讲个故事", "。"), "parent": "s"},
        "t": {"message": thoughts, "parent": "u"},
        "a": {"message": inner("assistant", "从前。", metadata={"model_slug": "g"}), "parent": "t"},
        "b": {"message": inner("assistant", "另一个。"), "parent": "u"},
        "w": {"message": inner("tool", "42"), "parent": "a"},
    }
    chat = only(json_file([{"title": "T", "mapping": mapping, "current_node": "w"}]))
    told = [(m.id, m.parent, m.role, m.hidden, m.text) for m in messages(chat)]
    assert told == [
        ("s", None, "system", True, ""),
        ("u", "s", "user", False, "讲个故事\n\n。"),
        ("t", "u", "assistant", True, ""),
        ("a", "t", "assistant", False, "从前。"),
        ("b", "u", "assistant", False, "另一个。"),
        ("w", "a", "system", True, "42"),
    ]
    assert messages(chat)[2].variant.reasoning == "想"
    assert messages(chat)[3].variant.model == "g"
    assert (chat.title, chat.stands) == ("T", "w")


def test_librechats_messages_are_read_flat_and_nested() -> None:
    """By `parentMessageId`, or one within the other; nobody's parent is the one of zeros."""
    nobody = "00000000-0000-0000-0000-000000000000"
    flat: list[Json] = [
        {"messageId": "1", "parentMessageId": nobody, "text": "Hi", "isCreatedByUser": True},
        {
            "messageId": "2",
            "parentMessageId": "1",
            "sender": "M",
            "content": [{"type": "think", "think": "t"}, {"type": "text", "text": {"value": "Yo"}}],
        },
    ]
    chat = only(json_file({"conversationId": "c", "title": "L", "messages": flat}))
    assert [(m.role, m.name, m.text) for m in messages(chat)] == [
        ("user", "", "Hi"),
        ("assistant", "M", "Yo"),
    ]
    assert messages(chat)[1].variant.reasoning == "t"
    child: JsonObject = {"messageId": "2", "text": "Yo"}
    nested: JsonObject = {
        "messageId": "1",
        "text": "Hi",
        "isCreatedByUser": True,
        "children": [child],
    }
    assert placed({"recursive": True, "messages": [nested]}) == [("1", None), ("2", "1")]


def test_open_webuis_folded_reasoning_is_told_apart() -> None:
    """The part of the page that holds the thought is no part of the story."""
    text = '<details type="reasoning" done="true"><summary>Thought for 2 s</summary>\n> a\n> b\n</details>\n答'
    value = webui("b", a=node(None, "user", "问"), b=node("a", "assistant", text, model="m"))
    answer = messages(json_file(value))[1]
    assert (answer.text, answer.variant.reasoning, answer.variant.model) == ("答", "a\nb", "m")
