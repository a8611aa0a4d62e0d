"""Macros that only make or reshape text; apart as one family."""

from __future__ import annotations

import re

from huaben.domain.text import graphemes
from huaben.formats.macros.run import Call, Definition, Outcome, Refused


def _repeated(call: Call, unit: str) -> Outcome:
    number = call.args[0] if call.args else "1"
    if re.fullmatch(r"[0-9]{1,9}", number) is None:
        return Refused("invalid_argument")
    if int(number) > call.run.limits.max_bytes:
        return Refused("too_large")
    return unit * int(number)


def _newline(call: Call) -> Outcome:
    return _repeated(call, "\n")


def _space(call: Call) -> Outcome:
    return _repeated(call, " ")


def _nothing(_call: Call) -> Outcome:
    return ""


def _trimmed(call: Call) -> Outcome:
    return call.args[0].strip() if call.args else ""


def _reverse(call: Call) -> Outcome:
    """Reverses what a reader sees as characters, so that no emoji or accent falls apart."""
    text = call.args[0]
    if text.isascii():
        return text[::-1].replace("\n\r", "\r\n")
    # Finding the clusters costs far more than copying, hence its own price.
    if not call.run.spend(len(text) // 16):
        return Refused("too_many_steps")
    return "".join(reversed(graphemes(text)))


def _outlet(call: Call) -> Outcome:
    return call.scene.outlets.get(call.args[0], "")


def _hidden_key(call: Call) -> Outcome:
    if call.args[0]:
        call.run.hide_key(call.args[0])
    return ""


TEXT = {
    "newline": Definition(_newline, most=1),
    "space": Definition(_space, most=1),
    "noop": Definition(_nothing),
    "trim": Definition(_trimmed, most=1, form="trim"),
    "reverse": Definition(_reverse, least=1, most=1),
    "//": Definition(_nothing, most=1, form="comment"),
    "comment": Definition(_nothing, most=1, form="comment"),
    "banned": Definition(_nothing, most=1),  # a list of the text-completion backend, not a text
    "outlet": Definition(_outlet, least=1, most=1),
    "hidden_key": Definition(_hidden_key, least=1, most=1),
}
