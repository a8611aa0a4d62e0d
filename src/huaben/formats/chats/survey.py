"""What is in a chat, counted in one pass; apart because it is asked before anything is made of the chat."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from huaben.formats.chats.ending import Ending, Spoken
from huaben.formats.chats.staging import Stage
from huaben.formats.chats.values import Chat, Message
from huaben.formats.report import Findings, Report

MAX_SPEAKERS = 200


@dataclass(frozen=True, slots=True)
class Survey:
    """How much there is of what. `user` and `character` are the names of the header or else of the
    messages; `speakers` counts the replies of each, the first `MAX_SPEAKERS` of them; `end` are the
    last words."""

    user: str
    character: str
    speakers: Mapping[str, int]
    messages: int
    variants: int
    hidden: int
    quarantined: int
    turns: int
    report: Report
    end: tuple[Spoken, ...] = ()

    @property
    def is_group(self) -> bool:
        """Whether more than one replies."""
        return len(self.speakers) > 1


def survey(chat: Chat) -> Survey:
    """Reads the whole chat once and keeps none of it."""
    findings, stage, ending = Findings(), Stage(), Ending()
    speakers: Counter[str] = Counter()
    users: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for entry in chat.entries.read(findings):
        counts["turns"] += sum(1 for _ in stage.take(entry))
        ending.take(entry)
        if not isinstance(entry, Message):
            counts["quarantined"] += 1
            continue
        counts["messages"] += 1
        counts["variants"] += len(entry.variants)
        counts["hidden"] += entry.hidden
        if not entry.hidden and entry.name and entry.role != "system":
            named = users if entry.role == "user" else speakers
            if entry.name in named or len(named) < MAX_SPEAKERS:
                named[entry.name] += 1
    counts["turns"] += sum(1 for _ in stage.end())
    return Survey(
        user=chat.user or next(iter(users), ""),
        character=chat.character or next(iter(speakers), ""),
        speakers=speakers,
        messages=counts["messages"],
        variants=counts["variants"],
        hidden=counts["hidden"],
        quarantined=counts["quarantined"],
        turns=counts["turns"],
        report=findings.report(),
        end=ending.end(chat.stands),
    )
