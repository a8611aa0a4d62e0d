"""What the experts are sent when they check an edited manuscript; apart from planning, because they see chapters
and a ledger, and no scene that goes on (`writing.md` §5).

All experts of a round are sent the same system text and the same material, byte for byte; only a short last
message is the role's own, so that a provider's cache serves all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from huaben.domain.ledger import Ledger
from huaben.domain.plan.notes import Expert
from huaben.domain.project import Language
from huaben.prompt.blocks import plain
from huaben.prompt.segments import Piece, Prompt, segment
from huaben.prompt.texts import phrases
from huaben.prompt.worldstate import world_state_block


@dataclass(frozen=True, slots=True)
class Passage:
    """A changed passage of a chapter: `text` as it is now, empty if it was cut, and what stood there before,
    empty if it is new."""

    chapter: str
    text: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class CheckScene:
    """Everything that the calls of one round are made of; `later` are chapters, or pieces of them, as (name,
    text)."""

    language: Language
    ledger: Ledger
    passages: tuple[Passage, ...]
    later: tuple[tuple[str, str], ...] = ()


def compose_check(scene: CheckScene, expert: Expert) -> Prompt:
    """The prompt of one expert. Words of the manuscript are never templates."""
    return Prompt(
        (
            segment("prefix", "system", Piece("continuity", _text(scene.language, "duty"))),
            segment("log", "user", *material(scene)),
            segment(
                "tail",
                "user",
                Piece("role", _text(scene.language, "turn_of").format(role=expert)),
            ),
        )
    )


def material(scene: CheckScene) -> tuple[Piece, ...]:
    """The message that all experts are shown."""
    language = scene.language
    passages = "\n\n".join(_passage(language, one) for one in scene.passages)
    later = "\n\n".join(f"# {name}\n{text.strip()}" for name, text in scene.later)
    return (
        _block(language, "ledger", ledger_text(language, scene.ledger), "no_ledger"),
        _block(language, "changed", passages, ""),
        _block(language, "later", later, "no_later"),
    )


def ledger_text(language: Language, ledger: Ledger) -> str:
    """The ledger as the experts are shown it, where their quotations of it are looked for."""
    return world_state_block(language, ledger).text.partition("\n")[2]


def _passage(language: Language, one: Passage) -> str:
    return "\n".join(_lines(language, one))


def _lines(language: Language, one: Passage) -> Iterator[str]:
    if not one.before.strip():
        yield f"# {one.chapter} {_text(language, 'new')}"
        yield one.text.strip()
    elif not one.text.strip():
        yield f"# {one.chapter} {_text(language, 'cut')}"
        yield one.before.strip()
    else:
        yield f"# {one.chapter}"
        yield f"{_text(language, 'was')}\n{one.before.strip()}"
        yield f"{_text(language, 'now')}\n{one.text.strip()}"


def _block(language: Language, key: str, body: str, none: str) -> Piece:
    said = body.strip() or (_text(language, none) if none else "")
    return Piece(f"continuity.{key}", plain(f"{_text(language, key)}\n{said}"))


def _text(language: Language, key: str) -> str:
    return phrases(language, "continuity")[key]
