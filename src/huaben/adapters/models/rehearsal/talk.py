"""A request as a conversation: what lies behind, what was said now, what this turn has done so far;
apart from the playing because only this knows how a prompt is laid out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from huaben.adapters.models.rehearsal.script import LANGUAGES, Story, load_story
from huaben.adapters.models.rehearsal.wire import Heard, objects, text
from huaben.domain.jsonvalue import JsonObject, parse_json
from huaben.domain.messages import Assistant, Message, System, ToolCall, ToolResult, User
from huaben.domain.text import looks_chinese


@dataclass(frozen=True, slots=True)
class Result:
    """A call of this turn and what came of it. `facts` is empty when the result is no object."""

    call: ToolCall
    facts: JsonObject

    @property
    def tool(self) -> str:
        return self.call.name

    @property
    def given(self) -> JsonObject:
        """The arguments of the call."""
        return _object(self.call.arguments)

    @property
    def version(self) -> int | None:
        return version_in(self.facts)

    @property
    def refused(self) -> bool:
        return self.facts.get("ok") is False


@dataclass(frozen=True, slots=True)
class Round:
    """One reply of this turn with the results of its calls."""

    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """`noted` is how many rounds lay behind when the reader asked to go on with a turn that had
    been stopped, or when somebody directed it; None when nobody did. `told` is what stands of the turn
    where it is told without a sheet; `opened` says whether a turn of a story was laid out at all."""

    system: str
    past: tuple[tuple[str, str], ...]
    words: str
    rounds: tuple[Round, ...]
    noted: int | None = None
    told: str = ""
    opened: bool = False


def talk_in(heard: Heard) -> Talk:
    """The last user message with data blocks is this turn's; what follows it, the turn so far."""
    messages = heard.messages
    at = _this_turn(messages)
    system = "\n\n".join(m.text for m in messages if isinstance(m, System))
    said = messages[at] if at < len(messages) else None
    words = _words(said.text) if isinstance(said, User) else ""
    rounds, noted = rounds_in(messages[at + 1 :])
    told = "\n\n".join(m.text for m in messages[at + 1 :] if isinstance(m, Assistant))
    opened = isinstance(said, User) and _title_at(said.text) is not None
    return Talk(system, _past(messages[:at]), words, rounds, noted, told, opened)


def story_of(talk: Talk) -> Story | None:
    """The story whose card this is, or None for anybody else's."""
    stories = (load_story(language) for language in LANGUAGES)
    return next((story for story in stories if story.marker in talk.system), None)


def tongue_of(heard: Heard) -> Story:
    """The story in the language that the request is in, for words that belong to no story."""
    last = next((m.text for m in reversed(heard.messages) if isinstance(m, User)), "")
    for language in LANGUAGES:
        if load_story(language).language_title in last:
            return load_story(language)
    return load_story("zh" if looks_chinese(last) else "en")


def version_in(facts: JsonObject) -> int | None:
    """The version that arguments or a result name."""
    value = facts.get("version")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _this_turn(messages: Sequence[Message]) -> int:
    said = [n for n, message in enumerate(messages) if isinstance(message, User)]
    with_blocks = [n for n in said if _title_at(messages[n].text) is not None]
    return (with_blocks or said or [len(messages)])[-1]


def _title_at(said: str) -> int | None:
    """Where the language block, the last of the blocks, begins."""
    titles = (load_story(language).language_title for language in LANGUAGES)
    found = [at for title in titles if (at := f"\n{said}".find(f"\n{title}\n")) >= 0]
    return min(found, default=None)


def _words(said: str) -> str:
    at = _title_at(said)
    return said if at is None else said[at:].partition("\n\n")[2]


def _past(messages: Sequence[Message]) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    words: str | None = None
    for message in messages:
        if isinstance(message, User):
            words = message.text
        elif isinstance(message, Assistant) and words is not None:
            pairs.append((words, message.text))
            words = None
    return tuple(pairs)


def rounds_in(messages: Sequence[Message]) -> tuple[tuple[Round, ...], int | None]:
    """What a turn has done so far, and how many rounds lay behind when the reader asked to go on."""
    rounds: list[Round] = []
    noted: int | None = None
    results = {m.call_id: m.text for m in messages if isinstance(m, ToolResult)}
    for message in messages:
        if isinstance(message, Assistant):
            rounds.append(
                Round(tuple(Result(c, _object(results.get(c.id, ""))) for c in message.calls))
            )
        elif isinstance(message, User):
            noted = len(rounds)
    return tuple(rounds), noted


def _object(source: str) -> JsonObject:
    value = parse_json(source)
    return value if isinstance(value, dict) else {}


def answer_in(result: Result) -> str:
    """What the reader answered to a question."""
    return text(result.facts, "answer")


def reference_in(result: Result) -> str:
    """The entry that a search found first, or nothing."""
    hits = objects(result.facts.get("hits"))
    return text(hits[0], "ref") if hits else ""
