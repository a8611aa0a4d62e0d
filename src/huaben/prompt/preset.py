"""A preset laid over our three zones: what stands before the chat in the system text, what stands after it
behind the user's words, what stands inside it before them (formats §4.1, `context.md` §1).

Pure, and apart from the stage, which knows the order that holds without a preset. Texts arrive with
their macros resolved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from huaben.domain.card import CardRole
from huaben.domain.preset import (
    MAIN,
    MARKERS,
    NORMAL,
    POST_HISTORY,
    Marker,
    Preset,
    PresetPrompt,
)
from huaben.prompt.blocks import ActiveEntry
from huaben.prompt.inchat import InChat, before_words, in_order
from huaben.prompt.segments import LeftOut, Piece, Segment, segment
from huaben.prompt.stage import Arranged, Constant, StageScene
from huaben.prompt.texts import phrase, shipped

BEFORE: Final = "before_char"
_SLOT_OF_CARD: Final[Mapping[Marker, tuple[str, str]]] = {
    "charPersonality": ("personality", "card.personality"),
    "scenario": ("scenario", "card.scenario"),
    "dialogueExamples": ("examples", "card.examples"),
}
_WANTED: Final[Mapping[str, Marker]] = {BEFORE: "worldInfoBefore", "after_char": "worldInfoAfter"}
"""The slot in which lore of a position stands; lore of the others has none of its own."""


def _none() -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Staging:
    """A preset with its texts as they stand in one turn's prompt.

    `texts` are by identifier; `card` are the card's texts in place of `main` and `jailbreak`, with
    what they replace worked in. `trigger` is the kind of generation, `inserted` what else wants to
    stand among the messages."""

    preset: Preset
    texts: Mapping[str, str]
    card: Mapping[str, str] = field(default_factory=_none)
    trigger: str = NORMAL
    inserted: tuple[InChat, ...] = ()
    personality: str = ""
    scenario: str = ""
    new_chat: str = ""
    new_example: str = ""


@dataclass(frozen=True, slots=True)
class _Divided:
    """The prompts in force by zone, and what of them is left out."""

    before: tuple[PresetPrompt, ...]
    after: tuple[PresetPrompt, ...]
    inside: tuple[PresetPrompt, ...]
    left_out: tuple[LeftOut, ...]


def arrange(scene: StageScene, staging: Staging) -> StageScene:
    """The scene as the preset arranges it. What it has no slot for is not put elsewhere: it is left
    out, and named."""
    preset = staging.preset
    divided = _divided(preset, staging.trigger)
    slots = _slots(scene, staging)
    pieces = [piece for prompt in divided.before for piece in _standing(prompt, staging, slots)]
    pieces.append(Piece("preset:new_chat", staging.new_chat))
    deep = [_in_chat(prompt, staging) for prompt in divided.inside]
    last = [text for text in deep if text.depth == 0]
    nearer = [text for text in deep if text.depth > 0]
    active, lore_out = _lore(scene, preset)
    return replace(
        scene,
        arranged=Arranged(
            _base(scene, staging), tuple(pieces), _after(divided.after, last, staging, slots)
        ),
        active=active,
        before_words=(*scene.before_words, *before_words([*nearer, *staging.inserted])),
        left_out=(
            *scene.left_out,
            *lore_out,
            *divided.left_out,
            *_unfilled(preset, slots),
            *_unheard(preset, staging),
            *_named(preset),
        ),
    )


# ---- the zones ---------------------------------------------------------------------------------


def _divided(preset: Preset, trigger: str) -> _Divided:
    """The enabled prompts on both sides of the chat. What is for other kinds of generation stays out:
    in the system text, which is the same for a session, all but the usual kind is another."""
    before: list[PresetPrompt] = []
    after: list[PresetPrompt] = []
    inside: list[PresetPrompt] = []
    left_out: list[LeftOut] = []
    seen = False
    for listed in preset.order:
        prompt = listed.prompt
        if not listed.enabled:
            continue
        if prompt.marker == "chatHistory":
            seen = True
            continue
        lasting = not (seen or prompt.in_chat)
        if not prompt.is_for(NORMAL if lasting else trigger):
            only = f"only for {', '.join(prompt.triggers)}"
            left_out.append(LeftOut(f"preset:{prompt.identifier}", only))
            continue
        (inside if prompt.in_chat else after if seen else before).append(prompt)
    if not preset.has_history:
        why = "the preset has no place for the chat: all its prompts stand before it"
        left_out.append(LeftOut("preset:chatHistory", why))
    return _Divided(tuple(before), tuple(after), tuple(inside), tuple(left_out))


def _base(scene: StageScene, staging: Staging) -> Piece:
    """What opens the system text: the user's own, else nothing before the preset's main prompt."""
    own = scene.user.system.strip()
    if own:
        return Piece("base", own, "SYSTEM.md")
    main = staging.preset.prompt(MAIN)
    if main is not None and main.enabled and _text(main.prompt, staging).strip():
        return Piece("base", "")
    return Piece("base", shipped(scene.language, "base"), "the preset has no main prompt")


def _after(
    prompts: Sequence[PresetPrompt],
    last: Sequence[InChat],
    staging: Staging,
    slots: Mapping[Marker, Sequence[Piece]],
) -> tuple[Segment, ...]:
    """The messages behind the user's words: what stands at depth 0, then what follows the chat, each
    run of one role as one message."""
    standing = [text for text in in_order(last) if text.piece.text.strip()]
    for prompt in prompts:
        role = "system" if prompt.marker else prompt.role
        pieces = _standing(prompt, staging, slots)
        standing += [InChat(piece, 0, role=role) for piece in pieces if piece.text.strip()]
    if standing and standing[-1].role == "assistant":
        standing[-1] = _as_system(standing[-1])
    runs: list[tuple[CardRole, list[Piece]]] = []
    for text in standing:
        if not runs or runs[-1][0] != text.role:
            runs.append((text.role, []))
        runs[-1][1].append(text.piece)
    return tuple(segment("tail", role, *pieces) for role, pieces in runs)


def _as_system(text: InChat) -> InChat:
    """What would be taken for the beginning of the reply, and many models refuse there."""
    told = "; ".join(filter(None, (text.piece.reason, "role assistant: sent as system")))
    return replace(text, piece=replace(text.piece, reason=told), role="system")


def _in_chat(prompt: PresetPrompt, staging: Staging) -> InChat:
    piece = Piece(f"preset:{prompt.identifier}", _text(prompt, staging), prompt.name)
    return InChat(piece, prompt.depth, prompt.order, prompt.role)


def _standing(
    prompt: PresetPrompt, staging: Staging, slots: Mapping[Marker, Sequence[Piece]]
) -> Sequence[Piece]:
    """A prompt where the order has it: a slot's own blocks, else its text."""
    if prompt.marker is not None:
        return slots[prompt.marker]
    reason = prompt.name
    if prompt.identifier in staging.card and _is_replaced(prompt, staging):
        reason = f"{reason}; the card's own text".lstrip("; ")
    return (Piece(f"preset:{prompt.identifier}", _text(prompt, staging), reason),)


