"""The lore of one turn, chosen from prepared books by keys, timing, chance and budget.

Separate as the one door: it runs the evaluation and writes its trace.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from huaben.domain.lore.evaluation import Evaluation
from huaben.domain.lore.judge import Judge
from huaben.domain.lore.keyring import Keyring, make_keyring
from huaben.domain.lore.obstacles import absent_books, obstacle_of
from huaben.domain.lore.patterns import ClockMs, Stopwatch
from huaben.domain.lore.prepared import Prepared
from huaben.domain.lore.purse import Active, Purse
from huaben.domain.lore.reading import Reading
from huaben.domain.lore.ready import Ready
from huaben.domain.lore.scan import LoreSettings, Scan
from huaben.domain.lore.search import searched
from huaben.domain.lore.timing import Standing, TimedState, record, settle
from huaben.domain.lore.trace import (
    UNREMARKABLE,
    Chosen,
    LeftOut,
    LoreWarning,
    Obstacle,
    OutBy,
    Selection,
)

_OVER_BUDGET = frozenset({OutBy.BUDGET, OutBy.BOOK_BUDGET, OutBy.MAX_ENTRIES})


def select(
    prepared: Prepared,
    scan: Scan,
    seed: int,
    timed: TimedState,
    count_tokens: Callable[[str], int],
    clock_ms: ClockMs,
) -> Selection:
    """The entries that take part in a turn, and why those that came near do not.

    The same arguments choose the same entries, but for patterns that a slow machine stops: each may
    take 50 ms and all together 250 ms by `clock_ms`, which counts milliseconds from anywhere. `seed`
    is the turn's. `count_tokens` counts a text with the line end after it. Nothing is raised. What it
    takes grows with the texts and with the entries that they speak of, not with all there are.
    """
    absent = absent_books(prepared.books, scan)
    standing = _standing(timed, prepared, scan, absent)
    watch = Stopwatch(clock_ms)
    rings = _rings(prepared, scan)
    evaluation = Evaluation(
        prepared=prepared,
        scan=scan,
        seed=seed,
        standing=standing,
        judge=Judge(rings, Reading([ring.table for ring in rings], watch)),
        purse=Purse(prepared.settings, seed, scan.expand, count_tokens),
        searched=_searched(prepared, scan),
        absent=absent,
    )
    evaluation.run()
    active = evaluation.purse.active
    spoken = [each for each in active.values() if each.text.strip()]
    left_out = tuple(_left_out(evaluation))
    return Selection(
        chosen=tuple(_chosen(each, order, prepared.settings) for order, each in enumerate(spoken)),
        left_out=left_out,
        unnamed=len(prepared.readies) - len(spoken) - len(left_out),
        timed=_recorded(timed, standing, active.values(), scan),
        warnings=tuple(_warnings(evaluation, watch)),
    )


def silent(prepared: Prepared, scan: Scan, named: Collection[str]) -> Iterator[LeftOut]:
    """The entries that a selection counts as `unnamed` and why each is out, when `named` are the refs
    of all others; `scan` need not hold any text. In the order of consideration, those of books that
    were not read at the end."""
    absent = absent_books(prepared.books, scan)
    rings = _rings(prepared, scan)
    present = (ready for ready in prepared.readies if ready.book_index not in absent)
    for ready in present:
        if ready.ref not in named:
            has_keys = any(ring.of[ready.rank].primary for ring in rings if ready.rank in ring.of)
            unheard = Obstacle(OutBy.NO_MATCH if has_keys else OutBy.NO_KEYS)
            yield _out(ready, obstacle_of(ready, scan) or unheard)
    for ready in sorted(prepared.readies, key=lambda each: each.book_index):
        if ready.book_index in absent and ready.ref not in named:
            yield _out(ready, absent[ready.book_index])


def _rings(prepared: Prepared, scan: Scan) -> tuple[Keyring, ...]:
    """The keys of all entries, those with macros as they read in this turn."""
    fixed = prepared.keyring
    if not prepared.templated:
        return (fixed,)
    return fixed, make_keyring(prepared.templated, scan.expand, fixed.table.end)


def _standing(
    timed: TimedState, prepared: Prepared, scan: Scan, absent: Collection[int]
) -> Standing:
    if scan.dry_run:
        return Standing(timed, frozenset(), frozenset(), frozenset())
    found = (
        prepared.readies[rank]
        for key in dict.fromkeys((*timed.sticky, *timed.cooldown, *timed.matched))
        for rank in prepared.by_timed.get(key, ())
    )
    here = (ready.timed for ready in found if ready.book_index not in absent)
    return settle(timed, here, scan.chat_length)


def _recorded(
    timed: TimedState, standing: Standing, active: Iterable[Active], scan: Scan
) -> TimedState:
    if scan.dry_run:
        return timed
    entries = (each.candidate.ready.timed for each in active)
    return record(standing.state, entries, scan.chat_length)


def _searched(prepared: Prepared, scan: Scan) -> Mapping[str, float]:
    """What a ranked search adds in the hybrid selection: by this turn's words, else the last message."""
    if prepared.searchable is None:
        return {}
    query = scan.words or (scan.messages[-1].text if scan.messages else "")
    hits = searched(prepared.searchable, query, prepared.settings.hybrid_limit)
    return {hit.ref: hit.score for hit in hits}


def _chosen(active: Active, order: int, settings: LoreSettings) -> Chosen:
    candidate = active.candidate
    ready = candidate.ready
    return Chosen(
        entry=ready.entry,
        book=ready.book,
        ref=ready.ref,
        reason=candidate.reason,
        text=active.text,
        tokens=active.tokens,
        key=candidate.key,
        where=candidate.where,
        order=order,
        step=active.step,
        score=candidate.score,
        resident=settings.constants == "resident" and ready.original.resident,
    )


def _left_out(evaluation: Evaluation) -> Iterator[LeftOut]:
    """The entries that something spoke of and that do not take part, in the order of consideration."""
    active, readies = evaluation.purse.active, evaluation.prepared.readies
    for rank in sorted(evaluation.out.keys() | active.keys()):
        if rank in active:
            if not active[rank].text.strip():
                yield _out(readies[rank], Obstacle(OutBy.EMPTY), _score(readies[rank], evaluation))
            continue
        score = _score(readies[rank], evaluation)
        if score or evaluation.out[rank].reason not in UNREMARKABLE:
            yield _out(readies[rank], evaluation.out[rank], score)


def _score(ready: Ready, evaluation: Evaluation) -> float:
    """What another finder gave the entry."""
    return evaluation.searched.get(ready.ref, evaluation.scan.external.get(ready.ref, 0.0))


def _out(ready: Ready, why: Obstacle, score: float = 0.0) -> LeftOut:
    return LeftOut(ready.original, ready.book, ready.ref, why.reason, why.detail, score)


def _warnings(evaluation: Evaluation, watch: Stopwatch) -> Iterator[LoreWarning]:
    for key, why in watch.disabled.items():
        yield LoreWarning("pattern_stopped", "", f"{key}: {why}")
    active, out = evaluation.purse.active, evaluation.out
    for rank in sorted(out.keys() | active.keys()):
        ready = evaluation.prepared.readies[rank]
        if rank in active:
            for name in ready.obeyed.unhonoured:
                yield LoreWarning("decorator_not_honoured", ready.ref, name)
        elif out[rank].reason is OutBy.UNSUPPORTED_KEY:
            yield LoreWarning("pattern_unsupported", ready.ref, out[rank].detail)
        elif ready.entry.constant and out[rank].reason in _OVER_BUDGET:
            yield LoreWarning("constant_over_budget", ready.ref, out[rank].detail)
