"""The prompt of a turn with what its story wears: a preset's texts resolved and laid over the zones, the
author's note and the persona among them; apart from context, which reads the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from huaben.domain.continuing import continues
from huaben.domain.events import Notice
from huaben.domain.preset import MAIN, POST_HISTORY, Preset, PresetPrompt
from huaben.domain.scripts import Script
from huaben.domain.story import Turn
from huaben.formats.macros import ChatFacts
from huaben.prompt.inchat import FARTHEST, USUAL_ORDER, InChat, before_words
from huaben.prompt.preset import Staging, arrange
from huaben.prompt.segments import LeftOut, Piece
from huaben.prompt.stage import StageScene
from huaben.services.expanding import Expander
from huaben.services.house import House
from huaben.services.presets_worn import STAGE_TAKES_NOT, Worn
from huaben.services.scripts_run import for_the_model

Resolve: TypeAlias = Callable[[str, str | None], str]
_NOTE_ORDER: Final = USUAL_ORDER


@dataclass(frozen=True, slots=True)
class Wearing:
    """A turn and what it wears. `user_messages` counts those of the story, this turn's included."""

    turn: Turn
    worn: Worn
    scripts: tuple[Script, ...]
    user_messages: int
    on_stage: bool


async def dressed(
    house: House, scene: StageScene, expander: Expander, wearing: Wearing
) -> tuple[StageScene, tuple[Notice, ...]]:
    """The scene as it is sent, and what the reader should see of it. Without preset, note, persona
    and scripts it is the very same scene."""
    worn, turn = wearing.worn, wearing.turn
    plain = scene.words
    scene, notices = await for_the_model(house, scene, wearing.scripts, expander, turn)
    last = scene.past[-1].final_text if scene.past else scene.greeting
    chat = ChatFacts(last_message=plain, last_user_message=plain, last_char_message=last)
    if worn.preset is None:
        inserted = _inserted(scene, wearing, expander.in_turn(turn, chat))
        scene = replace(_without_placed_persona(scene, worn), before_words=before_words(inserted))
        return scene, notices
    staging = _staging(scene, expander, wearing, chat)
    scene = arrange(_without_placed_persona(scene, worn), staging)
    unused = _unused(worn.preset, on_stage=wearing.on_stage)
    scene = replace(scene, left_out=(*scene.left_out, *unused), volatile=expander.volatile)
    return scene, notices


def _staging(scene: StageScene, expander: Expander, wearing: Wearing, chat: ChatFacts) -> Staging:
    """The preset's texts: those before the chat resolved once for the session, in their order, and
    then those of this turn."""
    preset = wearing.worn.preset
    assert preset is not None
    before, rest = _zones(preset)
    texts: dict[str, str] = {}
    card: dict[str, str] = {}
    _resolve(before, expander.text, expander, texts, card)
    own = preset.texts
    session = [own.personality_format, own.scenario_format, own.new_chat, own.new_example]
    personality, scenario, new_chat, new_example = map(expander.text, session)
    one_more = expander.in_turn(wearing.turn, chat)
    _resolve(rest, one_more, expander, texts, card)
    inserted = [*_characters_note(expander, one_more), *_inserted(scene, wearing, one_more)]
    return Staging(
        preset=preset,
        texts=texts,
        # What replaces a prompt that is not sent is named, and needs no resolving.
        card={**_overrides(expander), **card},
        trigger=_trigger(wearing.turn),
        inserted=tuple(inserted),
        personality=personality,
        scenario=scenario,
        new_chat=new_chat,
        new_example=new_example,
    )


def _trigger(turn: Turn) -> str:
    """The kind of generation, by the names that presets know."""
    if continues(turn):
        return "continue"
    return "swipe" if turn.rerolls else "normal"


def _zones(preset: Preset) -> tuple[list[PresetPrompt], list[PresetPrompt]]:
    """The enabled texts before the chat, and those in it and after it."""
    before: list[PresetPrompt] = []
    rest: list[PresetPrompt] = []
    seen = False
    for listed in preset.order:
        if listed.enabled:
            seen = seen or listed.prompt.marker == "chatHistory"
            if listed.prompt.marker is None:
                (rest if seen or listed.prompt.in_chat else before).append(listed.prompt)
    return before, rest


def _resolve(
    prompts: Sequence[PresetPrompt],
    resolve: Resolve,
    expander: Expander,
    texts: dict[str, str],
    card: dict[str, str],
) -> None:
    """Resolve texts in their order, and the card's in place of `main` and `jailbreak`."""
    own = _overrides(expander)
    for prompt in prompts:
        text = texts[prompt.identifier] = resolve(prompt.content, None)
        override = own.get(prompt.identifier, "")
        if override.strip():
            card[prompt.identifier] = resolve(override, text)


def _overrides(expander: Expander) -> Mapping[str, str]:
    card = expander.card
    if card is None:
        return {}
    return {MAIN: card.system_prompt, POST_HISTORY: card.post_history_instructions}


# ---- what stands among the messages ------------------------------------------------------------


def _characters_note(expander: Expander, resolve: Resolve) -> list[InChat]:
    note = expander.card.depth_prompt if expander.card else None
    if note is None:
        return []
    piece = Piece("card.depth_prompt", resolve(note.prompt, None), "the character's note")
    return [InChat(piece, note.depth, USUAL_ORDER, note.role)]


def _inserted(scene: StageScene, wearing: Wearing, resolve: Resolve) -> list[InChat]:
    """The author's note, if it is due, and a persona that does not stand in the system text."""
    note, persona = wearing.worn.note, wearing.worn.persona
    depth = note.depth if note.place == "in_chat" else FARTHEST
    found: list[InChat] = []
    if note.is_due(wearing.user_messages):
        why = f"due with every {note.interval}. message" if note.interval > 1 else ""
        piece = Piece("authors_note", resolve(note.text, None), why)
        found.append(InChat(piece, depth, _NOTE_ORDER, note.role))
    if persona is None or not scene.persona_text.strip():
        return found
    piece = Piece("persona", scene.persona_text, f"the persona's place: {persona.place}")
    match persona.place:
        case "at_depth":
            found.append(InChat(piece, persona.depth, USUAL_ORDER, persona.role))
        case "note_top":
            found.append(InChat(piece, depth, _NOTE_ORDER - 1, note.role))
        case "note_bottom":
            found.append(InChat(piece, depth, _NOTE_ORDER + 1, note.role))
        case "in_prompt" | "none":
            pass
    return found


def _without_placed_persona(scene: StageScene, worn: Worn) -> StageScene:
    """The system text tells who the user plays only where the persona wants to stand there."""
    if worn.persona is None or worn.persona.place == "in_prompt":
        return scene
    return replace(scene, persona_text="")


def _unused(preset: Preset, *, on_stage: bool) -> list[LeftOut]:
    """What of the preset a performance cannot use (P02)."""
    out: list[LeftOut] = []
    if on_stage:
        sampling = preset.sampling
        cut = [name for name in STAGE_TAKES_NOT if getattr(sampling, name)]
        if cut:
            why = "would cut a draft in the middle of a tool call"
            out.append(LeftOut("preset.sampling", f"{', '.join(cut)}: {why}"))
        if preset.texts.prefill.strip():
            out.append(LeftOut("preset.prefill", "a draft sheet takes no beginning of a reply"))
    if preset.texts.continue_postfix:
        why = "a continuation is joined by what was written before it"
        out.append(LeftOut("preset.continue_postfix", why))
    return out
