"""What a writing turn is sent: the writing role, the card as requirements on the manuscript, the discussion
so far, and blocks of data before the author's words (`context.md` §2.5). Apart from the stage because here
the card binds the chapters and never the reply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from huaben.domain.manuscript import Chapter
from huaben.domain.messages import ToolSpec
from huaben.domain.project import Language
from huaben.prompt.blocks import NO_SUMMARY, plain
from huaben.prompt.segments import Piece, Prompt, Segment, segment
from huaben.prompt.stage import CardTexts, Constant, PastTurn, UserTexts, words_with_answers
from huaben.prompt.texts import phrase, phrases, shipped

INDEX_CHAPTERS = 2000
"""How many chapters the index names one by one; further ones are counted."""


@dataclass(frozen=True, slots=True)
class WritingScene:
    """Everything that one turn's prompt is made of. `card_name` is empty where there is no card; `state`
    are the blocks of ledger and roster."""

    language: Language
    title: str
    words: str
    card: CardTexts | None
    card_name: str
    user: UserTexts
    constants: tuple[Constant, ...]
    past: tuple[PastTurn, ...]
    chapters: tuple[Chapter, ...]
    tools: tuple[ToolSpec, ...]
    summary: Piece = NO_SUMMARY
    state: tuple[Piece, ...] = ()
    volatile: tuple[str, ...] = ()


def compose(scene: WritingScene) -> Prompt:
    """The prompt of a turn: the same scene gives the same bytes, and a later scene of the session extends
    an earlier one up to its last user message."""
    segments = [segment("prefix", "system", *_system(scene))]
    if scene.summary.text:
        segments.append(segment("log", "user", scene.summary))
    for turn in scene.past:
        segments += _past(scene.language, turn)
    last = segment(
        "tail",
        "user",
        *scene.state,
        index_block(scene.language, scene.chapters),
        Piece("words", scene.words),
    )
    return Prompt((*segments, last), scene.tools, volatile=scene.volatile)


def index_block(language: Language, chapters: Sequence[Chapter]) -> Piece:
    """How many chapters there are and how long they are in all, then each with its length and its last
    change."""
    said = phrases(language, "writing_phrases")
    lines = [said["index_title"]]
    if not chapters:
        lines.append(said["index_empty"])
        return Piece("manuscript_index", "\n".join(lines))
    chars = sum(chapter.chars or 0 for chapter in chapters)
    lines.append(said["index_count"].format(count=len(chapters), chars=f"{chars:,}"))
    for chapter in chapters[:INDEX_CHAPTERS]:
        key = "index_bytes" if chapter.chars is None else "index_line"
        changed = chapter.changed_at[:16].replace("T", " ")
        shown = f"{chapter.chars or 0:,}"
        lines.append(said[key].format(name=chapter.name, chars=shown, changed=changed))
    rest = len(chapters) - INDEX_CHAPTERS
    if rest > 0:
        lines.append(phrase(language, "index_more", count=rest))
    reason = f"{rest} chapters are not named" if rest > 0 else ""
    return Piece("manuscript_index", plain("\n".join(lines)), reason)


def _system(scene: WritingScene) -> list[Piece]:
    """The user's own file takes the place of the shipped role; the desk comes last."""
    language, own = scene.language, scene.user.system
    pieces = [
        Piece("writing", own or shipped(language, "writing"), "SYSTEM.md" if own else ""),
        _headed(language, "user_rules", scene.user.rules),
        Piece("append", scene.user.appended),
    ]
    if scene.card is not None:
        pieces += _card(language, scene.card)
    if scene.constants:
        texts = "\n\n".join(f"## {one.title}\n{one.text}" for one in scene.constants)
        reason = "; ".join(one.title for one in scene.constants)
        pieces.append(Piece("constants", f"{phrase(language, 'constants')}\n\n{texts}", reason))
    pieces.append(_desk(scene))
    return pieces


def _card(language: Language, card: CardTexts) -> list[Piece]:
    """The card under a heading that says what it binds."""
    said = phrases(language, "writing_phrases")
    heading = Piece("card.name", said["card_requirements"].format(name=card.name))
    if card.own_rules.strip():
        return [heading, Piece("card.own_rules", card.own_rules, "replaces the card's fields")]
    fields = (
        ("card_rules", card.rules, "card.rules"),
        ("description", card.description, "card.description"),
        ("personality", card.personality, "card.personality"),
        ("scenario", card.scenario, "card.scenario"),
        ("examples", card.examples, "card.examples"),
    )
    return [heading, *(_headed(language, key, text, source) for key, text, source in fields)]


def _desk(scene: WritingScene) -> Piece:
    said = phrases(scene.language, "writing_phrases")
    lines = [said["desk_heading"], "", said["desk_project"].format(title=scene.title)]
    if scene.card_name:
        lines.append(said["desk_card"].format(name=scene.card_name))
    lines.append(said["desk_folder"])
    return Piece("desk", "\n".join(lines))


def _headed(language: Language, key: str, text: str, source: str = "") -> Piece:
    body = text.strip()
    return Piece(source or key, f"{phrase(language, key)}\n\n{body}" if body else "")


def _past(language: Language, turn: PastTurn) -> list[Segment]:
    """The author's words and the report. For a turn that worked in silence a word stands there, as some
    models must be answered each time."""
    words = words_with_answers(language, turn.user_text, turn.asked)
    report = turn.final_text.strip() or phrases(language, "writing_phrases")["silent"]
    source = f"turn:{turn.turn_id}"
    return [
        segment("log", "user", Piece(source, words)),
        segment("log", "assistant", Piece(source, report)),
    ]
