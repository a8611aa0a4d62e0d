"""How long the choice of a turn's lore takes, beside a plain scan and beside the automaton alone.

Run: python bench/lore.py [--entries 10000] [--kilobytes 50] [--record]. Each entry has two keys, half
of them Chinese, half English, and a hundredth of them stands in the chat, which is as long as is said,
in twenty messages that are all scanned. *Plain* asks of every key whether the folded chat holds it, with
no regard for words, groups, budget or reasons; *automaton* builds one of all folded keys and finds each
hit in one pass, and nothing more; *passing* is that pass alone. *Preparing* happens once for a book and
its settings, *choice* every turn: it does all of it, and gives every entry that came near its reason.
`--record` adds the result to bench/results.
"""

from __future__ import annotations

import json
import platform
import random
import shlex
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from ahocorasick_rs import AhoCorasick, MatchKind

from huaben.domain.lore import (
    Book,
    Entry,
    LoreSettings,
    Message,
    Prepared,
    Scan,
    Selection,
    TimedState,
    prepare,
    select,
)
from huaben.domain.lore.fold import fold, fold_key

RESULTS = Path(__file__).parent / "results" / "lore.jsonl"
MESSAGES = 20
RUNS = 7
HAN = "灯雨夜门桥河风雪茶酒剑书信影声路城山海云月星花树石火烟水人心手眼言笑泪梦舟镇店客"
LATIN = [
    "amber",
    "river",
    "stone",
    "lantern",
    "winter",
    "harbour",
    "silver",
    "meadow",
    "copper",
    "garden",
    "willow",
    "tower",
]


@dataclass(frozen=True, slots=True)
class Load:
    """Entries with their keys, and a chat that speaks of some."""

    book: Book
    messages: tuple[Message, ...]

    @property
    def keys(self) -> list[str]:
        return [key for entry in self.book.entries for key in entry.keys]

    @property
    def chat(self) -> str:
        return "\n".join(message.text for message in self.messages)


def made(entries: int, kilobytes: int) -> Load:
    chance = random.Random(7)
    keys = [key_of(number, chance) for number in range(entries)]
    book = Book(
        "bench",
        tuple(
            Entry(number, keys[number], content=f"第{number}条：{chance.choice(HAN) * 40}")
            for number in range(entries)
        ),
    )
    named = [keys[number][0] for number in chance.sample(range(entries), entries // 100)]
    return Load(book, tuple(Message("", text) for text in chat(named, kilobytes, chance)))


def key_of(number: int, chance: random.Random) -> tuple[str, str]:
    if number % 2:
        return f"{''.join(chance.sample(HAN, 3))}{number}号", "".join(chance.sample(HAN, 4))
    return f"{chance.choice(LATIN)} {number}", f"{chance.choice(LATIN)}{number}"


def chat(named: Sequence[str], kilobytes: int, chance: random.Random) -> list[str]:
    """Twenty messages of so many bytes together, each name once."""
    share = kilobytes * 1024 // MESSAGES
    texts: list[str] = []
    for message in range(MESSAGES):
        words = list(named[message::MESSAGES])
        while sum(len(word.encode()) + 3 for word in words) < share:
            han = "".join(chance.choice(HAN) for _ in range(chance.randrange(6, 20)))
            words.append(chance.choice([f"{han}，", f"{chance.choice(LATIN)} "]))
        chance.shuffle(words)
        texts.append("，".join(words))
    return texts


# ---- what is measured ----------------------------------------------------------------------------


def prepared(load: Load) -> Prepared:
    return prepare([load.book], LoreSettings(scan_depth=MESSAGES, recursive=False))


def chosen(books: Prepared, load: Load) -> Selection:
    def clock_ms() -> float:
        return time.perf_counter() * 1000

    return select(books, Scan(messages=load.messages), 1, TimedState(), len, clock_ms)


def plain(load: Load) -> int:
    """How many entries have a key in the chat."""
    text = load.chat.casefold()
    return sum(any(key.casefold() in text for key in entry.keys) for entry in load.book.entries)


def built(load: Load) -> AhoCorasick:
    return AhoCorasick([fold_key(key) for key in load.keys], matchkind=MatchKind.Standard)


def passed(machine: AhoCorasick, load: Load) -> int:
    found = machine.find_matches_as_indexes(fold(load.chat).text, overlapping=True)
    return len({pattern // 2 for pattern, _, _ in found})


def timed_ms(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def main() -> None:
    parser = ArgumentParser(description="Choosing lore beside a plain scan and an automaton.")
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--kilobytes", type=int, default=50)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    load = made(given.entries, given.kilobytes)
    books, machine = prepared(load), built(load)
    selection = chosen(books, load)
    counted = len(selection.chosen) + len(selection.left_out) + selection.unnamed
    assert counted == given.entries, f"{counted} of {given.entries} entries are accounted for"
    works: dict[str, Callable[[], object]] = {
        "preparing": lambda: prepared(load),
        "choice": lambda: chosen(books, load),
        "plain": lambda: plain(load),
        "automaton": lambda: passed(built(load), load),
        "passing": lambda: passed(machine, load),
    }
    # In turns, so that a busy moment of the machine falls on all alike.
    rounds = [{name: timed_ms(work) for name, work in works.items()} for _ in range(RUNS)]
    took = {name: median(one[name] for one in rounds) for name in works}
    print(f"{given.entries:,} entries, {len(load.chat.encode()) / 1024:.0f} KB of chat")
    for name, milliseconds in took.items():
        print(f"{name:10} {milliseconds:8.1f} ms")
    print(f"named by keys: plain {plain(load)}, automaton {passed(machine, load)}")
    if given.record:
        record(given.entries, given.kilobytes, took)


def record(entries: int, kilobytes: int, took: dict[str, float]) -> None:
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": shlex.join(["python", "bench/lore.py", *sys.argv[1:]]),
        "python": platform.python_version(),
        "entries": entries,
        "kilobytes": kilobytes,
        **{f"{name}_ms": round(milliseconds, 1) for name, milliseconds in took.items()},
    }
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
