"""Macros that choose by chance, decided wholly by a seed and a place; apart as one family."""

from __future__ import annotations

import re
from hashlib import blake2b

from huaben.formats.macros.parser import Block, Node, Text, trim
from huaben.formats.macros.run import Call, Definition, Outcome, Refused

ANY_NUMBER = 1 << 30
MAX_DICE = 1_000

_ROLL = re.compile(r"([0-9]{0,9})d([0-9]{1,9})([+-][0-9]{1,9})?", re.IGNORECASE)
_ROLL_OF_ANY_SIZE = re.compile(r"[0-9]*d[0-9]+(?:[+-][0-9]+)?", re.IGNORECASE)


def below(limit: int, *key: object) -> int:
    """A number in 0 … `limit` − 1, always the same for the same key, in every process."""
    text = "\x1f".join(map(str, key))
    return int.from_bytes(blake2b(text.encode(), digest_size=16).digest()) % limit


def choices(args: tuple[Block, ...]) -> tuple[Block, ...]:
    """The items of a list: `a::b`, or `a,b` in a single argument, where `\\,` is a comma.

    Commas count only where the template writes them, never in what a nested macro says.
    """
    if len(args) != 1:
        return args
    items: list[list[Node]] = [[]]
    for node in args[0]:
        if not isinstance(node, Text):
            items[-1].append(node)
            continue
        for index, piece in enumerate(split_commas(node.text)):
            if index:
                items.append([])
            items[-1].append(Text(piece))
    return tuple(trim(tuple(item)) for item in items)


def split_commas(text: str) -> list[str]:
    """Splits at each comma that no backslash escapes."""
    return [piece.replace("\\,", ",") for piece in re.split(r"(?<!\\),", text)]


def _random(call: Call) -> Outcome:
    return call.args[below(len(call.args), "random", call.scene.seed, call.place)]


def _pick(call: Call) -> Outcome:
    return call.args[below(len(call.args), "pick", call.scene.pick_seed, call.place)]


def _roll(call: Call) -> Outcome:
    """Dice as `2d6+3`; a bare number is one die with so many sides."""
    formula = "".join(call.args[0].split())
    if re.fullmatch(r"[0-9]+", formula):
        formula = f"1d{formula}"
    found = _ROLL.fullmatch(formula)
    if found is None:
        known = _ROLL_OF_ANY_SIZE.fullmatch(formula)
        return Refused("invalid_argument" if known is None else "too_large")
    dice, sides, bonus = int(found[1] or 1), int(found[2]), int(found[3] or 0)
    if not dice or not sides:
        return Refused("invalid_argument")
    if dice > MAX_DICE:
        return Refused("too_large")
    if not call.run.spend(dice):
        return Refused("too_many_steps")
    seed = call.scene.seed
    thrown = (below(sides, "roll", seed, call.place, die) + 1 for die in range(dice))
    return str(sum(thrown) + bonus)


RANDOM = {
    "random": Definition(_random, least=1, most=ANY_NUMBER, volatile=True, form="choice"),
    "pick": Definition(_pick, least=1, most=ANY_NUMBER, form="choice"),
    "roll": Definition(_roll, least=1, most=1, volatile=True),
}
