"""Dates and durations in words, after the conventions of moment.js; apart because they are tables, not macros."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from huaben.formats.macros.scene import Language


@dataclass(frozen=True, slots=True)
class Words:
    """How one language writes dates.

    Months and days (Sunday first) come as full, short and narrow names, `formats` are the compound
    tokens, `spans` one and several of each unit. A week begins on `week_start` (0 = Sunday) and
    belongs to the year of its day number `week_anchor`, counted from there.
    """

    months: tuple[str, ...]
    months_short: tuple[str, ...]
    days: tuple[str, ...]
    days_short: tuple[str, ...]
    days_narrow: tuple[str, ...]
    formats: Mapping[str, str]
    spans: Mapping[str, tuple[str, str]]
    half_of_day: Callable[[datetime], str]
    ordinal: Callable[[int, str], str]
    week_start: int
    week_anchor: int
    ahead: str
    ago: str
    just_now: str


def format_date(moment: datetime, pattern: str, language: Language) -> str:
    """Writes `moment` after a pattern of moment.js tokens; `[…]` and what is no token stay.

    Raises OverflowError within a week of the first or last day that a datetime can hold.
    """
    words = WORDS[language]
    return _TOKEN.sub(lambda found: _token(found.group(), moment, words), pattern)


def humanize(span: timedelta, language: Language) -> str:
    """Says how long a span is, in its largest unit and without direction: `4 hours`, `1 天`."""
    unit, count = _measure(abs(span))
    one, several = WORDS[language].spans[unit]
    return one if count == 1 else several.format(count)


def humanize_from_now(span: timedelta, language: Language) -> str:
    """Says when that is: `in 4 hours` for what is still ahead, `1 天前` for what is past."""
    words = WORDS[language]
    return (words.ahead if span > timedelta(0) else words.ago).format(humanize(span, language))


def just_now(language: Language) -> str:
    return WORDS[language].just_now


def _measure(span: timedelta) -> tuple[str, int]:
    """The unit and the number in it, with the thresholds of moment.js."""
    seconds = span.total_seconds()
    if _round(seconds) < 45:
        return "seconds", 1
    steps = (("minutes", 60.0, 45), ("hours", 3600.0, 22), ("days", 86400.0, 26))
    for unit, length, below in steps:
        if (count := _round(seconds / length)) < below:
            return unit, max(count, 1)
    days = seconds / 86400
    if (months := _round(days / 30.436875)) < 11:
        return "months", max(months, 1)
    return "years", max(_round(days / 365.2425), 1)


def _round(number: float) -> int:
    return math.floor(number + 0.5)


def _token(token: str, moment: datetime, words: Words) -> str:
    if token.startswith("["):
        return token[1:-1]
    if token.startswith("\\"):
        return token[1:]
    if compound := words.formats.get(token):
        return _TOKEN.sub(lambda found: _token(found.group(), moment, words), compound)
    if token.startswith("S"):
        return f"{moment.microsecond:06d}000"[: len(token)]
    return _TOKENS[token](moment, words)


def _weekday(moment: date) -> int:
    """0 = Sunday."""
    return moment.isoweekday() % 7


def _week(moment: date, start: int, anchor: int) -> tuple[int, int]:
    """Year and number of a week."""
    first = moment - timedelta(days=(_weekday(moment) - start) % 7)
    decisive = first + timedelta(days=anchor)
    return decisive.year, (decisive.timetuple().tm_yday - 1) // 7 + 1


def _local_week(moment: datetime, words: Words) -> tuple[int, int]:
    return _week(moment.date(), words.week_start, words.week_anchor)


def _zone(moment: datetime, colon: str) -> str:
    offset = moment.utcoffset() or timedelta(0)
    minutes = abs(int(offset.total_seconds())) // 60
    sign = "-" if offset < timedelta(0) else "+"
    return f"{sign}{minutes // 60:02d}{colon}{minutes % 60:02d}"


def _timestamp(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _day_of_year(moment: datetime) -> int:
    return moment.timetuple().tm_yday


def _quarter(moment: datetime) -> int:
    return (moment.month + 2) // 3


_TOKEN = re.compile(
    r"\[[^\[\]]*\]|\\.|LTS|LT|L{1,4}|l{1,4}|Mo|M{1,4}|Qo|Q|DDDo|Do|D{1,4}|do|d{1,4}|e|E"
    r"|wo|ww?|Wo|WW?|YYYY|YY|Y|gggg|gg|GGGG|GG|A|a|HH?|hh?|kk?|mm?|ss?|S{1,9}|zz?|ZZ?|X|x",
    re.DOTALL,
)

_TOKENS: Final[Mapping[str, Callable[[datetime, Words], str]]] = {
    "M": lambda at, words: str(at.month),
    "Mo": lambda at, words: words.ordinal(at.month, "month"),
    "MM": lambda at, words: f"{at.month:02d}",
    "MMM": lambda at, words: words.months_short[at.month - 1],
    "MMMM": lambda at, words: words.months[at.month - 1],
    "Q": lambda at, words: str(_quarter(at)),
    "Qo": lambda at, words: words.ordinal(_quarter(at), "quarter"),
    "D": lambda at, words: str(at.day),
    "Do": lambda at, words: words.ordinal(at.day, "day"),
    "DD": lambda at, words: f"{at.day:02d}",
    "DDD": lambda at, words: str(_day_of_year(at)),
    "DDDo": lambda at, words: words.ordinal(_day_of_year(at), "day"),
    "DDDD": lambda at, words: f"{_day_of_year(at):03d}",
    "d": lambda at, words: str(_weekday(at)),
    "do": lambda at, words: words.ordinal(_weekday(at), "day"),
    "dd": lambda at, words: words.days_narrow[_weekday(at)],
    "ddd": lambda at, words: words.days_short[_weekday(at)],
    "dddd": lambda at, words: words.days[_weekday(at)],
    "e": lambda at, words: str((_weekday(at) - words.week_start) % 7),
    "E": lambda at, words: str(at.isoweekday()),
    "w": lambda at, words: str(_local_week(at, words)[1]),
    "wo": lambda at, words: words.ordinal(_local_week(at, words)[1], "week"),
    "ww": lambda at, words: f"{_local_week(at, words)[1]:02d}",
    "W": lambda at, words: str(at.isocalendar().week),
    "Wo": lambda at, words: words.ordinal(at.isocalendar().week, "week"),
    "WW": lambda at, words: f"{at.isocalendar().week:02d}",
    "Y": lambda at, words: str(at.year),
    "YY": lambda at, words: f"{at.year % 100:02d}",
    "YYYY": lambda at, words: f"{at.year:04d}",
    "gg": lambda at, words: f"{_local_week(at, words)[0] % 100:02d}",
    "gggg": lambda at, words: f"{_local_week(at, words)[0]:04d}",
    "GG": lambda at, words: f"{at.isocalendar().year % 100:02d}",
    "GGGG": lambda at, words: f"{at.isocalendar().year:04d}",
    "A": lambda at, words: words.half_of_day(at),
    "a": lambda at, words: words.half_of_day(at).lower(),
    "H": lambda at, words: str(at.hour),
    "HH": lambda at, words: f"{at.hour:02d}",
    "h": lambda at, words: str(at.hour % 12 or 12),
    "hh": lambda at, words: f"{at.hour % 12 or 12:02d}",
    "k": lambda at, words: str(at.hour or 24),
    "kk": lambda at, words: f"{at.hour or 24:02d}",
    "m": lambda at, words: str(at.minute),
    "mm": lambda at, words: f"{at.minute:02d}",
    "s": lambda at, words: str(at.second),
    "ss": lambda at, words: f"{at.second:02d}",
    "z": lambda at, words: at.tzname() or "",
    "zz": lambda at, words: at.tzname() or "",
    "Z": lambda at, words: _zone(at, ":"),
    "ZZ": lambda at, words: _zone(at, ""),
    "X": lambda at, words: str(math.floor(_timestamp(at))),
    "x": lambda at, words: str(math.floor(_timestamp(at) * 1000)),
}


def _english_half(at: datetime) -> str:
    return "AM" if at.hour < 12 else "PM"


def _english_ordinal(number: int, _unit: str) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def _chinese_half(at: datetime) -> str:
    clock = at.hour * 100 + at.minute
    halves = ((600, "凌晨"), (900, "早上"), (1130, "上午"), (1230, "中午"), (1800, "下午"))
    return next((name for end, name in halves if clock < end), "晚上")


def _chinese_ordinal(number: int, unit: str) -> str:
    return f"{number}{ {'day': '日', 'month': '月', 'week': '周'}.get(unit, '') }"


_ENGLISH = Words(
    months=(
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    months_short=(
        "Jan",
        "Feb",
        "Mar",
        "Apr",
        "May",
        "Jun",
        "Jul",
        "Aug",
        "Sep",
        "Oct",
        "Nov",
        "Dec",
    ),
    days=("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"),
    days_short=("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"),
    days_narrow=("Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"),
    formats={
        "LTS": "h:mm:ss A",
        "LT": "h:mm A",
        "LLLL": "dddd, MMMM D, YYYY h:mm A",
        "LLL": "MMMM D, YYYY h:mm A",
        "LL": "MMMM D, YYYY",
        "L": "MM/DD/YYYY",
        "llll": "ddd, MMM D, YYYY h:mm A",
        "lll": "MMM D, YYYY h:mm A",
        "ll": "MMM D, YYYY",
        "l": "M/D/YYYY",
    },
    spans={
        "seconds": ("a few seconds", "a few seconds"),
        "minutes": ("a minute", "{} minutes"),
        "hours": ("an hour", "{} hours"),
        "days": ("a day", "{} days"),
        "months": ("a month", "{} months"),
        "years": ("a year", "{} years"),
    },
    half_of_day=_english_half,
    ordinal=_english_ordinal,
    week_start=0,
    week_anchor=6,
    ahead="in {}",
    ago="{} ago",
    just_now="just now",
)

_CHINESE = Words(
    months=(
        "一月",
        "二月",
        "三月",
        "四月",
        "五月",
        "六月",
        "七月",
        "八月",
        "九月",
        "十月",
        "十一月",
        "十二月",
    ),
    months_short=tuple(f"{month}月" for month in range(1, 13)),
    days=tuple(f"星期{day}" for day in "日一二三四五六"),
    days_short=tuple(f"周{day}" for day in "日一二三四五六"),
    days_narrow=tuple("日一二三四五六"),
    formats={
        "LTS": "HH:mm:ss",
        "LT": "HH:mm",
        "LLLL": "YYYY年M月D日ddddAh点mm分",
        "LLL": "YYYY年M月D日Ah点mm分",
        "LL": "YYYY年M月D日",
        "L": "YYYY/MM/DD",
        "llll": "YYYY年M月D日dddd HH:mm",
        "lll": "YYYY年M月D日 HH:mm",
        "ll": "YYYY年M月D日",
        "l": "YYYY/M/D",
    },
    spans={
        "seconds": ("几秒", "几秒"),
        "minutes": ("1 分钟", "{} 分钟"),
        "hours": ("1 小时", "{} 小时"),
        "days": ("1 天", "{} 天"),
        "months": ("1 个月", "{} 个月"),
        "years": ("1 年", "{} 年"),
    },
    half_of_day=_chinese_half,
    ordinal=_chinese_ordinal,
    week_start=1,
    week_anchor=3,
    ahead="{}后",
    ago="{}前",
    just_now="刚刚",
)

WORDS: Final[Mapping[Language, Words]] = {"en": _ENGLISH, "zh": _CHINESE}
