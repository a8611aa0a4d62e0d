"""The loop that chooses a turn's lore: passes over the entries until nothing new is found.

Separate from the rules it asks (keys, groups, purse, timing), which know nothing of each other.
Source: formats §2.6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from huaben.domain.lore.groups import Candidate, GroupRules, settle_groups
from huaben.domain.lore.judge import Judge, NotFound
from huaben.domain.lore.purse import Active, Purse, Refusal
from huaben.domain.lore.ready import Ready
from huaben.domain.lore.scan import MAX_SCAN_DEPTH, LoreSettings, Scan
from huaben.domain.lore.timing import Standing
from huaben.domain.lore.trace import ChosenBy, OutBy
from huaben.domain.lore.window import (
    Segment,
    Window,
    message_segments,
    other_segments,
    recursion_segments,
    source_bits,
)

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

    `live` are the ranks that a pass must ask: whose keys have been noticed, or who need none.
    `asleep` said no and cannot say otherwise until one of their keys is found again or the windows
    change; `waiting` are those whose level of recursion has not come. Both only save asking.
    """

    readies: Sequence[Ready]
    scan: Scan
    settings: LoreSettings
    seed: int
    standing: Standing
    judge: Judge
    purse: Purse
    searched: Mapping[str, float]
    out: dict[int, NotFound] = field(default_factory=dict[int, NotFound])
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
        levels = sorted({each.recursion.delay_level for each in self.readies} - {0})
        self.level = levels.pop(0) if levels else 0
        self._begin()
        state: Pass | None = Pass.INITIAL
        limit = self.settings.max_recursion_steps
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

    def _begin(self) -> None:
        """Takes in the entries and reads what the first pass looks at."""
        for ready in self.readies:
            if ready.out is not None:
                self.out[ready.rank] = NotFound(ready.out, ready.out_detail)
            elif self.judge.add(ready) or self._needs_no_key(ready):
                self._wake(ready.rank)
        self.unread = message_segments(self.scan, self.settings)
        self._read_messages()
        self._read(other_segments(self.scan))

    def _needs_no_key(self, ready: Ready) -> bool:
        return bool(
            ready.obeyed.forced
            or ready.entry.constant
            or ready.ref in self.scan.external
            or ready.ref in self.searched
            or ready.timed_key in self.standing.sticky
            or ready.timed_key in self.standing.matched
        )

    def _read(self, segments: Sequence[Segment]) -> None:
        for rank, is_primary in self.judge.read(segments):
            if is_primary or rank in self.asleep:
                self._wake(rank)

    def _wake(self, rank: int) -> None:
        """Has an entry asked in the next pass, or once its level has come."""
        ready = self.readies[rank]
        if ready.out is not None or rank in self.refused or self.purse.has(rank):
            return
        self.asleep.discard(rank)
        level = ready.recursion.delay_level
        if level > self.level and ready.timed_key not in self.standing.sticky:
            self.waiting.setdefault(level, set()).add(rank)
            self._note(rank, NotFound(OutBy.RECURSION_ONLY, f"level {level}"))
        else:
            self.live.add(rank)

    def _open_level(self, level: int) -> None:
        self.level = level
        self.live |= self.waiting.pop(level, set())

    def _read_messages(self) -> None:
        """Reads the messages that some window reaches and that were not read before."""
        deepest = max((self._depth(ready) for ready in self.readies), default=0)
        already = self.unread[0].index if self.unread else 0
        reached = max(0, min(deepest, MAX_SCAN_DEPTH) - already)
        self._read(self.unread[:reached])
        self.unread = self.unread[reached:]

    def _depth(self, ready: Ready) -> int:
        """Messages in an entry's window, this turn's words among them; its own depth never widens."""
        if ready.depth is not None:
            return ready.depth
        words = 0 if self.settings.exact else int(bool(self.scan.words))
        base = self.settings.scan_depth + words if self.settings.scan_depth else 0
        return base + self.skew

    def _window(self, ready: Ready, state: Pass) -> Window:
        recursion = state is not Pass.MIN_ACTIVATIONS
        return Window(self._depth(ready), source_bits(ready.entry.sources), recursion)

    def _pass(self, state: Pass) -> list[Active]:
        candidates: list[Candidate] = []
        for rank in sorted(self.live):
            judged = self._judged(self.readies[rank], state)
            if isinstance(judged, Candidate):
                candidates.append(judged)
            else:
                self._note(rank, judged)
                if judged.reason in _SAID_NO and not self.judge.has_patterns(self.readies[rank]):
                    self.live.discard(rank)
                    self.asleep.add(rank)
        candidates.sort(key=self._precedence)
        rules = GroupRules(
            taken=frozenset(self.taken_groups),
            scoring=self.settings.group_scoring,
            score=lambda ready: self.judge.score(ready, self._window(ready, state)),
            seed=self.seed,
            step=self.step,
        )
        kept, losers = settle_groups(candidates, rules)
        for loser in losers:
            self._note(loser.candidate.ready.rank, NotFound(loser.reason, loser.detail))
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
        self._note(rank, NotFound(refusal.reason, refusal.detail))
        if refusal.final:
            self.live.discard(rank)
            self.refused.add(rank)

    def _note(self, rank: int, reason: NotFound) -> None:
        """Keeps the obstacle that an entry got furthest to."""
        before = self.out.get(rank)
        if before is None or _STRENGTH[reason.reason] >= _STRENGTH[before.reason]:
            self.out[rank] = reason

    def _precedence(self, candidate: Candidate) -> tuple[bool, bool, bool, float, int]:
        """Sticky first, then as the books stand; what a search found comes after all key hits."""
        constants_first = self.settings.constants != "budgeted"
        searched = candidate.reason is ChosenBy.SEARCH
        return (
            not candidate.sticky,
            constants_first and candidate.reason is not ChosenBy.CONSTANT,
            searched,
            -candidate.score if searched else 0.0,
            candidate.ready.rank,
        )

    def _judged(self, ready: Ready, state: Pass) -> Candidate | NotFound:
        sticky = ready.timed_key in self.standing.sticky
        obstacle = self._obstacle(ready, state, sticky=sticky)
        if obstacle is not None:
            return obstacle
        reason, score = self._keyless(ready, sticky=sticky)
        if reason is not None:
            return Candidate(ready, reason, score=score, sticky=sticky)
        verdict = self.judge.verdict(ready, self._window(ready, state))
        if not isinstance(verdict, NotFound):
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

    def _obstacle(self, ready: Ready, state: Pass, *, sticky: bool) -> NotFound | None:
        if ready.obeyed.once and ready.timed_key in self.standing.matched:
            return NotFound(OutBy.SPENT, "fired before")
        if sticky:
            return None
        if ready.timed_key in self.standing.cooldown:
            return NotFound(OutBy.COOLDOWN)
        recursing = state is Pass.RECURSION
        level = ready.recursion.delay_level
        if level and (not recursing or level > self.level):
            return NotFound(OutBy.RECURSION_ONLY, f"level {level}")
        if recursing and self.settings.recursive and ready.recursion.excluded:
            return NotFound(OutBy.RECURSION_EXCLUDED)
        return None

    def _next(self, state: Pass, accepted: Sequence[Active], levels: list[int]) -> Pass | None:
        """What the next pass looks at, None when nothing more can be found."""
        if not self.purse.overflowed:
            if self.settings.recursive:
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
        settings = self.settings
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
