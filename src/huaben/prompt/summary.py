"""What the call that writes a summary is sent, and the block in which a summary heads the log; apart from
the stage because it sees turns that the stage no longer does (`state.md` §4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from huaben.domain.notes import Note
from huaben.domain.project import Language
from huaben.prompt.blocks import plain
from huaben.prompt.segments import Piece, Prompt, segment
from huaben.prompt.stage import PastTurn, words_with_answers
from huaben.prompt.texts import phrases


@dataclass(frozen=True, slots=True)
class SummaryScene:
    """Everything that one call is made of: the summary up to now, the ledger as a block, the notes
    that must survive, and the turns to be taken in."""

    language: Language
    former: str
    facts: str
    notes: tuple[Note, ...]
    turns: tuple[PastTurn, ...]


def compose_summary(scene: SummaryScene) -> Prompt:
    """The prompt of the call. Words of the user and the model are never templates."""
    language = scene.language
    notes = "\n\n".join(f"{note.title}\n{note.text}".strip() for note in scene.notes)
    facts = scene.facts.partition("\n")[2]  # under a heading of its own here
    turns = "\n\n".join(_told(language, turn) for turn in scene.turns)
    return Prompt(
        (
            segment("prefix", "system", Piece("summary.duty", _text(language, "duty"))),
            segment(
                "tail",
                "user",
                _headed(language, "former", scene.former),
                _headed(language, "facts", facts),
                _headed(language, "notes", notes),
                _headed(language, "turns", turns),
                Piece("summary.close", _text(language, "close")),
            ),
        )
    )


def name_missing(prompt: Prompt, language: Language, text: str, names: Sequence[str]) -> Prompt:
    """The same call once more, with what came of it and the names that it lost."""
    told = _text(language, "again").format(names=_joined(language, names))
    return replace(
        prompt,
        segments=(
            *prompt.segments,
            segment("tail", "assistant", Piece("summary.reply", text)),
            segment("tail", "user", Piece("summary.again", told)),
        ),
    )


def with_missing(language: Language, text: str, names: Sequence[str]) -> str:
    """The summary with a last line that holds the names which it lost twice."""
    if not names:
        return text
    return f"{text}\n\n{_text(language, 'kept').format(names=_joined(language, names))}"


def summary_block(language: Language, text: str, reason: str = "") -> Piece:
    """The summary as it heads the log; empty where there is none."""
    if not text.strip():
        return Piece("summary", "")
    return Piece("summary", plain(f"{_text(language, 'title')}\n{text.strip()}"), reason)


def _told(language: Language, turn: PastTurn) -> str:
    words = words_with_answers(language, turn.user_text, turn.asked)
    told = [("words", words), ("prose", turn.prose)]
    return "\n".join(_text(language, key).format(text=text) for key, text in told if text.strip())


def _headed(language: Language, key: str, text: str) -> Piece:
    body = text.strip()
    return Piece(f"summary.{key}", f"{_text(language, key)}\n{body}" if body else "")


def _joined(language: Language, names: Sequence[str]) -> str:
    return ("、" if language == "zh" else ", ").join(names)


def _text(language: Language, key: str) -> str:
    return phrases(language, "summary")[key]
