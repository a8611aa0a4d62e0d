"""The data folder of an old installation, made in code at any size; apart so that tests and measurements move
the same one in."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from huaben.domain.jsonvalue import Json, JsonObject
from tests.builders.cards import as_json, card_chunk, picture, v2
from tests.builders.chats import lines, row, said
from tests.builders.lorebooks import st_entry, st_file

SECRET = "sk-not-to-be-seen-7f3a"
"""Stands wherever an installation keeps keys; must turn up nowhere."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of what. `rows` are the messages of a chat after its greeting."""

    cards: int = 40
    chats: int = 12
    books: int = 5
    rows: int = 6


SMALL = Size()


@dataclass(slots=True)
class Installed:
    """What was written, to compare item by item: names of cards and books with what they hold, chats
    by their place with the texts in them."""

    root: Path
    cards: dict[str, bytes] = field(default_factory=dict[str, bytes])
    books: dict[str, bytes] = field(default_factory=dict[str, bytes])
    chats: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def write(self, place: str, content: bytes) -> None:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def write_json(self, place: str, value: Json) -> None:
        self.write(place, as_json(value))


def card_name(number: int) -> str:
    return f"渡船人 {number}" if number % 2 else f"Ferryman {number}"


def install(root: Path, size: Size = SMALL) -> Installed:
    """Write an installation into a folder that is made."""
    made = Installed(root)
    for number in range(size.cards):
        name = card_name(number)
        made.cards[name] = picture(card_chunk(v2({"name": name, "first_mes": f"「{number}？」"})))
        made.write(f"characters/{name}.png", made.cards[name])
    for number in range(size.chats):
        _chat(made, number, size)
    for number in range(size.books):
        name = f"灯塔 {number}"
        made.books[name] = as_json(st_file(st_entry(0, key=["灯塔"], content=f"灯 {number}")))
        made.write(f"worlds/{name}.json", made.books[name])
    _settings(made)
    _presets(made)
    _group(made)
    _left_behind(made)
    return made


def _chat(made: Installed, number: int, size: Size) -> None:
    """Cards take turns; every third chat calls its character otherwise than the card is called."""
    name = card_name(number % size.cards)
    speaker = "Another name" if number % 3 == 0 else name
    header: JsonObject = {
        "user_name": "阿澄",
        "character_name": speaker,
        "chat_metadata": {"integrity": f"{number}"},
    }
    rows = [row(f"「{number}？」", name=speaker)]
    for turn in range(size.rows // 2):
        rows += [said(f"问 {number}.{turn}"), row(f"Answer {number}.{turn}", name=speaker)]
    place = f"chats/{name}/{name} - 2024-7-12@01h31m{number}s.jsonl"
    made.chats[place] = [str(one["mes"]) for one in rows]
    made.write(place, lines(header, *rows))


def _settings(made: Installed) -> None:
    personas: JsonObject = {
        "personas": {"a.png": "阿澄", "b.png": "Bo"},
        "persona_descriptions": {"a.png": {"description": "账房。", "position": 0}},
        "default_persona": "a.png",
    }
    script: JsonObject = {"scriptName": "藏状态", "findRegex": "/<s>.*<\\/s>/g", "placement": [2]}
    made.write_json(
        "settings.json",
        {
            "power_user": personas,
            "oai_settings": {"proxy_password": SECRET},
            "horde_settings": {"api_key": SECRET},
            "extension_settings": {"regex": [script]},
        },
    )
    made.write("User Avatars/a.png", picture())
    made.write("User Avatars/b.png", picture())


def _presets(made: Installed) -> None:
    made.write_json(
        "OpenAI Settings/细雨.json",
        {
            "temperature": 0.8,
            "openai_max_tokens": 400,
            "reverse_proxy": f"https://{SECRET}.example",
            "proxy_password": SECRET,
            "prompts": [{"identifier": "main", "content": "写。"}],
            "prompt_order": [{"character_id": 100001, "order": [{"identifier": "main"}]}],
        },
    )
    made.write_json(
        "TextGen Settings/Plain.json",
        {"temp": 0.7, "top_p": 0.9, "top_k": 40, "rep_pen": 1.1, "typical_p": 1, "min_p": 0.05},
    )
    made.write_json(
        "instruct/Lines.json",
        {"name": "Lines", "input_sequence": "> ", "output_sequence": "< ", "wrap": True},
    )
    made.write_json(
        "context/Lines.json",
        {
            "name": "Lines",
            "story_string": "{{description}}",
            "chat_start": "",
            "trim_sentences": True,
        },
    )
    made.write_json("sysprompt/Short.json", {"name": "Short", "content": "Write on."})
    made.write_json(
        "reasoning/Think.json",
        {"name": "Think", "prefix": "<think>", "suffix": "</think>", "separator": "\n"},
    )
    made.write_json(
        "QuickReplies/常用.json",
        {"version": 2, "name": "常用", "qrList": [{"label": "hi", "message": "/echo hi"}]},
    )


def _group(made: Installed) -> None:
    """A group from before 1.15: its chat has no header, its metadata stand in the group's file."""
    first, second = card_name(1), card_name(2)
    made.write_json(
        "groups/1720747897.json",
        {
            "id": "1720747897",
            "name": "渡口",
            "members": [f"{first}.png", f"{second}.png"],
            "chat_id": "g1",
            "chats": ["g1"],
            "chat_metadata": {"note_prompt": "雨一直下。", "note_interval": 1},
        },
    )
    rows = [
        row("「到了。」", name=first, original_avatar=f"{first}.png"),
        said("都上来吧。"),
        row("“Coming.”", name=second, original_avatar=f"{second}.png"),
    ]
    made.chats["group chats/g1.jsonl"] = [str(one["mes"]) for one in rows]
    made.write("group chats/g1.jsonl", lines(*rows))


def _left_behind(made: Installed) -> None:
    made.write("secrets.json", json.dumps({"api_key_openai": SECRET}).encode())
    made.write("vectors/x/index.json", b"{}")
    made.write("thumbnails/avatar/a.png", picture())
    made.write("backups/chat_x.jsonl", SECRET.encode())
    made.write("backups/settings_1.json", as_json({"api_key_openai": SECRET}))
    made.write("themes/dark.json", b"{}")
    made.write("extensions/some/index.js", b"1")
    made.write("characters/渡船人 1/joy.png", picture())
    made.write("what is this.bin", b"?")
