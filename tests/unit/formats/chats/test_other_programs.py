"""Chats of other programs: roles, texts, variants and names of each, and nothing lost on the way."""

from __future__ import annotations

import html
import io
import json
import zipfile

import pytest

from huaben.domain.jsonvalue import Json, JsonObject, parse_json
from huaben.formats.chats.jsonl import write_lines
from huaben.formats.chats.read import open_chats
from huaben.formats.chats.survey import survey
from huaben.formats.chats.values import Chat, Dialect, Refused
from huaben.formats.report import Findings
from tests.builders.chats import compact, json_file, lines, messages, only, opened, refused, texts


def told(chat: Chat) -> list[tuple[str, str, str]]:
    return [(m.role, m.name, m.text) for m in messages(chat)]


def rows(chat: Chat) -> list[JsonObject]:
    """The lines that the chat is written as for SillyTavern."""
    written = write_lines(chat, chat.entries.read(Findings()))
    values = (parse_json(line.decode()) for line in written)
    return [value for value in values if isinstance(value, dict)]


def test_cai_tools_gives_a_chat_for_each_history() -> None:
    """Who is human says whose a message is; what is beside the messages is the header."""

    def message(text: str, human: bool) -> JsonObject:
        return {"text": text, "src": {"is_human": human, "name": "我" if human else "灯塔"}}

    histories: list[Json] = [
        {"created": "1", "msgs": [message("欢迎。", False), message("你好。", True)]},
        {"created": "2", "msgs": [message("又来了。", False)]},
        {"created": "3", "msgs": []},
    ]
    value: JsonObject = {
        "info": {"character": {"name": "灯塔"}},
        "histories": {"histories": histories},
    }
    first, second = opened(json_file(value), "x.json").chats
    assert told(first) == [("assistant", "灯塔", "欢迎。"), ("user", "我", "你好。")]
    assert (first.title, second.title, first.character) == ("1", "2", "灯塔")
    assert texts(second) == ["又来了。"]


def test_ooba_pairs_are_messages() -> None:
    """An empty half is no message; the mark of a beginning is none; what was shown stays beside."""
    value: JsonObject = {
        "internal": [
            ["<|BEGIN-VISIBLE-CHAT|>", "Welcome & hello"],
            ["Hi", "<think>hm</think>Yes"],
            ["", "More"],
        ],
        "visible": [["", "Welcome &amp; hello"], ["Hi", "Yes"], ["", "More"]],
        "metadata": {"user_1": {"timestamp": "2025-01-02T03:04:05Z"}},
    }
    chat = only(json_file(value))
    assert [(m.role, m.text) for m in messages(chat)] == [
        ("assistant", "Welcome & hello"),
        ("user", "Hi"),
        ("assistant", "Yes"),
        ("assistant", "More"),
    ]
    assert messages(chat)[2].variant.reasoning == "hm"
    moment = messages(chat)[1].variant.moment
    assert moment is not None
    assert moment.at == "2025-01-02T03:04:05.000Z"
    old = only(json_file({"data": [["a", "b"]], "data_visible": [["a!", "b!"]]}))
    assert texts(old) == ["a", "b"]
    assert texts(only(json_file({"data_visible": [["a!", "b!"]]}))) == ["a!", "b!"]


def test_agnai_retries_are_variants() -> None:
    """The text in force and its retries; a message with a user's id is the user's."""
    value: JsonObject = {
        "name": "雨夜",
        "greeting": "…",
        "messages": [
            {"characterId": "c", "msg": "二", "handle": "阿迟", "retries": ["一", "三"]},
            {"userId": "u", "msg": "嗯", "handle": "我", "createdAt": "2024-01-02T03:04:05.000Z"},
            {"characterId": "c", "msg": "b", "handle": "阿迟", "retries": ["a", "b"]},
        ],
    }
    chat = only(json_file(value))
    first, second, third = messages(chat)
    assert ([v.text for v in first.variants], first.active) == (["二", "一", "三"], 0)
    assert (second.role, second.name) == ("user", "我")
    assert ([v.text for v in third.variants], third.active) == (["a", "b"], 1)
    assert chat.title == "雨夜"


