"""The text that keys are looked for in, as segments with names.

Separate so that plain keys can be found once per segment, patterns in what an entry's own window
joins together, and the trace can say which segment it was.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import regex

from huaben.domain.lore.scan import MAX_SCAN_DEPTH, LoreSettings, Message, Scan
from huaben.domain.lore.values import Sources

SOURCE_NAMES = (
    "persona",
    "description",
    "personality",
    "depth_prompt",
    "scenario",
    "creator_notes",
)
_MARK = "\x01"
_HIDDEN_KEY = regex.compile(r"\{\{\s*hidden_key\s*::?([^{}]*)\}\}", regex.IGNORECASE)


class Part(Enum):
    """What a segment is a piece of."""

    MESSAGE = auto()
    SOURCE = auto()
    INJECTED = auto()
    RECURSION = auto()


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of the scanned text.

    `index` is how many messages back it lies, or which source it is. `lead` is what stands before
    it where segments are joined: a line end, and U+0001 where a speaker begins (formats §2.4).
    """

    part: Part
    index: int
    name: str
    text: str
    lead: str = "\n" + _MARK


@dataclass(frozen=True, slots=True)
class Window:
    """Which segments one entry looks at: messages back, sources by bit, and the recursion's text."""

    depth: int
    sources: int
    recursion: bool

    def holds(self, segment: Segment) -> bool:
        """Whether a segment lies in this window."""
        match segment.part:
            case Part.MESSAGE:
                return segment.index < self.depth
            case Part.SOURCE:
                return bool(self.sources >> segment.index & 1)
            case Part.INJECTED:
                return True
            case Part.RECURSION:
                return self.recursion


def source_bits(sources: Sources) -> int:
    """The sources that an entry asks for, as bits in the order of `SOURCE_NAMES`."""
    wanted = (
        sources.persona,
        sources.description,
        sources.personality,
        sources.depth_prompt,
        sources.scenario,
        sources.creator_notes,
    )
    return sum(1 << bit for bit, each in enumerate(wanted) if each)


def message_segments(scan: Scan, settings: LoreSettings) -> list[Segment]:
    """This turn's words and the messages, newest first, at most `MAX_SCAN_DEPTH`."""
    words = [Message(scan.user, scan.words)] if scan.words else []
    spoken = [*scan.messages, *words]
    newest_first = spoken[::-1][:MAX_SCAN_DEPTH]
    last = scan.chat_length - 1
    return [
        Segment(
            Part.MESSAGE,
            back,
            "words" if words and back == 0 else f"message {last - back}",
            _spoken(message, settings),
        )
        for back, message in enumerate(newest_first)
    ]


def other_segments(scan: Scan) -> list[Segment]:
    """The texts beside the chat: sources, then prompts that asked to be scanned."""
    texts = scan.sources
    values = (
        texts.persona,
        texts.description,
        texts.personality,
        texts.depth_prompt,
        texts.scenario,
        texts.creator_notes,
    )
    sources = [
        Segment(Part.SOURCE, bit, name, text)
        for bit, (name, text) in enumerate(zip(SOURCE_NAMES, values, strict=True))
        if text
    ]
    injected = [Segment(Part.INJECTED, 0, "injected", text) for text in scan.injected if text]
    return sources + injected


def recursion_segments(contents: Sequence[tuple[str, str, str]]) -> Iterator[Segment]:
    """What one pass adds for the next, of (ref, content as typed, content expanded).

    A hidden key is empty in the prompt and scanned here (card specification V3).
    """
    lead = "\n" + _MARK
    for ref, typed, expanded in contents:
        hidden = [found.strip() for found in _HIDDEN_KEY.findall(typed)]
        text = "\n".join((expanded, *hidden))
        if text:
            yield Segment(Part.RECURSION, 0, f"recursion {ref}", text, lead)
            lead = "\n"


def joined(segments: Sequence[Segment], window: Window) -> tuple[str, list[tuple[int, str]]]:
    """The text of a window and where in it each segment begins, with its name."""
    pieces: list[str] = []
    starts: list[tuple[int, str]] = []
    size = 0
    # Deeper messages may have been read last.
    for segment in sorted(segments, key=lambda each: each.part.value):
        if not window.holds(segment):
            continue
        lead = segment.lead if pieces else _MARK
        starts.append((size, segment.name))
        pieces.append(lead + segment.text)
        size += len(lead) + len(segment.text)
    return "".join(pieces), starts


def _spoken(message: Message, settings: LoreSettings) -> str:
    if not settings.include_names or not message.name:
        return message.text
    return f"{message.name}: {message.text}"
