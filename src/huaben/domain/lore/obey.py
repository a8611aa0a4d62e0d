"""Decorators worked into an entry (card specification V3; formats §1.4).

Separate from their parsing, which cards need too, and from the evaluation, which then only knows
fields. SillyTavern obeys two of them, so none of this applies to exact matching.
"""

from dataclasses import dataclass, replace
from typing import Final

from huaben.domain.decorators import Decorated, parse_decorators
from huaben.domain.lore.values import Entry, Position, Role

_POSITIONS: Final = {"before_desc": Position.BEFORE_CHAR, "after_desc": Position.AFTER_CHAR}
_ROLES: Final = {"system": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT}
_UNHONOURED_COUNTS: Final = (
    "instruct_depth",
    "reverse_depth",
    "reverse_instruct_depth",
    "instruct_scan_depth",
)
_UNHONOURED_WORDS: Final = ("is_user_icon", "disable_ui_prompt")
_RISU_FLAGS: Final = frozenset(
    {
        "match_full_word",
        "match_partial_word",
        "unrecursive",
        "no_recursive_search",
        "recursive",
        "end",
    }
)
_RISU_VALUES: Final = frozenset({"probability", "priority", "exclude_keys_all"})


@dataclass(frozen=True, slots=True)
class Obeyed:
    """An entry with its decorators worked in, and what no field of an entry can say.

    `required` are lists of which each must have a key found, `forbidden` keys of which none may be,
    `never_all` keys that may not all be. `unhonoured` names what is not obeyed.
    """

    entry: Entry
    text: str
    forced: bool | None = None
    once: bool = False
    keeps: bool = False
    yields: bool = False
    after: int | None = None
    every: int | None = None
    greeting: int | None = None
    required: tuple[tuple[str, ...], ...] = ()
    forbidden: tuple[str, ...] = ()
    never_all: tuple[str, ...] = ()
    unhonoured: tuple[str, ...] = ()


def obey(entry: Entry, *, exact: bool) -> Obeyed:
    """The entry as its decorators want it; with `exact` only `@@activate` and `@@dont_activate`."""
    required = tuple((key,) for key in entry.required)
    plain = Obeyed(entry, entry.content, required=required, forbidden=entry.forbidden)
    if "@@" not in entry.content:
        return plain
    decorated = parse_decorators(entry.content)
    if exact:
        return replace(plain, text=decorated.content, forced=decorated.forced)
    lists = tuple(decorated.lists("additional_keys"))
    excluded = tuple(key for keys in decorated.lists("exclude_keys") for key in keys)
    return Obeyed(
        entry=_of_risu(_of_specification(entry, decorated), decorated),
        text=decorated.content,
        forced=decorated.forced,
        once=decorated.has("dont_activate_after_match"),
        keeps=decorated.has("keep_activate_after_match"),
        yields=decorated.has("ignore_on_max_context"),
        after=decorated.count("activate_only_after"),
        every=decorated.count("activate_only_every"),
        greeting=decorated.count("is_greeting"),
        required=(*required, *lists),
        forbidden=(*entry.forbidden, *excluded),
        never_all=_risu_values(decorated, "exclude_keys_all"),
        unhonoured=_unhonoured(decorated),
    )


def _of_specification(entry: Entry, decorated: Decorated) -> Entry:
    depth = decorated.count("depth")
    if depth is not None:
        entry = replace(entry, position=Position.AT_DEPTH, depth=max(0, depth))
    scan_depth = decorated.count("scan_depth")
    if scan_depth is not None:
        entry = replace(entry, scan_depth=max(0, scan_depth))
    position = _POSITIONS.get(decorated.word("position") or "")
    if position is not None:
        entry = replace(entry, position=position)
    role = _ROLES.get(decorated.word("role") or "")
    return entry if role is None else replace(entry, role=role)


def _of_risu(entry: Entry, decorated: Decorated) -> Entry:
    """What RisuAI adds to the specification, as far as an entry has a field for it."""
    names = {each.name for each in decorated.ignored}
    if "end" in names:
        entry = replace(entry, position=Position.AT_DEPTH, depth=0)
    if names & {"match_full_word", "match_partial_word"}:
        entry = replace(entry, whole_words="match_full_word" in names)
    recursion = replace(
        entry.recursion,
        prevents=entry.recursion.prevents or "unrecursive" in names,
        excluded=entry.recursion.excluded or "no_recursive_search" in names,
    )
    entry = replace(entry, recursion=recursion)
    probability = _number(decorated, "probability")
    if probability is not None:
        entry = replace(entry, probability=probability, use_probability=True)
    priority = _number(decorated, "priority")
    return entry if priority is None else replace(entry, priority=priority)


def _unhonoured(decorated: Decorated) -> tuple[str, ...]:
    known = [name for name in _UNHONOURED_COUNTS if decorated.count(name) is not None]
    words = [name for name in _UNHONOURED_WORDS if decorated.word(name) is not None]
    position = decorated.word("position")
    slots = [] if position is None or position in _POSITIONS else [f"position {position}"]
    unknown = [
        " ".join((each.name, ",".join(each.values))).strip()
        for each in decorated.ignored
        if each.name not in _RISU_FLAGS and each.name not in _RISU_VALUES
    ]
    return (*known, *words, *slots, *unknown)


def _risu_values(decorated: Decorated, name: str) -> tuple[str, ...]:
    return next((each.values for each in decorated.ignored if each.name == name), ())


def _number(decorated: Decorated, name: str) -> float | None:
    values = _risu_values(decorated, name)
    digits = values[0].removesuffix("%") if len(values) == 1 else ""
    return float(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None
