"""What a turn proves of a patch: which items rest on words that stand in it; apart from merging because
an item without proof is still kept, as a claim (`state.md` §2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import regex

from huaben.domain.ledger import Names, Path, dotted, folded
from huaben.domain.ledgerchange import Warned
from huaben.domain.ledgerpatch import Patch, leaves
from huaben.domain.matching import fold
from huaben.domain.text import shorten

QUOTED_CHARS: Final = 60

_SAYS_SOMETHING: Final = regex.compile(r"[\p{L}\p{N}]")
_LISTS: Final = ("inventory", "plot_threads")


@dataclass(frozen=True, slots=True)
class Weighed:
    """The items of a patch, parted by their evidence, each with what was quoted for it.

    `canon` holds those whose quotation stands in the turn; `claims` all others, with the start of
    what was quoted in vain, empty if nothing was. `warnings` name evidence for no item.
    """

    canon: Mapping[Path, str] = field(default_factory=dict[Path, str])
    claims: Mapping[Path, str] = field(default_factory=dict[Path, str])
    warnings: tuple[Warned, ...] = ()


def weigh(patch: Patch, evidence: Mapping[str, str], turn: Iterable[str], names: Names) -> Weighed:
    """Part the items of a patch by whether their quotation stands in one of the texts of the turn.

    `evidence` is keyed by dotted paths as the model wrote them. They are led to items by spelling
    first and by meaning second, so that dots in names, other letter case and aliases do no harm;
    what names a member of a list speaks for the list.
    """
    items = leaves(patch)
    pages = [fold(text) for text in turn]
    canon: dict[Path, str] = {}
    vain: dict[Path, str] = {}
    warnings: list[Warned] = []
    # Where one spelling could mean two items, the one that is written so by rule comes first.
    spelled = {".".join(path): path for path in items} | {dotted(path): path for path in items}
    meant = {_regardless(path): path for path in items}
    for key, quotation in evidence.items():
        path = spelled.get(key) or meant.get(_regardless(_place(key, names)))
        if path is None:
            warnings.append(Warned("unknown_evidence", key, shorten(quotation, QUOTED_CHARS)))
        elif any(_stands(page, quotation) for page in pages):
            canon.setdefault(path, quotation)
        else:
            vain.setdefault(path, shorten(quotation.strip(), QUOTED_CHARS))
    claims = {path: vain.get(path, "") for path in items if path not in canon}
    return Weighed(canon, claims, tuple(warnings))


def stands(text: str, quotation: str) -> bool:
    """Whether a quotation occurs in a text by any rung of the matching ladder, once or more often.

    One that has neither letter nor digit supports nothing, wherever it occurs.
    """
    return _stands(fold(text), quotation)


def stands_in(folded_text: str, quotation: str) -> bool:
    """As `stands`, for a text that `matching.fold` has been through: many quotations, one folding."""
    return _stands(folded_text, quotation)


def _stands(folded_text: str, quotation: str) -> bool:
    # What occurs on one rung occurs on every later one, so that the last rung alone decides.
    wanted = fold(quotation.strip())
    return wanted in folded_text and _SAYS_SOMETHING.search(wanted) is not None


def _place(key: str, names: Names) -> Path:
    """The place that a key means, with its name as the story spells it; empty if it means none."""
    spelling = key.strip().removeprefix("patch.")
    section = spelling.partition(".")[0].partition("[")[0]
    return (section,) if section in _LISTS else names.path(spelling) or ()


def _regardless(path: Path) -> Path:
    """A path as it is compared, because a name new to the story has no spelling of its own yet."""
    return tuple(folded(part) for part in path)