def risu(messages: list[Json], **more: Json) -> JsonObject:
    return {
        "message": messages,
        "name": "聊天 1",
        "note": "",
        "localLore": [],
        "fmIndex": -1,
        **more,
    }


def test_h17_risus_greeting_is_taken_from_the_card() -> None:
    """`fmIndex` 1 is the second alternate greeting, −1 the first message; without the card the report
    says that the opening is missing."""
    inner = risu([{"role": "user", "data": "喂"}], fmIndex=1)
    data = json_file({"type": "risuChat", "ver": 2, "data": inner})
    greetings = ("开场", "alt 0", "alt 1")
    assert texts(only(data, greetings)) == ["alt 1", "喂"]
    first = json_file({"type": "risuChat", "ver": 1, "data": risu([], fmIndex=-1)})
    assert texts(only(first, greetings)) == ["开场"]
    assert texts(only(data)) == ["喂"]
    assert "greeting_missing" in {note.code for note in opened(data).report.warnings}


def test_risu_messages_keep_what_they_are() -> None:
    """Disabled ones and comments are hidden; `allBefore` hides what came before; all chats of a
    character are as many chats; an HTML export carries the same."""
    said: list[Json] = [
        {"role": "char", "data": "旧", "time": 1700000000000},
        {"role": "user", "data": "到此", "disabled": "allBefore"},
        {
            "role": "char",
            "data": "<Thoughts>想</Thoughts>新",
            "saying": "甲",
            "generationInfo": {"model": "r"},
        },
        {"role": "char", "data": "注", "isComment": True},
        {"role": "char", "data": "关", "disabled": True},
    ]
    everything: JsonObject = {"type": "risuAllChats", "ver": 2, "data": [risu(said), risu([])]}
    one, two = opened(json_file(everything), greetings=("开场",)).chats
    assert [(m.text, m.hidden) for m in messages(one)] == [
        ("开场", False),
        ("旧", True),
        ("到此", True),
        ("新", False),
        ("注", True),
        ("关", True),
    ]
    assert (messages(one)[3].variant.reasoning, messages(one)[3].variant.model) == ("想", "r")
    assert texts(two) == ["开场"]
    text = html.escape(json.dumps({"type": "risuChat", "ver": 2, "data": risu(said)}))
    page = f'<html><body><p>x</p><div hidden class="a idat">{text}</div></body></html>'
    assert texts(only(page.encode(), ("开场",)))[0] == "开场"
    assert refused(b"<html><body>nothing</body></html>").code == "not_a_chat"


LITE: JsonObject = {"gamestarted": True, "memory": "He is old.", "authorsnote": "", "worldinfo": []}


def lite(mode: int, prompt: str, actions: list[Json], **settings: Json) -> bytes:
    return json_file(
        {
            **LITE,
            "prompt": prompt,
            "actions": actions,
            "savedsettings": {"opmode": mode, **settings},
        }
    )