def _text(prompt: PresetPrompt, staging: Staging) -> str:
    if _is_replaced(prompt, staging):
        return staging.card[prompt.identifier]
    return staging.texts.get(prompt.identifier, "")


def _is_replaced(prompt: PresetPrompt, staging: Staging) -> bool:
    """Whether the card's text stands in the place of the prompt (formats §1.2)."""
    own = staging.card.get(prompt.identifier, "")
    return bool(own.strip()) and not prompt.forbid_overrides


# ---- the slots ---------------------------------------------------------------------------------


def _slots(scene: StageScene, staging: Staging) -> Mapping[Marker, Sequence[Piece]]:
    """What belongs into each slot."""
    slots: dict[Marker, Sequence[Piece]] = dict.fromkeys(MARKERS, ())
    slots |= _card_slots(scene, staging)
    slots["personaDescription"] = _persona(scene)
    first = [one for one in scene.constants if one.position == BEFORE]
    rest = [one for one in scene.constants if one.position != BEFORE]
    slots["worldInfoBefore"] = _constants(scene, first, staging, "constants.before")
    slots["worldInfoAfter"] = _constants(scene, rest, staging, "constants")
    return slots


def _card_slots(scene: StageScene, staging: Staging) -> Mapping[Marker, Sequence[Piece]]:
    card = scene.card
    if card is None:
        return {}
    heading = Piece("card.name", phrase(scene.language, "card_heading", name=card.name))
    if card.own_rules.strip():
        rules = Piece("card.own_rules", card.own_rules, "replaces the card's fields")
        return {"charDescription": (heading, rules)}
    texts: Mapping[Marker, str] = {
        "charPersonality": card.personality,
        "scenario": card.scenario,
        "dialogueExamples": card.examples,
    }
    formatted: Mapping[Marker, str] = {
        "charPersonality": staging.personality if card.personality.strip() else "",
        "scenario": staging.scenario if card.scenario.strip() else "",
    }
    slots: dict[Marker, Sequence[Piece]] = {
        "charDescription": (heading, _headed(scene, "description", card.description))
    }
    for marker, (key, source) in _SLOT_OF_CARD.items():
        own_form = formatted.get(marker, "")
        piece = (
            Piece(source, own_form, "in the preset's form")
            if own_form.strip()
            else _headed(scene, key, texts[marker], source)
        )
        slots[marker] = (piece,)
    if card.examples.strip() and staging.new_example.strip():
        told = Piece("preset:new_example", staging.new_example)
        slots["dialogueExamples"] = (told, *slots["dialogueExamples"])
    return slots


