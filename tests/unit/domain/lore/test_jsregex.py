"""JavaScript's patterns in Python's engine: the same text is found, or the pattern is refused."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from huaben.domain.lore.jsregex import Translated, Untranslatable, translate

FOUND: list[tuple[str, str, str, str | None]] = [
    # pattern, flags, text, what JavaScript finds (checked against its engine)
    ("dra(?:gon|ke){1,2}", "i", "a DRAKE", "DRAKE"),
    (r"\bAI\b", "", "用AI写", "AI"),
    (r"\bAI\b", "", "MAIN AIR", None),
    (r"\b龙\b", "", "a龙b", "龙"),
    (r"\B龙", "", "a龙b", None),
    (r"\B龙", "", "，龙", "龙"),
    (r"\w+", "", "龙é_9z", "_9z"),
    (r"\W+", "", "a龙é b", "龙é "),
    (r"\W", "i", "k\u017f", "\u017f"),
    (r"[^\W]", "i", "龙k", "k"),
    (r"\d+", "", "٣7", "7"),
    (r"\D", "", "7٣", "٣"),
    (r"\s", "", "a\ufeff", "\ufeff"),
    (r"\S", "", "\u3000\x85", "\x85"),
    (r"[\s\S]+", "", "a\nb", "a\nb"),
    ("[^]+", "", "a\nb", "a\nb"),
    ("[]", "", "a", None),
    ("a[]?b", "", "ab", "ab"),
    ("^b", "", "a\nb", None),
    ("^b", "m", "a\u2028b", "b"),
    ("a$", "", "a\n", None),
    ("a$", "m", "a\r\n", "a"),
    ("a.b", "", "a\rb", None),
    ("a.b", "", "a\u2029b", None),
    ("a.b", "", "a\x85b", "a\x85b"),
    ("a.b", "s", "a\nb", "a\nb"),
    ("(?<year>\\d{4})-\\k<year>", "", "2024-2024", "2024-2024"),
    ("\\k<y>", "", "k<y>", "k<y>"),
    ("(?:(a)|b)\\1", "", "b", "b"),
    (r"\1(a)", "", "aa", "a"),
    (r"(a\1)", "", "aa", "a"),
    (r"(?<=\$\d*)7", "", "$1237", "7"),
    (r"(?<!旧)伞", "", "旧伞，新伞", "伞"),
    ("(?=a)*b", "", "b", "b"),
    (r"\x41\u0042\103\0", "", "ABC\0", "ABC\0"),
    (r"\u{61}", "u", "a", "a"),
    (r"\u{2}", "", "uu", "uu"),
    (r"\ud83d\ude00", "", "😀", "😀"),
    (r"\cA", "", "\x01", "\x01"),
    (r"\c1", "", "\\c1", "\\c1"),
    (r"[\c1]", "", "\x11", "\x11"),
    (r"[\b]", "", "\x08", "\x08"),
    (r"\8\9", "", "89", "89"),
    (r"[\1-\3]", "", "\x02", "\x02"),
    (r"\p{L}", "", "p{L}", "p{L}"),
    (r"\p{L}+", "u", "7龙é", "龙é"),
    (r"\P{L}", "u", "龙7", "7"),
    (r"\p{Script=Han}+", "u", "a龙王", "龙王"),
    (r"\p{sc=Greek}", "u", "aΩ", "Ω"),
    (r"[\p{Lu}\d]+", "u", "aB7", "B7"),
    (r"\p{General_Category=Lu}", "u", "aB", "B"),
    ("a{,2}", "", "a{,2}", "a{,2}"),
    ("a{", "", "a{", "a{"),
    ("a{1}{", "", "a{", "a{"),
    ("x{e<=1}", "", "x{e<=1}", "x{e<=1}"),
    ("]}", "", "]}", "]}"),
    (r"\-\/\#\_\e\i", "", "-/#_ei", "-/#_ei"),
    ("[a\\]b]+", "", "]a", "]a"),
    ("[[a]", "", "[", "["),
    ("[a&&b]", "", "&", "&"),
    ("[\\w-x]", "", "-", "-"),
    ("[x-]", "", "-", "-"),
    ("i", "i", "İıI", "I"),
    ("[a-z]+", "i", "ı\u017f\u212a", None),
    ("[^a-z]", "i", "a\u212a", "\u212a"),
    ("s", "iu", "\u017f", "\u017f"),
    ("[j-l]", "iu", "\u212a", "\u212a"),
    ("É", "i", "é", "é"),
    ("a{2,3}?", "", "aaa", "aa"),
    ("a{0}", "", "a", ""),
    ("", "", "a", ""),
    ("a||b", "", "b", ""),
    ("# no comment", "", "# no comment", "# no comment"),
    ("\x01龙王:[^\x01]*?hello", "", "\x01龙王: well, hello", "\x01龙王: well, hello"),
    ("龙|😀", "", "😀", "😀"),
    ("(?i:a)b", "", "Ab", "Ab"),
    ("(?-i:a)b", "i", "aB", "aB"),
    ("(?-i:a)b", "i", "AB", None),
    ("(?s:.)(?m:^)a", "", "\na", "\na"),
]
REFUSED = [
    ("a**", "", "syntax"),
    ("a++", "", "syntax"),
    ("a{2}{3}", "", "syntax"),
    ("+a", "", "syntax"),
    ("{2}", "", "syntax"),
    ("a{3,1}", "", "syntax"),
    ("^*", "", "syntax"),
    (r"\b+", "", "syntax"),
    ("(a", "", "syntax"),
    ("a)", "", "syntax"),
    ("[a", "", "syntax"),
    ("[a--b]", "", "syntax"),
    ("[b-a]", "", "syntax"),
    ("(?P<n>a)", "", "syntax"),
    ("(?#x)", "", "syntax"),
    ("(?>a)", "", "syntax"),
    ("(?|a)", "", "syntax"),
    ("(?R)", "", "syntax"),
    ("(?-:a)", "", "syntax"),
    ("(?ii:a)", "", "syntax"),
    ("(?<=a)*", "", "syntax"),
    ("(?<1>a)", "", "syntax"),
    ("(?<n>a)(?<n>b)", "", "syntax"),
    (r"(?<n>a)\k<m>", "", "syntax"),
    (r"(?<n>a)\k", "", "syntax"),
    ("\\", "", "syntax"),
    ("(?=a)*", "u", "syntax"),
    ("{", "u", "syntax"),
    ("]", "u", "syntax"),
    (r"\e", "u", "syntax"),
    (r"\1", "u", "syntax"),
    (r"\u{110000}", "u", "syntax"),
    (r"\x4", "u", "syntax"),
    (r"\c1", "u", "syntax"),
    (r"\p{x=y}", "u", "syntax"),
    (r"\p", "u", "syntax"),
    (r"[\w-x]", "u", "syntax"),
    (r"[x-\w]", "u", "syntax"),
    (r"\p{Nonsense}", "u", "unsupported"),
    ("a", "ii", "flags"),
    ("a", "v", "flags"),
    ("a", "x", "flags"),
    ("a{99999}", "", "too_large"),
    ("(?:a{60000}){9}", "", "too_large"),
    ("(?:" * 40 + "a" + "+)" * 40, "", "too_large"),
    ("(" * 500 + ")" * 500, "", "too_large"),
    ("a" * 20_001, "", "too_large"),
]


def first(pattern: str, flags: str, text: str) -> str | None:
    """What the translation finds first."""
    translated = translate(pattern, flags)
    assert isinstance(translated, Translated), translated
    engine = regex.compile(translated.pattern, regex.IGNORECASE if translated.ignore_case else 0)
    found = engine.search(text)
    return None if found is None else found.group()


@pytest.mark.parametrize(("pattern", "flags", "text", "found"), FOUND)
def test_the_translation_finds_what_javascript_finds(
    pattern: str, flags: str, text: str, found: str | None
) -> None:
    """The first match is the same string, or there is none in both."""
    assert first(pattern, flags, text) == found


@pytest.mark.parametrize(("pattern", "flags", "code"), REFUSED)
def test_what_cannot_be_translated_is_refused_with_a_code(
    pattern: str, flags: str, code: str
) -> None:
    """Faults in JavaScript are `syntax` or `flags`; what only we cannot do has another code."""
    refused = translate(pattern, flags)
    assert isinstance(refused, Untranslatable)
    assert refused.code == code
    assert refused.detail


def test_groups_keep_their_numbers_and_names() -> None:
    """A script's replacement refers to groups as in JavaScript."""
    translated = translate("(a)(?<名>b)(?:c)(?<$d>d)[(](\\()", "gy")
    assert isinstance(translated, Translated)
    assert (translated.groups, translated.names) == (4, (("名", 2), ("$d", 3)))
    assert (translated.every, translated.sticky, translated.ignore_case) == (True, True, False)


@given(
    st.text(alphabet="ab龙()[]{}|?*+^$.\\-,:=!<>123kpux", max_size=24),
    st.sampled_from(["", "i", "u", "iu", "ms"]),
)
def test_any_text_is_translated_or_refused(source: str, flags: str) -> None:
    """Translating never fails, and what it yields compiles."""
    translated = translate(source, flags)
    if isinstance(translated, Translated):
        regex.compile(translated.pattern)
