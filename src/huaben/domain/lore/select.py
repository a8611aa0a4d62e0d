"""The lore of one turn, chosen from books by keys, timing, chance and budget.

Separate as the one door: it makes entries ready, runs the evaluation and writes its trace.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from huaben.domain.lore.evaluation import Evaluation
from huaben.domain.lore.judge import Judge, NotFound
from huaben.domain.lore.keytable import KeyTable
from huaben.domain.lore.patterns import ClockMs, Stopwatch
from huaben.domain.lore.purse import Active, Purse
from huaben.domain.lore.ready import Ready, make_ready
from huaben.domain.lore.scan import LoreSettings, Scan
from huaben.domain.lore.search import search
from huaben.domain.lore.timing import Standing, TimedState, record, settle
from huaben.domain.lore.trace import Chosen, LeftOut, LoreWarning, OutBy, Selection
from huaben.domain.lore.values import Book

_OVER_BUDGET = frozenset({OutBy.BUDGET, OutBy.BOOK_BUDGET, OutBy.MAX_ENTRIES})


def select(
    books: Sequence[Book],
    scan: Scan,
    settings: LoreSettings,
    seed: int,
    timed: TimedState,
    count_tokens: Callable[[str], int],
    clock_ms: ClockMs,
) -> Selection:
    """The entries that take part in a turn, and why every other one does not.

    The same arguments choose the same entries, but for patterns that a slow machine stops: each may
    take 50 ms and all together 250 ms by `clock_ms`, which counts milliseconds from anywhere. `seed`
    is the turn's. `count_tokens` counts a text with the line end after it. Nothing is raised.
    """
    readies, absent = make_ready(books, scan, settings)
    standing = _standing(timed, readies, scan)
    watch = Stopwatch(clock_ms)
    evaluation = Evaluation(
        readies=readies,
        scan=scan,
        settings=settings,
        seed=seed,
        standing=standing,
        judge=Judge(KeyTable(watch, scan.expand)),
        purse=Purse(settings, seed, scan.expand, count_tokens),
        searched=_searched(books, scan, settings),
    )
    evaluation.run()
    active = evaluation.purse.active
    spoken = [each for each in active.values() if each.text.strip()]
    silent = [ready for ready in readies if not _speaks(ready, active)]
    return Selection(
        chosen=tuple(_chosen(each, order, settings) for order, each in enumerate(spoken)),
        left_out=(
            *(_left_out(ready, evaluation) for ready in silent),
            *(_absent(ready) for ready in absent),
        ),
        timed=_recorded(timed, standing, active.values(), scan),
        warnings=tuple(_warnings(evaluation, watch)),
    )


def _standing(timed: TimedState, readies: Sequence[Ready], scan: Scan) -> Standing:
    if scan.dry_run:
        return Standing(timed, frozenset(), frozenset(), frozenset())
    return settle(timed, (ready.timed for ready in readies), scan.chat_length)


def _recorded(
    timed: TimedState, standing: Standing, active: Iterable[Active], scan: Scan
) -> TimedState:
    if scan.dry_run:
        return timed
    entries = (each.candidate.ready.timed for each in active)
    return record(standing.state, entries, scan.chat_length)


def _searched(books: Sequence[Book], scan: Scan, settings: LoreSettings) -> dict[str, float]:
    """What a ranked search adds in the hybrid selection: by this turn's words, else the last message."""
    if settings.selection == "keys":
        return {}
    query = scan.words or (scan.messages[-1].text if scan.messages else "")
    return {hit.ref: hit.score for hit in search(books, query, settings.hybrid_limit)}


def _speaks(ready: Ready, active: Mapping[int, Active]) -> bool:
    return ready.rank in active and bool(active[ready.rank].text.strip())


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


def _left_out(ready: Ready, evaluation: Evaluation) -> LeftOut:
    if evaluation.purse.has(ready.rank):
        out = NotFound(OutBy.EMPTY)
    elif ready.rank in evaluation.out:
        out = evaluation.out[ready.rank]
    else:
        has_keys = evaluation.judge.has_keys(ready)
        out = NotFound(OutBy.NO_MATCH if has_keys else OutBy.NO_KEYS)
    score = evaluation.searched.get(ready.ref, evaluation.scan.external.get(ready.ref, 0.0))
    return LeftOut(ready.original, ready.book, ready.ref, out.reason, out.detail, score)


def _absent(ready: Ready) -> LeftOut:
    reason = ready.out or OutBy.BOOK_ELSEWHERE
    return LeftOut(ready.original, ready.book, ready.ref, reason, ready.out_detail)


def _warnings(evaluation: Evaluation, watch: Stopwatch) -> Iterator[LoreWarning]:
    for key, why in watch.disabled.items():
        yield LoreWarning("pattern_stopped", "", f"{key}: {why}")
    for ready in evaluation.readies:
        out = evaluation.out.get(ready.rank)
        if evaluation.purse.has(ready.rank):
            for name in ready.obeyed.unhonoured:
                yield LoreWarning("decorator_not_honoured", ready.ref, name)
        elif out is not None and out.reason is OutBy.UNSUPPORTED_KEY:
            yield LoreWarning("pattern_unsupported", ready.ref, out.detail)
        elif out is not None and ready.entry.constant and out.reason in _OVER_BUDGET:
            yield LoreWarning("constant_over_budget", ready.ref, out.detail)
