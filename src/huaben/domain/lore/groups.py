"""Inclusion groups: of each, one member at most is chosen.

Separate because groups look at a pass's candidates together, where every other rule looks at one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from huaben.domain.lore.chance import roll
from huaben.domain.lore.ready import Ready
from huaben.domain.lore.trace import ChosenBy, OutBy


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that a pass would choose, and why. A sticky one may have another reason as well."""

    ready: Ready
    reason: ChosenBy
    key: str = ""
    where: str = ""
    score: float = 0.0
    sticky: bool = False


@dataclass(frozen=True, slots=True)
class Loser:
    """A candidate that its group shut out."""

    candidate: Candidate
    reason: OutBy
    detail: str


@dataclass(frozen=True, slots=True)
class GroupRules:
    """What deciding a group needs besides its members.

    `taken` are the groups that have an active entry of an earlier pass. `score` counts the keys of
    an entry that are found now.
    """

    taken: frozenset[str]
    scoring: bool
    score: Callable[[Ready], int]
    seed: int
    step: int


def settle_groups(
    candidates: Sequence[Candidate], rules: GroupRules
) -> tuple[list[Candidate], list[Loser]]:
    """The candidates that their groups let through, in the same order, and the others.

    Formats §2.6.5, for each group in turn: sticky members shut out the rest; a taken group lets
    nobody in; then scoring, then priority by `order`, then a draw by weight. An entry of several
    groups must pass each.
    """
    groups: dict[str, list[Candidate]] = {}
    for each in candidates:
        for name in each.ready.entry.group.names:
            groups.setdefault(name, []).append(each)
    losers: dict[int, Loser] = {}

    def standing(name: str) -> list[Candidate]:
        return [each for each in groups[name] if each.ready.rank not in losers]

    def shut_out(name: str, beaten: Sequence[Candidate], reason: OutBy) -> None:
        for each in beaten:
            losers.setdefault(each.ready.rank, Loser(each, reason, f"group {name}"))

    stuck = {name for name, members in groups.items() if any(each.sticky for each in members)}
    for name in sorted(stuck):
        shut_out(name, [each for each in groups[name] if not each.sticky], OutBy.GROUP_STICKY)
    undecided = [name for name in groups if name not in stuck]
    for name in undecided:
        if name not in rules.taken:
            shut_out(name, _outscored(standing(name), rules), OutBy.GROUP_SCORE)
    for name in undecided:
        members = standing(name)
        if name in rules.taken:
            shut_out(name, members, OutBy.GROUP_TAKEN)
        elif len(members) > 1:
            winner, reason = _winner(name, members, rules)
            shut_out(name, [each for each in members if each is not winner], reason)
    kept = [each for each in candidates if each.ready.rank not in losers]
    return kept, list(losers.values())


def _outscored(members: Sequence[Candidate], rules: GroupRules) -> list[Candidate]:
    """Members that are scored and have fewer keys found than the best of the group."""
    scored = [each for each in members if _is_scored(each.ready, rules)]
    if not scored or len(members) < 2:
        return []
    best = max(rules.score(each.ready) for each in members)
    return [each for each in scored if rules.score(each.ready) < best]


def _is_scored(ready: Ready, rules: GroupRules) -> bool:
    own = ready.entry.group.scoring
    return rules.scoring if own is None else own


def _winner(name: str, members: Sequence[Candidate], rules: GroupRules) -> tuple[Candidate, OutBy]:
    prioritised = [each for each in members if each.ready.entry.group.prioritised]
    if prioritised:
        return max(prioritised, key=lambda each: each.ready.entry.order), OutBy.GROUP_PRIORITY
    weights = [each.ready.entry.group.weight for each in members]
    drawn = roll(rules.seed, "group", name, str(rules.step)) * sum(weights)
    for each, weight in zip(members, weights, strict=True):
        drawn -= weight
        if drawn < 0:
            return each, OutBy.GROUP_DRAW
    # All weights are 0, or the last bit was lost in the sum.
    return max(members, key=lambda each: each.ready.entry.group.weight > 0), OutBy.GROUP_DRAW
