"""What the clock of the scene says, in two languages and any zone."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from huaben.formats.macros import Language, Scene, expand
from huaben.formats.macros.dates import humanize, humanize_from_now

NOW = datetime(2024, 7, 12, 9, 5, 3, 120_000, tzinfo=UTC)
SHANGHAI = timezone(timedelta(hours=8))


def _text(template: str, language: Language = "en") -> str:
    return expand(template, Scene(now=NOW, language=language)).text


@pytest.mark.parametrize(
    ("template", "english", "chinese"),
    [
        ("{{time}}", "9:05 AM", "09:05"),
        ("{{date}}", "July 12, 2024", "2024年7月12日"),
        ("{{weekday}}", "Friday", "星期五"),
        ("{{isotime}} {{isodate}}", "09:05 2024-07-12", "09:05 2024-07-12"),
        ("{{time::UTC+2}}", "11:05 AM", "11:05"),
        ("{{time_UTC-10}}", "11:05 PM", "23:05"),
        ("{{time::UTC+5:30}}{{time:utc+5.5}}", "2:35 PM2:35 PM", "14:3514:35"),
        ("{{datetimeformat::YYYY-MM-DD HH:mm:ss}}", "2024-07-12 09:05:03", "2024-07-12 09:05:03"),
        ("{{datetimeformat::ddd Do MMM [at] h:mm a}}", "Fri 12th Jul at 9:05 am", "周五 12日 7月 at 9:05 上午"),
        ("{{datetimeformat::DDD Q E d e w gg W GGGG}}", "194 3 5 5 5 28 24 28 2024", "194 3 5 5 4 28 24 28 2024"),
        ("{{datetimeformat LLLL}}", "Friday, July 12, 2024 9:05 AM", "2024年7月12日星期五上午9点05分"),
        ("{{datetimeformat::X x Z ZZ SSS k}}", "1720775103 1720775103120 +00:00 +0000 120 9", "1720775103 1720775103120 +00:00 +0000 120 9"),
    ],
)  # fmt: skip
def test_the_clock_is_written_as_the_language_writes_it(
    template: str, english: str, chinese: str
) -> None:
    """Tokens and defaults follow moment.js in both languages."""
    assert _text(template, "en") == english
    assert _text(template, "zh") == chinese


def test_the_zone_of_the_scene_is_local_time() -> None:
    """A clock with a zone is turned to the scene's; one without is already there."""
    assert expand("{{isotime}}", Scene(now=NOW, tz=SHANGHAI)).text == "17:05"
    naive = NOW.replace(tzinfo=None)
    assert expand("{{isotime}} {{time::UTC+0}}", Scene(now=naive, tz=SHANGHAI)).text == (
        "09:05 1:05 AM"
    )


@pytest.mark.parametrize("template", ["{{time::Paris}}", "{{time::UTC+25}}", "{{timeDiff::x::y}}"])
def test_what_names_no_time_stays_as_typed(template: str) -> None:
    """A zone or a time that cannot be read is left and named."""
    found = expand(template, Scene(now=NOW))

    assert found.text == template
    assert [warning.code for warning in found.warnings] == ["invalid_argument"]


def test_without_a_clock_the_time_stays_as_typed() -> None:
    """A scene without a clock makes nothing up."""
    found = expand("{{time}} {{date}}", Scene())

    assert found.text == "{{time}} {{date}}"
    assert {warning.code for warning in found.warnings} == {"no_value"}


@pytest.mark.parametrize("now", [datetime.min, datetime.max])
@pytest.mark.parametrize("tz", [None, SHANGHAI, timezone(timedelta(hours=-12))])
def test_the_ends_of_the_calendar_raise_nothing(now: datetime, tz: timezone | None) -> None:
    """Where a zone or a week would leave the calendar, the macro stays as typed."""
    moment = now.replace(tzinfo=UTC)
    template = "{{time}}{{date}}{{time::UTC+9}}{{time::UTC-9}}{{datetimeformat::w W gg X}}{{timeDiff::{{isodate}}::2000-01-01}}"

    expand(template, Scene(now=moment, tz=tz))
    expand(template, Scene(now=moment, tz=tz), generation="legacy")


@pytest.mark.parametrize(
    ("template", "english", "chinese"),
    [
        ("{{timeDiff::2024-07-12::2024-07-11}}", "in a day", "1 天后"),
        ("{{timeDiff::2024-07-12T00:00::2024-07-12 04:00}}", "4 hours ago", "4 小时前"),
        ("{{timeDiff::{{date}}::2024-06-02}}", "in a month", "1 个月后"),
        ("{{timeDiff::{{date}} {{time}}::2024-07-12T09:05:00Z}}", "a few seconds ago", "几秒前"),
        ("{{timeDiff::{{isotime}}::09:50}}", "an hour ago", "1 小时前"),
        ("{{timeDiff::2024/7/12 9:00 PM::2024年7月12日 09:00}}", "in 12 hours", "12 小时后"),
    ],
)
def test_differences_read_what_the_other_macros_write(
    template: str, english: str, chinese: str
) -> None:
    """Either side may be ISO, a date or a clock in words; the first is seen from the second."""
    assert _text(template, "en") == english
    assert _text(template, "zh") == chinese


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (0, "a few seconds", "几秒"),
        (44, "a few seconds", "几秒"),
        (45, "a minute", "1 分钟"),
        (90, "2 minutes", "2 分钟"),
        (44 * 60, "44 minutes", "44 分钟"),
        (45 * 60, "an hour", "1 小时"),
        (21 * 3600, "21 hours", "21 小时"),
        (22 * 3600, "a day", "1 天"),
        (25 * 86400, "25 days", "25 天"),
        (26 * 86400, "a month", "1 个月"),
        (300 * 86400, "10 months", "10 个月"),
        (320 * 86400, "a year", "1 年"),
        (800 * 86400, "2 years", "2 年"),
    ],
)
def test_spans_are_told_in_their_largest_unit(seconds: int, english: str, chinese: str) -> None:
    """The thresholds between units are those of moment.js."""
    span = timedelta(seconds=seconds)

    assert humanize(span, "en") == english
    assert humanize(span, "zh") == chinese
    assert humanize_from_now(-span, "en") == f"{english} ago"


def test_idleness_is_told_and_its_absence_too() -> None:
    """Before the first user message nobody has been idle."""
    assert expand("{{idleDuration}}", Scene(idle=timedelta(hours=4))).text == "4 hours"
    assert expand("{{idle_duration}}", Scene()).text == "just now"
    assert expand("{{idleDuration}}", Scene(language="zh")).text == "刚刚"


def test_the_clock_is_volatile_and_a_difference_of_fixed_times_is_not() -> None:
    """What moves by itself is named; two written dates do not move."""
    template = "{{time}}{{weekday}}{{timeDiff::2024-07-12::2024-07-11}}"

    assert expand(template, Scene(now=NOW)).volatile == ("time", "weekday")
