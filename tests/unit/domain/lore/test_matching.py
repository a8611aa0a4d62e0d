"""Keys in text: whole words in every script, and SillyTavern's rule where it is asked for."""

import pytest

from huaben.domain.lore import key_matches

WHOLE = [
    ("北京", "我在北京读书", True),
    ("龙王", "听说龙王来了", True),
    ("龙", "一条龙王来了", True),
    ("用", "用AI写", True),
    ("AI", "用AI写", True),
    ("AI", "Maine", False),
    ("AI", "用AI2写", False),
    ("地名1", "地名1500", False),
    ("地名1", "去地名1吧", True),
    ("地名7", "地名77", False),
    ("7号", "17号楼", False),
    ("café", "at the café.", True),
    ("café", "at the cafe\u0301.", True),
    ("cafe", "at the cafe\u0301.", False),
    ("Zoë", "“Zoë,” she said", True),
    ("Zoë", "Zoëlla", False),
    ("앨리스", "앨리스가 왔다", True),
    ("앨리스", "그앨리스", False),
    ("ель", "мельница", False),
    ("ель", "старая ель у реки", True),
    ("#hello", "say #hello now", True),
    ("#hello", "x#helloy", False),
    ("#hello", "x#hello", True),
    ("hello", "hello_world", False),
    ("C++", "I write C++ daily", True),
    ("C++", "ABC++", False),
    ("old umbrella", "the Old Umbrella!", True),
    ("old umbrella", "the gold umbrellas", False),
    ("umbrella", "umbrella's", True),
    ("ｕｍｂｒｅｌｌａ", "an umbrella.", True),
    ("umbrella", "an ＵＭＢＲＥＬＬＡ。", True),
    ("カタカナ", "これはｶﾀｶﾅです", True),
    ("ガ", "ｶﾞ", True),
    ("がく", "か\u3099くせい", True),
    ("ラーメン", "ラーメンを", True),
    ("人々", "人々は", True),
    ("ดาบ", "ถือดาบไว้", True),
    ("ປາ", "ກິນປາ", True),
    ("ត្រី", "ស៊ីត្រីឆ្អិន", True),
    ("ငါး", "သူငါးစား", True),
    ("हिन्द", "हिन्दी", False),
    ("हिन्दी", "वह हिन्दी बोलता", True),
    ("strasse", "die Straße!", True),
    ("stras", "die Straße!", False),
    ("straße", "STRASSE", True),
    ("ss", "ß", True),
    ("s", "ß", False),
    ("İ", "x İ y", True),
    ("i", "İ", False),
    ("ΣΑΣ", "σας", True),
    ("❤️", "I ❤️you", True),
    ("…", "so...", True),
    ("", "anything", False),
    ("  ", "a  b", False),
    (" sea ", "the sea", True),
    ("\u3000海\u3000", "大海啊", True),
    ("a", "", False),
]
SUBSTRING = [
    ("dragon", "dragons", True),
    ("ELь", "мельница", False),
    ("ель", "МЕЛЬНИЦА", True),
    ("龙", "恐龙", True),
    ("hello", "", False),
]
EXACT = [
    ("龙", "一条龙王来了", True),
    ("ель", "мельница", True),
    ("AI", "用AI写", True),
    ("AI", "Maine", False),
    ("#hello", "say #hello now", True),
    ("#hello", "x#helloy", False),
    ("#hello", "x#hello", False),
    ("café", "at the café.", True),
    ("café", "at the cafés", False),
    ("caf", "at the café", True),
    ("old umbrella", "gold umbrellas", True),
    ("hello", "hello_world", False),
    ("ｕｍｂ", "umb", False),
    ("Key", "a KEY.", True),
    (" key ", "a key.", True),
    ("", "x", False),
    ("a", "aa a", True),
    ("aa", "aaa", False),
]


@pytest.mark.parametrize(("key", "text", "found"), WHOLE)
def test_l01_l02_l04_a_whole_word_ends_where_its_script_says(
    key: str, text: str, found: bool
) -> None:
    """Corrected matching: boundaries only at edges that have them, compared after folding."""
    assert key_matches(key, text) is found


@pytest.mark.parametrize(("key", "text", "found"), SUBSTRING)
def test_without_whole_words_a_key_stands_anywhere(key: str, text: str, found: bool) -> None:
    """A plain substring, still folded."""
    assert key_matches(key, text, whole_words=False) is found


@pytest.mark.parametrize(("key", "text", "found"), EXACT)
def test_exact_matching_takes_every_letter_beyond_ascii_for_a_boundary(
    key: str, text: str, found: bool
) -> None:
    """SillyTavern's rule, false hits included, for who asks for it."""
    assert key_matches(key, text, exact=True) is found


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(("text", "found"), [("the Sea", True), ("the sea", False)])
def test_case_counts_only_where_asked(exact: bool, text: str, found: bool) -> None:
    """Case sensitive keys want their own case."""
    assert key_matches("Sea", text, case_sensitive=True, exact=exact) is found
    assert key_matches("Sea", text, exact=exact)


def test_a_long_run_of_near_hits_stays_quick() -> None:
    """Each near hit is judged by its neighbours alone."""
    assert not key_matches("aa", "a" * 50_000)
