"""Macros that tell the time, as the scene has it; apart as one family, nearly all volatile."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from huaben.formats.macros.dates import format_date, humanize, humanize_from_now, just_now
from huaben.formats.macros.run import Call, Definition, Outcome, Refused
from huaben.formats.macros.scene import Scene

_OFFSET = re.compile(r"\s*UTC\s*([+-])(\d{1,2})(?::(\d{2})|\.(\d))?\s*", re.IGNORECASE | re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AP]M)?", re.IGNORECASE | re.ASCII)
_MAX_OFFSET = timedelta(hours=18)


def local_now(scene: Scene) -> datetime | None:
    """The scene's clock in the scene's zone; as it was given where there is no zone, or where the
    zone would carry it out of the calendar."""
    if scene.now is None or scene.tz is None:
        return scene.now
    if scene.now.tzinfo is None:
        return scene.now.replace(tzinfo=scene.tz)
    try:
        return scene.now.astimezone(scene.tz)
    except OverflowError:
        return scene.now


def _formatted(call: Call, pattern: str, moment: datetime | None = None) -> Outcome:
    try:
        moment = moment or local_now(call.scene)
        if moment is None:
            return Refused("no_value")
        return format_date(moment, pattern, call.scene.language)
    except OverflowError:  # a zone or a week beyond the first or last year of the calendar
        return Refused("invalid_argument")


def _time(call: Call) -> Outcome:
    if not call.args:
        return _formatted(call, "LT")
    offset = _offset(call.args[0])
    moment = local_now(call.scene)
    if offset is None or moment is None:
        return Refused("invalid_argument" if offset is None else "no_value")
    try:
        moment = _anchored(moment).astimezone(timezone(offset))
    except OverflowError:
        return Refused("invalid_argument")
    return _formatted(call, "LT", moment)


def _offset(text: str) -> timedelta | None:
    """`UTC+2`, `UTC-3:30`, `UTC+5.5`."""
    found = _OFFSET.fullmatch(text)
    if found is None:
        return None
    minutes = int(found[3] or 0) + int(found[4] or 0) * 6
    offset = timedelta(hours=int(found[2]), minutes=minutes)
    if offset > _MAX_OFFSET:
        return None
    return offset if found[1] == "+" else -offset


def _anchored(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _date(call: Call) -> Outcome:
    return _formatted(call, "LL")


def _weekday(call: Call) -> Outcome:
    return _formatted(call, "dddd")


def _isotime(call: Call) -> Outcome:
    return _formatted(call, "HH:mm")


def _isodate(call: Call) -> Outcome:
    return _formatted(call, "YYYY-MM-DD")


def _datetimeformat(call: Call) -> Outcome:
    return _formatted(call, call.args[0])


def _idle(call: Call) -> Outcome:
    idle = call.scene.idle
    return just_now(call.scene.language) if idle is None else humanize(idle, call.scene.language)


def _difference(call: Call) -> Outcome:
    left, right = (read_moment(arg, call.scene) for arg in call.args)
    if left is None or right is None:
        return Refused("invalid_argument")
    if any(_CLOCK.fullmatch(arg.strip()) for arg in call.args):
        call.run.flag(call.name)  # a clock without a date is today's
    return humanize_from_now(_anchored(left) - _anchored(right), call.scene.language)


def read_moment(text: str, scene: Scene) -> datetime | None:
    """Reads ISO 8601, what `{{date}}` and `{{time}}` write, or both with a space between.

    A clock alone is today's, a date alone its midnight; without a zone it is the scene's. None if
    it is none of these.
    """
    text = text.strip()[:80]
    try:
        moment = _iso(text) or _in_words(text, scene)
    except ValueError:
        return None
    if moment is not None and moment.tzinfo is None and scene.tz is not None:
        return moment.replace(tzinfo=scene.tz)
    return moment


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


_DATES = (
    re.compile(r"(?P<month>[A-Z][a-z]{2,8}) (?P<day>\d{1,2}), (?P<year>\d{4})", re.ASCII),
    re.compile(r"(?P<year>\d{4})年(?P<month>\d{1,2})月(?P<day>\d{1,2})日", re.ASCII),
    re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})", re.ASCII),
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _in_words(text: str, scene: Scene) -> datetime | None:
    """Raises ValueError for a 31st of April or a 25th hour."""
    for pattern in _DATES:
        if found := pattern.match(text):
            rest = text[found.end() :].strip()
            month = _month(str(found["month"]))
            day = datetime(int(found["year"]), month, int(found["day"]))
            return _at_clock(day, rest) if rest else day
    today = local_now(scene)
    return None if today is None else _at_clock(today.replace(tzinfo=None), text)


def _month(text: str) -> int:
    return int(text) if text.isdecimal() else _MONTHS.index(text[:3].lower()) + 1


def _at_clock(day: datetime, text: str) -> datetime | None:
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    hour = int(found[1])
    if found[4]:
        hour = hour % 12 + (12 if str(found[4]).upper() == "PM" else 0)
    return day.replace(hour=hour, minute=int(found[2]), second=int(found[3] or 0), microsecond=0)


TIME = {
    "time": Definition(_time, most=1, volatile=True),
    "date": Definition(_date, volatile=True),
    "weekday": Definition(_weekday, volatile=True),
    "isotime": Definition(_isotime, volatile=True),
    "isodate": Definition(_isodate, volatile=True),
    "datetimeformat": Definition(_datetimeformat, least=1, most=1, volatile=True),
    "timeDiff": Definition(_difference, least=2, most=2),
    "idleDuration": Definition(_idle, volatile=True),
    "idle_duration": Definition(_idle, volatile=True),
}
