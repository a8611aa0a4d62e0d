"""What the texts of one evaluation show of the keys.

Separate from the table of keys, which every turn shares: each text is read once for all keys, and
boundaries are judged hit by hit.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from huaben.domain.lore.fold import Folded
from huaben.domain.lore.keytable import Family, Key, KeyTable, PlainKey, WildKey
from huaben.domain.lore.matching import KeyRule, prepare_text, stands
from huaben.domain.lore.patterns import KeyPattern, Stopwatch, UnsupportedKey
from huaben.domain.lore.window import Segment, Window, joined


@dataclass(slots=True)
class Reading:
    """The segments read so far and the keys that stand in them; `read`, then ask `find`.

    `tables` are one or two, the second numbered on from the first.
    """

    tables: Sequence[KeyTable]
    watch: Stopwatch
    segments: list[Segment] = field(default_factory=list[Segment])
    _standing: dict[int, list[Segment]] = field(default_factory=dict[int, list[Segment]])
    _texts: dict[Window, tuple[str, list[tuple[int, str]]]] = field(
        default_factory=dict[Window, tuple[str, list[tuple[int, str]]]]
    )
    _pages: dict[tuple[Window, bool], Folded] = field(
        default_factory=dict[tuple[Window, bool], Folded]
    )
    _found: dict[tuple[int, Window], str | None] = field(
        default_factory=dict[tuple[int, Window], str | None]
    )

    def read(self, segment: Segment) -> Iterator[int]:
        """Reads one segment more and yields the numbers of the plain keys that stand in it."""
        self.segments.append(segment)
        self._found.clear()
        self._texts.clear()
        self._pages.clear()
        for family in dict.fromkeys(each for table in self.tables for each in table.families):
            exact, case_sensitive = family
            rule = KeyRule(case_sensitive=case_sensitive, exact=exact)
            page = prepare_text(segment.text, rule)
            for table in self.tables:
                if family in table.families:
                    yield from self._noticed(table, family, page)

    def find(self, number: int, window: Window) -> str | None:
        """The name of the first segment of a window where a key is found, None if in none."""
        key = self._key(number)
        if isinstance(key, PlainKey):
            places = self._standing.get(number, ())
            return next((each.name for each in places if window.holds(each)), None)
        if isinstance(key, UnsupportedKey):
            return None
        if (number, window) not in self._found:
            self._found[number, window] = self._search(key, window)
        return self._found[number, window]

    def name(self, number: int) -> str:
        """The key as it is shown."""
        return self._key(number).key

    def unsupported(self, numbers: Iterable[int]) -> UnsupportedKey | None:
        """The first of these keys that is a pattern only JavaScript can run."""
        keys = (self._key(number) for number in numbers)
        return next((key for key in keys if isinstance(key, UnsupportedKey)), None)

    def stopped(self, numbers: Iterable[int]) -> str | None:
        """The first of these keys that was disabled for the time it took."""
        if not self.watch.disabled:
            return None
        keys = (self._key(number) for number in numbers)
        names = (key.key for key in keys if not isinstance(key, PlainKey))
        return next((name for name in names if name in self.watch.disabled), None)

    def _key(self, number: int) -> Key:
        table = self.tables[0] if number < self.tables[0].end else self.tables[-1]
        return table.keys[number - table.first]

    def _noticed(self, table: KeyTable, family: Family, page: Folded) -> Iterator[int]:
        """The keys of one family that stand in the latest segment, each once."""
        segment = self.segments[-1]
        for numbers, at in table.families[family].hits(page.text):
            for number in numbers:
                key = table.keys[number - table.first]
                places = self._standing.get(number)
                if not isinstance(key, PlainKey) or (places and places[-1] is segment):
                    continue
                if stands(page, key.wanted, at, key.rule):
                    self._standing.setdefault(number, []).append(segment)
                    yield number

    def _search(self, key: WildKey | KeyPattern, window: Window) -> str | None:
        text, starts = self._text(window)
        if isinstance(key, WildKey):
            page = self._page(window, key.rule)
            at = self.watch.search(key.key, key.compiled, page.text)
            at = at if at is None else page.span(at, at + 1)[0]
        else:
            at = self.watch.search(key.key, key.compiled, text, sticky=key.sticky)
        if at is None or not starts:
            return None if at is None else "nothing"
        return starts[max(0, bisect_right(starts, (at, "\U0010ffff")) - 1)][1]

    def _page(self, window: Window, rule: KeyRule) -> Folded:
        where = (window, rule.case_sensitive)
        if where not in self._pages:
            self._pages[where] = prepare_text(self._text(window)[0], rule)
        return self._pages[where]

    def _text(self, window: Window) -> tuple[str, list[tuple[int, str]]]:
        if window not in self._texts:
            self._texts[window] = joined(self.segments, window)
        return self._texts[window]
