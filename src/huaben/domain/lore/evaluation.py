"""The loop that chooses a turn's lore: passes over the entries until nothing new is found.

Separate from the rules it asks (keys, groups, purse, timing), which know nothing of each other.
Source: formats §2.6.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeVar

from huaben.domain.lore.groups import Candidate, GroupRules, settle_groups
from huaben.domain.lore.judge import Judge
from huaben.domain.lore.obstacles import obstacle_of
from huaben.domain.lore.prepared import Prepared
from huaben.domain.lore.purse import Active, Purse, Refusal
from huaben.domain.lore.ready import Ready
from huaben.domain.lore.scan import MAX_SCAN_DEPTH, Scan
from huaben.domain.lore.timing import Standing
from huaben.domain.lore.trace import ChosenBy, Obstacle, OutBy
from huaben.domain.lore.window import (
    Segment,
    Window,
    message_segments,
    other_segments,
    recursion_segments,
)

_T = TypeVar("_T")
_SAID_NO = frozenset({OutBy.NO_MATCH, OutBy.SECONDARY, OutBy.REQUIRED, OutBy.FORBIDDEN})
_STRENGTH = {reason: place for place, reason in enumerate(OutBy)}


class Pass(Enum):
    """What a pass looks at: the chat, the chat and what entries say, or a deeper chat."""

    INITIAL = auto()
    RECURSION = auto()
    MIN_ACTIVATIONS = auto()


@dataclass(slots=True)
class Evaluation:
    """One evaluation under way; `run` it once, then read `purse.active` and `out`.

    `absent` are the books that are not read, `out` the last obstacle of each entry that something
    spoke of. `live` are the ranks that a pass must ask: whose keys have been noticed, or who need
    none. `asleep` said no and cannot say otherwise until one of their keys is found again or the
    windows change; `waiting` are those whose level of recursion has not come; `refused` are out for
    good. An entry that nothing speaks of is in none of these, so that it costs nothing.
    """

    prepared: Prepared
    scan: Scan
    seed: int
    standing: Standing
    judge: Judge
    purse: Purse
    searched: Mapping[str, float]
    absent: Container[int]
    out: dict[int, Obstacle] = field(default_factory=dict[int, Obstacle])
    live: set[int] = field(default_factory=set[int])
    refused: set[int] = field(default_factory=set[int])
    asleep: set[int] = field(default_factory=set[int])
    waiting: dict[int, set[int]] = field(default_factory=dict[int, set[int]])
    taken_groups: set[str] = field(default_factory=set[str])
    step: int = 0
    level: int = 0
    skew: int = 0
    unread: list[Segment] = field(default_factory=list[Segment])
    has_recursion: bool = False

    def run(self) -> None:
        """Chooses. An entry is activated at most once, so the loop ends."""
        levels = self._levels()
        self.level = levels.pop(0) if levels else 0
        self._begin()
        state: Pass | None = Pass.INITIAL
        limit = self.prepared.settings.max_recursion_steps
        while state is not None and not (limit and self.step >= limit):
            self.step += 1
            accepted = self._pass(state)
            following = self._next(state, accepted, levels)
            if following is not None:
                self._recurse(accepted)
            if Pass.MIN_ACTIVATIONS in (state, following):
                # The windows widen, or lose or regain what entries said.
                self.live |= self.asleep
                self.asleep.clear()
            state = following

    def _levels(self) -> list[int]:
        """The levels of recursion that entries of the books at hand wait for, lowest first."""
        return sorted(self._of_present_books(self.prepared.levels) - {0})

    def _of_present_books(self, facts: Mapping[int, frozenset[_T]]) -> frozenset[_T]:
        present = (found for book, found in facts.items() if book not in self.absent)
        return frozenset[_T]().union(*present)

    def _begin(self) -> None:
        """Wakes whoever needs no key and reads what the first pass looks at."""
        for rank in self._keyless_ranks():
            self._wake(rank)
        self.unread = message_segments(self.scan, self.prepared.settings)
        self._read_messages()
        self._read(other_segments(self.scan))

    def _keyless_ranks(self) -> Iterator[int]:
        """The entries to ask whatever the texts say; those with patterns are asked in every pass."""
        prepared = self.prepared
        yield from prepared.always
        for ring in self.judge.rings:
            yield from ring.patterned
        for ref in (*self.scan.external, *self.searched):
            yield from prepared.by_ref.get(ref, ())
        for key in (*self.standing.sticky, *self.standing.matched):
            yield from prepared.by_timed.get(key, ())

    def _read(self, segments: Sequence[Segment]) -> None:
        for rank, is_primary in self.judge.read(segments):
            if is_primary or rank in self.asleep:
                self._wake(rank)

    def _wake(self, rank: int) -> None:
        """Has an entry asked in the next pass, or once its level has come, unless it is shut out."""
        ready = self.prepared.readies[rank]
        if rank in self.refused or self.purse.has(rank) or ready.book_index in self.absent:
            return
        obstacle = obstacle_of(ready, self.scan)
        if obstacle is not None:
            self.refused.add(rank)
            self._note(rank, obstacle)
            return
        self.asleep.discard(rank)
        level = ready.recursion.delay_level
        if level > self.level and ready.timed_key not in self.standing.sticky:
            self.waiting.setdefault(level, set()).add(rank)
            self._note(rank, Obstacle(OutBy.RECURSION_ONLY, f"level {level}"))
        else:
            self.live.add(rank)

    def _open_level(self, level: int) -> None:
        self.level = level
        self.live |= self.waiting.pop(level, set())

    def _read_messages(self) -> None:
        """Reads the messages that some window reaches and that were not read before."""
        depths = self._of_present_books(self.prepared.depths)
        deepest = max((self._depth(depth) for depth in depths), default=0)
        already = self.unread[0].index if self.unread else 0
        reached = max(0, min(deepest, MAX_SCAN_DEPTH) - already)
        self._read(self.unread[:reached])
        self.unread = self.unread[reached:]

    def _depth(self, own: int | None) -> int:
        """Messages in an entry's window, this turn's words among them; its own depth never widens."""
        if own is not None:
            return own
        settings = self.prepared.settings
        words = 0 if settings.exact else int(bool(self.scan.words))
        base = settings.scan_depth + words if settings.scan_depth else 0
        return base + self.skew

    def _window(self, ready: Ready, state: Pass) -> Window:
        recursion = state is not Pass.MIN_ACTIVATIONS
        return Window(self._depth(ready.depth), ready.sources, recursion)

    def _pass(self, state: Pass) -> list[Active]:
        candidates: list[Candidate] = []
        for rank in sorted(self.live):
            judged = self._judged(self.prepared.readies[rank], state)
            if isinstance(judged, Candidate):
                candidates.append(judged)
            else:
                self._note(rank, judged)
                if judged.reason in _SAID_NO and not self.judge.keys(rank).patterned:
                    self.live.discard(rank)
                    self.asleep.add(rank)
        candidates.sort(key=self._precedence)
        rules = GroupRules(
            taken=frozenset(self.taken_groups),
            scoring=self.prepared.settings.group_scoring,
            score=lambda ready: self.judge.score(ready, self._window(ready, state)),
            seed=self.seed,
            step=self.step,
        )
        kept, losers = settle_groups(candidates, rules)
        for loser in losers:
            self._note(loser.candidate.ready.rank, Obstacle(loser.reason, loser.detail))
        accepted: list[Active] = []
        for candidate in kept:
            outcome = self.purse.take(candidate, self.step)
            if isinstance(outcome, Refusal):
                self._refuse(candidate, outcome)
            else:
                accepted.append(outcome)
                self.live.discard(candidate.ready.rank)
        for each in accepted:
            self.taken_groups.update(each.candidate.ready.entry.group.names)
        return accepted

    def _refuse(self, candidate: Candidate, refusal: Refusal) -> None:
        rank = candidate.ready.rank
        self._note(rank, Obstacle(refusal.reason, refusal.detail))
        if refusal.final:
            self.live.discard(rank)
            self.refused.add(rank)

    def _note(self, rank: int, reason: Obstacle) -> None:
        """Keeps the obstacle that an entry got furthest to."""
        before = self.out.get(rank)
        if before is None or _STRENGTH[reason.reason] >= _STRENGTH[before.reason]:
            self.out[rank] = reason

    def _precedence(self, candidate: Candidate) -> tuple[bool, bool, bool, float, int]:
        """Sticky first, then as the books stand; what a search found comes after all key hits."""
        constants_first = self.prepared.settings.constants != "budgeted"
        searched = candidate.reason is ChosenBy.SEARCH
        return (
            not candidate.sticky,
            constants_first and candidate.reason is not ChosenBy.CONSTANT,
            searched,
            -candidate.score if searched else 0.0,
            candidate.ready.rank,
        )

    def _judged(self, ready: Ready, state: Pass) -> Candidate | Obstacle:
        sticky = ready.timed_key in self.standing.sticky
        obstacle = self._obstacle(ready, state, sticky=sticky)
        if obstacle is not None:
            return obstacle
        reason, score = self._keyless(ready, sticky=sticky)
        if reason is not None:
            return Candidate(ready, reason, score=score, sticky=sticky)
        verdict = self.judge.verdict(ready, self._window(ready, state))
        if not isinstance(verdict, Obstacle):
            return Candidate(ready, ChosenBy.KEY, verdict.key, verdict.where, verdict.score)
        if state is Pass.INITIAL and ready.ref in self.searched:
            return Candidate(ready, ChosenBy.SEARCH, score=self.searched[ready.ref])
        return verdict

    def _keyless(self, ready: Ready, *, sticky: bool) -> tuple[ChosenBy | None, float]:
        """What activates an entry without its keys, in SillyTavern's order of asking."""
        if ready.obeyed.forced:
            return ChosenBy.DECORATOR, 0.0
        if ready.ref in self.scan.external:
            return ChosenBy.EXTERNAL, self.scan.external[ready.ref]
        if ready.entry.constant:
            return ChosenBy.CONSTANT, 0.0
        if sticky:
            return ChosenBy.STICKY, 0.0
        kept = ready.obeyed.keeps and ready.timed_key in self.standing.matched
        return (ChosenBy.KEPT, 0.0) if kept else (None, 0.0)

    def _obstacle(self, ready: Ready, state: Pass, *, sticky: bool) -> Obstacle | None:
        if ready.obeyed.once and ready.timed_key in self.standing.matched:
            return Obstacle(OutBy.SPENT, "fired before")
        if sticky:
            return None
        if ready.timed_key in self.standing.cooldown:
            return Obstacle(OutBy.COOLDOWN)
        recursing = state is Pass.RECURSION
        level = ready.recursion.delay_level
        if level and (not recursing or level > self.level):
            return Obstacle(OutBy.RECURSION_ONLY, f"level {level}")
        if recursing and self.prepared.settings.recursive and ready.recursion.excluded:
            return Obstacle(OutBy.RECURSION_EXCLUDED)
        return None

    def _next(self, state: Pass, accepted: Sequence[Active], levels: list[int]) -> Pass | None:
        """What the next pass looks at, None when nothing more can be found."""
        if not self.purse.overflowed:
            if self.prepared.settings.recursive:
                spreading = any(not each.candidate.ready.recursion.prevents for each in accepted)
                if spreading or (state is Pass.MIN_ACTIVATIONS and self.has_recursion):
                    return Pass.RECURSION
            if self._may_widen():
                self.skew += 1
                self._read_messages()
                return Pass.MIN_ACTIVATIONS
        if levels:
            self._open_level(levels.pop(0))
            return Pass.RECURSION
        return None

    def _may_widen(self) -> bool:
        """Whether too few entries are active and there is more chat to look at."""
        settings = self.prepared.settings
        if len(self.purse.active) >= settings.min_activations:
            return False
        depth = settings.scan_depth + self.skew
        deepest = settings.min_activations_depth
        return not (deepest and depth > deepest) and depth <= min(
            self.scan.chat_length, MAX_SCAN_DEPTH
        )

    def _recurse(self, accepted: Sequence[Active]) -> None:
        """Lets what was chosen be scanned, but for what must not trigger others."""
        contents = [
            (each.candidate.ready.ref, each.candidate.ready.obeyed.text, each.text)
            for each in accepted
            if not each.candidate.ready.recursion.prevents
        ]
        segments = list(recursion_segments(contents))
        self.has_recursion = self.has_recursion or bool(segments)
        self._read(segments)
