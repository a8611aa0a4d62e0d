"""Lorebooks: what they are, how keys match, which entries a turn gets; pure."""

from huaben.domain.lore.keytext import split_keys
from huaben.domain.lore.matching import key_matches
from huaben.domain.lore.placement import (
    DepthBlock,
    Placement,
    in_prompt_order,
    insertion_index,
    place,
)
from huaben.domain.lore.prepared import Prepared, prepare
from huaben.domain.lore.scan import (
    LoreSettings,
    Message,
    Scan,
    SourceTexts,
    may_hold_macros,
    sillytavern,
    sillytavern_budget,
)
from huaben.domain.lore.search import Hit, entry_title, search
from huaben.domain.lore.select import select, silent
from huaben.domain.lore.timing import TimedState, mark_of, timed_from_json
from huaben.domain.lore.trace import (
    UNREMARKABLE,
    Chosen,
    ChosenBy,
    LeftOut,
    LoreWarning,
    OutBy,
    Selection,
)
from huaben.domain.lore.values import (
    Book,
    BookDialect,
    CharacterFilter,
    Entry,
    Group,
    Logic,
    Place,
    Position,
    Recursion,
    Role,
    Sources,
    Timing,
    Trigger,
)

__all__ = [
    "UNREMARKABLE",
    "Book",
    "BookDialect",
    "CharacterFilter",
    "Chosen",
    "ChosenBy",
    "DepthBlock",
    "Entry",
    "Group",
    "Hit",
    "LeftOut",
    "Logic",
    "LoreSettings",
    "LoreWarning",
    "Message",
    "OutBy",
    "Place",
    "Placement",
    "Position",
    "Prepared",
    "Recursion",
    "Role",
    "Scan",
    "Selection",
    "SourceTexts",
    "Sources",
    "TimedState",
    "Timing",
    "Trigger",
    "entry_title",
    "in_prompt_order",
    "insertion_index",
    "key_matches",
    "mark_of",
    "may_hold_macros",
    "place",
    "prepare",
    "search",
    "select",
    "silent",
    "sillytavern",
    "sillytavern_budget",
    "split_keys",
    "timed_from_json",
]
