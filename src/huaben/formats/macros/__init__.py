"""Macros of community cards and lore, in both of SillyTavern's generations; pure."""

from huaben.formats.macros.engine import expand
from huaben.formats.macros.scene import (
    DEFAULT,
    CardTexts,
    ChatFacts,
    Expansion,
    Generation,
    Language,
    Limits,
    MacroWarning,
    ModelFacts,
    Scene,
    Scope,
    Variables,
    WarningCode,
)

__all__ = [
    "DEFAULT",
    "CardTexts",
    "ChatFacts",
    "Expansion",
    "Generation",
    "Language",
    "Limits",
    "MacroWarning",
    "ModelFacts",
    "Scene",
    "Scope",
    "Variables",
    "WarningCode",
    "expand",
]
