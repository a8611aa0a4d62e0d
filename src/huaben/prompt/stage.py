"""What a `stage` turn is sent, from values to ordered segments (`context.md` §2).

Pure, and the only place that knows the order. Card texts arrive with their macros expanded; words
of the user and the model are never templates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from huaben.domain.image import without_markers
from huaben.domain.messages import ToolSpec
from huaben.domain.project import Language
from huaben.domain.story import Exchange
from huaben.prompt.blocks import (
    NO_MEMORY,
    NO_PLAN,
    NO_RESIDENT,
    NO_SUMMARY,
    ActiveEntry,
    index_block,
    language_block,
    lore_block,
    lore_pieces,
)
from huaben.prompt.segments import LeftOut, Piece, Prompt, Segment, segment
from huaben.prompt.texts import phrase, shipped


@dataclass(frozen=True, slots=True)
class CardTexts:
    """The texts of a card as they stand in the prompt. `rules` are the card's own instructions;
    `own_rules` is its rule file, which takes the place of the fields when there is one."""

    name: str
    description: str = ""
    personality: str = ""
    scenario: str = ""
    examples: str = ""
    rules: str = ""
    own_rules: str = ""


@dataclass(frozen=True, slots=True)
class UserTexts:
    """Texts of the user's own: `system` takes the place of the shipped base text, `appended` is
    added to it, `rules` are the user's general rules."""

    system: str = ""
    appended: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class Constant:
    """A lore entry that is always in force; `position` is where it asks to stand."""

    ref: str
    title: str
    text: str
    position: str = ""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A sealed turn of this branch: the user's words, what was asked, the text in force. `scripts`
    say which regex scripts changed its words and its text for the model; `speaker` is who tells the
    text, where that is not the character of the card."""

    turn_id: str
    user_text: str
    final_text: str
    asked: tuple[Exchange, ...] = ()
    scripts: tuple[str, str] = ("", "")
    speaker: str = ""

    @property
    def prose(self) -> str:
        """The text as a model reads it: pictures are for the reader."""
        return without_markers(self.final_text)


@dataclass(frozen=True, slots=True)
class Arranged:
    """A prompt as a preset arranges it: what opens the system text, what stands there in place of
    card, persona and lore, and the messages behind the user's words."""

    base: Piece
    pieces: tuple[Piece, ...]
    after: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True)
class StageScene:
    """Everything that one turn's prompt is made of. `summary` stands for turns that are not among
    `past`, `resident` is what the card's other stories left; `state` are the blocks of the ledger and roster,
    `memory` that of what was recalled, `plan` that of the planner, `planned` what the system text
    says of it, `before_words` what other programs put among the messages;
    `scripted` says which regex scripts changed the greeting and the words; `choices` names the
    preset's prompt that has choices written into the prose, where there is one; `decorated` puts the
    active lore at the words instead of among the data."""

    language: Language
    words: str
    card: CardTexts | None
    user: UserTexts
    persona_name: str
    persona_named: bool
    persona_text: str
    constants: tuple[Constant, ...]
    greeting_title: str
    greeting: str
    past: tuple[PastTurn, ...]
    active: tuple[ActiveEntry, ...]
    index: tuple[str, ...]
    index_chars: int
    tools: tuple[ToolSpec, ...]
    left_out: tuple[LeftOut, ...] = ()
    volatile: tuple[str, ...] = ()
    summary: Piece = NO_SUMMARY
    resident: Piece = NO_RESIDENT
    state: tuple[Piece, ...] = ()
    memory: Piece = NO_MEMORY
    plan: Piece = NO_PLAN
    planned: tuple[Piece, ...] = ()
    before_words: tuple[Piece, ...] = ()
    arranged: Arranged | None = None
    scripted: tuple[str, str] = ("", "")
    decorated: bool = False
    choices: str = ""


def compose(scene: StageScene) -> Prompt:
    """The prompt of a turn: the same scene gives the same bytes, and a later scene of the session
    extends an earlier one up to its last user message."""
    prompt = assembled(scene, _section(scene), _last(scene), scene.tools)
    if not scene.choices:
        return prompt
    out = LeftOut("tool:ask", f"the preset brings choices of its own: {scene.choices}")
    return replace(prompt, left_out=(*prompt.left_out, out))


def _section(scene: StageScene) -> Piece:
    """How a turn goes. Where the preset brings choices of its own, nothing is said of `ask`."""
    text = shipped(scene.language, "stage")
    if not scene.choices:
        return Piece("stage", text)
    own = phrase(scene.language, "preset_choices")
    lines = [own if "`ask`" in line else line for line in text.splitlines()]
    return Piece("stage", "\n".join(lines), "the preset brings choices of its own")


