"""The card's texts as they stand in a prompt: macros expanded once, with the session's seed and
time, so that the prefix is the same for every turn (`context.md` §2.1).

What the user types and what a model writes never comes through here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from huaben.domain.card import Card
from huaben.domain.lore import SourceTexts
from huaben.domain.project import Project
from huaben.domain.story import Turn
from huaben.formats.macros import CardTexts as MacroTexts
from huaben.formats.macros import ChatFacts, Scene, Variables, expand
from huaben.prompt.stage import CardTexts, UserTexts
from huaben.prompt.texts import phrase


@dataclass(frozen=True, slots=True)
class Expanded:
    """Texts of one session."""

    card: CardTexts | None
    persona: str


class Expander:
    """Expands templates of one project. The greeting comes first: what it sets holds for the
    texts after it."""

    def __init__(self, project: Project, card: Card | None) -> None:
        self.project = project
        self.card = card
        self._volatile: list[str] = []
        self._scene = _scene(project, card)

    def greeting(self, index: int) -> str:
        """The expanded greeting of that index; its variables are kept for what follows."""
        greetings = self.card.greetings if self.card else ("",)
        return self.text(greetings[index] if index < len(greetings) else "")

    def text(self, template: str, original: str | None = None) -> str:
        done = expand(template, replace(self._scene, original=original))
        self._volatile += [name for name in done.volatile if name not in self._volatile]
        self._scene = replace(self._scene, variables=done.variables)
        return done.text

    def whole(self, own_rules: str, base: str, *, with_rules: bool = True) -> Expanded:
        """All texts of the prefix, in the order in which they stand there. Without the card's rules
        where a preset has places of its own for them."""
        card = self.card
        texts = None
        if card is not None:
            note = card.depth_prompt.prompt if card.depth_prompt else ""
            # A note at a depth would move through the log each turn; here it holds as well.
            rules = [card.system_prompt, card.post_history_instructions, note] if with_rules else []
            texts = CardTexts(
                name=card.called,
                description=self.text(card.description),
                personality=self.text(card.personality),
                scenario=self.text(card.scenario),
                examples="\n\n".join(self.text(block) for block in card.example_blocks),
                rules=self._joined([self.text(rule, base) for rule in rules]),
                own_rules=self.text(own_rules),
            )
        return Expanded(texts, self.text(self._scene.persona))

    def user_texts(self, texts: UserTexts) -> UserTexts:
        """The user's own texts, which may speak of `{{char}}` as the card's do."""
        return UserTexts(self.text(texts.system), self.text(texts.appended), self.text(texts.rules))

    @property
    def volatile(self) -> tuple[str, ...]:
        """The macros met so far that would change between builds."""
        return tuple(self._volatile)

    @property
    def user(self) -> str:
        """What `{{user}}` stands for."""
        return self._scene.user

    def for_turn(self, turn: Turn) -> Callable[[str], str]:
        """Expands what belongs to one turn: its own dice and its own time, the session's
        variables."""
        return self.apart(seed_of(turn.id), datetime.fromisoformat(turn.created_at))

    def in_turn(self, turn: Turn, chat: ChatFacts) -> Callable[[str, str | None], str]:
        """Expands the texts of one turn one after the other: what one sets holds for those after it,
        and is forgotten with the turn. The second argument is what a text replaces, if anything."""
        now = datetime.fromisoformat(turn.created_at)
        scene = replace(self._scene, seed=seed_of(turn.id), now=now, chat=chat)

        def one_more(text: str, original: str | None = None) -> str:
            nonlocal scene
            done = expand(text, replace(scene, original=original))
            scene = replace(scene, variables=done.variables)
            return done.text

        return one_more

    def apart(self, seed: int, now: datetime) -> Callable[[str], str]:
        """Expands with these dice and this time. Pure: what a text sets there is forgotten."""
        scene = replace(self._scene, seed=seed, now=now)
        return lambda text: expand(text, scene).text

    def sources(self) -> SourceTexts:
        """The texts beside the chat that a lore entry may ask to be scanned."""
        card = self.card
        if card is None:
            return SourceTexts(persona=self._scene.persona)
        note = card.depth_prompt
        return SourceTexts(
            persona=self._scene.persona,
            description=card.description,
            personality=card.personality,
            depth_prompt=note.prompt if note else "",
            scenario=card.scenario,
            creator_notes=card.creator_notes,
        )

    @staticmethod
    def _joined(texts: Sequence[str]) -> str:
        return "\n\n".join(text.strip() for text in texts if text.strip())


def user_name(project: Project) -> str:
    """What `{{user}}` stands for."""
    return project.persona.name.strip() or phrase(project.language, "default_user")


def seed_of(text: str) -> int:
    """A stable seed from an id."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _scene(project: Project, card: Card | None) -> Scene:
    seed = seed_of(project.id)
    return Scene(
        char=card.called if card else "",
        user=user_name(project),
        persona=project.persona.description,
        card=_macro_texts(card) if card else MacroTexts(),
        variables=Variables(),
        now=datetime.fromisoformat(project.created_at),
        language=project.language,
        seed=seed,
        pick_seed=seed,
    )


def _macro_texts(card: Card) -> MacroTexts:
    note = card.depth_prompt
    return MacroTexts(
        description=card.description,
        personality=card.personality,
        scenario=card.scenario,
        system_prompt=card.system_prompt,
        post_history_instructions=card.post_history_instructions,
        depth_prompt=note.prompt if note else "",
        creator_notes=card.creator_notes,
        version=card.character_version,
        mes_example=card.mes_example,
        greetings=card.greetings,
    )
