"""Regex scripts over the texts of a story: what arrives, what the eye sees, what the model is sent. In a
thread, for a hostile pattern may take a quarter of a second; apart from which scripts there are."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from huaben.domain.events import Notice
from huaben.domain.scriptrun import Expand, Run, Scripted, run
from huaben.domain.scripts import Moment, Passage, Script
from huaben.domain.story import Turn
from huaben.prompt.breaks import SCRIPTS
from huaben.prompt.segments import LeftOut
from huaben.prompt.stage import PastTurn, StageScene
from huaben.services.expanding import Expander, seed_of
from huaben.services.house import House

ORIGINAL: Final = "scripts_original"
"""The notice that keeps a text as it was before scripts changed it."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A text as it is stored, and what there is to say of its scripts."""

    text: str
    notices: tuple[Notice, ...] = ()


async def on_arrival(
    house: House, scripts: Sequence[Script], passage: Passage, expander: Expander
) -> Arrived:
    """The text after the scripts that change what is stored. The text as it came is kept in a
    notice: nothing is lost."""
    acting = [script for script in scripts if script.is_for("stored")]
    if not acting:
        return Arrived(passage.text)
    done = await run_scripts(house, acting, "stored", [passage], expander)
    after = done.passages[0]
    notices = list(_off(done))
    if after.changed:
        notices.append(
            Notice("scripts_changed", f"{passage.placement}: {', '.join(after.changed)}")
        )
        notices.append(Notice(ORIGINAL, passage.text))
    return Arrived(after.text, tuple(notices))


async def for_the_eye(
    house: House, scripts: Sequence[Script], passages: Sequence[Passage], expander: Expander
) -> Run:
    """The texts as they are shown; what is stored stays."""
    acting = [script for script in scripts if script.is_for("display")]
    if not acting:
        return Run(tuple(Scripted(passage.text) for passage in passages))
    return await run_scripts(house, acting, "display", passages, expander)


async def for_the_model(
    house: House, scene: StageScene, scripts: Sequence[Script], expander: Expander, turn: Turn
) -> tuple[StageScene, tuple[Notice, ...]]:
    """The scene with its texts as the model is sent them. Each message is changed by itself and alike
    in every turn, so that what was sent stays sent, unless a script counts messages."""
    acting = [script for script in scripts if script.is_for("prompt")]
    if not acting:
        return scene, ()
    texts = _Texts(scene, turn)
    done = await run_scripts(house, acting, "prompt", texts.passages, expander)
    return texts.after(done), tuple(_off(done))


async def run_scripts(
    house: House,
    scripts: Sequence[Script],
    moment: Moment,
    passages: Sequence[Passage],
    expander: Expander,
) -> Run:
    """The passages after their scripts, in a thread."""
    expand = session_expand(expander)
    return await asyncio.to_thread(
        run,
        scripts,
        moment,
        passages,
        # What this thread has done, so that a busy machine switches nobody's scripts off.
        lambda: time.thread_time() * 1000,
        expand,
        house.scripts,
    )


def session_expand(expander: Expander) -> Expand:
    """Resolves a script's own macros with the dice of a message and the session's time: the same in
    every turn."""
    now = datetime.fromisoformat(expander.project.created_at)
    return lambda text, seed: expander.apart(seed, now)(text)


def _off(done: Run) -> list[Notice]:
    return [Notice("script_off", f"{name}: {why}") for name, why in done.off]


# ---- the texts of a prompt ---------------------------------------------------------------------


class _Texts:
    """The texts of a scene in the order of the chat, then its lore; and back."""

    def __init__(self, scene: StageScene, turn: Turn) -> None:
        self._scene = scene
        chat = [Passage(scene.greeting, "reply")]
        for past in scene.past:
            seed = seed_of(past.turn_id)
            chat.append(Passage(past.user_text, "user", seed=seed))
            chat.append(Passage(past.final_text, "reply", seed=seed))
        chat.append(Passage(scene.words, "user", seed=seed_of(turn.id)))
        lore = [*(one.text for one in scene.constants), *(one.text for one in scene.active)]
        self.passages = [*counted(chat), *(Passage(text, "lore") for text in lore)]

    def after(self, done: Run) -> StageScene:
        scene, changed = self._scene, iter(done.passages)
        greeting = next(changed)
        past = tuple(_past(one, next(changed), next(changed)) for one in scene.past)
        words = next(changed)
        constants = tuple(replace(one, text=next(changed).text) for one in scene.constants)
        # What is delivered by its title alone had no text to lose.
        active = [
            one if not one.text else replace(one, text=after.text)
            for one, after in zip(scene.active, changed, strict=False)
        ]
        kept = tuple(
            one for one, was in zip(active, scene.active, strict=True) if one.text or not was.text
        )
        off = [LeftOut(f"script:{name}", f"off for this turn: {why}") for name, why in done.off]
        return replace(
            scene,
            greeting=greeting.text,
            past=past,
            words=words.text,
            constants=constants,
            active=kept,
            scripted=(told(greeting), told(words)),
            left_out=(*scene.left_out, *off, *self._emptied(done)),
        )

    def _emptied(self, done: Run) -> list[LeftOut]:
        """Messages that scripts left nothing of (P08)."""
        sources = ["greeting"]
        for one in self._scene.past:
            sources += [f"turn:{one.turn_id}"] * 2
        sources.append("words")
        pairs = zip(sources, done.passages, strict=False)  # lore has no message of its own
        return [LeftOut(source, f"emptied by {told(one)}") for source, one in pairs if one.emptied]


def counted(chat: Sequence[Passage]) -> list[Passage]:
    """The passages of a chat, oldest first, with their depth: a message without words is none, and
    does not count."""
    depth = sum(bool(passage.text.strip()) for passage in chat)
    found: list[Passage] = []
    for passage in chat:
        depth -= bool(passage.text.strip())
        found.append(replace(passage, depth=depth))
    return found


def told(one: Scripted) -> str:
    """The scripts that changed a text, as the trace names them."""
    return SCRIPTS + ", ".join(one.changed) if one.changed else ""


def _past(turn: PastTurn, words: Scripted, final: Scripted) -> PastTurn:
    return replace(
        turn,
        user_text=words.text,
        final_text=final.text,
        scripts=(told(words), told(final)),
    )
