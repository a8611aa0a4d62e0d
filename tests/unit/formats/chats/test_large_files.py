"""A large chat is read line by line: what is held of it does not grow with the file."""

from __future__ import annotations

import tracemalloc

from huaben.domain.jsonvalue import Json
from huaben.formats.chats.jsonl import write_lines
from huaben.formats.chats.read import open_chats
from huaben.formats.chats.survey import survey
from huaben.formats.chats.values import ChatFile
from huaben.formats.report import Findings
from tests.builders.chats import HEADER, lines, row, said

MB = 1024 * 1024


def a_chat(messages: int, characters: int) -> bytes:
    """Every other message a reply with three swipes of that length."""
    rows: list[Json | bytes] = [HEADER]
    for n in range(messages // 2):
        texts: list[Json] = [chr(0x4E00 + n % 2000 + k) * characters for k in range(3)]
        rows += [row(texts[1], swipes=texts, swipe_id=1), said(f"{n}")]
    return lines(*rows)


def test_reading_and_writing_hold_a_line_at_a_time() -> None:
    """Ten times less than the file, which has 1,000 messages; every message is counted, and what is
    written line by line is as long."""
    data = a_chat(1000, 2000)
    assert len(data) > 11 * MB
    tracemalloc.start()
    try:
        found = open_chats(data, "x.jsonl")
        assert isinstance(found, ChatFile)
        counted = survey(found.chats[0])
        (chat,) = found.chats
        written = sum(len(line) for line in write_lines(chat, chat.entries.read(Findings())))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (counted.messages, counted.turns) == (1000, 1501)
    assert written > 11 * MB
    assert peak < len(data) / 10, f"{peak / MB:.1f} MB at most"


def test_what_is_kept_of_a_message_does_not_grow_with_it() -> None:
    """Ten times longer messages take no more to survey than the lines themselves."""

    def peak_of(data: bytes) -> int:
        found = open_chats(data, "x.jsonl")
        assert isinstance(found, ChatFile)
        tracemalloc.start()
        try:
            survey(found.chats[0])
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    small, large = a_chat(600, 200), a_chat(600, 2000)
    assert peak_of(large) - peak_of(small) < len(large) / 10
