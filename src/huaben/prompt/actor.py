"""What an `actor` turn is sent: the same story, and a last message from a template with named variables
(`performers.md` §2). Apart from the stage because here the model only speaks.

All system text is one leading message, the dialogue follows unbroken. Each piece of the last message
names the variable that it came from, so that what was rendered can be told from what was only found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from huaben.prompt.compiling import Block, Compiled, Frame, Origin, compiled
from huaben.prompt.segments import Piece, Prompt, segment
from huaben.prompt.stage import StageScene, assembled, data_blocks, said_now
from huaben.prompt.texts import phrase, shipped

_VARIABLE: Final = re.compile(r"\{(\w+)\}")
_ORIGINS: Final[Mapping[str, Origin]] = {"memory": "memory", "plan": "projection"}


def compose(scene: StageScene, template: str = "") -> Prompt:
    """The prompt of a turn: the same scene gives the same bytes, and a later scene of the session
    extends an earlier one up to its last user message. There is no tool list. What the template of the
    last message (the shipped one, or `template`) has no place for is among what was left out."""
    section = Piece("actor", shipped(scene.language, "actor"))
    used = template or shipped(scene.language, "actor_turn")
    last = _compiled(scene, used)
    pieces = rendered(used, {name: last.turn_at(name) for name in set(last.turn_anchors)})
    prompt = assembled(scene, section, segment("tail", "user", *pieces), ())
    return replace(prompt, left_out=(*prompt.left_out, *last.unsent))


def _compiled(scene: StageScene, template: str) -> Compiled:
    """What there is to say in the last message, at the variables that the template names."""
    variables: dict[str, Sequence[Piece]] = {
        "blocks": data_blocks(scene),
        "cast": [_cast(scene)],
        "question": said_now(scene),
    }
    blocks = [
        Block(piece, name, origin=_ORIGINS.get(piece.source, "foundation"))
        for name, pieces in variables.items()
        for piece in _filled(pieces)
    ]
    return compiled(blocks, Frame(turn=tuple(_VARIABLE.findall(template))))


def rendered(template: str, variables: Mapping[str, Sequence[Piece]]) -> list[Piece]:
    """The paragraphs of a template with its variables filled in, each once however often it is named;
    a paragraph whose variables are all empty is left out. What a variable holds is no template."""
    used: set[str] = set()
    pieces: list[Piece] = []
    for paragraph in template.split("\n\n"):
        named = dict.fromkeys(_VARIABLE.findall(paragraph))
        filled = {name: _filled(variables.get(name, ())) for name in named if name not in used}
        used.update(named)
        if named and not any(filled.values()):
            continue
        if len(named) == 1 and _VARIABLE.fullmatch(paragraph.strip()):
            pieces += next(iter(filled.values()))
        else:
            source = "+".join(filled) or "template"
            pieces.append(Piece(source, _written(paragraph, filled)))
    return pieces


def _written(paragraph: str, filled: Mapping[str, Sequence[Piece]]) -> str:
    return _VARIABLE.sub(lambda found: _joined(filled.get(found[1], ())), paragraph)


def _filled(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.text.strip()]


def _joined(pieces: Sequence[Piece]) -> str:
    return "\n\n".join(piece.text for piece in pieces)


def _cast(scene: StageScene) -> Piece:
    """Who is told, who the reader is, and how they are to be called."""
    language, card = scene.language, scene.card
    if card is None:
        return Piece("cast", "")
    return Piece("cast", phrase(language, "actor_cast", name=card.name, reader=scene.persona_name))