def _persona(scene: StageScene) -> Sequence[Piece]:
    if not scene.persona_named and not scene.persona_text.strip():
        return ()
    key = "persona_heading" if scene.persona_text.strip() else "persona_plain"
    heading = phrase(scene.language, key, name=scene.persona_name)
    return (Piece("persona.name", heading), Piece("persona", scene.persona_text))


def _constants(
    scene: StageScene, entries: Sequence[Constant], staging: Staging, source: str
) -> Sequence[Piece]:
    if not entries:
        return ()
    texts = "\n\n".join(f"## {entry.title}\n{entry.text}" for entry in entries)
    form = staging.preset.texts.lore_format
    if "{0}" in form:
        texts = form.replace("{0}", texts)
    told = "; ".join(entry.title for entry in entries)
    return (Piece(source, f"{phrase(scene.language, 'constants')}\n\n{texts}", told),)


def _headed(scene: StageScene, key: str, text: str, source: str = "") -> Piece:
    body = text.strip()
    heading = phrase(scene.language, key)
    return Piece(source or f"card.{key}", f"{heading}\n\n{body}" if body else "")


# ---- what is left out --------------------------------------------------------------------------


def _lore(scene: StageScene, preset: Preset) -> tuple[tuple[ActiveEntry, ...], list[LeftOut]]:
    """The turn's lore without what wants to stand in a slot that the preset lacks (L22)."""
    kept: list[ActiveEntry] = []
    out: list[LeftOut] = []
    for entry in scene.active:
        wanted = _WANTED.get(entry.position)
        if wanted is None or _has(preset, wanted):
            kept.append(entry)
        else:
            source = f"lore:{entry.ref} {entry.title}"
            out.append(LeftOut(source, f"the preset has no {wanted} slot, or it is off"))
    return tuple(kept), out


def _has(preset: Preset, marker: Marker) -> bool:
    found = preset.prompt(marker)
    return found is not None and found.enabled


def _unfilled(preset: Preset, slots: Mapping[Marker, Sequence[Piece]]) -> Iterable[LeftOut]:
    """Slots that the preset lacks or has switched off, and for which there is something (L22)."""
    for marker, pieces in slots.items():
        if not any(piece.text.strip() for piece in pieces) or _has(preset, marker):
            continue
        off = preset.prompt(marker) is not None
        why = "the slot is switched off" if off else "the preset has no such slot"
        sources = ", ".join(piece.source for piece in pieces if piece.text.strip())
        yield LeftOut(f"preset:{marker}", f"{why}: {sources} not sent")


def _unheard(preset: Preset, staging: Staging) -> Iterable[LeftOut]:
    """Texts of the card that would take the place of a prompt which is not sent."""
    for identifier, source in ((MAIN, "card.system_prompt"), (POST_HISTORY, "card.post_history")):
        if not staging.card.get(identifier, "").strip():
            continue
        listed = preset.prompt(identifier)
        if listed is None or not listed.enabled:
            yield LeftOut(source, f"the preset's {identifier} is off or not there")
        elif listed.prompt.forbid_overrides:
            yield LeftOut(source, f"the preset's {identifier} forbids it")


def _named(preset: Preset) -> Iterable[LeftOut]:
    """What of the preset itself is not sent."""
    off = [one.prompt.name or one.prompt.identifier for one in preset.order if not one.enabled]
    for names, why in (
        (off, "switched off"),
        (preset.unlisted, "in no order"),
        (preset.missing, "in the order without a prompt"),
        (preset.not_applied, "no counterpart here"),
    ):
        if names:
            yield LeftOut("preset", f"{why}: {', '.join(names)}")