def test_kobold_lites_modes_part_the_story_in_their_ways() -> None:
    """Tags, names, deeds; a plain story has no turns and keeps its pieces."""
    tagged = only(
        lite(
            4,
            "开场。",
            ["{{[INPUT]}}你好{{[INPUT_END]}}", "{{[OUTPUT]}}<think>a</think>您好", "。"],
        )
    )
    assert [(m.role, m.text, m.variant.reasoning) for m in messages(tagged)] == [
        ("assistant", "开场。", ""),
        ("user", "你好", ""),
        ("assistant", "您好。", "a"),
    ]
    named = only(
        lite(
            3,
            "A port.\nAnn: Hello",
            ["\nBob: Hi Ann:\nyes", "\nMy Bob: !"],
            chatname="Ann",
            chatopponent="Bob||$||My Bob",
        )
    )
    assert told(named) == [
        ("assistant", "", "A port."),
        ("user", "Ann", "Hello"),
        ("assistant", "Bob", "Hi Ann:\nyes"),
        ("assistant", "My Bob", "!"),
    ]
    assert (named.user, named.character) == ("Ann", "Bob")
    deeds = only(lite(2, "A cave.", ["\n\n> You look\n\n", "It is dark."]))
    assert [(m.role, m.text) for m in messages(deeds)] == [
        ("assistant", "A cave."),
        ("user", "You look"),
        ("assistant", "It is dark."),
    ]
    plain = only(lite(1, "从前", ["有座山，", "", "山里有座庙。"]))
    assert texts(plain) == ["从前", "有座山，", "山里有座庙。"]
    assert "".join(str(m.raw["text"]) for m in messages(plain)) == "从前有座山，山里有座庙。"
    lore_only = json_file({**LITE, "prompt": "", "actions": [], "worldinfo": [{"key": "a"}]})
    assert refused(lore_only).code == "not_a_chat"


def kaistory(name: str, value: Json) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, json_file(value))
        archive.writestr("images/a.txt", "x")
    return file.getvalue()


def test_a_kaistory_is_read_out_of_its_archive() -> None:
    """Both shapes of actions; other choices are variants; another archive is refused."""
    actions: JsonObject = {
        "1": {"Selected Text": "And then.", "Options": [{"text": "Or so."}, {"text": "And then."}]},
        "0": {"Selected Text": "Once."},
    }
    value: JsonObject = {
        "story_name": "A tale",
        "prompt": "Begin.",
        "actions": {"actions": actions},
    }
    chat = only(kaistory("story.json", value))
    assert (chat.dialect, chat.title) == ("kobold_united", "A tale")
    assert texts(chat) == ["Begin.", "Once.", "And then."]
    assert [v.text for v in messages(chat)[2].variants] == ["And then.", "Or so."]
    old = kaistory("x/story.json", {"gamestarted": True, "prompt": "a", "actions": ["b"]})
    assert texts(only(old)) == ["a", "b"]
    assert refused(kaistory("card.json", {})).code == "not_a_chat"


def test_novelai_fragments_are_joined_by_hand() -> None:
    """The user's pieces and the others; a scenario's prompt; a binary document is refused by name."""
    fragments: list[Json] = [
        {"data": "夜深了。", "origin": "prompt"},
        {"data": "雨", "origin": "ai"},
        {"data": "我推门。", "origin": "user"},
        {"data": "门开了。", "origin": "ai"},
    ]
    value: JsonObject = {
        "storyContainerVersion": 1,
        "metadata": {"title": "雨夜"},
        "content": {"story": {"fragments": fragments}, "context": [{"text": "m"}]},
    }
    chat = only(json_file(value))
    assert [(m.role, m.text) for m in messages(chat)] == [
        ("assistant", "夜深了。雨"),
        ("user", "我推门。"),
        ("assistant", "门开了。"),
    ]
    assert chat.title == "雨夜"
    scenario: JsonObject = {"scenarioVersion": 3, "title": "S", "prompt": "You are ${name[Ann]}."}
    assert texts(only(json_file(scenario))) == ["You are ${name[Ann]}."]
    binary: JsonObject = {"storyContainerVersion": 1, "content": {"document": "AAAA"}}
    assert refused(json_file(binary)).code == "unsupported"


def test_ai_dungeon_actions_are_the_readers_or_the_stories() -> None:
    """By their type, or by the sign of a deed; a scenario is its prompt."""
    value: JsonObject = {
        "publicId": "p",
        "title": "Keep",
        "actions": [
            {"text": "A gate.", "type": "start"},
            {"text": "\n> You knock.", "type": "do"},
            {"text": "It opens.", "type": "continue"},
            {"text": "> You wait."},
        ],
    }
    assert [(m.role, m.text) for m in messages(only(json_file(value)))] == [
        ("assistant", "A gate."),
        ("user", "> You knock."),
        ("assistant", "It opens."),
        ("user", "> You wait."),
    ]
    assert texts(only(json_file({"gameCode": "x", "prompt": "Go."}))) == ["Go."]


