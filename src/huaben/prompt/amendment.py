"""What a model is sent to work out a lasting change: the request, and the texts that may change. Apart from the
showrunner's prompt because that one never sees the card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from huaben.domain.project import Language
from huaben.prompt.segments import Piece, Prompt, segment
from huaben.prompt.texts import phrases


@dataclass(frozen=True, slots=True)
class AmendmentScene:
    """Everything that the call is made of. `card` are its fields by name as they now read, `style` the
    rules that earlier amendments added."""

    language: Language
    request: str
    words: str
    card: Sequence[tuple[str, str]]
    style: str


def compose_amendment(scene: AmendmentScene) -> Prompt:
    """The prompt of the one call. Words of the reader and of the card are never templates."""
    texts = phrases(scene.language, "amendment")
    fields = [
        _headed(f"card.{name}", texts["card"].format(field=name), text) for name, text in scene.card
    ]
    return Prompt(
        (
            segment("prefix", "system", Piece("amendment", texts["duty"])),
            segment(
                "tail",
                "user",
                *fields,
                _headed("style", texts["style"], scene.style),
                _headed("words", texts["words"], scene.words),
                _headed("request", texts["request"], scene.request),
            ),
        )
    )


def _headed(source: str, heading: str, text: str) -> Piece:
    return Piece(source, f"{heading}\n{text}" if text.strip() else "")
