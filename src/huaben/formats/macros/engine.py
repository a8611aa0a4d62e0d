"""Expands a template: the one way in; apart from the two generations that it chooses between."""

from __future__ import annotations

import re
from typing import assert_never

from huaben.formats.macros.legacy import LegacyExpander
from huaben.formats.macros.run import Run
from huaben.formats.macros.scene import DEFAULT, Expansion, Generation, Limits, Scene
from huaben.formats.macros.two import TwoExpander

_ANY_SYNTAX = re.compile(
    r"\{\{|\\\{\\\{|\\\}\\\}|<(?:user|bot|char|group|charifnotgroup)>", re.IGNORECASE | re.ASCII
)


def expand(
    template: str,
    scene: Scene,
    *,
    generation: Generation = "two",
    limits: Limits = DEFAULT,
) -> Expansion:
    """Resolves the macros of a card, lore or settings text. Never fails, never goes over `limits`.

    Only text that its author wrote as a template may be given here: what a user typed into the
    chat or a model wrote is not one, and comes out of macros such as `{{lastMessage}}` unread.
    Whatever cannot be resolved stays as typed and is named in `warnings`. The same template, scene
    and limits give the same result in every process.

    `two` is SillyTavern's parser of 1.17 and later (nesting, `if`, scopes, shorthands), `legacy`
    its sweeps before that. Source: SillyTavern's macro documentation and behaviour, Character Card
    V3 for `hidden_key` and `comment`.
    """
    run = Run(scene, limits)
    if _ANY_SYNTAX.search(template) is None:
        return run.result(template)
    match generation:
        case "two":
            return run.result(TwoExpander(run).expand(template))
        case "legacy":
            return run.result(LegacyExpander(run).expand(template))
        case _:
            assert_never(generation)