def test_llamacpps_lines_and_conversations_are_read() -> None:
    """A file of lines that begins with a session, and a conversation with its tree."""
    data = lines(
        {"type": "session", "name": "S"},
        {
            "type": "message",
            "id": "a",
            "parentId": None,
            "message": {"role": "user", "content": "Hi"},
        },
        {
            "type": "message",
            "id": "b",
            "parentId": "a",
            "message": {
                "role": "assistant",
                "content": [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "Yo"}],
            },
        },
        {
            "type": "message",
            "id": "c",
            "parentId": "a",
            "message": {"role": "assistant", "content": "Yes"},
        },
    )
    chat = only(data)
    assert [(m.id, m.parent, m.text) for m in messages(chat)] == [
        ("a", None, "Hi"),
        ("b", "a", "Yo"),
        ("c", "a", "Yes"),
    ]
    assert messages(chat)[1].variant.reasoning == "t"
    assert chat.stands == "c"
    conv: JsonObject = {
        "conv": {"id": "k", "name": "C", "currNode": "2"},
        "messages": [
            {
                "id": "0",
                "type": "root",
                "role": "system",
                "content": "",
                "parent": "-1",
                "children": ["1"],
            },
            {
                "id": "1",
                "role": "user",
                "content": "你好",
                "parent": "0",
                "children": ["2"],
                "timestamp": 1700000000000,
            },
            {
                "id": "2",
                "role": "assistant",
                "content": "您好",
                "reasoning_content": "想",
                "parent": "1",
                "children": [],
            },
        ],
    }
    tree = only(json_file([conv]))
    assert [(m.id, m.parent) for m in messages(tree)] == [("1", None), ("2", "1")]
    assert (tree.stands, tree.title, messages(tree)[1].variant.reasoning) == ("2", "C", "想")


def test_plain_text_is_read_by_its_speakers() -> None:
    """`Name: text` with blank lines between, in Chinese and English; a block without a name goes on;
    a text without speakers is none."""
    chat = only("渡船人：上船吗？\n\n你：上。\n\n渡船人：好。\n\n船走了。\n".encode())
    assert told(chat) == [
        ("assistant", "渡船人", "上船吗？"),
        ("user", "你", "上。"),
        ("assistant", "渡船人", "好。\n\n船走了。"),
    ]
    english = only(b"Mira: Hello\r\n\r\nAnn: Hi\r\n\r\nMira: Well\r\n")
    assert [(m.role, m.name) for m in messages(english)] == [
        ("assistant", "Mira"),
        ("user", "Ann"),
        ("assistant", "Mira"),
    ]
    for text in ("Just a story.\n\nWith paragraphs.", "name: Mira\ncontext: A port.", "A: b"):
        assert refused(text.encode()).code == "not_a_chat", text


SAMPLES: dict[Dialect, Json] = {
    "cai_tools": {
        "histories": {"histories": [{"msgs": [{"text": "a", "src": {"is_human": False}, "x": 1}]}]}
    },
    "ooba": {"internal": [["", "a"]], "visible": [["", "a"]], "y": [1]},
    "agnai": {"messages": [{"msg": "a", "x": {"y": 1}}], "y": 2},
    "risu": {
        "type": "risuChat",
        "ver": 2,
        "data": {"message": [{"role": "char", "data": "a", "x": 1}], "y": 3},
    },
    "kobold_lite": {**LITE, "prompt": "a", "actions": [], "y": 4},
    "novelai": {
        "storyContainerVersion": 1,
        "content": {"story": {"fragments": [{"data": "a", "x": 1}]}},
    },
    "ai_dungeon": {"publicId": "p", "actions": [{"text": "a", "x": 1}], "y": 5},
    "llamacpp": {
        "conv": {"y": 6},
        "messages": [{"id": "1", "role": "assistant", "content": "a", "x": 1}],
    },
    "librechat": {"messages": [{"messageId": "1", "text": "a", "x": 1}], "y": 7},
    "open_webui": {
        "chat": {"history": {"messages": {"1": {"role": "assistant", "content": "a", "x": 1}}}},
        "y": 8,
    },
    "chatgpt": {
        "mapping": {
            "1": {"message": {"author": {"role": "assistant"}, "content": {"parts": ["a"]}, "x": 1}}
        }
    },
}