def assembled(
    scene: StageScene, section: Piece, last: Segment, tools: tuple[ToolSpec, ...]
) -> Prompt:
    """What every performer is sent, with its own section in the system text and its own last
    message."""
    segments = [segment("prefix", "system", *_system(scene, section), *scene.planned)]
    if scene.summary.text or scene.resident.text:
        segments.append(segment("log", "user", scene.summary, scene.resident))
    if scene.greeting.strip():
        segments.append(_greeting(scene))
    for turn in scene.past:
        segments += _past(scene.language, turn)
    after = scene.arranged.after if scene.arranged else ()
    return Prompt((*segments, last, *after), tools, scene.left_out, scene.volatile)


def words_with_answers(language: Language, words: str, asked: Sequence[Exchange]) -> str:
    """The user's words as history keeps them, with what they answered at an ask card."""
    lines = [words] if words.strip() else []
    lines += [
        phrase(language, "asked_line", question=one.question, answer=one.answer) for one in asked
    ]
    return "\n\n".join(lines)


def _system(scene: StageScene, section: Piece) -> list[Piece]:
    language, card = scene.language, scene.card
    own_base = scene.user.system.strip()
    if scene.arranged is not None:
        rules = _headed(language, "user_rules", scene.user.rules)
        opening = (scene.arranged.base, section, rules, Piece("append", scene.user.appended))
        return [*opening, *scene.arranged.pieces]
    pieces = [
        Piece("base", own_base or shipped(language, "base"), "SYSTEM.md" if own_base else ""),
        section,
        _headed(language, "user_rules", scene.user.rules),
        Piece("append", scene.user.appended),
    ]
    if card is not None:
        pieces.append(_headed(language, "card_rules", card.rules))
        pieces += _card(language, card)
    pieces += _persona(scene)
    if scene.constants:
        texts = "\n\n".join(f"## {entry.title}\n{entry.text}" for entry in scene.constants)
        pieces.append(
            Piece("constants", f"{phrase(language, 'constants')}\n\n{texts}", _titles(scene))
        )
    return pieces


def _card(language: Language, card: CardTexts) -> list[Piece]:
    heading = Piece("card.name", phrase(language, "card_heading", name=card.name))
    if card.own_rules.strip():
        return [heading, Piece("card.own_rules", card.own_rules, "replaces the card's fields")]
    fields = (
        ("description", card.description),
        ("personality", card.personality),
        ("scenario", card.scenario),
        ("examples", card.examples),
    )
    return [heading, *(_headed(language, name, text, f"card.{name}") for name, text in fields)]


def _persona(scene: StageScene) -> list[Piece]:
    if not scene.persona_named and not scene.persona_text.strip():
        return []
    key = "persona_heading" if scene.persona_text.strip() else "persona_plain"
    heading = phrase(scene.language, key, name=scene.persona_name)
    return [Piece("persona.name", heading), Piece("persona", scene.persona_text)]


def _titles(scene: StageScene) -> str:
    return "; ".join(entry.title for entry in scene.constants)


def _headed(language: Language, key: str, text: str, source: str = "") -> Piece:
    body = text.strip()
    return Piece(source or key, f"{phrase(language, key)}\n\n{body}" if body else "")


def _greeting(scene: StageScene) -> Segment:
    return segment(
        "log",
        "assistant",
        Piece("greeting.title", f"# {scene.greeting_title}"),
        Piece("greeting", scene.greeting, scene.scripted[0]),
    )


def _past(language: Language, turn: PastTurn) -> list[Segment]:
    words = words_with_answers(language, turn.user_text, turn.asked)
    told = Piece(f"turn:{turn.turn_id}", turn.prose, turn.scripts[1])
    named = Piece("speaker", f"{turn.speaker}:" if turn.speaker and told.text.strip() else "")
    return [
        segment("log", "user", Piece(f"turn:{turn.turn_id}", words, turn.scripts[0])),
        segment("log", "assistant", named, told),
    ]


def data_blocks(scene: StageScene) -> list[Piece]:
    """What a turn is told before the user's words, in its order; of our own the language comes last."""
    return [
        *scene.state,
        lore_block(scene.language, () if scene.decorated else scene.active),
        index_block(scene.language, scene.index, scene.index_chars),
        scene.memory,
        scene.plan,
        language_block(scene.language),
        *scene.before_words,
    ]


def said_now(scene: StageScene) -> list[Piece]:
    """The user's words, with the lore that decorates them for this turn alone."""
    lore = lore_pieces(scene.language, scene.active) if scene.decorated else []
    return [*lore, Piece("words", scene.words, scene.scripted[1])]


def _last(scene: StageScene) -> Segment:
    return segment("tail", "user", *data_blocks(scene), *said_now(scene))
