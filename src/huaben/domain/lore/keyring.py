"""Which entry has which keys.

Separate from the table, which knows keys and no entries: the keys of most entries never change, those
with macros are numbered anew each turn, and both are asked in the same way.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from huaben.domain.lore.keytable import KeyTable, TableMaker
from huaben.domain.lore.ready import Ready
from huaben.domain.lore.scan import may_hold_macros


@dataclass(frozen=True, slots=True)
class EntryKeys:
    """The keys of one entry by number; None is a blank secondary key, which is never found.

    `patterned`: one of them is looked for in each window anew, so the entry is asked in every pass.
    """

    primary: tuple[int, ...]
    secondary: tuple[int | None, ...]
    required: tuple[tuple[int, ...], ...]
    forbidden: tuple[int, ...]
    never_all: tuple[int | None, ...]
    patterned: bool


@dataclass(frozen=True, slots=True, eq=False)
class Keyring:
    """The keys of some entries: `of` an entry's rank, and by a key's number the ranks of the entries
    that it is a primary key of (`owners`) or that ask for it beside another (`askers`)."""

    table: KeyTable
    of: Mapping[int, EntryKeys]
    owners: Mapping[int, Sequence[int]]
    askers: Mapping[int, Sequence[int]]
    patterned: tuple[int, ...]


def is_templated(ready: Ready) -> bool:
    """Whether any key of an entry may hold macros, so that its keys are known in a turn only."""
    obeyed = ready.obeyed
    lists = (
        ready.entry.keys,
        ready.entry.secondary,
        *obeyed.required,
        obeyed.forbidden,
        obeyed.never_all,
    )
    return any(may_hold_macros(key) for keys in lists for key in keys)


def make_keyring(readies: Iterable[Ready], expand: Callable[[str], str], first: int = 0) -> Keyring:
    """The keys of these entries with their macros expanded, numbered from `first` on."""
    maker = TableMaker(first)
    of: dict[int, EntryKeys] = {}
    owners: dict[int, list[int]] = {}
    askers: dict[int, list[int]] = {}
    for ready in readies:
        keys = of[ready.rank] = _numbered(ready, maker, expand)
        for number in keys.primary:
            owners.setdefault(number, []).append(ready.rank)
        for number in set(_known(keys.secondary)).union(*keys.required):
            askers.setdefault(number, []).append(ready.rank)
    patterned = tuple(rank for rank, keys in of.items() if keys.patterned)
    return Keyring(maker.table(), of, owners, askers, patterned)


def _numbered(ready: Ready, maker: TableMaker, expand: Callable[[str], str]) -> EntryKeys:
    entry, obeyed = ready.entry, ready.obeyed

    def numbers(keys: Iterable[str]) -> tuple[int | None, ...]:
        expanded = (expand(key) if may_hold_macros(key) else key for key in keys)
        return tuple(maker.add(key, ready.rule, wildcards=entry.wildcards) for key in expanded)

    primary = _known(numbers(entry.keys))
    secondary = numbers(entry.secondary) if entry.selective else ()
    required = tuple(_known(numbers(each)) for each in obeyed.required)
    asked = (*primary, *_known(secondary), *(number for each in required for number in each))
    return EntryKeys(
        primary=primary,
        secondary=secondary,
        required=required,
        forbidden=_known(numbers(obeyed.forbidden)),
        never_all=numbers(obeyed.never_all),
        patterned=any(maker.is_pattern(number) for number in asked),
    )


def _known(numbers: Iterable[int | None]) -> tuple[int, ...]:
    return tuple(number for number in numbers if number is not None)