@pytest.mark.parametrize("dialect", SAMPLES)
def test_as_sillytaverns_lines_each_original_lies_whole(dialect: Dialect) -> None:
    """What another program wrote of a message or a chat is kept under `huaben`, and is read again."""
    chat = only(json_file(SAMPLES[dialect]))
    assert chat.dialect == dialect
    header, first = rows(chat)
    (message,) = messages(chat)
    assert (first["mes"], first["is_user"]) == ("a", False)
    extra = first["extra"]
    assert isinstance(extra, dict)
    assert extra.get("huaben") == {"dialect": dialect, "message": message.raw}
    metadata = header["chat_metadata"]
    assert isinstance(metadata, dict)
    if chat.header:
        assert metadata["huaben"] == {"dialect": dialect, "header": chat.header}
    back = only(lines(header, first))
    assert texts(back) == ["a"]
    assert survey(back).messages == 1


def test_hostile_pages_and_texts_end_soon() -> None:
    """A page that is all one tag, a thought that never ends, a speaker on every line: each megabyte is
    looked at a few times, not a few thousand."""
    tags = b"<p class='" + b"idat " * 400_000
    assert refused(b"<html>" + tags).code == "not_a_chat"
    folded = "<details " + "type='reasoning' " * 100_000
    message: JsonObject = {"mes": folded, "name": "A"}
    assert texts(json_file([message])) == [folded]
    assert refused(b"\n \t" * 400_000).code == "not_a_chat"
    assert len(texts(b"A: b\n\n" * 20_000)) == 20_000


def test_places_of_a_native_file_only_grow() -> None:
    """Whoever wrote it: rows are found by their place."""
    entry: JsonObject = {"role": "assistant", "variants": [{"text": "a"}], "parent": None}
    entries: list[Json] = [{**entry, "id": "x", "place": 3}, {**entry, "id": "y", "place": 3}]
    value: JsonObject = {"spec": "huaben_chat", "entries": entries}
    assert [message.place for message in messages(json_file(value))] == [1, 2]


def test_any_json_is_a_chat_or_is_refused() -> None:
    """A card, a lorebook, a preset, odd values in every known field: no exception."""
    odd: tuple[Json, ...] = (None, 0, "x", [], {}, [None], [[]], {"a": None})
    fields = (
        *(
            "histories",
            "internal",
            "visible",
            "messages",
            "mapping",
            "chat",
            "history",
            "conv",
            "data",
        ),
        *("actions", "prompt", "content", "savedsettings", "current_node", "type", "spec"),
    )
    for value in odd:
        for field in fields:
            raw: JsonObject = {
                "gamestarted": True,
                "publicId": 1,
                "storyContainerVersion": 1,
                field: value,
            }
            for data in (compact(raw), compact([raw]), compact({field: value})):
                opened_or_refused(data)
    card: JsonObject = {"spec": "chara_card_v2", "data": {"name": "A", "first_mes": "b"}}
    assert refused(compact(card)).code == "not_a_chat"
    assert refused(compact({"entries": {"0": {"key": ["a"]}}})).code == "not_a_chat"


def opened_or_refused(data: bytes) -> None:
    found = open_chats(data, "x", ("g",))
    if not isinstance(found, Refused):
        for chat in found.chats:
            survey(chat)
