"""Runs the program as its users do: a process of its own, its streams, its exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import BinaryIO, cast

from huaben.domain.jsonvalue import JsonObject
from huaben.testing.script import ScriptedReply, call, reply
from tests.forking import Forked, fork

CARD: JsonObject = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "阿蘅",
        "description": "{{char}}守着渡口最后一家客栈，算账快，答话慢。",
        "personality": "冷淡，细心",
        "scenario": "秋夜，雨把{{user}}身后的路封住了。",
        "first_mes": "门在雨声里合上。{{char}}从账本上抬起头：「有汤，有一间房。」",
        "mes_example": "",
        "tags": [],
        "extensions": {"colour": "blue"},
        "character_book": {
            "extensions": {},
            "entries": [
                {
                    "keys": ["旧伞"],
                    "content": "门后的旧伞是船家女儿的，阿蘅从不外借。",
                    "enabled": True,
                    "insertion_order": 1,
                    "extensions": {},
                }
            ],
        },
    },
}
WAIT_S = 120.0
"""How long a test waits for the program; it never takes this long unless something is wrong."""


@dataclass(frozen=True, slots=True)
class Run:
    """A program that has ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[JsonObject]:
        """Standard output as JSON lines; anything else in it is an error."""
        return [as_object(line) for line in self.out.splitlines()]

    def of(self, kind: str) -> list[JsonObject]:
        return [line for line in self.lines if line["kind"] == kind]

    @property
    def turn(self) -> JsonObject:
        """The last turn as it was given at its end."""
        return self.of("turn")[-1]


@dataclass(slots=True)
class Program:
    """The program with its data folder and its endpoint."""

    home: Path
    base_url: str = ""
    lang: str = "en"
    settings: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def card(self) -> str:
        path = self.home / "阿蘅.json"
        if not path.exists():
            path.write_text(json.dumps(CARD, ensure_ascii=False), "utf-8")
        return str(path)

    def file(self, name: str, content: str | bytes) -> str:
        """A file beside the data folder."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def run(self, *arguments: str, piped: str = "") -> Run:
        """Run the program to its end, with some text on its standard input."""
        return self.start(*arguments, piped=piped).end()

    def python(self, *arguments: str) -> Run:
        """Run the interpreter to its end, under the program's conditions."""
        done = subprocess.run(
            [sys.executable, "-W", "error", *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=WAIT_S,
            check=False,
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *arguments: str, piped: str = "") -> Running:
        """Let the program run; its errors are read at its end, so they go to a file."""
        out, theirs = os.pipe()
        errors = TemporaryFile()  # noqa: SIM115 - read and closed at the program's end
        with TemporaryFile() as said:
            said.write(piped.encode())
            said.seek(0)
            streams = (said.fileno(), theirs, errors.fileno())
            process = fork("huaben", *arguments, streams=streams, environment=self.environment)
        os.close(theirs)
        return Running(process, os.fdopen(out, "rb"), errors)

    @property
    def environment(self) -> dict[str, str]:
        named = {"HUABEN_BASE_URL": self.base_url, "HUABEN_MODEL": "scripted"}
        return {
            **os.environ,
            **(named if self.base_url else {}),
            "HUABEN_DATA": str(self.data),
            "HUABEN_LANG": self.lang,
            "HUABEN_RETRIES": "0",
            **self.settings,
        }


@dataclass(slots=True)
class Running:
    """A program that is at work."""

    process: Forked
    out: BinaryIO
    errors: BinaryIO
    seen: list[str] = field(default_factory=list[str])

    def read_until(self, wanted: Callable[[JsonObject], bool]) -> JsonObject:
        """Read JSON lines up to the first that is wanted."""
        return as_object(self.line_until(lambda line: wanted(as_object(line))))

    def line_until(self, wanted: Callable[[str], bool]) -> str:
        while line := self.out.readline().decode():
            self.seen.append(line)
            if wanted(line):
                return line
        raise AssertionError(f"the program ended first: {self.seen} {self.end()}")

    def send(self, signum: signal.Signals) -> None:
        self.process.send_signal(signum)

    def end(self) -> Run:
        """Wait for its end; what was read already is part of the output."""
        with self.errors:
            rest = "" if self.out.closed else self._rest()
            code = self.process.wait(WAIT_S)
            self.errors.seek(0)
            return Run(code, "".join(self.seen) + rest, self.errors.read().decode())

    def _rest(self) -> str:
        """What is still to be read of its output; a program that takes too long is ended."""
        watch = Timer(WAIT_S, self.process.kill)
        watch.start()
        try:
            with self.out:
                return self.out.read().decode()
        finally:
            watch.cancel()


def as_object(line: str) -> JsonObject:
    value: object = json.loads(line)
    assert isinstance(value, dict), line
    return cast("JsonObject", value)  # the keys of a JSON object are strings


def writes(text: str) -> ScriptedReply:
    """A reply that writes the whole draft and seals it."""
    return reply(call("draft_write", version=0, content=text), call("draft_seal", version=1))


def is_preview(event: JsonObject) -> bool:
    return event["kind"] == "draft" and event["preview"] is True
