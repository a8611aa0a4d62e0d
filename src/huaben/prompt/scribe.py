"""What the scribe is sent after a sealed turn, and what it is told if its answer cannot be read; apart from
the stage because it sees one turn and writes no prose (`state.md` §2.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from huaben.domain.jsonvalue import dump_json
from huaben.domain.ledger import Ledger, ledger_to_json
from huaben.domain.project import Language
from huaben.domain.scribereply import ReplyFault
from huaben.prompt.segments import Piece, Prompt, segment
from huaben.prompt.texts import phrases


@dataclass(frozen=True, slots=True)
class ScribeScene:
    """Everything that one call of the scribe is made of. `ledger` is as it stood before the turn;
    `words` are the user's, with what they answered at ask cards; `card_rules` is what the card says
    of bookkeeping; `reader` is the name of the user's character, empty if they have none."""

    language: Language
    ledger: Ledger
    words: str
    final_text: str
    card_rules: str = ""
    reader: str = ""


def compose_scribe(scene: ScribeScene) -> Prompt:
    """The prompt of the call: the system text is the same for every turn of a session, the ledger
    and the turn follow in one message. Words of the user and the model are never templates."""
    language = scene.language
    reader = _filled(language, "reader", name=scene.reader) if scene.reader.strip() else ""
    return Prompt(
        (
            segment(
                "prefix",
                "system",
                Piece("scribe", _text(language, "duty")),
                _headed(language, "card_rules", "\n\n", scene.card_rules.strip()),
                Piece("reader", reader),
            ),
            segment(
                "tail",
                "user",
                _headed(
                    language, "ledger", "\n", dump_json(ledger_to_json(scene.ledger), indent=1)
                ),
                _headed(language, "words", "\n", scene.words),
                _headed(language, "prose", "\n", scene.final_text),
                Piece("scribe.close", _text(language, "close")),
            ),
        )
    )


def ask_again(prompt: Prompt, language: Language, reply: str, fault: ReplyFault) -> Prompt:
    """The one attempt at repair: the same call, what came of it, and why that could not be read."""
    reason = _filled(language, fault.code, detail=fault.detail)
    told = Piece("scribe.again", _filled(language, "again", reason=reason), fault.code)
    answer = [segment("tail", "assistant", Piece("scribe.reply", reply))] if reply.strip() else []
    return replace(prompt, segments=(*prompt.segments, *answer, segment("tail", "user", told)))


def _headed(language: Language, key: str, joint: str, text: str) -> Piece:
    return Piece(key, f"{_text(language, key)}{joint}{text}" if text.strip() else "")


def _text(language: Language, key: str) -> str:
    return phrases(language, "scribe")[key]


def _filled(language: Language, key: str, **facts: str) -> str:
    return _text(language, key).format_map(facts)
